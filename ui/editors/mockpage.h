#pragma once

#include "editors/formpage.h"

class QCheckBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace wardbench {

class ChoiceField;
class MemberForm;
class NumberField;
class ResponseForm;
class TextField;

/// A mock (imposter): where it listens, how it treats connections, its protocol, its default answer, what it has
/// seen.
class MockPage : public FormPage
{
    Q_OBJECT

public:
    MockPage(WorkspaceDocument *document, MockController *mocks, QWidget *parent);
    void focusFirstField() override;

protected:
    void targetChanged() override;
    void showValue() override;

private:
    void buildSettings();
    void connectSettings();
    void buildCapacity(QGridLayout *grid, int row);
    void buildProtocols();
    void buildTreatment();
    void showProtocol(const json::Value &mock);
    void buildState();
    void showState();

    TextField *m_name = nullptr;
    ChoiceField *m_protocol = nullptr;
    NumberField *m_port = nullptr;
    TextField *m_host = nullptr;
    QCheckBox *m_keepAlive = nullptr;
    QCheckBox *m_limited = nullptr;
    QCheckBox *m_record = nullptr;
    NumberField *m_concurrent = nullptr, *m_queue = nullptr;
    QWidget *m_capacity = nullptr;
    TextField *m_seed = nullptr;
    QLabel *m_addresses = nullptr, *m_counters = nullptr, *m_problem = nullptr;
    QPushButton *m_startStop = nullptr, *m_copy = nullptr, *m_anyPort = nullptr;
    QLabel *m_keepHint = nullptr;
    MemberForm *m_tls = nullptr, *m_tcp = nullptr, *m_treatment = nullptr;
    QWidget *m_defaultLine = nullptr, *m_defaultHead = nullptr;
    ResponseForm *m_default = nullptr;
    bool m_fresh = true;
};

} // namespace wardbench
