// Our verdict and Node 20's on the same bytes: the conformance table, some hundred bent requests, and the table's
// requests with bytes changed at random. Where they differ, tests/data/http/node-differences.json must say so and why:
// for a row or a way of bending by its name, for changed bytes by a rule.
#include "base/random.h"
#include "http/requestparser.h"
#include "support/httpconformance.h"
#include "support/readfile.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <set>

using namespace wardbench;

namespace {

struct Case
{
    std::string id;
    std::string input;
    std::vector<std::string> names; ///< under which a difference may be listed
};

/// A request in parts, so that each part can be bent on its own (tests/data/http/mutations.json).
struct Draft
{
    std::map<QString, std::string> parts{{QStringLiteral("method"), "POST"},      {QStringLiteral("afterMethod"), " "},
                                         {QStringLiteral("target"), "/path?a=b"}, {QStringLiteral("afterTarget"), " "},
                                         {QStringLiteral("version"), "HTTP/1.1"}, {QStringLiteral("lineEnd"), "\r\n"}};
    std::vector<std::string> fields{"Host: example.org", "X-First: 1"};

    void bend(const QJsonObject &mutation)
    {
        for (auto member = mutation.begin(); member != mutation.end(); ++member) {
            if (member.key() == QLatin1String("fields")) {
                for (const auto &field : member.value().toArray())
                    fields.push_back(field.toString().toLatin1().toStdString());
            } else if (member.key() == QLatin1String("host")) {
                fields.front() = member.value().toString().toLatin1().toStdString();
            } else {
                parts[member.key()] = member.value().toString().toLatin1().toStdString();
            }
        }
    }
    std::string bytes()
    {
        const auto part = [this](const char *name) {
            return parts[QLatin1String(name)];
        };
        std::string text = part("before") + part("method") + part("afterMethod") + part("target") +
                           part("afterTarget") + part("version") + part("lineEnd");
        for (const std::string &field : fields) {
            if (!field.empty())
                text += field + part("lineEnd");
        }
        return text + part("lineEnd") + part("body") + part("after");
    }
};

QJsonArray readArray(const char *path)
{
    const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(test::readFile(path)));
    if (!document.isArray() || document.array().isEmpty())
        throw std::runtime_error(std::string(path) + " is not a JSON array");
    return document.array();
}

struct Seen
{
    std::string method, target, body;
    QStringList headers, trailers;
    friend bool operator==(const Seen &, const Seen &) = default;
};

struct Verdict
{
    std::vector<Seen> requests;
    bool refused = false;
    std::string reason{};  ///< why we refused
    bool upgrades = false; ///< a request asks for another protocol
    bool closed = false;   ///< by a request before the end of the input
    bool minor = false;    ///< of a version that Node does not know
};

QStringList list(const http::Headers &headers)
{
    QStringList result;
    for (const http::Header &field : headers)
        result << QString::fromLatin1(QByteArray::fromStdString(field.name))
               << QString::fromLatin1(QByteArray::fromStdString(field.value));
    return result;
}

Verdict ours(const std::string &input)
{
    Verdict verdict;
    http::RequestParser parser;
    std::string_view rest = input;
    while (!rest.empty()) {
        rest.remove_prefix(parser.feed(rest));
        if (parser.state() == http::RequestParser::State::Failed) {
            verdict.refused = true;
            verdict.reason = parser.error().reason;
            return verdict;
        }
        if (parser.state() != http::RequestParser::State::Complete)
            continue;
        const http::Request &request = parser.request();
        verdict.requests.push_back(
            {request.method, request.target, request.body, list(request.headers), list(request.trailers)});
        verdict.upgrades = verdict.upgrades || request.headers.has("upgrade");
        verdict.minor = verdict.minor || request.versionMinor > 1;
        verdict.closed = parser.closes() && !rest.empty();
        if (parser.closes())
            return verdict;
        parser.next();
    }
    verdict.refused = !parser.idle(); // unfinished: Node answers 400 to the FIN, we close without a word
    if (verdict.refused)
        verdict.reason = "unfinished";
    return verdict;
}

