#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QLayout;
class QListWidget;
class QPushButton;

namespace wardbench {

/// What a person sees first: the demo one key away, the files of last time.
class StartPage : public QWidget
{
    Q_OBJECT

public:
    explicit StartPage(QWidget *parent = nullptr);
    void setRecentFiles(const QStringList &files);
    void takeFocus(); ///< the demo has it: Enter is enough

Q_SIGNALS:
    void demoRequested();
    void newRequested();
    void openRequested();
    void fileRequested(const QString &path);

private:
    QLayout *buttonRow();
    QLayout *lists();

    QPushButton *m_demo;
    QListWidget *m_recent;
    QLabel *m_none;
};

} // namespace wardbench
