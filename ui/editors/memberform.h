#pragma once

#include "json/pointer.h"
#include "json/value.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QCheckBox;
class QGridLayout;
class QLabel;

namespace wardbench {

class ChoiceField;
class CodeEditor;
class DurationField;
class TextField;

/// A grid of labelled fields, each bound to a member somewhere in one object. Shows the object, and says which member
/// shall be set; members without a field are never touched. What `prefix` names ("Behavior 2") goes before the
/// accessible names of the fields.
class MemberForm : public QWidget
{
    Q_OBJECT

public:
    explicit MemberForm(QWidget *parent = nullptr, const QString &prefix = {});

    /// What an emptied field means: the member goes, or it stays as empty text (and the issues say so).
    enum class Empty { Removes, Stays };
    using Choices = std::vector<std::pair<QString, QString>>; ///< (word of the file, label)

    TextField *addText(const QString &label, const json::Path &member, const QString &hint = {},
                       Empty empty = Empty::Removes);
    /// A number from `low` to `high`; `whole`: without places.
    TextField *addNumber(const QString &label, const json::Path &member, double low, double high, bool whole,
                         const QString &hint = {});
    DurationField *addDuration(const QString &label, const json::Path &member, const QString &hint = {});
    /// On is true; off takes the member away.
    QCheckBox *addFlag(const QString &label, const json::Path &member, const QString &hint = {});
    /// The first choice is what an absent member means; choosing it takes the member away when `Empty::Removes`.
    ChoiceField *addChoice(const QString &label, const json::Path &member, const Choices &choices,
                           const QString &hint = {}, Empty empty = Empty::Removes);
    CodeEditor *addScript(const QString &label, const json::Path &member, const QString &hint = {},
                          Empty empty = Empty::Removes);
    /// A PEM text, pasted or read from a file. `several`: more than one certificate becomes a list of them.
    void addPem(const QString &label, const json::Path &member, const QString &hint, bool several = false);
    /// The aliases of an XPath: `a = http://...`, separated by blanks.
    void addNamespaces(const QString &label, const json::Path &member);
    /// A field of another kind; the caller connects it. `show` is called with the whole object.
    void addRow(const QString &label, QWidget *field, const json::Path &member = {}, const QString &hint = {},
                std::function<void(const json::Value &)> show = {});

    void setObject(const json::Value &object);
    const json::Value &object() const { return m_object; }
    void setRowVisible(const json::Path &member, bool visible);

Q_SIGNALS:
    /// Set `value` at `path` below the object; Null removes.
    void edited(const QString &what, const wardbench::json::Path &path, const wardbench::json::Value &value);

private:
    struct Row
    {
        json::Path member;
        std::vector<QWidget *> widgets;
        std::function<void(const json::Value &object)> show;
    };
    QString nameOf(const QString &label) const;
    void change(const QString &label, const json::Path &member, const json::Value &value);
    const json::Value &valueAt(const json::Path &member) const;
    void readPem(const QString &label, const json::Path &member, bool several);

    QString m_prefix;
    QGridLayout *m_grid;
    json::Value m_object;
    std::vector<Row> m_rows;
};

/// XPath aliases as text and back: `a = urn:x` pairs, separated by blanks. Null for none.
QString namespacesText(const json::Value &namespaces);
/// Nothing when the text is no list of pairs.
std::optional<json::Value> namespacesValue(const QString &text);

} // namespace wardbench