/// What node-differences.json calls a case with changed bytes: our reason, or what about it we take and Node does not.
std::vector<std::string> rulesFor(const Verdict &our)
{
    static const std::set<std::string> known = [] {
        std::set<std::string> methods;
        for (const auto &method : readArray(WARDBENCH_TEST_DATA "/http/node-methods.json"))
            methods.insert(method.toString().toStdString());
        return methods;
    }();
    std::vector<std::string> rules;
    if (our.refused)
        rules.push_back("rule: " + our.reason);
    if (our.upgrades)
        rules.emplace_back("rule: upgrade");
    if (our.closed)
        rules.emplace_back("rule: bytes after a request that closes");
    if (our.minor)
        rules.emplace_back("rule: minor version");
    for (const Seen &request : our.requests) {
        if (known.count(request.method) == 0)
            rules.emplace_back("rule: method");
        for (qsizetype i = 0; i < request.trailers.size(); i += 2) {
            static const QStringList framing{QStringLiteral("content-length"), QStringLiteral("transfer-encoding")};
            if (framing.contains(request.trailers[i], Qt::CaseInsensitive))
                rules.emplace_back("rule: framing field in the trailers");
        }
    }
    return rules;
}

/// A row's bytes, some of them taken out, doubled, moved, or replaced by ones that mean something in HTTP.
std::string changed(std::string bytes, const RandomStream &random, std::uint64_t draw)
{
    static const std::vector<std::string> telling{"\r", "\n", "\r\n", " ",    "\t",   ":",    ";",    ",",  "0",
                                                  "1",  "a",  "\0",   "\x7F", "\xFF", "HTTP", "Host", "\"", "%"};
    std::int64_t lane = 0;
    const auto below = [&](std::size_t count) {
        return static_cast<std::size_t>(
            random.integer(draw, 0, static_cast<std::int64_t>(count) - 1, static_cast<std::uint64_t>(lane++)));
    };
    for (std::size_t left = 1 + below(2); left > 0 && !bytes.empty(); --left) {
        const std::size_t at = below(bytes.size());
        const std::size_t size = std::min(1 + below(3), bytes.size() - at);
        const std::string piece = bytes.substr(at, size);
        switch (below(4)) {
        case 0:
            bytes.erase(at, size);
            break;
        case 1:
            bytes.insert(at, piece);
            break;
        case 2:
            bytes.replace(at, 1, telling[below(telling.size())]);
            break;
        default:
            bytes.erase(at, size);
            bytes.insert(below(bytes.size() + 1), piece);
            break;
        }
    }
    return bytes;
}

QStringList texts(const QJsonValue &array)
{
    QStringList result;
    for (const auto &value : array.toArray())
        result << value.toString();
    return result;
}

Verdict verdictOfNode(const QJsonObject &object)
{
    Verdict verdict;
    for (const auto &status : object.value(QStringLiteral("statuses")).toArray())
        verdict.refused = verdict.refused || status.toInt() != 200;
    for (const auto &value : object.value(QStringLiteral("requests")).toArray()) {
        const QJsonObject request = value.toObject();
        verdict.requests.push_back(
            {request.value(QStringLiteral("method")).toString().toStdString(),
             request.value(QStringLiteral("target")).toString().toLatin1().toStdString(),
             QByteArray::fromHex(request.value(QStringLiteral("body")).toString().toLatin1()).toStdString(),
             texts(request.value(QStringLiteral("headers"))), texts(request.value(QStringLiteral("trailers")))});
    }
    return verdict;
}

/// Which of us is stricter on a case, or that both read it but differently.
std::string difference(const Verdict &our, const Verdict &node)
{
    if (our.requests.size() != node.requests.size())
        return our.requests.size() < node.requests.size() ? "we refuse" : "we accept";
    if (our.refused != node.refused)
        return our.refused ? "we refuse" : "we accept";
    return our.requests == node.requests ? "" : "we read it differently";
}

