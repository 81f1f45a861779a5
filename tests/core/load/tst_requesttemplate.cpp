#include "load/engine.h"
#include "load/requesttemplate.h"

#include <QTest>

using namespace wardbench;

namespace {

Variable choice(const std::string &name, const std::string &value)
{
    Variable variable;
    variable.name = name;
    variable.type = Variable::Type::Choice;
    variable.values = {value};
    return variable;
}

Scenario scenarioOf(const QString &path)
{
    Scenario scenario;
    scenario.request.path = path.toStdString();
    scenario.variables = {choice("a", "x y/z?&=%"), choice("b", "B")};
    return scenario;
}

LoadEngine::Settings settingsOf(const Scenario &scenario)
{
    LoadEngine::Settings settings;
    settings.scenario = &scenario;
    settings.host = "localhost";
    settings.port = 81;
    settings.basePath = "/base";
    return settings;
}

RequestTemplate templateOf(const Scenario &scenario)
{
    return {scenario.request, scenario.placeholders(), settingsOf(scenario).address()};
}

std::vector<std::string> valuesOf(const Scenario &scenario, std::uint64_t k)
{
    std::vector<std::string> values;
    for (const VariableStream &stream : variableStreams(scenario, 1, 0))
        values.push_back(stream.value(k));
    return values;
}

} // namespace

class TestRequestTemplate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void path_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("expected");
        QTest::addColumn<QString>("unknown");
        QTest::newRow("none") << "/p"
                              << "/base/p"
                              << "";
        QTest::newRow("encoded in path and query") << "/${a}?q=${a}"
                                                   << "/base/x%20y%2Fz%3F%26%3D%25?q=x%20y%2Fz%3F%26%3D%25"
                                                   << "";
        QTest::newRow("several") << "/${b}${b}-${b}"
                                 << "/base/BB-B"
                                 << "";
        QTest::newRow("literal") << "/$${b}"
                                 << "/base/${b}"
                                 << "";
        QTest::newRow("literal then value") << "/$${${b}"
                                            << "/base/${B"
                                            << "";
        QTest::newRow("lone dollar") << "/$5?c=$b"
                                     << "/base/$5?c=$b"
                                     << "";
        QTest::newRow("not closed") << "/${b"
                                    << "/base/${b"
                                    << "";
        QTest::newRow("unknown") << "/${c}/${b}"
                                 << "/base/${c}/B"
                                 << "c";
        QTest::newRow("empty name") << "/${}"
                                    << "/base/${}"
                                    << "(empty)";
    }
    void path()
    {
        QFETCH(QString, path);
        QFETCH(QString, unknown);
        const Scenario scenario = scenarioOf(path);
        const RequestTemplate request = templateOf(scenario);
        QTEST(QString::fromStdString(request.make(valuesOf(scenario, 3))->path), "expected");
        QString names;
        for (const std::string &name : request.unknownNames())
            names += name.empty() ? QStringLiteral("(empty)") : QString::fromStdString(name);
        QCOMPARE(names, unknown);
    }

    void rawInHeadersAndBody()
    {
        Scenario scenario = scenarioOf(QStringLiteral("/"));
        scenario.request.method = "POST";
        scenario.request.headers = {{"X-A", "<${a}>"}, {"X-Fixed", "1"}};
        scenario.request.body = R"({"a":"${a}","b":"$${b}"})";
        const ClientRequest request = renderRequest(settingsOf(scenario), variableStreams(scenario, 1, 0), 0);
        QCOMPARE(request.method, std::string("POST"));
        QCOMPARE(request.host, std::string("localhost"));
        QCOMPARE(request.port, std::uint16_t(81));
        QCOMPARE(*request.headers.find("x-a"), std::string("<x y/z?&=%>"));
        QCOMPARE(request.headers.size(), std::size_t(2));            // exactly the listed ones
        QCOMPARE(request.headers.begin()->name, std::string("X-A")); // in their order
        QCOMPARE(request.body, std::string(R"({"a":"x y/z?&=%","b":"${b}"})"));
    }

    void oneValuePerIterationEverywhere()
    {
        Scenario scenario = scenarioOf(QStringLiteral("/${n}"));
        Variable n;
        n.name = "n";
        n.max = 1'000'000'000;
        scenario.variables = {n};
        scenario.request.headers = {{"N", "${n}"}};
        scenario.request.body = "${n}";
        const RequestTemplate request = templateOf(scenario);
        const auto streams = variableStreams(scenario, 7, 2);
        for (std::uint64_t k = 0; k < 20; ++k) {
            const ClientRequestPtr made = request.make({streams[0].value(k)});
            QCOMPARE(made->path, "/base/" + streams[0].value(k));
            QCOMPARE(*made->headers.find("N"), streams[0].value(k));
            QCOMPARE(made->body, streams[0].value(k));
        }
    }

    void aConstantRequestIsShared()
    {
        Scenario scenario = scenarioOf(QStringLiteral("/fixed"));
        scenario.request.headers = {{"Accept", "*/*"}};
        const RequestTemplate request = templateOf(scenario);
        QCOMPARE(request.make(valuesOf(scenario, 0)).get(), request.make(valuesOf(scenario, 1)).get());
        QCOMPARE(request.make(valuesOf(scenario, 0))->headers.size(), std::size_t(1));
    }
};

QTEST_APPLESS_MAIN(TestRequestTemplate)
#include "tst_requesttemplate.moc"
