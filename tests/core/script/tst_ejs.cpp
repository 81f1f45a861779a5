#include "script/ejs.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace wardbench;

// EJS 2.7 and mountebank's additions (mountebank.md 3.3). The expected texts are what EJS gives.
class TestEjs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void syntax_data();
    void syntax();
    void files_data();
    void files();
    void errors_data();
    void errors();
    void environment();
    void endlessTemplate();

private:
    using Files = QMap<QString, QString>;
    static Result<std::string> render(const Files &files, QString *folder = nullptr);
};

Result<std::string> TestEjs::render(const Files &files, QString *folder)
{
    const QTemporaryDir place;
    for (auto file = files.begin(); file != files.end(); ++file) {
        const QString path = place.filePath(file.key());
        QDir().mkpath(QFileInfo(path).path());
        QFile written(path);
        if (!written.open(QIODevice::WriteOnly))
            return fail("cannot write");
        written.write(file.value().toUtf8());
    }
    if (folder)
        *folder = QFileInfo(place.path()).absoluteFilePath() + u'/';
    return renderEjs(place.filePath(QStringLiteral("root.ejs")).toStdString());
}

void TestEjs::syntax_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("rendered");
    const auto row = [](const char *name, const char *text, const char *rendered) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(rendered);
    };
    row("plain", "{ \"a\": 1 }\n", "{ \"a\": 1 }\n");
    row("empty", "", "");
    row("escaped", "<%= '<a b=\"c\">&\\'' %>", "&lt;a b=&#34;c&#34;&gt;&amp;&#39;");
    row("raw", "<%- '<a>&' %>", "<a>&");
    row("semicolon", "<%- 1 + 1; %>", "2");
    row("nothing", "[<%= undefined %><%- null %><%= 0 %><%= false %>]", "[0false]");
    row("code", "<% for (var i = 0; i < 3; i++) { %>x<%= i %><% } %>", "x0x1x2");
    row("arrow functions and templates", "<% [1, 2].forEach(n => { %>`<%- `${n}` %>`<% }) %>", "`1``2`");
    row("condition", "<% if (1 > 2) { %>a<% } else { %>b<% } %>", "b");
    row("line break stays", "a<% %>\nb", "a\nb");
    row("line break goes", "a<% -%>\nb", "ab");
    row("only one line break goes", "a<%= 1 -%>\n\nb", "a1\nb");
    row("Windows line break goes", "a<% -%>\r\nb", "ab");
    row("no line break to go", "a<% -%>b", "ab");
    row("slurped", "a  <%_ 1 _%>  \nb", "ab");
    row("comment", "a<%# <b> 'c %>d", "ad");
    row("comment trims", "a<%# b -%>\nc", "ac");
    row("comment in code", "<% // note %>a<%= 1 // one %>", "a1");
    row("literal", "<%% a %>", "<% a %>");
    row("literal end", "a %%> b", "a %> b");
    row("quotes and backslashes", "\"a\\n\" '\\' `${x}`", "\"a\\n\" '\\' `${x}`");
    row("characters", "é😀\u2028", "é😀\u2028");
    row("filename ends", "<%= filename.slice(-8) %>", "root.ejs");
    row("locals", "<%= typeof locals.stringify + typeof inject + typeof data %>", "functionfunctionundefined");
    row("byte order mark", "\ufeff{}", "{}");
    row("code over lines", "<%\n var a = 1;\n var b = 2;\n%><%= a + b %>", "3");
}

void TestEjs::syntax()
{
    QFETCH(QString, text);
    QFETCH(QString, rendered);
    const Result<std::string> got = render({{QStringLiteral("root.ejs"), text}});
    QVERIFY2(got, got ? "" : got.error().message.c_str());
    QCOMPARE(QString::fromStdString(*got), rendered);
}

