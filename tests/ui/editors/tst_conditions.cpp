#include "editors/conditions.h"
#include "editors/jsonfields.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QtTest>

using namespace wardbench;
using namespace Qt::StringLiterals;

namespace {

json::Value parsed(const char *text)
{
    return std::get<json::Value>(json::parse(text));
}

QString rowsText(const json::Value &predicates)
{
    QStringList rows;
    for (const Condition &row : conditions::fromPredicates(predicates)) {
        if (row.form != Condition::Form::Field) {
            rows << (row.form == Condition::Form::Json ? u"json"_s : u"script "_s + scalarText(row.expected));
            continue;
        }
        QStringList field;
        for (const std::string &name : row.field)
            field << QString::fromStdString(name);
        rows << field.join(u'.') + u' ' + row.word + (row.word == u"exists" || row.word == u"absent" ? QString() : u' ' + scalarText(row.expected))
                + (row.caseSensitive ? u" Aa"_s : QString())
                + (row.parameters.size() ? u' ' + QString::fromStdString(json::writeCompact(row.parameters)) : QString());
    }
    return rows.join(u"; "_s);
}

} // namespace

class TestConditions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rows_data();
    void rows();
    void changes_data();
    void changes();
    void addingToNothing();
};

void TestConditions::rows_data()
{
    QTest::addColumn<QByteArray>("predicates");
    QTest::addColumn<QString>("expected");
    const std::tuple<const char *, const char *, const char *> cases[] = {
        {"one field", R"([{"equals":{"path":"/a"}}])", "path equals /a"},
        {"two fields of one predicate", R"([{"equals":{"method":"GET","path":"/a"}}])", "method equals GET; path equals /a"},
        {"query names", R"([{"contains":{"query":{"q":"x","p":1}}}])", "query.q contains x; query.p contains 1"},
        {"presence", R"([{"exists":{"headers":{"Authorization":true},"body":false}}])", "headers.Authorization exists; body absent"},
        {"negated", R"([{"not":{"equals":{"method":"GET"}}}])", "method not equals GET"},
        {"negated presence", R"([{"not":{"exists":{"body":true}}}])", "body absent"},
        {"negated pair has no row form", R"([{"not":{"equals":{"method":"GET","path":"/"}}}])", "json"},
        {"case", R"([{"equals":{"path":"/A"},"caseSensitive":true}])", "path equals /A Aa"},
        {"or is json", R"([{"or":[{"equals":{"path":"/a"}}]}])", "json"},
        {"selector", R"([{"equals":{"body":"x"},"jsonpath":{"selector":"$.a"}}])", R"(body equals x {"jsonpath":{"selector":"$.a"}})"},
        {"except and case of names", R"([{"equals":{"query":{"a":"x"}},"except":"\\d","keyCaseSensitive":true}])",
         R"(query.a equals x {"except":"\\d","keyCaseSensitive":true})"},
        {"selector inside not", R"([{"not":{"equals":{"body":"x"},"xpath":{"selector":"//a"}}}])",
         R"(body not equals x {"xpath":{"selector":"//a"}})"},
        {"selector around not is json", R"([{"not":{"equals":{"body":"x"}},"xpath":{"selector":"//a"}}])", "json"},
        {"script", R"([{"inject":"() => true"}])", "script () => true"},
        {"deepEquals of a map is one row", R"([{"deepEquals":{"query":{"a":"1"}}}])", R"(query deepEquals {"a":"1"})"},
        {"body object", R"([{"equals":{"body":{"a":1}}}])", R"(body equals {"a":1})"},
        {"unknown operator is json", R"([{"equal":{"path":"/"}}])", "json"},
        {"none", "[]", ""},
    };
    for (const auto &[name, predicates, expected] : cases)
        QTest::addRow("%s", name) << QByteArray(predicates) << QString::fromLatin1(expected);
}

void TestConditions::rows()
{
    QFETCH(QByteArray, predicates);
    QFETCH(QString, expected);
    QCOMPARE(rowsText(parsed(predicates.constData())), expected);
}

void TestConditions::changes_data()
{
    QTest::addColumn<QByteArray>("predicates");
    QTest::addColumn<int>("row");
    QTest::addColumn<QString>("change"); // value:x, word:x, field:a.b, case, remove
    QTest::addColumn<QByteArray>("expected");
    const char *pair = R"([{"equals":{"method":"GET","path":"/a"}},{"exists":{"body":true}}])";
    QTest::addRow("a value stays in its predicate")
        << QByteArray(pair) << 1 << u"value:/b"_s << QByteArray(R"([{"equals":{"method":"GET","path":"/b"}},{"exists":{"body":true}}])");
    QTest::addRow("another operator leaves its predicate")
        << QByteArray(pair) << 1 << u"word:matches"_s
        << QByteArray(R"([{"equals":{"method":"GET"}},{"matches":{"path":"/a"}},{"exists":{"body":true}}])");
    QTest::addRow("the last one of a predicate is replaced")
        << QByteArray(pair) << 2 << u"word:absent"_s << QByteArray(R"([{"equals":{"method":"GET","path":"/a"}},{"exists":{"body":false}}])");
    QTest::addRow("to a negated operator")
        << QByteArray(R"([{"equals":{"path":"/a"}}])") << 0 << u"word:not contains"_s
        << QByteArray(R"([{"not":{"contains":{"path":"/a"}}}])");
    QTest::addRow("to a header")
        << QByteArray(R"([{"equals":{"path":"/a"}}])") << 0 << u"field:headers.Accept"_s
        << QByteArray(R"([{"equals":{"headers":{"Accept":"/a"}}}])");
    QTest::addRow("case sensitive") << QByteArray(R"([{"equals":{"path":"/a"}}])") << 0 << u"case"_s
                                    << QByteArray(R"([{"equals":{"path":"/a"},"caseSensitive":true}])");
    QTest::addRow("remove one of two") << QByteArray(pair) << 0 << u"remove"_s
                                       << QByteArray(R"([{"equals":{"path":"/a"}},{"exists":{"body":true}}])");
    QTest::addRow("remove the only one") << QByteArray(R"([{"equals":{"path":"/a"}}])") << 0 << u"remove"_s << QByteArray("[]");
    QTest::addRow("remove one of two query names")
        << QByteArray(R"([{"equals":{"query":{"a":"1","b":"2"}}}])") << 0 << u"remove"_s
        << QByteArray(R"([{"equals":{"query":{"b":"2"}}}])");
    QTest::addRow("remove the last query name keeps the rest")
        << QByteArray(R"([{"equals":{"path":"/","query":{"a":"1"}}}])") << 1 << u"remove"_s << QByteArray(R"([{"equals":{"path":"/"}}])");
    QTest::addRow("parameters stay with another operator")
        << QByteArray(R"([{"equals":{"body":"x"},"jsonpath":{"selector":"$.a"},"x-own":1}])") << 0 << u"word:not contains"_s
        << QByteArray(R"([{"not":{"contains":{"body":"x"},"jsonpath":{"selector":"$.a"},"x-own":1}}])");
    QTest::addRow("a parameter of one of two fields leaves with it")
        << QByteArray(R"([{"equals":{"method":"GET","path":"/a"}}])") << 1 << u"except:b"_s
        << QByteArray(R"([{"equals":{"method":"GET"}},{"equals":{"path":"/a"},"except":"b"}])");
    QTest::addRow("what stands around a not stays")
        << QByteArray(R"([{"not":{"equals":{"path":"/a"}},"comment":"why"}])") << 0 << u"value:/b"_s
        << QByteArray(R"([{"not":{"equals":{"path":"/b"}},"comment":"why"}])");
    QTest::addRow("comments of a predicate stay")
        << QByteArray(R"([{"comment":"why","equals":{"method":"GET","path":"/a"}}])") << 0 << u"value:POST"_s
        << QByteArray(R"([{"comment":"why","equals":{"method":"POST","path":"/a"}}])");
}

void TestConditions::changes()
{
    QFETCH(QByteArray, predicates);
    QFETCH(int, row);
    QFETCH(QString, change);
    QFETCH(QByteArray, expected);
    const json::Value list = parsed(predicates.constData());
    const Condition before = conditions::fromPredicates(list).at(static_cast<std::size_t>(row));
    Condition after = before;
    const QString argument = change.section(u':', 1);
    if (change.startsWith(u"value"))
        after.expected = json::Value(argument.toStdString());
    else if (change.startsWith(u"word"))
        after.word = argument;
    else if (change.startsWith(u"field"))
        after.field = {argument.section(u'.', 0, 0).toStdString(), argument.section(u'.', 1).toStdString()};
    else if (change.startsWith(u"except"))
        after.parameters = after.parameters.withMember("except", json::Value(argument.toStdString()));
    else if (change == u"case")
        after.caseSensitive = true;
    const json::Value result = change == u"remove" ? conditions::removed(list, before) : conditions::replaced(list, before, after);
    QCOMPARE(QByteArray::fromStdString(json::writeCompact(result)), expected);
}

void TestConditions::addingToNothing()
{
    Condition row;
    row.field = {"method"};
    row.word = u"equals"_s;
    row.expected = json::Value("GET");
    QCOMPARE(json::writeCompact(conditions::added(json::Value(), row)), std::string(R"([{"equals":{"method":"GET"}}])"));
}

QTEST_APPLESS_MAIN(TestConditions)
#include "tst_conditions.moc"
