#include "charts/chartview.h"
#include "codec/workspacefile.h"
#include "report/runfile.h"
#include "run/chartboard.h"
#include "run/runpage.h"
#include "support/samplerun.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace wardbench;

namespace {

/// A mock that answers at once and a scenario of `iterations` on it.
RunRequest requestOf(int iterations, const std::string &scenario)
{
    const std::string text = R"({"format":"wardbench/1","name":"t","imposters":[{"protocol":"http","name":"api","keepAlive":true,
        "stubs":[{"responses":[{"is":{"statusCode":200,"body":"ok"},"behaviors":[{"wait":5}]}]}]}],
        "policies":[{"name":"holder","identifier":"{url}","holder":true}],
        "scenarios":[{"name":"Short","request":{"method":"GET","target":"api","path":"/"},
        "contestants":[{"name":"Bare"},{"name":"Held","policy":"holder"}],
        "load":{"model":"closed","users":5,"iterations":)" + std::to_string(iterations) + R"(},"repetitions":2,"seed":1}]})";
    RunRequest request;
    request.workspace = codec::loadText(text).workspace;
    request.scenario = scenario;
    return request;
}

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QPushButton *buttonOf(const RunPage &page, const char *text)
{
    for (QPushButton *button : page.findChildren<QPushButton *>())
        if (button->text().startsWith(QLatin1String(text)))
            return button;
    return nullptr;
}

charts::ChartView *chartOf(const RunPage &page, const char *name)
{
    return page.findChild<charts::ChartView *>(QLatin1String(name));
}

} // namespace

