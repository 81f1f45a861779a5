#include "script/scriptcheck.h"
#include "script/tokenizer.h"

#include <QJSEngine>
#include <QtTest>

using namespace wardbench;

// What the engine lacks is refused by name and place; what it has passes, wherever the characters look alike.
class TestScriptCheck : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refuses_data();
    void refuses();
    void engineIsRight_data();
    void engineIsRight();
    void passes_data();
    void passes();
    void tellsThePlace();
    void regexOrDivision_data();
    void regexOrDivision();
    void brokenText_data();
    void brokenText();
};

void TestScriptCheck::refuses_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("named");
    const auto row = [](const char *name, const char *script, const char *named) {
        QTest::newRow(name) << QString::fromUtf8(script) << QString::fromUtf8(named);
    };
    row("require", "() => require('net')", "\"require\"");
    row("import call", "() => import('net')", "\"import\"");
    row("import", "import x from 'y'", "\"import\"");
    row("export", "export default 1", "\"export\"");
    row("lookbehind", "() => /(?<=a)b/.test('ab')", "lookbehind (\"(?<=\")");
    row("negative lookbehind", "() => /x(?<!a)b/.test('ab')", "lookbehind (\"(?<!\")");
    row("named group", "() => /(?<year>\\d+)/.exec('1').groups", "a named group");
    row("flag s", "() => /a.b/s", "the flag \"s\"");
    row("flag d", "() => /a/gd", "the flag \"d\"");
    row("Unicode property", "() => /\\p{L}/u", "a Unicode property (\\p{...})");
    row("object spread", "() => ({ ...a, b: 1 })", "object spread or rest");
    row("object spread behind", "() => ({ b: 1, ...a })", "object spread or rest");
    row("object rest", "() => { const { a, ...rest } = {}; }", "object spread or rest");
    row("object rest parameter", "({ a, ...rest }) => a", "object spread or rest");
    row("object spread in a template", "() => `${f({ ...a })}`", "object spread or rest");
    row("async function", "async function () { return 1; }", "an async function");
    row("async arrow", "async () => 1", "an async function");
    row("async arrow with one name", "async config => 1", "an async function");
    row("async arrow with a pattern", "() => run(async ({ a }) => a)", "an async function");
    row("async method", "() => ({ async f() {} })", "an async method");
    row("async generator method", "() => ({ a: 1, async *f() {} })", "an async method");
    row("async class method", "() => class { async f() {} }", "an async method");
    row("for await", "() => { for await (const x of y) {} }", "\"for await\"");
    row("logical assignment", "(a) => { a ||= 1; }", "logical assignment (\"||=\")");
    row("nullish assignment", "(a) => { a \?\?= 1; }", "logical assignment (\"\?\?=\")");
    row("and assignment", "(a) => { a &&= 1; }", "logical assignment (\"&&=\")");
    row("catch without variable", "() => { try { f(); } catch { return 1; } }", "\"catch\" without a variable");
    row("numeric separator", "() => 1_000", "a numeric separator (1_000)");
    row("BigInt", "() => 10n", "a BigInt (10n)");
    row("class field", "() => class { x = 1 }", "a class field (x)");
    row("class field without value", "() => class A { x; }", "a class field (x)");
    row("static field", "() => class A extends B { f() {} static x = 1; }", "a class field (x)");
    row("computed field", "() => class { ['a'] = 1 }", "a class field ([)");
    row("field named get", "() => class { get = 1 }", "a class field (get)");
    row("private field", "() => class { #x = 1; }", "a private class member (#x)");
    row("private method", "() => class { f() { return this.#x(); } }", "a private class member (#x)");
    row("static block", "() => class { static { f(); } }", "a static block");
    row("__proto__", "() => ({ __proto__: base })", "\"__proto__\" in an object literal");
    row("quoted __proto__", "() => ({ a: 1, \"__proto__\": base })", "\"__proto__\" in an object literal");
}

void TestScriptCheck::refuses()
{
    QFETCH(QString, script);
    QFETCH(QString, named);
    const Result<void> checked = checkScript(script.toStdString());
    QVERIFY(!checked);
    const QString message = QString::fromStdString(checked.error().message);
    QVERIFY2(message.startsWith(QLatin1String("line ")) && message.contains(QLatin1String(": ") + named),
             qPrintable(message));
    QVERIFY2(message.contains(QLatin1String("not available in scripts")), qPrintable(message));
}

