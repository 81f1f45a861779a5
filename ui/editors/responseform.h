#pragma once

#include "http/message.h"
#include "json/pointer.h"
#include "json/value.h"

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QGridLayout;
class QLabel;

namespace wardbench {

class BodyEditor;
class CodeEditor;
class HeaderRows;
class MemberForm;
class TextField;

/// The parts of an `is` response, or of a mock's default response: status, headers, body, and what templates in them
/// come to. For a tcp mock the one part is `data`.
class ResponseForm : public QWidget
{
    Q_OBJECT

public:
    enum class Kind { Answer, Default };
    explicit ResponseForm(Kind kind, QWidget *parent = nullptr);

    /// What the form needs to know of the mock.
    struct Setting
    {
        QString protocol;      ///< http, https, tcp, ...
        bool binary = false;   ///< tcp: data are base64
        QString folder;        ///< of the workspace; empty while it has none
        http::Request example; ///< the request that templates are shown for
    };
    /// `fresh`: other parts than before. `templated`: the answer says "template": true.
    void setParts(const json::Value &parts, bool templated, const Setting &setting, bool fresh);
    void flush();

Q_SIGNALS:
    /// Set `value` at `path` below the parts; Null removes.
    void edited(const QString &what, const wardbench::json::Path &path, const wardbench::json::Value &value);
    void templateChosen(bool on);

private:
    void build();
    QWidget *buildStatus();
    void buildPreview(QGridLayout *grid);
    void connectParts();
    void showPreview();

    Kind m_kind;
    json::Value m_parts;
    Setting m_setting;
    TextField *m_status;
    QLabel *m_reason;
    QCheckBox *m_template = nullptr;
    QWidget *m_http;
    MemberForm *m_data;
    HeaderRows *m_headers;
    BodyEditor *m_body;
    QLabel *m_previewLabel = nullptr, *m_previewHint = nullptr, *m_problem = nullptr;
    CodeEditor *m_preview = nullptr;
    QTimer m_later;
};

} // namespace wardbench
