#pragma once

#include "editors/editorpage.h"
#include "json/pointer.h"

#include <QWidget>

#include <vector>

class QButtonGroup;
class QHBoxLayout;
class QPushButton;
class QToolButton;

namespace wardbench {

class ElidedLabel;

/// The line above the editor: where we are, Form or JSON, the page's actions, Send.
class PageHeader : public QWidget
{
    Q_OBJECT

public:
    struct Crumb
    {
        QString text;
        json::Path path; ///< empty: not a link
    };

    explicit PageHeader(QWidget *parent = nullptr);

    void setCrumbs(const std::vector<Crumb> &crumbs);
    void setActions(const QList<QAction *> &actions);
    /// An action of the window, drawn as the last button ("Send F6"); null: none.
    void setSend(QAction *send);
    void setViewSwitch(bool shown);
    EditorPage::View view() const;
    void setView(EditorPage::View view);

Q_SIGNALS:
    void viewChanged(wardbench::EditorPage::View view);
    void crumbRequested(const wardbench::json::Path &path);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QHBoxLayout *m_crumbs, *m_actions;
    QToolButton *m_form, *m_json;
    QPushButton *m_send;
    QAction *m_sendAction = nullptr;
    QList<QAction *> m_shown;
};

} // namespace wardbench
