// Our verdict and Node's on the same bytes: the conformance table and some hundred bent requests. Where they differ,
// tests/data/http/node-differences.json must say so and why.
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
            return verdict;
        }
        if (parser.state() != http::RequestParser::State::Complete)
            continue;
        const http::Request &request = parser.request();
        verdict.requests.push_back(
            {request.method, request.target, request.body, list(request.headers), list(request.trailers)});
        if (parser.closes())
            return verdict;
        parser.next();
    }
    verdict.refused = !parser.idle(); // unfinished: Node answers 400 to the FIN, we close without a word
    return verdict;
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
        if (m_cases[i].names.front() != name) {
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
    QVERIFY2(allowed, differs.c_str());
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