class TestRunPage : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        qputenv("XDG_CONFIG_HOME", m_folder.path().toLocal8Bit()); // settings of this test only
        qputenv("HOME", m_folder.path().toLocal8Bit());
    }

    void showsAResult()
    {
        RunPage page;
        RunResult run = test::sampleRun();
        run.warnings = {"client and mocks used 97 % of 2 cores: times include the machine"};
        run.thresholds.push_back({"Warden", "errors", "rate<0.001", 0.02, true, false});
        page.showResult(run);
        page.resize(1000, 640);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        const auto *sentence = page.findChild<QLabel *>(QStringLiteral("sentence"));
        QCOMPARE(sentence->text(), QString::fromStdString(run.verdict));
        for (const QLabel *label : page.findChildren<QLabel *>())
            QVERIFY2(label == sentence || label->font().pointSizeF() < sentence->font().pointSizeF(), "the verdict is the largest type");
        QCOMPARE(page.findChild<QTableView *>()->model()->rowCount(), 2);
        QVERIFY(!page.findChild<QProgressBar *>()->isVisible());
        QVERIFY(!page.isRunning());
        QStringList remarks;
        for (const QLabel *label : page.findChildren<QLabel *>())
            remarks << label->accessibleName();
        QVERIFY(remarks.contains(QStringLiteral("Warning: client and mocks used 97 % of 2 cores: times include the machine")));
        QVERIFY(remarks.contains(QStringLiteral("Passes: Warden latency p(95)<90, measured 82.1")));
        QVERIFY(remarks.contains(QStringLiteral("Fails: Warden errors rate<0.001, measured 0.020")));
    }

    void enterEnlargesAndEscapeGoesBack()
    {
        RunPage page;
        page.showResult(test::sampleRun());
        page.resize(1000, 640);
        page.show();
        page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        page.setFocus();
        QVERIFY(chartOf(page, "percentiles")->hasFocus());
        auto *latency = chartOf(page, "latency");
        latency->setFocus();
        QTest::keyClick(latency, Qt::Key_Return);
        auto *large = chartOf(page, "largeChart");
        QTRY_VERIFY(large->isVisible() && large->hasFocus());
        QCOMPARE(large->kind(), charts::Kind::Latency);
        QVERIFY(!latency->isVisible());
        QTest::keyClick(large, Qt::Key_Escape);
        QTRY_VERIFY(latency->isVisible() && latency->hasFocus());
        QTest::keyClick(latency, Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        auto *table = page.findChild<QTableWidget *>();
        QTRY_VERIFY(table->isVisible());
        QCOMPARE(table->horizontalHeaderItem(5)->text(), QStringLiteral("p50_us"));
        QTest::keyClick(table, Qt::Key_Escape);
        QTRY_VERIFY(latency->isVisible());
    }

    void exportsWithTwoPresses()
    {
        RunPage page;
        const RunResult run = test::sampleRun();
        page.showResult(run);
        page.show();
        page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        page.setFocus();
        QSignalSpy status(&page, &RunPage::statusMessage);
        QTest::keyClick(chartOf(page, "percentiles"), Qt::Key_E, Qt::ControlModifier);
        auto *dialog = page.findChild<QFileDialog *>();
        QVERIFY(dialog);
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        dialog->setDirectory(m_folder.path());
        auto *name = qobject_cast<QLineEdit *>(dialog->focusWidget());
        QVERIFY2(name, "the name has the focus, so that Enter saves");
        QCOMPARE(name->text(), QStringLiteral("holder-described_percentiles_2026-01-31T1405.png"));
        QTest::keyClick(name, Qt::Key_Return);
        QTRY_COMPARE(status.count(), 1);
        const auto expected = charts::exportChart(run, charts::Kind::Percentiles, charts::Format::Png);
        QVERIFY(expected);
        QVERIFY(contents(m_folder.filePath(QStringLiteral("holder-described_percentiles_2026-01-31T1405.png"))) == *expected);
    }

    void exportsTheFocusedChartInTheChosenFormat()
    {
        RunPage page;
        const RunResult run = test::sampleRun();
        page.showResult(run);
        page.show();
        page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        chartOf(page, "upstream")->setFocus();
        page.exportChart();
        auto *dialog = page.findChild<QFileDialog *>();
        QVERIFY(dialog);
        dialog->setDirectory(m_folder.path());
        const QString csv = dialog->nameFilters().at(3);
        dialog->selectNameFilter(csv);
        Q_EMIT dialog->filterSelected(csv);
        QCOMPARE(QFileInfo(dialog->selectedFiles().value(0)).fileName(), QStringLiteral("holder-described_upstream_2026-01-31T1405.csv"));
        QSignalSpy status(&page, &RunPage::statusMessage);
        static_cast<QDialog *>(dialog)->accept();
        QTRY_COMPARE(status.count(), 1);
        const auto expected = charts::exportChart(run, charts::Kind::Upstream, charts::Format::Csv);
        QVERIFY(contents(m_folder.filePath(QStringLiteral("holder-described_upstream_2026-01-31T1405.csv"))) == *expected);
    }

    void savesTheRun()
    {
        RunPage page;
        const RunResult run = test::sampleRun();
        page.showResult(run);
        page.show();
        page.saveRunAs();
        auto *dialog = page.findChild<QFileDialog *>();
        QVERIFY(dialog);
        dialog->setDirectory(m_folder.path());
        static_cast<QDialog *>(dialog)->accept();
        const QString path = m_folder.filePath(QStringLiteral("holder-described_2026-01-31T1405.wbrun"));
        QTRY_VERIFY(QFile::exists(path));
        QCOMPARE(contents(path), QByteArray::fromStdString(report::encodeRun(run)));
    }

    void copiesPictureAndTable()
    {
        RunPage page;
        page.showResult(test::sampleRun());
        page.copy();
        const QMimeData *data = QApplication::clipboard()->mimeData();
        QVERIFY(data->hasImage());
        QVERIFY(data->text().contains(QStringLiteral("Bare client")) && data->text().contains(u'|'));
        QVERIFY(data->data(QStringLiteral("image/svg+xml")).contains("<svg"));
    }

    void stoppedRunsHaveNoVerdict()
    {
        RunPage page;
        RunResult run = test::sampleRun();
        run.interrupted = true;
        run.verdict.clear();
        page.showResult(run);
        QVERIFY(page.findChild<QLabel *>(QStringLiteral("sentence"))->text().startsWith(QStringLiteral("Stopped")));
    }

    void followsASession()
    {
        RunPage page;
        page.resize(1000, 640);
        page.show();
        QSignalSpy finished(&page, &RunPage::runFinished);
        auto session = std::make_shared<RunSession>(requestOf(400, "Short"));
        session->start();
        page.showSession(session, QStringLiteral("Short"));
        QVERIFY(page.isRunning());
        QVERIFY(buttonOf(page, "Stop")->isVisible());
        QVERIFY(!buttonOf(page, "Export")->isEnabled());
        QVERIFY(finished.wait(60000));
        QCOMPARE(finished.count(), 1);
        QVERIFY(!page.isRunning());
        QVERIFY(!buttonOf(page, "Stop")->isVisible());
        QVERIFY(buttonOf(page, "Export")->isEnabled());
        const auto result = finished.first().first().value<RunResult>();
        QCOMPARE(result.contestants.size(), std::size_t(2));
        QCOMPARE(page.findChild<QTableView *>()->model()->index(0, 1).data().toString(), QStringLiteral("800"));
    }

    void stopIsAskedOnceAndThePartKept()
    {
        RunPage page;
        page.resize(1000, 640);
        page.show();
        auto session = std::make_shared<RunSession>(requestOf(1000000, "Short"));
        session->start();
        page.showSession(session, QStringLiteral("Short"));
        connect(&page, &RunPage::stopRequested, this, [session] { session->stop(); });
        QSignalSpy asked(&page, &RunPage::stopRequested), finished(&page, &RunPage::runFinished);
        const auto *sentence = page.findChild<QLabel *>(QStringLiteral("sentence"));
        QTRY_VERIFY_WITH_TIMEOUT(sentence->text().startsWith(QStringLiteral("Measuring")), 30000);
        QTest::keyClick(&page, Qt::Key_F5, Qt::ShiftModifier);
        QTest::keyClick(&page, Qt::Key_F5, Qt::ShiftModifier);
        QCOMPARE(asked.count(), 1);
        QVERIFY(finished.wait(30000));
        QVERIFY(page.result() && page.result()->interrupted);
    }

    void hiddenPagesStillTellTheEnd()
    {
        RunPage page;
        QSignalSpy finished(&page, &RunPage::runFinished);
        auto session = std::make_shared<RunSession>(requestOf(50, "Short"));
        session->start();
        page.showSession(session, QStringLiteral("Short"));
        QVERIFY(finished.wait(60000));
    }

    void failuresAreTold()
    {
        RunPage page;
        page.show();
        QSignalSpy failed(&page, &RunPage::runFailed);
        auto session = std::make_shared<RunSession>(requestOf(50, "No such scenario"));
        session->start();
        page.showSession(session, QStringLiteral("No such scenario"));
        QVERIFY(failed.count() == 1 || failed.wait(30000));
        QVERIFY(!failed.first().first().toString().isEmpty());
        QVERIFY(page.findChild<QLabel *>(QStringLiteral("sentence"))->text().contains(failed.first().first().toString()));
        QVERIFY(!page.isRunning());
    }

    void nothingIsCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("page in 1366 x 768") << QSize(1090, 620);
        QTest::newRow("page in 1024 x 700") << QSize(740, 540);
    }
    void nothingIsCut()
    {
        QFETCH(QSize, size);
        RunPage page;
        page.showResult(test::sampleRun());
        page.resize(size);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        for (const QPushButton *button : page.findChildren<QPushButton *>())
            if (button->isVisible())
                QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
        const auto *table = page.findChild<QTableView *>();
        const QRect last = table->visualRect(table->model()->index(1, table->model()->columnCount() - 1));
        QVERIFY2(table->viewport()->rect().contains(last), "all columns fit");
    }
};

QTEST_MAIN(TestRunPage)
#include "tst_runpage.moc"