void TestEjs::files_data()
{
    QTest::addColumn<Files>("files");
    QTest::addColumn<QString>("rendered");
    const auto row = [](const char *name, std::initializer_list<std::pair<const char *, const char *>> files,
                        const char *rendered) {
        Files all;
        for (const auto &[path, text] : files)
            all[QString::fromUtf8(path)] = QString::fromUtf8(text);
        QTest::newRow(name) << all << QString::fromUtf8(rendered);
    };
    row("include", {{"root.ejs", "[<%- include('a.json') %>]"}, {"a.json", "<%= 1 %>"}}, "[1]");
    row("suffix", {{"root.ejs", "[<%- include('a') %>]"}, {"a.ejs", "a"}}, "[a]");
    row("relative to the including file",
        {{"root.ejs", "<%- include('sub/a.ejs') %>"}, {"sub/a.ejs", "a<%- include('b.ejs') %>"}, {"sub/b.ejs", "b"}},
        "ab");
    row("data of an include",
        {{"root.ejs", "<%- include('a', { x: 5 }) %>"}, {"a.ejs", "<%= x %><%= typeof stringify %>"}}, "5function");
    row("old include", {{"root.ejs", "[<% include a.json %>]"}, {"a.json", "<%= 1 %>"}}, "[1]");
    row("old include without blanks", {{"root.ejs", "[<%include a.json%>]"}, {"a.json", "x"}}, "[x]");
    row("old include sees variables", {{"root.ejs", "<% var x = 'v'; %><% include a %>"}, {"a.ejs", "<%= x %>"}}, "v");
    row("old include in a loop",
        {{"root.ejs", "<% for (var i = 0; i < 2; i++) { %><% include sub/a %><% } %>"},
         {"sub/a.ejs", "<%= i %><%- include('b') %>"},
         {"b.ejs", "!"},
         {"sub/b.ejs", "?"}},
        "0!1!");
    row("old include in an old include",
        {{"root.ejs", "<% include sub/a %>"}, {"sub/a.ejs", "a<% include b %>"}, {"b.ejs", "!"}, {"sub/b.ejs", "?"}},
        "a?");
    row("stringify", {{"root.ejs", "\"<%- stringify('a.js') %>\""}, {"a.js", "\n  () => \"x\\n\"\n\n"}},
        "\"() => \\\"x\\\\n\\\"\"");
    row("stringify renders", {{"root.ejs", "\"<%- stringify('a.js') %>\""}, {"a.js", "a <%= 1 %>\nb"}}, "\"a 1\\nb\"");
    row("stringify with data", {{"root.ejs", "<%- stringify('a.js', { x: 'y' }) %>"}, {"a.js", "<%= data.x %>"}}, "y");
    row("old stringify", {{"root.ejs", "<%- stringify(filename, 'a.js') %>"}, {"a.js", "t"}}, "t");
    row("old stringify with data",
        {{"root.ejs", "<%- stringify(filename, 'a.js', { x: 7 }) %>"}, {"a.js", "<%= data.x %>"}}, "7");
    row("inject", {{"root.ejs", "<%- inject('a.js') %>"}, {"a.js", "t"}}, "t");
    row("nested stringify",
        {{"root.ejs", "\"<%- stringify('a.js') %>\""},
         {"a.js", "{ \"b\": \"<%- stringify('b.js') %>\" }"},
         {"b.js", "\"c\"\n"}},
        "\"{ \\\"b\\\": \\\"\\\\\\\"c\\\\\\\"\\\" }\"");
    row("stringify is relative to the root",
        {{"root.ejs", "<%- include('sub/a.ejs') %>"},
         {"sub/a.ejs", "<%- stringify('b.js') %>"},
         {"b.js", "root's"},
         {"sub/b.js", "sub's"}},
        "root's");
    row("a stringified file includes relative to the root",
        {{"root.ejs", "<%- stringify('sub/a.js') %>"},
         {"sub/a.js", "<% include b %><%- include('b') %>"},
         {"b.ejs", "r"},
         {"sub/b.ejs", "s"}},
        "rr");
    row("filename is the root's",
        {{"root.ejs", "<%- include('sub/a.ejs') %>"}, {"sub/a.ejs", "<%- filename.slice(-8) %>"}}, "root.ejs");
    row("mountebank's shape",
        {{"root.ejs", "{\n  \"imposters\": [\n    <% include a.json %>,\n    <% include b.json %>\n  ]\n}"},
         {"a.json",
          "{ \"port\": 1, \"stubs\": [{ \"responses\": [{ \"inject\": \"<%- stringify(filename, 'f.js') %>\" }] }] }"},
         {"b.json", "{ \"port\": 2 }"},
         {"f.js", "(config) => {\n  return { body: 'x' };\n}\n"}},
        "{\n  \"imposters\": [\n    { \"port\": 1, \"stubs\": [{ \"responses\": [{ \"inject\": \"(config) => {\\n  "
        "return { "
        "body: 'x' };\\n}\" }] }] },\n    { \"port\": 2 }\n  ]\n}");
}