std::vector<Case> makeCases()
{
    std::vector<Case> cases;
    for (const auto &row : test::conformanceRows()) {
        if (row.allow.empty() && row.input.size() <= 100'000)
            cases.push_back({row.id, row.input, {row.id}});
    }
    const QJsonArray mutations = readArray(WARDBENCH_TEST_DATA "/http/mutations.json");
    const auto add = [&](qsizetype first, qsizetype second) {
        Draft draft;
        std::vector<std::string> names;
        for (const qsizetype index : first == second ? std::vector{first} : std::vector{first, second}) {
            const QJsonObject mutation = mutations[index].toObject();
            draft.bend(mutation);
            names.push_back(mutation.value(QStringLiteral("name")).toString().toStdString());
        }
        const std::string id = "m" + std::to_string(first) + "x" + std::to_string(second);
        cases.push_back({id, draft.bytes(), std::move(names)});
    };
    for (qsizetype i = 0; i < mutations.size(); ++i)
        add(i, i);
    const RandomStream random(1, 0, "node oracle");
    for (std::uint64_t i = 0; i < 500; ++i)
        add(random.integer(i, 0, mutations.size() - 1, 0), random.integer(i, 0, mutations.size() - 1, 1));

    constexpr std::uint64_t timesChanged = 4;
    const RandomStream bytes(2, 0, "changed bytes");
    std::uint64_t draw = 0;
    for (const auto &row : test::conformanceRows()) {
        if (!row.allow.empty() || row.input.size() > 2000)
            continue;
        for (std::uint64_t time = 0; time < timesChanged; ++time, ++draw) {
            std::string input = changed(row.input, bytes, draw);
            std::vector<std::string> names = rulesFor(ours(input));
            cases.push_back({row.id + "~" + std::to_string(time), std::move(input), std::move(names)});
        }
    }
    return cases;
}

} // namespace

class TestNodeOracle final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void agree_data();
    void agree();
    void everyListedDifferenceExists();

private:
    std::vector<Case> m_cases = makeCases();
    std::map<std::string, Verdict> m_node;
    std::multimap<std::string, std::string> m_allowed; ///< name -> difference
    std::set<std::string> m_used;
    bool m_current = false; ///< llhttp 9 or later: older ones let more pass
};

void TestNodeOracle::initTestCase()
{
    for (const auto &value : readArray(WARDBENCH_TEST_DATA "/http/node-differences.json")) {
        const QJsonObject entry = value.toObject();
        QVERIFY(!entry.value(QStringLiteral("why")).toString().isEmpty());
        for (const auto &name : entry.value(QStringLiteral("for")).toArray())
            m_allowed.emplace(name.toString().toStdString(),
                              entry.value(QStringLiteral("difference")).toString().toStdString());
    }

    QByteArray input;
    for (const Case &one : m_cases)
        input += QByteArray::fromStdString(one.id) + ' ' + QByteArray::fromStdString(one.input).toHex() + '\n';
    QProcess node;
    node.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    node.start(QStringLiteral("node"), {QStringLiteral(WARDBENCH_TEST_DATA "/http/oracle.js")});
    node.write(input);
    node.closeWriteChannel();
    QVERIFY2(node.waitForFinished(120'000), qPrintable(node.errorString()));
    const QList<QByteArray> lines = node.readAllStandardOutput().trimmed().split('\n');
    const QJsonObject about = QJsonDocument::fromJson(lines.front()).object();
    m_current = about.value(QStringLiteral("llhttp")).toString().section(u'.', 0, 0).toInt() >= 9;
    for (const QByteArray &line : lines.mid(1)) {
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        m_node[object.value(QStringLiteral("id")).toString().toStdString()] = verdictOfNode(object);
    }
    for (const Case &one : m_cases)
        QVERIFY2(m_node.count(one.id) == 1, one.id.c_str());
}

void TestNodeOracle::agree_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < m_cases.size(); ++i) {
        std::string name = m_cases[i].id;
        if (m_cases[i].names != std::vector{name}) {
            for (const std::string &mutation : m_cases[i].names)
                name += "; " + mutation;
        }
        QTest::newRow(name.c_str()) << static_cast<int>(i);
    }
}

void TestNodeOracle::agree()
{
    QFETCH(int, index);
    const Case &one = m_cases[static_cast<std::size_t>(index)];
    const std::string differs = difference(ours(one.input), m_node[one.id]);
    if (differs.empty() || (!m_current && differs == "we refuse"))
        return;
    bool allowed = false;
    for (const std::string &name : one.names) {
        const auto [begin, end] = m_allowed.equal_range(name);
        if (std::any_of(begin, end, [&](const auto &entry) { return entry.second == differs; })) {
            allowed = true;
            m_used.insert(name + ": " + differs);
        }
    }
    QVERIFY2(allowed,
             (differs + ": " + QByteArray::fromStdString(one.input).toPercentEncoding(" /:*?=").toStdString()).c_str());
}

void TestNodeOracle::everyListedDifferenceExists()
{
    if (!m_current)
        return;
    for (const auto &[name, differs] : m_allowed)
        QVERIFY2(m_used.count(name + ": " + differs) == 1, (name + ": " + differs).c_str());
}

QTEST_GUILESS_MAIN(TestNodeOracle)
#include "tst_nodeoracle.moc"
