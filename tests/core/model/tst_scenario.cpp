#include "model/scenario.h"

#include <QtTest>

#include <map>

using namespace wardbench;

namespace {

std::map<std::string, int> histogram(const Variable &variable, int count)
{
    const VariableStream stream(variable, 1, 1);
    std::map<std::string, int> counts;
    for (int k = 0; k < count; ++k)
        ++counts[stream.value(std::uint64_t(k))];
    return counts;
}

Variable variable(Variable::Type type)
{
    Variable result;
    result.name = "foo";
    result.type = type;
    return result;
}

} // namespace

class ScenarioTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void decimalHas101Values()
    {
        Variable foo = variable(Variable::Type::Decimal);
        foo.min = 0;
        foo.max = 1;
        foo.places = 2;
        QCOMPARE(VariableStream::distinct(foo), std::uint64_t(101));
        const auto counts = histogram(foo, 200'000);
        QCOMPARE(counts.size(), std::size_t(101));
        QVERIFY(counts.contains("0.00") && counts.contains("1.00") && counts.contains("0.07"));
        // 2,000 expected inside, half of it at the ends.
        QVERIFY(std::abs(counts.at("0.50") - 2000) < 200);
        QVERIFY(std::abs(counts.at("0.00") - 1000) < 150);
        QVERIFY(std::abs(counts.at("1.00") - 1000) < 150);
    }

    void decimalPrintsAllPlaces()
    {
        Variable foo = variable(Variable::Type::Decimal);
        foo.places = 3;
        foo.min = foo.max = -0.5;
        QCOMPARE(VariableStream(foo, 1, 1).value(0), std::string("-0.500"));
        foo.min = foo.max = -0.0001;
        QCOMPARE(VariableStream(foo, 1, 1).value(0), std::string("0.000"));
        foo.places = 0;
        foo.min = foo.max = 12.4;
        QCOMPARE(VariableStream(foo, 1, 1).value(0), std::string("12"));
    }

    void integerHasBothEnds()
    {
        Variable foo = variable(Variable::Type::Integer);
        foo.min = -1;
        foo.max = 2;
        const auto counts = histogram(foo, 40'000);
        QCOMPARE(counts.size(), std::size_t(4));
        for (const auto &[text, count] : counts)
            QVERIFY(std::abs(count - 10'000) < 500);
        QVERIFY(counts.contains("-1") && counts.contains("2"));
        QCOMPARE(VariableStream::distinct(foo), std::uint64_t(4));
    }

    void zipf()
    {
        Variable foo = variable(Variable::Type::Zipf);
        foo.n = 3;
        foo.exponent = 1;
        const auto counts = histogram(foo, 110'000); // 1 : 1/2 : 1/3 = 60,000 : 30,000 : 20,000
        QCOMPARE(counts.size(), std::size_t(3));
        QVERIFY(std::abs(counts.at("1") - 60'000) < 1000);
        QVERIFY(std::abs(counts.at("2") - 30'000) < 1000);
        QVERIFY(std::abs(counts.at("3") - 20'000) < 1000);
    }

    void sequence()
    {
        Variable foo = variable(Variable::Type::Sequence);
        foo.start = 5;
        foo.step = -2;
        const VariableStream stream(foo, 9, 3);
        QCOMPARE(stream.value(0), std::string("5"));
        QCOMPARE(stream.value(4), std::string("-3"));
        QCOMPARE(VariableStream::distinct(foo), std::uint64_t(0));
    }

    void choice()
    {
        Variable foo = variable(Variable::Type::Choice);
        foo.values = {"a", "b", "c"};
        QCOMPARE(histogram(foo, 1000).size(), std::size_t(3));
        foo.weights = {3, 0, 1};
        const auto counts = histogram(foo, 40'000);
        QCOMPARE(counts.size(), std::size_t(2));
        QVERIFY(std::abs(counts.at("a") - 30'000) < 800);
        QCOMPARE(VariableStream::distinct(foo), std::uint64_t(2));
    }

    void pureFunctionOfSeedRepetitionNameAndK()
    {
        Variable foo = variable(Variable::Type::Integer);
        foo.max = 1e9;
        Variable bar = foo;
        bar.name = "bar";
        QCOMPARE(VariableStream(foo, 1, 2).value(3), VariableStream(foo, 1, 2).value(3));
        QVERIFY(VariableStream(foo, 1, 2).value(3) != VariableStream(foo, 2, 2).value(3));
        QVERIFY(VariableStream(foo, 1, 2).value(3) != VariableStream(foo, 1, 3).value(3));
        QVERIFY(VariableStream(foo, 1, 2).value(3) != VariableStream(foo, 1, 2).value(4));
        QVERIFY(VariableStream(foo, 1, 2).value(3) != VariableStream(bar, 1, 2).value(3));
    }

    void success()
    {
        SuccessRule rule;
        QVERIFY(rule.accepts(200, "") && rule.accepts(399, "") && !rule.accepts(199, "") && !rule.accepts(400, ""));
        rule.status = StatusSet{{418}, {2}, false};
        QVERIFY(rule.accepts(204, "") && rule.accepts(418, "") && !rule.accepts(302, ""));
        rule.bodyContains = "ok";
        QVERIFY(rule.accepts(204, "all ok") && !rule.accepts(204, "no"));
        rule.status->any = true;
        QVERIFY(rule.accepts(500, "ok"));
    }

    void thresholds_data()
    {
        QTest::addColumn<QByteArray>("comparison");
        QTest::addColumn<QVector<bool>>("holds"); // for 1, 2, 3 against 2
        QTest::newRow("<") << QByteArray("<") << QVector<bool>{true, false, false};
        QTest::newRow("<=") << QByteArray("<=") << QVector<bool>{true, true, false};
        QTest::newRow(">") << QByteArray(">") << QVector<bool>{false, false, true};
        QTest::newRow(">=") << QByteArray(">=") << QVector<bool>{false, true, true};
        QTest::newRow("==") << QByteArray("==") << QVector<bool>{false, true, false};
        QTest::newRow("!=") << QByteArray("!=") << QVector<bool>{true, false, true};
    }
    void thresholds()
    {
        QFETCH(QByteArray, comparison);
        QFETCH(QVector<bool>, holds);
        Threshold threshold;
        threshold.comparison = comparison.toStdString();
        threshold.limit = 2;
        for (int i = 0; i < 3; ++i)
            QCOMPARE(threshold.holds(i + 1), holds[i]);
    }

    void policyDefaults()
    {
        QVERIFY(CacheConfig().cachesStatus(200) && CacheConfig().cachesStatus(404) &&
                !CacheConfig().cachesStatus(429) && !CacheConfig().cachesStatus(500));
        QVERIFY(RetryConfig().retriesStatus(429) && RetryConfig().retriesStatus(503) &&
                !RetryConfig().retriesStatus(404));
        Policy policy;
        QCOMPARE(policy.moduleList(), std::string("-"));
        policy.holder.emplace();
        policy.cache.emplace();
        policy.retry.emplace();
        QCOMPARE(policy.moduleList(), std::string("holder, cache, retry"));
        policy.retry->count = 0;
        policy.holder.reset();
        QCOMPARE(policy.moduleList(), std::string("cache"));
        QCOMPARE((StatusSet{{429}, {5}, false}.display()), std::string("429, 5xx"));
    }
};

QTEST_APPLESS_MAIN(ScenarioTest)
#include "tst_scenario.moc"
