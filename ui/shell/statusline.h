#pragma once

#include "document/mockcontroller.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace wardbench {

class ElidedLabel;

/// The status bar's content: a running mock and its address, counts over all running mocks, the run, saved or not.
class StatusLine : public QWidget
{
    Q_OBJECT

public:
    StatusLine(WorkspaceDocument *document, MockController *mocks, QWidget *parent = nullptr);

    /// The mock to show when it runs; else the first that does.
    void setMock(quint64 mock);
    void setRun(const QString &text); ///< "Holder, described 62 %"; empty: none
    void setRest(const QString &url); ///< of the REST API; empty: it is off
    void say(const QString &text); ///< for some seconds, in place of the counts
    void copyUrl();

Q_SIGNALS:
    void runRequested(); ///< the run's text was pressed

private:
    void update();
    void updateSaved();

    WorkspaceDocument *m_document;
    MockController *m_mocks;
    quint64 m_mock = 0;
    QString m_url, m_said;
    QLabel *m_dot;
    ElidedLabel *m_server, *m_counts;
    QToolButton *m_copy;
    QPushButton *m_run;
    QLabel *m_rest, *m_saved;
    QTimer m_sayTimer;
};

} // namespace wardbench
