#include "base/random.h"
#include "http/requestparser.h"
#include "support/httpconformance.h"

#include <QtTest>

#include <ctime>
#include <set>

using namespace wardbench;
using http::RequestParser;
using test::ConformanceRow;

namespace {

/// What a parser made of a stream: the reactions, the requests, and where it stopped.
struct Outcome
{
    std::vector<std::string> reactions;
    std::vector<http::Request> requests;
    std::uint64_t errorOffset = 0;
    std::size_t consumed = 0;

    friend bool operator==(const Outcome &a, const Outcome &b)
    {
        const auto same = [](const http::Request &x, const http::Request &y) {
            return x.method == y.method && x.target == y.target && x.path == y.path && x.query == y.query &&
                   x.versionMinor == y.versionMinor && x.headers == y.headers && x.trailers == y.trailers &&
                   x.body == y.body && x.leniencies == y.leniencies && x.authority == y.authority;
        };
        return a.reactions == b.reactions && a.errorOffset == b.errorOffset && a.consumed == b.consumed &&
               std::equal(a.requests.begin(), a.requests.end(), b.requests.begin(), b.requests.end(), same);
    }
};

/// A stream of requests as a server would take it, piece by piece.
class Reader
{
public:
    explicit Reader(http::Leniencies allowed) : m_parser({}, allowed) {}

    void feed(std::string_view piece)
    {
        while (!piece.empty() && !m_over) {
            const std::size_t taken = m_parser.feed(piece);
            m_outcome.consumed += taken;
            piece.remove_prefix(taken);
            if (m_parser.state() == RequestParser::State::Complete) {
                m_over = m_parser.closes();
                m_outcome.reactions.emplace_back(m_over ? "OKc" : "OK");
                m_outcome.requests.push_back(m_parser.request());
                m_parser.next();
            } else if (m_parser.state() == RequestParser::State::Failed) {
                m_over = true;
                m_outcome.reactions.push_back(std::to_string(m_parser.error().status));
                m_outcome.errorOffset = m_parser.error().offset;
                m_outcome.consumed = 0; // says nothing after an error
            }
        }
    }

    Outcome finish()
    {
        if (!m_over && (!m_parser.idle() || m_outcome.reactions.empty()))
            m_outcome.reactions.emplace_back("wait");
        return m_outcome;
    }

private:
    RequestParser m_parser;
    Outcome m_outcome;
    bool m_over = false;
};

http::Leniencies leniencies(const std::vector<std::string> &names)
{
    http::Leniencies allowed;
    for (const std::string &name : names) {
        const auto leniency = http::leniencyNamed(name);
        if (!leniency)
            throw std::runtime_error("no such relaxed rule: " + name);
        allowed.add(*leniency);
    }
    return allowed;
}

Outcome parse(const std::string &input, http::Leniencies allowed, std::size_t piece)
{
    Reader reader(allowed);
    for (std::size_t at = 0; at < input.size(); at += piece)
        reader.feed(std::string_view(input).substr(at, piece));
    return reader.finish();
}

ConformanceRow::Fields fields(const http::Headers &headers)
{
    ConformanceRow::Fields result;
    for (const http::Header &field : headers)
        result.emplace_back(field.name, field.value);
    return result;
}

QString text(const std::vector<std::string> &reactions)
{
    QStringList list;
    for (const std::string &reaction : reactions)
        list += QString::fromStdString(reaction);
    return list.join(u' ');
}

} // namespace

Q_DECLARE_METATYPE(wardbench::test::ConformanceRow)
Q_DECLARE_METATYPE(wardbench::http::ParserLimits)

class TestRequestParser final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void conformance_data();
    void conformance();
    void everyProperPrefixWaits();
    void offsets_data();
    void offsets();
    void namesTheRelaxedRules();
    void tellsTlsApart();
    void expectation_data();
    void expectation();
    void limitsAreExact_data();
    void limitsAreExact();
    void drippingHeadCostsNoMoreThanItsLength();
    void keepsNoLargeBuffer();
    void bentInputIsReadTheSameHoweverItIsCut();
};

