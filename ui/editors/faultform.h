#pragma once

#include "json/pointer.h"
#include "json/value.h"

#include <QWidget>

namespace wardbench {

class ChoiceField;
class MemberForm;

/// A `fault` (docs/FILE_FORMAT.md): its type, the type's parameters, and how often it happens. Alone it is the answer;
/// beside an `is` it may be absent.
class FaultForm : public QWidget
{
    Q_OBJECT

public:
    enum class Place { Alone, Beside };
    explicit FaultForm(Place place, QWidget *parent = nullptr);
    /// `fault`: a name, an object, or Null.
    void setFault(const json::Value &fault);

    /// A fault of `type` with the parameters it cannot do without; `before` gives what any fault may have.
    static json::Value faultOf(const QString &type, const json::Value &before = {});

Q_SIGNALS:
    /// Set `value` at `path` below the fault; an empty path is the fault itself, Null removes.
    void edited(const QString &what, const wardbench::json::Path &path, const wardbench::json::Value &value);

private:
    void addParameters();
    void typeChosen(const QString &type);

    Place m_place;
    ChoiceField *m_type;
    MemberForm *m_form;
    json::Value m_fault;
};

} // namespace wardbench
