#include "match/jsbacktracker.h"
#include "match/jspattern.h"
#include "match/text.h"
#include "patterngenerator.h"
#include "support/readfile.h"
#include "support/threadclock.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QProcess>
#include <QtTest>

#include <re2/re2.h>

#include <chrono>
#include <optional>

using namespace wardbench;

namespace {

struct Question
{
    std::string pattern;
    std::string flags;
    std::string subject;
};

/// Whether the pattern is found.
constexpr const char *testing = "String(new RegExp(pattern, flags).test(subject))";
/// What the first match captures, as JSON, and the subject without any match.
constexpr const char *capturing =
    "JSON.stringify([(new RegExp(pattern, flags).exec(subject) || []).map(text => well(text || '')),"
    " well(subject.replace(new RegExp(pattern, flags + 'g'), ''))])";

/// What JavaScript says to `expression`, or "error" for a pattern it refuses. One Node process for all questions.
std::vector<std::string> askNode(const std::vector<Question> &questions, const char *expression = testing)
{
    json::Array rows;
    for (const Question &q : questions)
        rows.push_back(json::Array{q.pattern, q.flags, q.subject});
    static const char script[] = R"(
        let text = '';
        const well = text => Buffer.from(text).toString(); // no lone surrogates
        process.stdin.setEncoding('utf8');
        process.stdin.on('data', part => { text += part; });
        process.stdin.on('end', () => process.stdout.write(JSON.parse(text).map(([pattern, flags, subject]) => {
            try { return EXPRESSION; } catch (error) { return 'error'; }
        }).join('\n')));
    )";
    QProcess node;
    const QString asked = QString::fromLatin1(script).replace(QLatin1String("EXPRESSION"), QLatin1String(expression));
    node.start(QStringLiteral("node"), {QStringLiteral("-e"), asked});
    if (!node.waitForStarted())
        return {};
    const std::string input = json::writeCompact(json::Value(std::move(rows)));
    node.write(input.data(), static_cast<qint64>(input.size()));
    node.closeWriteChannel();
    node.waitForFinished(120'000);
    std::vector<std::string> answers;
    const QList<QByteArray> lines = node.readAllStandardOutput().split('\n');
    for (const QByteArray &line : lines)
        answers.push_back(line.toStdString());
    return answers;
}

std::string ask(const Question &q)
{
    // one pattern meets several subjects, one behind the other
    static std::string last;
    static std::optional<Result<JsPattern>> pattern;
    if (const std::string key = q.flags + "/" + q.pattern; !pattern || key != last) {
        pattern = JsPattern::parse(q.pattern, q.flags);
        last = key;
    }
    if (!*pattern)
        return "error";
    return (**pattern).matches(q.subject) ? "true" : "false";
}

std::string describe(const Question &q)
{
    return "/" + q.pattern + "/" + q.flags + " on " + json::quoted(q.subject);
}

std::vector<Question> handPicked()
{
    const std::string text = test::readFile(WARDBENCH_TEST_DATA "/match/js-patterns.json");
    const auto parsed = json::parse(text);
    std::vector<Question> questions;
    if (!std::holds_alternative<json::Value>(parsed))
        return questions;
    for (const json::Value &row : std::get<json::Value>(parsed).items()) {
        for (const json::Value &flags : row["flags"].items()) {
            for (const json::Value &subject : row["subjects"].items())
                questions.push_back({row["pattern"].text(), flags.text(), subject.text()});
        }
    }
    return questions;
}

} // namespace

class TestJsPattern : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void agreesWithNodeOnPickedPatterns();
    void agreesWithNodeOnGeneratedPatterns();
    void backtrackerAgreesWithNode();
    void capturesAsNode();
    void re2TextMeansTheSame();
    void errorsSayWhere_data();
    void errorsSayWhere();
    void boundsTime_data();
    void boundsTime();
    void longSubjects();
    void brokenUtf8CountsAsReplacement();
};

namespace {

void compare(const std::vector<Question> &questions, const std::vector<std::string> &expected,
             const std::function<std::string(const Question &)> &ours)
{
    QVERIFY2(expected.size() == questions.size(), "Node did not answer every question; is node installed?");
    int wrong = 0;
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const std::string answer = ours(questions[i]);
        if (answer != expected[i] && ++wrong <= 30)
            qWarning("%s: Node says %s, we say %s", describe(questions[i]).c_str(), expected[i].c_str(),
                     answer.c_str());
    }
    QCOMPARE(wrong, 0);
}

