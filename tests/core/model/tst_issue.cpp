#include "model/issue.h"

#include <QtTest>

using namespace wardbench;

class IssueTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void format()
    {
        Issue issue;
        issue.pointer = "/policies/0/retry";
        issue.message = "a number was given; expected text";
        issue.position = {12, 5, 300};
        QCOMPARE(issue.format("a.wardbench"),
                 std::string("a.wardbench:12:5: error: /policies/0/retry: a number was given; expected text"));
        issue.severity = Issue::Severity::Warning;
        issue.pointer.clear();
        QCOMPARE(issue.format("-"), std::string("-:12:5: warning: a number was given; expected text"));
    }

    void severity()
    {
        Issue warning;
        warning.severity = Issue::Severity::Warning;
        QVERIFY(!hasErrors({}));
        QVERIFY(!hasErrors({warning}));
        QVERIFY(hasErrors({warning, Issue()}));
    }
};

QTEST_APPLESS_MAIN(IssueTest)
#include "tst_issue.moc"
