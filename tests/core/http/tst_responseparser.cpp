#include "http/responseparser.h"
#include "support/readfile.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

using namespace wardbench;
using http::ResponseParser;

namespace {

std::string octets(const QJsonValue &value)
{
    return value.toString().toLatin1().toStdString();
}

http::Headers fields(const QJsonValue &value)
{
    http::Headers headers;
    for (const auto &field : value.toArray())
        headers.add(octets(field.toArray().at(0)), octets(field.toArray().at(1)));
    return headers;
}

struct Row
{
    std::string id, method, input;
    http::Leniencies allowed;
    QJsonObject expected;
    QString node; ///< how Node differs

    bool wants(const char *member) const { return expected.contains(QLatin1String(member)); }
    QJsonValue operator[](const char *member) const { return expected.value(QLatin1String(member)); }
};

std::string inputOf(const QJsonValue &value)
{
    if (value.isString())
        return octets(value);
    std::string input;
    for (const auto &part : value.toArray()) {
        if (part.isString()) {
            input += octets(part);
            continue;
        }
        for (int i = part.toObject().value(QStringLiteral("times")).toInt(); i > 0; --i)
            input += octets(part.toObject().value(QStringLiteral("repeat")));
    }
    return input;
}

std::vector<Row> readRows()
{
    const std::string text = test::readFile(WARDBENCH_TEST_DATA "/http/responses.json");
    std::vector<Row> rows;
    const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(text));
    for (const auto &value : document.object().value(QStringLiteral("rows")).toArray()) {
        const QJsonObject object = value.toObject();
        Row row{octets(object.value(QStringLiteral("id"))),
                "GET",
                inputOf(object.value(QStringLiteral("in"))),
                {},
                object,
                object.value(QStringLiteral("node")).toString()};
        if (object.contains(QStringLiteral("method")))
            row.method = octets(object.value(QStringLiteral("method")));
        rows.push_back(row);
        for (const auto &variant : object.value(QStringLiteral("lenient")).toArray()) {
            Row relaxed = row;
            relaxed.expected = variant.toObject();
            for (const auto &name : relaxed["allow"].toArray()) {
                relaxed.id += '+' + octets(name);
                relaxed.allowed.add(http::leniencyNamed(octets(name)).value());
            }
            rows.push_back(relaxed);
        }
    }
    return rows;
}

/// What a parser made of a stream that then ended.
struct Outcome
{
    std::string out;
    int status = 0;
    std::string reason, body;
    http::Headers headers, trailers;
    bool keep = false;
    std::size_t left = 0;
    std::uint64_t offset = 0; ///< of the fault

    friend bool operator==(const Outcome &, const Outcome &) = default;
};

/// `cuts`: the sizes of the pieces, over and over. `taking`: the body is taken out after each.
Outcome parse(const Row &row, const std::vector<std::size_t> &cuts, bool taking)
{
    ResponseParser parser({}, row.allowed);
    parser.begin("POST"); // a use before must not show
    parser.feed("HTTP/1.1 200 OK\r\nOther: 1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nold\r\n0\r\nT: 1\r\n\r\n");
    parser.begin(row.method);
    Outcome outcome;
    std::string_view rest = row.input;
    for (std::size_t i = 0; !rest.empty(); ++i) {
        const std::string_view piece = rest.substr(0, std::min(cuts[i % cuts.size()], rest.size()));
        const std::size_t taken = parser.feed(piece);
        if (taking)
            outcome.body += parser.takeBody();
        rest.remove_prefix(taken);
        if (taken < piece.size())
            break;
    }
    outcome.keep = parser.state() == ResponseParser::State::Complete && parser.keepsAlive();
    parser.end();
    outcome.out = parser.state() == ResponseParser::State::Complete ? "ok" : std::string(problemName(parser.problem()));
    if (outcome.out == "ok")
        outcome.left = rest.size();
    outcome.offset = parser.error().offset;
    outcome.status = parser.response().status;
    outcome.reason = parser.response().reason;
    outcome.headers = parser.response().headers;
    outcome.trailers = parser.trailers();
    outcome.body += parser.takeBody();
    return outcome;
}

} // namespace

Q_DECLARE_METATYPE(Row)

class TestResponseParser final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void table_data();
    void table();
    void everyCut_data() { table_data(); }
    void everyCut();
    void agreesWithNode();
    void limits();
    void uncleanEnd();
    void serial();

private:
    const std::vector<Row> m_rows = readRows();
};

void TestResponseParser::table_data()
{
    QTest::addColumn<Row>("row");
    for (const Row &row : m_rows)
        QTest::newRow(row.id.c_str()) << row;
    QVERIFY(m_rows.size() > 80);
}

void TestResponseParser::table()
{
    QFETCH(Row, row);
    const Outcome outcome = parse(row, {row.input.size() + 1}, false);
    QCOMPARE(outcome.out, octets(row["out"]));
    if (row.wants("status"))
        QCOMPARE(outcome.status, row["status"].toInt());
    if (row.wants("reason"))
        QCOMPARE(outcome.reason, octets(row["reason"]));
    if (row.wants("headers"))
        QCOMPARE(outcome.headers, fields(row["headers"]));
    if (outcome.out != "ok")
        return;
    if (row.wants("body"))
        QCOMPARE(outcome.body, octets(row["body"]));
    QCOMPARE(outcome.trailers, fields(row["trailers"]));
    if (row.wants("keep"))
        QCOMPARE(outcome.keep, row["keep"].toBool());
    QCOMPARE(outcome.left, static_cast<std::size_t>(row["left"].toInt()));
}

