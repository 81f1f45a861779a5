#pragma once

#include "editors/fields.h"

#include <vector>

namespace wardbench {

/// A `wait` or `thinkTime`: none, fixed, uniform, normal or lognormal, with the fields of each. A wait that is a script
/// is named here and edited where there is room for one.
class DelayField : public QWidget
{
    Q_OBJECT

public:
    /// `offersScript`: the choice has it (the waits of answers do).
    explicit DelayField(const QString &accessibleName, QWidget *parent = nullptr, bool offersScript = false);
    void setDelay(const json::Value &value);
    bool isScript() const { return m_kind->word() == u"script"; }

Q_SIGNALS:
    void delayEdited(const wardbench::json::Value &value); ///< Null for none

private:
    struct Part
    {
        const char *kind;
        const char *member;
        QWidget *label;
        TextField *field;
    };
    void addPart(const char *kind, const char *member, const QString &name, const QString &before, int width);
    void kindChosen(const QString &kind);
    void partEdited(const Part &part, const QString &text);
    void showParts();

    QString m_name;
    json::Value m_value;
    ChoiceField *m_kind;
    DurationField *m_fixed;
    QLabel *m_unit;
    std::vector<Part> m_parts;
};

} // namespace wardbench
