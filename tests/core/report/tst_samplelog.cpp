#include "report/samplelog.h"

#include "report/jtl.h"
#include "support/readfile.h"

#include <QTemporaryDir>
#include <QtTest>

#include <thread>

using namespace wardbench;
using report::SampleLog;

namespace {

Sample sampleOf(const std::string &label, std::int64_t elapsed)
{
    Sample sample;
    sample.start_ms = 1'700'000'012'000; // 2 s into a half minute: the first one has its line
    sample.elapsed_ms = elapsed;
    sample.label = label;
    sample.code = "200";
    sample.url = "http://127.0.0.1/";
    return sample;
}

} // namespace

class SampleLogTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

private Q_SLOTS:
    void writesAllFromSeveralThreads()
    {
        SampleLog::Settings settings;
        settings.jtl = m_folder.filePath(QStringLiteral("all.jtl")).toStdString();
        SampleLog log(settings);
        QVERIFY(bool(log.open()));
        std::vector<std::thread> threads;
        for (const std::string label : {"a", "b, c", "d\"e"}) {
            threads.emplace_back([&log, label] {
                for (int i = 0; i < 2000; ++i)
                    log.add(sampleOf(label, i), {1, 1, 0});
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        QVERIFY(bool(log.close()));
        const auto list = report::readJtl(test::readFile(settings.jtl));
        QVERIFY2(bool(list), list ? "" : list.error().message.c_str());
        QCOMPARE(list->samples.size(), std::size_t(6000));
        // Each thread's samples in their order.
        std::int64_t next = 0;
        for (const Sample &sample : list->samples) {
            if (sample.label == "b, c")
                QCOMPARE(sample.elapsed_ms, next++);
        }
        QCOMPARE(next, std::int64_t(2000));
    }

    void printsSummaryLines()
    {
        std::string lines;
        SampleLog::Settings settings;
        settings.print = [&lines](const std::string &text) {
            lines += text;
        };
        settings.decimalPoint = ",";
        SampleLog log(settings);
        QVERIFY(bool(log.open()));
        log.add(sampleOf("a", 7), {3, 3, 0});
        log.settle(); // another repetition: its users come on top
        log.add(sampleOf("a", 9), {1, 2, 1});
        QVERIFY(bool(log.close()));
        const QStringList all = QString::fromStdString(lines).split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(all.size(), 3);
        QVERIFY2(all[0].startsWith(QStringLiteral("summary +      1 in ")), qPrintable(all[0]));
        QVERIFY2(all[0].endsWith(QStringLiteral("Err:     0 (0,00%) Active: 3 Started: 3 Finished: 0")),
                 qPrintable(all[0]));
        QVERIFY2(all[1].endsWith(QStringLiteral("Err:     0 (0,00%) Active: 0 Started: 5 Finished: 5")),
                 qPrintable(all[1]));
        QVERIFY2(all[2].startsWith(QStringLiteral("summary =      2 in ")), qPrintable(all[2]));
    }

    void saysWhatIsMissing()
    {
        SampleLog::Settings settings;
        settings.jtl = m_folder.filePath(QStringLiteral("no/such/folder.jtl")).toStdString();
        SampleLog unwritable(settings);
        const Result<void> opened = unwritable.open();
        QVERIFY(!opened && opened.error().message.find("folder.jtl: cannot be written: ") != std::string::npos);

        settings.jtl = "/dev/full";
        SampleLog full(settings);
        QVERIFY(bool(full.open()));
        full.add(sampleOf("a", 1), {});
        const Result<void> closed = full.close();
        QVERIFY(!closed && closed.error().message.find("/dev/full") != std::string::npos);

        settings.jtl.clear();
        settings.most = 0;
        SampleLog small(settings);
        QVERIFY(bool(small.open()));
        small.add(sampleOf("a", 1), {});
        const Result<void> missing = small.close();
        QVERIFY(!missing && missing.error().message.starts_with("1 samples came faster"));
    }
};

QTEST_APPLESS_MAIN(SampleLogTest)
#include "tst_samplelog.moc"
