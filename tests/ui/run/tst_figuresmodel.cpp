#include "run/figuresmodel.h"
#include "support/samplerun.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace wardbench;

class TestFiguresModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsTheRulesOfModels()
    {
        FiguresModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(RunResult(), false);
        model.show(test::sampleRun(), false);
        model.show(test::sampleRun(), true);
        model.show(test::failedRun(), true);
        QCOMPARE(model.rowCount(), 1);
    }

    void figures()
    {
        FiguresModel model;
        RunResult run = test::sampleRun();
        run.contestants[1].total.errors = 51;
        model.show(run, true);
        const auto cell = [&model](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(cell(0, FiguresModel::Name), QStringLiteral("Bare client"));
        QCOMPARE(cell(0, FiguresModel::Runs), QStringLiteral("60,000"));
        QCOMPARE(cell(0, FiguresModel::Errors), QStringLiteral("0"));
        QCOMPARE(cell(0, FiguresModel::Rate), QStringLiteral("1,231")); // 60,000 in 48.735 s
        QCOMPARE(cell(1, FiguresModel::Upstream), QStringLiteral("6,093"));
        QCOMPARE(cell(1, FiguresModel::SpeedUp), QStringLiteral("1.78x")); // 16.245 / 9.12
        QCOMPARE(cell(0, FiguresModel::SpeedUp), QStringLiteral("-"));
        QCOMPARE(cell(1, FiguresModel::Errors), QStringLiteral("51"));
        QVERIFY(model.index(1, FiguresModel::Errors).data(Qt::ForegroundRole).isValid());
        QVERIFY(!model.index(0, FiguresModel::Errors).data(Qt::ForegroundRole).isValid());
        QCOMPARE(model.index(1, FiguresModel::P50).data(Qt::AccessibleTextRole).toString().section(u':', 0, 0), QStringLiteral("Warden, p50 ms"));
        model.show(run, false);
        QCOMPARE(cell(1, FiguresModel::SpeedUp), QStringLiteral("-"));
    }

    void percentilesNeedSamples()
    {
        FiguresModel model;
        model.show(test::runWithLatencies(std::vector<double>(100, 4.0)), true);
        QVERIFY(model.index(0, FiguresModel::P50).data().toString() != QStringLiteral("-"));
        QCOMPARE(model.index(0, FiguresModel::P95).data().toString(), QStringLiteral("-"));
        QCOMPARE(model.index(0, FiguresModel::P99).data().toString(), QStringLiteral("-"));
        QCOMPARE(model.index(0, FiguresModel::Max).data().toString(), QStringLiteral("4.00"));
    }

    void numbersStandRight()
    {
        FiguresModel model;
        model.show(test::sampleRun(), true);
        for (int column = FiguresModel::Runs; column < FiguresModel::ColumnCount; ++column) {
            QVERIFY(model.index(0, column).data(Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight);
            QVERIFY(model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight);
        }
    }
};

QTEST_MAIN(TestFiguresModel)
#include "tst_figuresmodel.moc"