void TestResponseParser::everyCut()
{
    QFETCH(Row, row);
    const Outcome whole = parse(row, {row.input.size() + 1}, false);
    QCOMPARE(parse(row, {1}, false), whole);
    QCOMPARE(parse(row, {1}, true), whole);
    QCOMPARE(parse(row, {2, 3, 1}, true), whole);
    const std::size_t step = row.input.size() > 2000 ? 997 : 1;
    for (std::size_t at = 1; at < row.input.size(); at += step)
        QCOMPARE(parse(row, {at, row.input.size()}, at % 2 == 0), whole);
}

// What both accept they must read alike; what one of them refuses needs its reason in the table.
void TestResponseParser::agreesWithNode()
{
    QByteArray input;
    std::vector<const Row *> asked;
    for (const Row &row : m_rows) {
        if (!row.allowed.empty())
            continue;
        input += QByteArray::number(static_cast<qulonglong>(asked.size())) + ' ' +
                 QByteArray::fromStdString(row.method) + ' ' + QByteArray::fromStdString(row.input).toHex() + '\n';
        asked.push_back(&row);
    }
    QProcess node;
    node.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    node.start(QStringLiteral("node"), {QStringLiteral(WARDBENCH_TEST_DATA "/http/responseoracle.js")});
    node.write(input);
    node.closeWriteChannel();
    QVERIFY2(node.waitForFinished(120'000), qPrintable(node.errorString()));
    const QList<QByteArray> lines = node.readAllStandardOutput().trimmed().split('\n');
    QCOMPARE(static_cast<std::size_t>(lines.size()), asked.size() + 1);
    const QString parser = QJsonDocument::fromJson(lines.front()).object().value(QStringLiteral("llhttp")).toString();
    const bool current = parser.section(u'.', 0, 0).toInt() >= 9; // older ones let more pass
    QString found;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const QJsonObject theirs = QJsonDocument::fromJson(lines[static_cast<qsizetype>(i) + 1]).object();
        const Outcome ours = parse(*asked[i], {asked[i]->input.size() + 1}, false);
        QString differs;
        const bool accepted = !theirs.contains(QStringLiteral("error"));
        if (accepted != (ours.out == "ok")) {
            differs = accepted ? QStringLiteral("accepts") : QStringLiteral("refuses");
        } else if (accepted) {
            QStringList raw;
            for (const http::Header &field : ours.headers)
                raw << QString::fromLatin1(field.name.c_str()) << QString::fromLatin1(field.value.c_str());
            const bool same = theirs.value(QStringLiteral("status")).toInt() == ours.status &&
                              theirs.value(QStringLiteral("headers")).toVariant().toStringList() == raw &&
                              QByteArray::fromHex(theirs.value(QStringLiteral("body")).toString().toLatin1()) ==
                                  QByteArray::fromStdString(ours.body);
            differs = same ? QString() : QStringLiteral("reads it differently");
        }
        const QString listed = asked[i]->node.section(u':', 0, 0);
        if (!current && differs == QStringLiteral("accepts"))
            continue;
        if (listed != QStringLiteral("differs") && differs != listed) {
            found += QString::fromStdString(asked[i]->id) + QStringLiteral(": Node ") + differs + u' ' +
                     QString::fromUtf8(lines[static_cast<qsizetype>(i) + 1]) + u'\n';
        }
    }
    QVERIFY2(found.isEmpty(), qPrintable(found));
}

void TestResponseParser::limits()
{
    http::ParserLimits limits;
    limits.body = 4;
    const auto problem = [&limits](std::string_view bytes) {
        ResponseParser parser(limits);
        parser.begin("GET");
        parser.feed(bytes);
        return std::string(problemName(parser.problem()));
    };
    QCOMPARE(problem("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd"), std::string("none"));
    QCOMPARE(problem("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), std::string("too-large"));
    QCOMPARE(problem("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n"), std::string("too-large"));
    QCOMPARE(problem("HTTP/1.1 200 OK\r\n\r\nabcd"), std::string("none"));
    QCOMPARE(problem("HTTP/1.1 200 OK\r\n\r\nabcde"), std::string("too-large"));
    // Taken away as it comes, the body still counts.
    for (const char *piece : {"3\r\nabc\r\n", "abc"}) {
        ResponseParser parser(limits);
        parser.begin("GET");
        parser.feed(*piece == '3' ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                  : "HTTP/1.1 200 OK\r\n\r\n");
        parser.feed(piece);
        QCOMPARE(parser.takeBody(), std::string("abc"));
        parser.feed(piece);
        QVERIFY(parser.problem() == ResponseParser::Problem::TooLarge);
    }
}

void TestResponseParser::uncleanEnd()
{
    ResponseParser parser;
    parser.begin("GET");
    parser.feed("HTTP/1.1 200 OK\r\n\r\nhalf of");
    parser.end(false);
    QVERIFY(parser.problem() == ResponseParser::Problem::Truncated);
    parser.begin("GET");
    parser.feed("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab");
    parser.end(false); // nothing could be missing
    QVERIFY(parser.state() == ResponseParser::State::Complete);
}

void TestResponseParser::serial()
{
    ResponseParser parser;
    std::string_view stream =
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n";
    parser.begin("GET");
    QVERIFY(parser.idle());
    stream.remove_prefix(parser.feed(stream));
    QCOMPARE(parser.response().body, std::string("a"));
    QVERIFY(!parser.idle());
    parser.begin("GET");
    QVERIFY(parser.idle());
    QCOMPARE(parser.feed(stream), stream.size());
    QCOMPARE(parser.response().status, 404);
    QCOMPARE(parser.response().reason, std::string("No"));
}

QTEST_GUILESS_MAIN(TestResponseParser)
#include "tst_responseparser.moc"