std::vector<Question> generated(std::uint64_t seed, int patterns)
{
    test::PatternGenerator generator(seed);
    std::vector<Question> questions;
    for (int i = 0; i < patterns; ++i) {
        const std::string pattern = generator.pattern();
        const std::string flags = generator.flags();
        for (int subject = 0; subject < 4; ++subject)
            questions.push_back({pattern, flags, generator.subject()});
    }
    return questions;
}

} // namespace

void TestJsPattern::agreesWithNodeOnPickedPatterns()
{
    std::vector<Question> questions;
    for (const Question &q : handPicked()) {
        if (q.flags != "u") // refused: another language
            questions.push_back(q);
    }
    QVERIFY(questions.size() >= 500);
    compare(questions, askNode(questions), ask);
}

void TestJsPattern::agreesWithNodeOnGeneratedPatterns()
{
    const std::vector<Question> questions = generated(20260801, 6000);
    compare(questions, askNode(questions), ask);
}

void TestJsPattern::backtrackerAgreesWithNode()
{
    // The engine of last resort answers everything, so it is held against everything.
    std::vector<Question> questions = generated(7, 2500);
    for (const Question &q : handPicked()) {
        if (q.flags.find('u') == std::string::npos)
            questions.push_back(q);
    }
    compare(questions, askNode(questions), [](const Question &q) -> std::string {
        const auto regex = parseJsRegex(q.pattern, q.flags);
        if (!regex)
            return "error";
        const auto outcome = JsBacktracker(*regex).search(toUtf16(q.subject));
        return outcome == JsBacktracker::Outcome::Match ? "true" : "false";
    });
}

void TestJsPattern::capturesAsNode()
{
    std::vector<Question> questions = generated(4711, 4000);
    for (const Question &q : handPicked()) {
        if (q.flags.find_first_of("ugy") == std::string::npos)
            questions.push_back(q);
    }
    for (const char *pattern :
         {"(\\w+)@(\\w+)", "(a)|(b)", "(?:(a)|b)+", "x*", "((a)(b)?)+", "(?<=(.))b", "(?=(a+))a", "é(.)?", "."})
        questions.push_back({pattern, "i", "xabAAb me@host 😀éb😀"});
    compare(questions, askNode(questions, capturing), [](const Question &q) -> std::string {
        const auto pattern = JsPattern::parse(q.pattern, q.flags);
        if (!pattern)
            return "error";
        json::Array groups;
        for (const std::string &text : pattern->captures(q.subject).value_or(std::vector<std::string>()))
            groups.emplace_back(text);
        return json::writeCompact(json::Array{json::Value(std::move(groups)), pattern->without(q.subject)});
    });
}

void TestJsPattern::re2TextMeansTheSame()
{
    std::vector<Question> questions;
    for (const Question &q : generated(99, 4000)) {
        if (isAscii(q.subject))
            questions.push_back(q);
    }
    int asked = 0;
    for (const Question &q : questions) {
        const auto pattern = JsPattern::parse(q.pattern, q.flags);
        if (!pattern || !pattern->re2())
            continue;
        const re2::RE2 engine(*pattern->re2(), re2::RE2::Latin1);
        QVERIFY2(engine.ok(), (describe(q) + ": " + *pattern->re2() + ": " + engine.error()).c_str());
        QVERIFY2(re2::RE2::PartialMatch(q.subject, engine) == pattern->matches(q.subject), describe(q).c_str());
        ++asked;
    }
    QVERIFY(asked > 1000);
}

