#pragma once

#include "editors/formpage.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace wardbench {

class AnswerForm;
class ChoiceField;
class ConditionList;
class TextField;

/// A stub: name, state, priority, conditions, answers (a list, and the form of the chosen one).
class StubPage : public FormPage
{
    Q_OBJECT

public:
    StubPage(WorkspaceDocument *document, MockController *mocks, QWidget *parent);
    void focusFirstField() override;

protected:
    void targetChanged() override;
    void showValue() override;

private:
    void buildHead();
    void buildState();
    void buildConditions();
    void buildAnswers();
    void buildAnswerList();
    json::Path predicatesPath() const; ///< the list the rows stand for: all, or the one "or"
    bool isAny() const;
    void setAny(bool any);
    void showAnswers();
    void showAnswer(QTreeWidgetItem *item, const json::Value &answer, bool isTcp);
    void addAnswer(bool duplicate);
    void removeAnswer();
    void moveAnswer(int by);
    int currentAnswer() const;
    void editAnswer(const QString &what, const json::Path &path, const json::Value &value);

    TextField *m_name = nullptr;
    TextField *m_scenario = nullptr, *m_required = nullptr, *m_next = nullptr, *m_priority = nullptr;
    QCheckBox *m_enabled = nullptr;
    ChoiceField *m_how = nullptr;
    ConditionList *m_conditions = nullptr;
    QLabel *m_noConditions = nullptr;
    ChoiceField *m_mode = nullptr;
    QTreeWidget *m_answers = nullptr;
    AnswerForm *m_answer = nullptr;
    QPushButton *m_duplicate = nullptr, *m_remove = nullptr, *m_up = nullptr, *m_down = nullptr;
    int m_shown = -1; ///< index of the answer in the form
    bool m_filling = false;
};

} // namespace wardbench