// Each refusal is one that this engine needs: it cannot run the text, or it runs it and gets another value.
void TestScriptCheck::engineIsRight_data()
{
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("javascript");
    const auto row = [](const char *name, const char *expression, const char *javascript) {
        QTest::newRow(name) << QString::fromUtf8(expression) << QString::fromUtf8(javascript);
    };
    row("lookbehind", "'ab'.replace(/(?<=a)b/, 'X')", "aX");
    row("negative lookbehind", "'cb'.replace(/(?<!a)b/, 'X')", "cX");
    row("named group", "String(/(?<y>1)/.exec('1').groups.y)", "1");
    row("named group in a replacement", "'b'.replace(/(?<x>b)/, '[$<x>]')", "[b]");
    row("flag s", "/a.b/s.test('a\\nb')", "true");
    row("Unicode property", "/\\p{L}/u.test('e')", "true");
    row("object spread", "JSON.stringify({ ...{ a: 1 } })", "{\"a\":1}");
    row("async", "typeof (async () => 1)", "function");
    row("logical assignment", "(() => { var a; a \?\?= 3; return a })()", "3");
    row("catch without variable", "(() => { try { throw 1 } catch { return 2 } })()", "2");
    row("numeric separator", "1_000", "1000");
    row("BigInt", "String(10n)", "10");
    row("class field", "new (class { x = 1 })().x", "1");
    row("private field", "(class { #x = 1; }).name.length", "0");
    row("static block", "(class { static { this.y = 1 } }).y", "1");
    row("__proto__", "({ __proto__: { x: 1 } }).x", "1");
}

void TestScriptCheck::engineIsRight()
{
    QFETCH(QString, expression);
    QFETCH(QString, javascript);
    QVERIFY(!checkScript(expression.toStdString()));
    QJSEngine engine;
    const QJSValue value = engine.evaluate(expression);
    QVERIFY2(value.isError() || value.toString() != javascript,
             qPrintable(QLatin1String("this engine can: the refusal may go; ") + value.toString()));
}

void TestScriptCheck::passes_data()
{
    QTest::addColumn<QString>("script");
    const auto row = [](const char *name, const char *script) {
        QTest::newRow(name) << QString::fromUtf8(script);
    };
    row("array spread", "() => [...a, ...b]");
    row("call spread", "() => f(...a)");
    row("rest parameter", "(a, ...rest) => rest");
    row("array rest", "() => { const [a, ...rest] = b; return rest; }");
    row("array spread in an object", "() => ({ a: [...b], c: f(...d) })");
    row("optional chaining", "(a) => a?.b?.[0]?.()");
    row("nullish coalescing", "(a) => a \?\? 1");
    row("exponent", "(a) => a ** 2");
    row("ternary with a fraction", "(a) => a ?.5 : 1");
    row("class with methods",
        "() => class A extends B { constructor() { super(); } static s() {} get x() { return 1; } set x(v) {} *g() {} "
        "[k]() {} 'a b'() {} get() {} static() {} async() {} ; }");
    row("names that look refused", "(a) => a.require('x') + a.async + a.import + ({ async: 1, import: 2 }).async");
    row("own require", "() => { function require(x) { return x; } return { require(x) { return x; } }; }");
    row("call of async", "(async) => async(1)");
    row("words in strings", "() => 'async () => 1, {...a}, (?<=x), 1_000, a \?\?= b' + \"#x require('net')\"");
    row("words in comments", "() => { // async () => {...a}\n /* require('net') */ return 1; }");
    row("words in templates", "() => `async () => {...a} /(?<=x)/ ${1} require('x') #x 1_000`");
    row("words in a regular expression", "() => /async \\(\\) => \\{\\.\\.\\.a} 1_000/");
    row("lookahead", "() => /a(?=b)(?!c)(?:d)/");
    row("escaped lookbehind", "() => /\\(?<=a/.test(x) || /[(?<=]/.test(x)");
    row("catch with a variable", "() => { try { f(); } catch (e) { return 1; } return p.catch(g); }");
    row("hexadecimal", "() => 0xff + 0b1 + 0o7 + 1e+3 + .5 + 1..toString().length + 1.5.toFixed(1)");
    row("bits", "(a) => a & b || c && d | e");
    row("labels and blocks", "() => { a: for (;;) { break a; } { let x = 1; } }");
    row("mountebank's old form",
        "\n  function (request, state, logger, callback) {\n    callback({ body: 'x' });\n  }\n");
}

