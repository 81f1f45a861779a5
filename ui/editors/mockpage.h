#pragma once

#include "editors/formpage.h"

class QCheckBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace wardbench {

class AnswerForm;
class ChoiceField;
class NumberField;
class TextField;

/// A mock (imposter): where it listens, how it treats connections, its default answer, what it has seen.
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
    void buildCapacity(QGridLayout *grid, int row);
    void buildState();
    void showState();
    quint64 mockId() const;

    TextField *m_name = nullptr;
    NumberField *m_port = nullptr;
    TextField *m_host = nullptr;
    QCheckBox *m_keepAlive = nullptr;
    QCheckBox *m_limited = nullptr;
    NumberField *m_concurrent = nullptr, *m_queue = nullptr;
    QWidget *m_capacity = nullptr;
    TextField *m_seed = nullptr;
    QLabel *m_addresses = nullptr, *m_counters = nullptr, *m_problem = nullptr;
    QPushButton *m_startStop = nullptr, *m_copy = nullptr, *m_anyPort = nullptr;
    AnswerForm *m_default = nullptr;
    bool m_fresh = true;
};

} // namespace wardbench