void TestRequestParser::conformance_data()
{
    QTest::addColumn<ConformanceRow>("row");
    for (const ConformanceRow &row : test::conformanceRows())
        QTest::newRow(row.id.c_str()) << row;
}

void TestRequestParser::conformance()
{
    QFETCH(ConformanceRow, row);
    const http::Leniencies allowed = leniencies(row.allow);
    const Outcome whole = parse(row.input, allowed, std::max<std::size_t>(row.input.size(), 1));
    QCOMPARE(text(whole.reactions), text(row.out));

    if (!whole.requests.empty()) {
        const http::Request &request = whole.requests.front();
        const auto check = [](const std::optional<std::string> &wanted, std::string_view got) {
            return !wanted || *wanted == got;
        };
        QVERIFY2(check(row.method, request.method), request.method.c_str());
        QVERIFY2(check(row.target, request.target), request.target.c_str());
        QVERIFY2(check(row.path, request.path), request.path.c_str());
        QVERIFY2(check(row.query, request.query), request.query.c_str());
        QVERIFY(check(row.host, request.effectiveHost()));
        QVERIFY2(check(row.body, request.body), request.body.c_str());
        QVERIFY(!row.headers || *row.headers == fields(request.headers));
        QVERIFY(!row.trailers || *row.trailers == fields(request.trailers));
        QCOMPARE(request.leniencies.empty(), row.allow.empty());
    }

    // However the bytes are cut, the outcome is the same: request for request, and to the offset of the error.
    if (row.input.size() <= 200'000)
        QVERIFY(parse(row.input, allowed, 1) == whole);
    const std::size_t step = row.input.size() <= 2000 ? 1 : row.input.size() / 41 + 1;
    for (std::size_t at = 1; at < row.input.size(); at += step) {
        Reader reader(allowed);
        reader.feed(std::string_view(row.input).substr(0, at));
        reader.feed(std::string_view(row.input).substr(at));
        QVERIFY2(reader.finish() == whole, QByteArray::number(qulonglong(at)));
    }
}

void TestRequestParser::everyProperPrefixWaits()
{
    const std::string head = "GET /a?b HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n";
    for (std::size_t size = 0; size < head.size(); ++size)
        QCOMPARE(text(parse(head.substr(0, size), {}, head.size()).reactions), QStringLiteral("wait"));
}

void TestRequestParser::offsets_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<int>("offset");
    QTest::newRow("first byte") << QByteArray(" GET") << 0;
    QTest::newRow("after an empty line") << QByteArray("\r\n(") << 2;
    QTest::newRow("method") << QByteArray("G(T / HTTP/1.1\r\n") << 1;
    QTest::newRow("target") << QByteArray("GET /a\x01 HTTP/1.1\r\n") << 6;
    QTest::newRow("version") << QByteArray("GET / HTTP/1,1\r\n") << 6;
    QTest::newRow("bare LF") << QByteArray("GET / HTTP/1.1\n") << 14;
    QTest::newRow("header name") << QByteArray("GET / HTTP/1.1\r\nab(: c\r\n") << 18;
    QTest::newRow("header value") << QByteArray("GET / HTTP/1.1\r\na:  b\x01\r\n") << 21;
    QTest::newRow("folded value") << QByteArray("GET / HTTP/1.1\r\na: b\r\n c\r\n") << 22;
    QTest::newRow("chunk size") << QByteArray("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n")
                                << 55;
    QTest::newRow("chunk end") << QByteArray(
                                      "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n")
                               << 59;
}

void TestRequestParser::offsets()
{
    QFETCH(QByteArray, input);
    QFETCH(int, offset);
    RequestParser parser;
    parser.feed(input.toStdString());
    QCOMPARE(parser.state(), RequestParser::State::Failed);
    QCOMPARE(parser.error().offset, static_cast<std::uint64_t>(offset));
    QVERIFY(!parser.error().reason.empty());
}