void TestScriptCheck::passes()
{
    QFETCH(QString, script);
    const Result<void> checked = checkScript(script.toStdString());
    QVERIFY2(checked, checked ? "" : checked.error().message.c_str());
}

void TestScriptCheck::tellsThePlace()
{
    const Result<void> checked = checkScript("config => {\n    // é\n    const é = 'ä'; return { ...config };\n}");
    QVERIFY(!checked);
    QCOMPARE(QString::fromStdString(checked.error().message),
             QStringLiteral("line 3, column 29: object spread or rest (\"{...a}\") is not available in scripts; use "
                            "Object.assign, or name the members"));
}

void TestScriptCheck::regexOrDivision_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("regex"); // the one that there is; empty: none
    const auto row = [](const char *name, const char *source, const char *regex) {
        QTest::newRow(name) << QString::fromUtf8(source) << QString::fromUtf8(regex);
    };
    row("division", "a / b / c", "");
    row("division of a call", "f(x) / b / c", "");
    row("division of an element", "a[0] / b / c", "");
    row("division of a number", "1 / b / c", "");
    row("division behind a string", "'a' / b / c", "");
    row("division behind a template", "`a` / b / c", "");
    row("division behind ++", "a++ / b / c", "");
    row("division of an object", "x = {} / b / c", "");
    row("division behind a member named like a keyword", "a.return / b / c", "");
    row("assignment", "a = /b/g", "/b/g");
    row("argument", "f(/b/)", "/b/");
    row("behind return", "return /b/", "/b/");
    row("behind typeof", "typeof /b/", "/b/");
    row("behind if", "if (a) /b/.test(c)", "/b/");
    row("behind while", "while (a) /b/.test(c)", "/b/");
    row("behind a block", "{ a }\n/b/.test(c)", "/b/");
    row("behind an arrow", "x => /b/", "/b/");
    row("behind not", "!/b/.test(a)", "/b/");
    row("behind a colon", "a ? b : /c/", "/c/");
    row("behind a case", "switch (a) { case /b/: }", "/b/");
    row("slash in a class", "a = /[/]b/", "/[/]b/");
    row("escaped slash", "a = /\\/b/i", "/\\/b/i");
    row("in a template", "`${/}`/}`", "/}`/");
    row("in an array", "[/a/]", "/a/");
    row("object behind a colon", "({ a: {} / b / c })", "");
}

void TestScriptCheck::regexOrDivision()
{
    QFETCH(QString, source);
    QFETCH(QString, regex);
    const std::string text = source.toStdString();
    const Result<std::vector<Token>> tokens = tokenize(text);
    QVERIFY2(tokens, tokens ? "" : tokens.error().message.c_str());
    QStringList found;
    for (const Token &token : *tokens) {
        if (token.kind == Token::Kind::Regex)
            found += QString::fromUtf8(token.text.data(), static_cast<qsizetype>(token.text.size()));
    }
    QCOMPARE(found, regex.isEmpty() ? QStringList() : QStringList(regex));
}

void TestScriptCheck::brokenText_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const char *script, const char *message) {
        QTest::newRow(name) << QString::fromUtf8(script) << QString::fromUtf8(message);
    };
    row("string", "() => 'abc\n'", "line 1, column 7: a string that is never closed");
    row("template", "() => `abc${1}", "line 1, column 14: a template that is never closed");
    row("comment", "() => /* x", "line 1, column 7: a comment that is never closed");
    row("regular expression", "() => /ab\n", "line 1, column 7: a regular expression that is never closed");
    row("bracket", "() => {\n f(1;\n}", "line 3, column 1: \"}\" closes nothing");
    row("open", "() => {\n f(1)", "line 1, column 7: \"{\" is never closed");
    row("character", "() => 1 # 2", "line 1, column 9: the character \"#\", which is not JavaScript here");
}

void TestScriptCheck::brokenText()
{
    QFETCH(QString, script);
    QFETCH(QString, message);
    const Result<void> checked = checkScript(script.toStdString());
    QVERIFY(!checked);
    QCOMPARE(QString::fromStdString(checked.error().message), message);
}

QTEST_GUILESS_MAIN(TestScriptCheck)
#include "tst_scriptcheck.moc"
