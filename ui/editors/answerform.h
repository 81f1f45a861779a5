#pragma once

#include "json/pointer.h"
#include "json/value.h"

#include <QWidget>

class QGridLayout;
class QLabel;

namespace wardbench {

class BodyEditor;
class DelayField;
class HeaderRows;
class NumberField;
class TextField;

/// One answer of a stub: status, delay, weight or repeat, headers, body. Also a mock's default answer (`isOnly`).
class AnswerForm : public QWidget
{
    Q_OBJECT

public:
    enum class Kind { Answer, Default };
    AnswerForm(Kind kind, QWidget *parent = nullptr);

    /// `answer`: the response object (Kind::Answer) or the parts themselves (Kind::Default). `fresh`: another one.
    void setAnswer(const json::Value &answer, bool randomMode, bool fresh);
    void flush();

Q_SIGNALS:
    /// Set `value` at `path` below the answer; Null removes.
    void edited(const QString &what, const wardbench::json::Path &path, const wardbench::json::Value &value);

private:
    json::Path part(const char *name) const; ///< of the `is` object
    void build();
    void setDelay(const json::Value &delay);
    QWidget *buildFirstRow();

    Kind m_kind;
    json::Value m_answer;
    TextField *m_status;
    QLabel *m_reason;
    DelayField *m_delay = nullptr;
    QLabel *m_moreDelays = nullptr;
    QLabel *m_shareLabel = nullptr;
    TextField *m_weight = nullptr;
    NumberField *m_repeat = nullptr;
    QLabel *m_inactive = nullptr;
    QWidget *m_parts;
    HeaderRows *m_headers;
    BodyEditor *m_body;
};

} // namespace wardbench
