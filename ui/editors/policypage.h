#pragma once

#include "editors/formpage.h"

class QLabel;
class QPushButton;

namespace wardbench {

class ChoiceField;
class ModuleSection;
class PolicyTrial;
class TextField;

/// A policy: identifier with its key on an example, the modules in their fixed order, and a place to try it.
class PolicyPage : public FormPage
{
    Q_OBJECT

public:
    PolicyPage(WorkspaceDocument *document, MockController *mocks, QWidget *parent);
    ~PolicyPage() override;
    void focusFirstField() override;
    bool sendTest() override;

protected:
    void targetChanged() override;
    void showValue() override;

private:
    void buildHead();
    void buildModules();
    void buildTrial();
    void renamePolicy(const QString &name);
    void showKey();
    void showTargets();
    void tryTwice();

    TextField *m_name = nullptr, *m_identifier = nullptr;
    QLabel *m_usedBy = nullptr, *m_key = nullptr, *m_hint = nullptr;
    QLabel *m_path = nullptr;
    std::vector<ModuleSection *> m_modules;
    ChoiceField *m_tryMethod = nullptr, *m_tryTarget = nullptr;
    TextField *m_tryPath = nullptr;
    QPushButton *m_send = nullptr;
    QLabel *m_outcome = nullptr;
    std::unique_ptr<PolicyTrial> m_trial;
};

} // namespace wardbench
