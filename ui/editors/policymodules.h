#pragma once

#include "json/pointer.h"
#include "json/value.h"

#include <QWidget>

#include <functional>
#include <vector>

class QCheckBox;

namespace wardbench {

class MemberForm;

/// One module of a policy: what it is called, and the fields of its configuration.
struct PolicyModule
{
    const char *member; ///< of the policy
    QString name;
    QString explanation;
    json::Value whenOn;
    std::function<void(MemberForm &)> fill;
    bool isScalar = false; ///< the member is itself a value: the form's object is the policy
};

/// All of them, in the order of a pipeline.
std::vector<PolicyModule> policyModules();

/// A module's shorthand (`true`, a number) written out as an object.
json::Value moduleAsObject(std::string_view member, const json::Value &written);

/// A module in the form: a box that switches it on, a sentence, and its fields while it is on.
class ModuleSection : public QWidget
{
    Q_OBJECT

public:
    /// Of the column of names.
    static constexpr int nameWidth = 120;

    ModuleSection(const PolicyModule &module, QWidget *parent);
    void setPolicy(const json::Value &policy);

Q_SIGNALS:
    /// Set `value` at `path` below the policy; Null removes.
    void edited(const QString &what, const wardbench::json::Path &path, const wardbench::json::Value &value);

private:
    void setPart(const QString &what, const json::Path &path, const json::Value &part);

    PolicyModule m_module;
    json::Value m_policy;
    QCheckBox *m_on;
    MemberForm *m_form;
};

} // namespace wardbench