void TestEjs::files()
{
    QFETCH(Files, files);
    QFETCH(QString, rendered);
    const Result<std::string> got = render(files);
    QVERIFY2(got, got ? "" : got.error().message.c_str());
    QCOMPARE(QString::fromStdString(*got), rendered);
}

void TestEjs::errors_data()
{
    QTest::addColumn<Files>("files");
    QTest::addColumn<QString>("message"); // "/" at its start: behind the folder's name
    const auto row = [](const char *name, std::initializer_list<std::pair<const char *, const char *>> files,
                        const char *message) {
        Files all;
        for (const auto &[path, text] : files)
            all[QString::fromUtf8(path)] = QString::fromUtf8(text);
        QTest::newRow(name) << all << QString::fromUtf8(message);
    };
    row("no end", {{"root.ejs", "a\nb <% c"}}, "@root.ejs: line 2: no \"%>\" for this \"<%\"");
    row("syntax", {{"root.ejs", "a\n\n<% var = 1; %>"}}, "@root.ejs: line 3: Expected token");
    row("unknown name", {{"root.ejs", "a\n<%= 1 %>\n<%= nothing %>"}},
        "@root.ejs: line 3: ReferenceError: nothing is not defined");
    row("over several lines", {{"root.ejs", "<%\n\n  nothing();\n%>"}}, "@root.ejs: line 3: ReferenceError: nothing");
    row("thrown text", {{"root.ejs", "<% throw 'why' %>"}}, "@root.ejs: why");
    row("refused", {{"root.ejs", "a\n<% var b = { ...c }; %>"}},
        "@root.ejs: line 2: object spread or rest (\"{...a}\") is not available in scripts");
    row("require", {{"root.ejs", "<% require('fs') %>"}}, "@root.ejs: line 1: \"require\" is not available in scripts");
    row("missing file", {{"root.ejs", "a\n<%- include('gone.json') %>"}}, "cannot read @gone.json: ");
    row("missing file to stringify", {{"root.ejs", "<%- stringify('gone.js') %>"}}, "cannot read @gone.js: ");
    row("in an included file", {{"root.ejs", "\n<%- include('a.ejs') %>"}, {"a.ejs", "\n\n<%= nothing %>"}},
        "@a.ejs: line 3: ReferenceError: nothing is not defined");
    row("in an old include", {{"root.ejs", "\n<% include a.ejs %>"}, {"a.ejs", "\n\n<%= nothing %>"}},
        "@a.ejs: line 3: ReferenceError: nothing is not defined");
    row("syntax in an old include", {{"root.ejs", "\n<% include a.ejs %>"}, {"a.ejs", "\n\n<% ) %>"}},
        "@a.ejs: line 3: ");
    row("in a stringified file", {{"root.ejs", "<%- stringify('a.js') %>"}, {"a.js", "\n<%= nothing %>"}},
        "@a.js: line 2: ReferenceError: nothing is not defined");
    row("includes itself", {{"root.ejs", "<%- include('root.ejs') %>"}}, "@root.ejs: ");
    row("no file at all", {}, "cannot read @root.ejs: ");
}

void TestEjs::errors()
{
    QFETCH(Files, files);
    QFETCH(QString, message);
    QString folder;
    const Result<std::string> got = render(files, &folder);
    QVERIFY(!got);
    const QString text = QString::fromStdString(got.error().message);
    QVERIFY2(text.startsWith(message.replace(u'@', folder)), qPrintable(text));
}

void TestEjs::environment()
{
    qputenv("WARDBENCH_TEST_PORT", "4545");
    const Result<std::string> got =
        render({{QStringLiteral("root.ejs"), QStringLiteral("{ \"port\": <%= process.env.WARDBENCH_TEST_PORT %>, "
                                                            "\"other\": <%= process.env.WARDBENCH_NONE || 1 %> }")}});
    QVERIFY(got);
    QCOMPARE(*got, std::string("{ \"port\": 4545, \"other\": 1 }"));
}

void TestEjs::endlessTemplate()
{
    QElapsedTimer timer;
    timer.start();
    const Result<std::string> got = render({{QStringLiteral("root.ejs"), QStringLiteral("<% for (;;); %>")}});
    QVERIFY(!got);
    QVERIFY2(got.error().message.find("took longer than 10 s") != std::string::npos, got.error().message.c_str());
    QVERIFY(timer.elapsed() < 12'000);
}

QTEST_GUILESS_MAIN(TestEjs)
#include "tst_ejs.moc"