void TestRequestParser::namesTheRelaxedRules()
{
    RequestParser parser({}, leniencies({"bareLf", "obsFold", "missingHost", "spaceAfterChunkSize", "ctlInValue"}));
    parser.feed("POST / HTTP/1.1\na: b\r\n c\r\nTransfer-Encoding: chunked\r\n\r\n0 \r\n\r\n");
    QCOMPARE(parser.state(), RequestParser::State::Complete);
    QCOMPARE(parser.request().leniencies,
             (std::vector<std::string>{"bareLf", "obsFold", "missingHost", "spaceAfterChunkSize"}));
    parser.next();
    parser.feed("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    QCOMPARE(parser.state(), RequestParser::State::Complete);
    QVERIFY(parser.request().leniencies.empty());
}

void TestRequestParser::tellsTlsApart()
{
    RequestParser parser;
    parser.feed("\x16");
    QCOMPARE(parser.error().status, 400);
    QVERIFY(parser.error().reason.find("TLS") != std::string_view::npos);
}

void TestRequestParser::expectation_data()
{
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<bool>("expects");
    QTest::newRow("none") << QByteArray("1.1") << QByteArray("Content-Length: 5\r\n") << false;
    QTest::newRow("lower") << QByteArray("1.1") << QByteArray("Expect: 100-continue\r\nContent-Length: 5\r\n") << true;
    QTest::newRow("mixed") << QByteArray("1.1") << QByteArray("Content-Length: 5\r\nExpect: 100-Continue\r\n") << true;
    QTest::newRow("chunked") << QByteArray("1.1")
                             << QByteArray("Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n") << true;
    QTest::newRow("no body") << QByteArray("1.1") << QByteArray("Expect: 100-continue\r\n") << false;
    QTest::newRow("1.0") << QByteArray("1.0") << QByteArray("Expect: 100-continue\r\nContent-Length: 5\r\n") << false;
}

void TestRequestParser::expectation()
{
    QFETCH(QByteArray, version);
    QFETCH(QByteArray, fields);
    QFETCH(bool, expects);
    RequestParser parser;
    parser.feed(("POST / HTTP/" + version + "\r\nHost: a\r\n" + fields + "\r\n").toStdString());
    QCOMPARE(parser.expectsContinue(), expects);
}

void TestRequestParser::limitsAreExact_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<http::ParserLimits>("limits"); // the smallest that let it pass
    QTest::addColumn<int>("status");                // when one of them is one smaller
    http::ParserLimits limits;
    limits.requestLine = 27;
    QTest::newRow("request line") << QByteArray("GET /12345678901 HTTP/1.1\r\nHost: a\r\n\r\n") << limits << 414;
    limits = {};
    limits.head = 49;
    QTest::newRow("head") << QByteArray("GET / HTTP/1.1\r\nHost: a\r\nx: 1234567\r\ny: 12345\r\n\r\n") << limits << 431;
    limits = {};
    limits.fields = 4;
    QTest::newRow("fields") << QByteArray("GET / HTTP/1.1\r\nHost: a\r\nx:\r\ny:\r\nz:\r\n\r\n") << limits << 431;
    limits = {};
    limits.body = 11;
    QTest::newRow("length") << QByteArray("GET / HTTP/1.1\r\nHost: a\r\nContent-Length:11\r\n\r\n") << limits << 413;
    QTest::newRow("chunks") << QByteArray("GET / HTTP/1.1\r\nHost:\r\nTransfer-Encoding:chunked\r\n\r\n"
                                          "5\r\nhello\r\n6\r\n")
                            << limits << 413;
    limits = {};
    limits.method = 3;
    QTest::newRow("method") << QByteArray("GET / HTTP/1.1\r\n") << limits << 501;
    limits = {};
    limits.emptyLines = 2;
    QTest::newRow("empty lines") << QByteArray("\r\n\r\nGET") << limits << 400;
}

