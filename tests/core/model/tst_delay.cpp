#include "model/delay.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace wardbench;

namespace {

std::vector<double> draws(const Delay &delay, int count)
{
    const RandomStream stream(1, 0, "delay");
    std::vector<double> values;
    for (int k = 0; k < count; ++k)
        values.push_back(double(delay.draw(stream, std::uint64_t(k)).count()) / 1e6);
    std::sort(values.begin(), values.end());
    return values;
}

Delay lognormal(double median, double sigma, double maxValue = 0)
{
    Delay delay;
    delay.kind = Delay::Kind::Lognormal;
    delay.median = median;
    delay.sigma = sigma;
    delay.maxValue = maxValue;
    return delay;
}

} // namespace

class DelayTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noneAndFixed()
    {
        QCOMPARE(draws(Delay(), 3), std::vector<double>(3, 0.0));
        Delay fixed;
        fixed.kind = Delay::Kind::Fixed;
        fixed.milliseconds = 80.5;
        QCOMPARE(draws(fixed, 3), std::vector<double>(3, 80.5));
        QCOMPARE(fixed.mean().count(), 80'500'000);
    }

    void uniform()
    {
        Delay delay;
        delay.kind = Delay::Kind::Uniform;
        delay.lower = 20;
        delay.upper = 60;
        const auto values = draws(delay, 20'000);
        QVERIFY(values.front() >= 20 && values.front() < 20.1);
        QVERIFY(values.back() <= 60 && values.back() > 59.9);
        QVERIFY(std::abs(values[10'000] - 40) < 0.6);
        delay.upper = 20; // both ends the same
        QCOMPARE(draws(delay, 2), std::vector<double>(2, 20.0));
    }

    void lognormalQuantiles()
    {
        const auto values = draws(lognormal(40, 0.4), 20'000);
        // Median m; the 84.13th percentile is m * e^sigma.
        QVERIFY(std::abs(values[10'000] - 40) < 1);
        QVERIFY(std::abs(values[16'827] - 40 * std::exp(0.4)) < 2);
        QVERIFY(std::abs(values[3'173] - 40 * std::exp(-0.4)) < 1);
    }

    void lognormalCap()
    {
        // Half of the draws are above the median, so the cap is hit often and redrawn: hardly one is clamped.
        const auto values = draws(lognormal(40, 1, 40), 20'000);
        QVERIFY(values.back() <= 40);
        QVERIFY(std::count(values.begin(), values.end(), 40.0) < 60); // 20,000 / 2^11 = 10 expected
        // A cap that can hardly be met ends in the clamp instead of looping.
        QCOMPARE(draws(lognormal(40, 0.0001, 1), 5), std::vector<double>(5, 1.0));
    }

    void pureFunctionOfTheDraw()
    {
        const RandomStream stream(5, 2, "x");
        const Delay delay = lognormal(40, 0.4, 60);
        QCOMPARE(delay.draw(stream, 17), delay.draw(stream, 17));
        QVERIFY(delay.draw(stream, 17) != delay.draw(stream, 18));
        QVERIFY(delay.draw(stream, 17, 0) != delay.draw(stream, 17, 1));
    }

    void absurdValuesStayInRange()
    {
        QVERIFY(lognormal(1e300, 10).draw(RandomStream(1, 1, "x"), 1).count() > 0);
        QVERIFY(lognormal(1e300, 10).mean().count() > 0);
    }
};

QTEST_APPLESS_MAIN(DelayTest)
#include "tst_delay.moc"