void TestJsPattern::errorsSayWhere_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("flags");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *name, const char *pattern, const char *flags, const char *error) {
        QTest::newRow(name) << QString::fromUtf8(pattern) << QString::fromUtf8(flags) << QString::fromUtf8(error);
    };
    row("open group", "ab(c", "", "character 3: this \"(\" is never closed");
    row("open class", "é😀[a", "", "character 3: this \"[\" is never closed");
    row("stray )", "a)", "", "character 2: \")\" closes no group");
    row("nothing to repeat", "a|*", "", "character 3: nothing to repeat before this quantifier");
    row("backwards", "a{3,2}", "", "character 2: the numbers of this quantifier are out of order");
    row("range", "x[z-a]", "", "character 3: the range in this class runs backwards");
    row("end", "abc\\", "", "character 4: the pattern ends in a single \"\\\"");
    row("group kind", "(?i)a", "", "character 1: unknown kind of group; expected (?: (?= (?! (?<= (?<! or (?<name>");
    row("name", "(?<a>x)\\k<b>", "", "character 8: no group has this name");
    row("twice", "(?<a>x)(?<a>y)", "", "character 8: two groups have the same name");
    row("flag", "a", "u", "unknown flag \"u\"; expected i, m, s, g or y");
}

void TestJsPattern::errorsSayWhere()
{
    QFETCH(QString, pattern);
    QFETCH(QString, flags);
    QFETCH(QString, error);
    const auto parsed = JsPattern::parse(pattern.toStdString(), flags.toStdString());
    QVERIFY(!parsed);
    QCOMPARE(QString::fromStdString(parsed.error().message), error);
}

void TestJsPattern::boundsTime_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QString>("tail");
    const auto row = [](const char *name, const char *pattern, const char *tail) {
        QTest::newRow(name) << QString::fromUtf8(pattern) << QString::fromUtf8(tail);
    };
    row("nested", "^(a+)+$", "!");
    row("nested, not anchored", "(a+)+$", "!");
    row("nested, wide subject", "^(a+)+$", "é");
    row("nested, not anchored, wide", "(a+)+$", "é");
    row("alternatives", "^(a|a)*$", "!");
    row("alternatives, wide", "(a|aa)+$", "é");
    row("back reference", "(a+)+\\1$", "!");
    row("loop that forgets", "^(?:(a+)+\\1)+$", "!");
    row("lookbehind", "(?<=(a+)+)!!", "!");
    row("lookahead", "(?=(a+)+b)c", "!");
    row("quadratic", "a+a+a+a+\\d", "!");
    row("quadratic, wide", "(?:a+a+)+\\d", "é");
}

void TestJsPattern::boundsTime()
{
    QFETCH(QString, pattern);
    QFETCH(QString, tail);
    const auto parsed = JsPattern::parse(pattern.toStdString());
    QVERIFY(parsed);
    parsed->matches("a");
    parsed->matches("é");
    for (const std::size_t length : {30u, 1'000u, 50'000u}) {
        const std::string subject = std::string(length, 'a') + tail.toStdString();
        const auto begun = test::threadTime();
        QVERIFY(!parsed->matches(subject));
        const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(test::threadTime() - begun);
        // 200 ms is promised for a release build; sanitizers take a few times as long
        QVERIFY2(spent.count() < 5'000, qPrintable(QString::number(spent.count()) + QStringLiteral(" ms")));
    }
}

void TestJsPattern::longSubjects()
{
    const std::string many(50'000, 'a');
    QVERIFY(JsPattern::parse("^(a+)+$")->matches(many));
    QVERIFY(JsPattern::parse("^(?:a|b)*$")->matches(many + "b"));
    QVERIFY(JsPattern::parse("(?<!b)c")->matches(many + "c"));
    QVERIFY(!JsPattern::parse("(?<=b)c")->matches(many + "c"));
    QVERIFY(JsPattern::parse("é\\s*$", "i")->matches(many + "É  "));
    QVERIFY(JsPattern::parse("(?:x|y)é")->matches(many + "yé" + many));
    QVERIFY(JsPattern::parse("^[^b]*$")->matches(many + "é"));
    QVERIFY(JsPattern::parse("a\\b(?=é)")->matches(many + "é" + many));
    QVERIFY(JsPattern::parse("(?<=a+)é")->matches(many.substr(0, 500) + "é"));
}

void TestJsPattern::brokenUtf8CountsAsReplacement()
{
    QVERIFY(JsPattern::parse("^\\ufffd$")->matches("\xff"));
    QVERIFY(JsPattern::parse("^a\\ufffdb$")
                ->matches("a\xe2\x82"
                          "b"));
    QVERIFY(JsPattern::parse("^\\ufffd{3}$")->matches("\xed\xa0\x80"));
}

QTEST_GUILESS_MAIN(TestJsPattern)
#include "tst_jspattern.moc"
