#pragma once

#include "editors/responseform.h"

class QLabel;

namespace wardbench {

class BehaviorList;
class ChoiceField;
class DelayField;
class FaultForm;
class MemberForm;
class NumberField;
class ProxyForm;
class TextField;

/// One answer of a stub: its kind (response, proxy, script, fault) with the form of each, delay, weight or repeat, the
/// behaviors, and what goes wrong with it.
class AnswerForm : public QWidget
{
    Q_OBJECT

public:
    explicit AnswerForm(QWidget *parent = nullptr);

    /// `fresh`: another answer than before.
    void setAnswer(const json::Value &answer, bool randomMode, const ResponseForm::Setting &setting, bool fresh);
    void flush();

    /// "is", "proxy", "inject" or "fault": what the answer is, as the mock sees it; empty when it is none of them.
    static QString kindOf(const json::Value &answer);
    /// The answer as another kind, with everything kept that is of any kind.
    static json::Value asKind(const json::Value &answer, const QString &kind, const QString &protocol);

    ProxyForm *proxy() const { return m_proxy; }

Q_SIGNALS:
    /// Set `value` at `path` below the answer; an empty path is the whole answer, Null removes.
    void edited(const QString &what, const wardbench::json::Path &path, const wardbench::json::Value &value);

private:
    QWidget *buildFirstRow();
    QWidget *buildDelayRow();
    QWidget *labelled(const QString &label, QWidget *field);
    void connectParts();
    void setDelay(const json::Value &delay);
    void setRepeat(int count);
    void showFirstRow(bool randomMode);
    void forward(QWidget *form, const char *member);

    json::Value m_answer;
    QString m_protocol;
    ChoiceField *m_kind;
    DelayField *m_delay;
    QLabel *m_moreDelays;
    QLabel *m_shareLabel;
    TextField *m_weight;
    NumberField *m_repeat;
    QLabel *m_unknown;
    ResponseForm *m_response;
    ProxyForm *m_proxy;
    MemberForm *m_script;
    FaultForm *m_fault, *m_wrong;
    BehaviorList *m_behaviors;
    QWidget *m_delayRow, *m_faultRow, *m_behaviorsRow, *m_wrongRow;
};

} // namespace wardbench
