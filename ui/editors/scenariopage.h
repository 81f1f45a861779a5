#pragma once

#include "editors/formpage.h"

class QGridLayout;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace wardbench {

class BodyEditor;
class ChoiceField;
class ContestantRows;
class DelayField;
class DurationField;
class HeaderRows;
class LoadForm;
class NumberField;
class RunSession;
class TextField;
class ThresholdRows;
class VariableRows;

/// A scenario: request, variables, contestants, load, repetitions, what succeeds and what passes.
class ScenarioPage : public FormPage
{
    Q_OBJECT

public:
    ScenarioPage(WorkspaceDocument *document, MockController *mocks, QWidget *parent);
    ~ScenarioPage() override;
    void focusFirstField() override;
    QList<QAction *> headerActions() const override { return m_actions; }
    bool sendTest() override; ///< one iteration of each contestant

protected:
    void targetChanged() override;
    void showValue() override;

private:
    QHBoxLayout *addRow(const QString &title, QWidget *buddy = nullptr);
    void buildActions();
    void buildRequest();
    void buildLists();
    void buildLoad();
    void buildModel();
    void buildWarmup(QHBoxLayout *row);
    void buildRepeat();
    void buildSuccess();
    void showRequest();
    void showLoad(const Scenario &scenario);
    void showEstimate(const Scenario &scenario);
    void setPhase(const QString &what, const json::Path &at, const QString &kind, const QString &amount, TextField *field);
    void showTargets();
    void tellOnce();

    QList<QAction *> m_actions;
    TextField *m_name = nullptr;
    ChoiceField *m_method = nullptr, *m_target = nullptr;
    TextField *m_path = nullptr;
    QPushButton *m_headersButton = nullptr, *m_bodyButton = nullptr, *m_addHeader = nullptr;
    HeaderRows *m_headers = nullptr;
    BodyEditor *m_body = nullptr;
    VariableRows *m_variables = nullptr;
    ContestantRows *m_contestants = nullptr;
    ChoiceField *m_model = nullptr;
    LoadForm *m_loadForm = nullptr;
    QList<QWidget *> m_closedOnly; ///< fields of the closed loop
    NumberField *m_users = nullptr;
    TextField *m_amount = nullptr, *m_warmup = nullptr;
    ChoiceField *m_amountKind = nullptr, *m_warmupKind = nullptr;
    DurationField *m_rampUp = nullptr;
    DelayField *m_thinkTime = nullptr;
    NumberField *m_repetitions = nullptr;
    TextField *m_seed = nullptr;
    ChoiceField *m_transport = nullptr;
    QLabel *m_pools = nullptr;
    QLabel *m_several = nullptr; ///< what stands for the request when there are several
    TextField *m_status = nullptr, *m_bodyContains = nullptr;
    ThresholdRows *m_thresholds = nullptr;
    QLabel *m_estimate = nullptr, *m_warning = nullptr;
    bool m_fresh = true;
    std::shared_ptr<RunSession> m_once;
};

} // namespace wardbench
