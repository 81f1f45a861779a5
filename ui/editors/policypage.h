#pragma once

#include "editors/formpage.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace wardbench {

class ChoiceField;
class DurationField;
class NumberField;
class PolicyTrial;
class TextField;
struct Policy;

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
    struct Module
    {
        QCheckBox *inPath = nullptr, *inForm = nullptr;
        QWidget *details = nullptr;
    };

    void buildHead();
    void buildPath();
    void buildHolder();
    void buildCache();
    void buildRetry();
    void buildTrial();
    Module addModule(const QString &name, const char *member, const json::Value &whenOn, const QString &explanation);
    TextField *listField(const QString &name, const char *module, const char *member, bool statuses, int width);
    void setPart(const QString &what, const char *module, const char *member, const json::Value &value);
    json::Value asObject(const char *module) const; ///< shorthands written out
    void renamePolicy(const QString &name);
    void showKey();
    void showModules(const Policy &policy);
    void showTargets();
    void tryTwice();

    TextField *m_name = nullptr, *m_identifier = nullptr;
    QLabel *m_usedBy = nullptr, *m_key = nullptr, *m_hint = nullptr;
    QHBoxLayout *m_pathRow = nullptr;
    Module m_holder, m_cache, m_retry;
    TextField *m_holderMethods = nullptr;
    DurationField *m_duration = nullptr, *m_retryDelay = nullptr;
    NumberField *m_maxEntries = nullptr, *m_count = nullptr;
    TextField *m_cacheStatuses = nullptr, *m_cacheMethods = nullptr, *m_retryStatuses = nullptr, *m_retryMethods = nullptr;
    QCheckBox *m_withCookie = nullptr;
    QLabel *m_attempts = nullptr;
    ChoiceField *m_tryMethod = nullptr, *m_tryTarget = nullptr;
    TextField *m_tryPath = nullptr;
    QPushButton *m_send = nullptr;
    QLabel *m_outcome = nullptr;
    std::unique_ptr<PolicyTrial> m_trial;
};

} // namespace wardbench
