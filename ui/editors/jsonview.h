#pragma once

#include "model/issue.h"
#include "json/value.h"

#include <QTimer>
#include <QWidget>

#include <functional>
#include <optional>

class QLabel;
class QPushButton;

namespace wardbench {

class CodeEditor;

/// A thing of the workspace as its JSON, to be edited: checked while a person types, applied as one step when it is
/// right (Ctrl+Enter, or when the focus leaves). What was typed and not applied stays until it is applied or discarded.
class JsonView : public QWidget
{
    Q_OBJECT

public:
    /// Issues the thing would have as `value`; pointers are below it.
    using Check = std::function<Issues(const json::Value &value)>;

    explicit JsonView(Check check, QWidget *parent = nullptr);
    /// Shows `value` as the document holds it; a draft that was typed stays, with a word that it is one.
    void setValue(const json::Value &value);
    /// What was typed and not applied; empty when there is nothing.
    QString draft() const { return m_draft; }
    /// Another thing: `draft` is what was typed for it before.
    void setTarget(const json::Value &value, const QString &draft);
    /// Applies the draft if it is right.
    void apply();
    CodeEditor *editor() const { return m_editor; }

Q_SIGNALS:
    void applied(const wardbench::json::Value &value);

private:
    void typed();
    void check();
    void discard();
    void say(const QString &text, bool good);
    void showState();

    Check m_check;
    json::Value m_value;
    QString m_draft;
    std::optional<json::Value> m_good; ///< what the draft stands for, when nothing is wrong with it
    CodeEditor *m_editor;
    QLabel *m_state;
    QPushButton *m_apply, *m_discard;
    QTimer m_later;
};

} // namespace wardbench