void TestRequestParser::limitsAreExact()
{
    QFETCH(QByteArray, input);
    QFETCH(http::ParserLimits, limits);
    QFETCH(int, status);
    RequestParser passes(limits);
    passes.feed(input.toStdString());
    QCOMPARE(passes.error().status, 0);

    limits.requestLine -= 1;
    limits.head -= 1;
    limits.fields -= 1;
    limits.method -= 1;
    limits.emptyLines -= 1;
    limits.body -= 1;
    RequestParser refuses(limits);
    refuses.feed(input.toStdString());
    QCOMPARE(refuses.error().status, status);
}

void TestRequestParser::drippingHeadCostsNoMoreThanItsLength()
{
    // As many bytes one by one, in short and in long heads: with a search from the start for each byte the long ones
    // would take eight times as long. The processor's time, so that a busy machine does not matter.
    const auto timeOf = [](int heads, int size) {
        const std::string input = "GET / HTTP/1.1\r\nHost: a\r\nx: " + std::string(size, 'y') + "\r\n\r\n";
        const std::clock_t begin = std::clock();
        for (int i = 0; i < heads; ++i) {
            if (text(parse(input, {}, 1).reactions) != QStringLiteral("OK"))
                return std::clock_t(-1);
        }
        return std::clock() - begin;
    };
    const std::clock_t shortOnes = timeOf(160, 7 * 1024 + 512);
    const std::clock_t longOnes = timeOf(20, 60 * 1024);
    QVERIFY(shortOnes > 0 && longOnes > 0);
    QVERIFY2(longOnes < 3 * shortOnes, qPrintable(QStringLiteral("%1 %2").arg(longOnes).arg(shortOnes)));
}

void TestRequestParser::keepsNoLargeBuffer()
{
    RequestParser parser;
    parser.feed("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n" + std::string(1'000'000, 'x'));
    QCOMPARE(parser.request().body.size(), std::size_t(1'000'000));
    parser.next();
    QVERIFY(parser.request().body.capacity() < 100'000);
}

void TestRequestParser::bentInputIsReadTheSameHoweverItIsCut()
{
    // Octets of the table's rows are replaced, removed, doubled; what comes of it is not known, but that it does not
    // depend on the pieces is. Runs under the sanitizers too.
    std::vector<std::string> seeds;
    for (const ConformanceRow &row : test::conformanceRows()) {
        if (!row.input.empty() && row.input.size() <= 500)
            seeds.push_back(row.input);
    }
    using namespace std::string_literals;
    const std::string octets = "\r\n\t :;,=\"\0\x7f\x80\xff"
                               "0aAgX+-/?#%*[]@."s;
    http::Leniencies everything;
    for (const http::Leniency leniency : http::allLeniencies)
        everything.add(leniency);
    const RandomStream random(7, 0, "bent requests");
    const auto below = [&](std::uint64_t k, std::uint64_t lane, std::size_t limit) {
        return static_cast<std::size_t>(random.integer(k, 0, static_cast<std::int64_t>(limit) - 1, lane));
    };
    for (std::uint64_t k = 0; k < 6'000; ++k) {
        std::string input = seeds[below(k, 0, seeds.size())];
        for (std::uint64_t change = 0; change <= k % 3 && !input.empty(); ++change) {
            const std::size_t at = below(k, 1 + 3 * change, input.size());
            const char octet = octets[below(k, 2 + 3 * change, octets.size())];
            switch (below(k, 3 + 3 * change, 3)) {
            case 0:
                input[at] = octet;
                break;
            case 1:
                input.insert(at, 1, octet);
                break;
            default:
                input.erase(at, 1);
                break;
            }
        }
        const http::Leniencies allowed = k % 2 ? everything : http::Leniencies();
        const Outcome whole = parse(input, allowed, input.size() + 1);
        QVERIFY2(parse(input, allowed, 1) == whole, QByteArray::fromStdString(input).toPercentEncoding());
        QVERIFY2(parse(input, allowed, 1 + below(k, 20, 40)) == whole,
                 QByteArray::fromStdString(input).toPercentEncoding());
        QVERIFY(whole.errorOffset <= input.size());
    }
}

QTEST_APPLESS_MAIN(TestRequestParser)
#include "tst_requestparser.moc"
