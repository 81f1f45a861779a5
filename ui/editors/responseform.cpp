#include "editors/responseform.h"

#include "editors/bodyeditor.h"
#include "editors/codeeditor.h"
#include "editors/fields.h"
#include "editors/headerrows.h"
#include "editors/jsonfields.h"
#include "editors/memberform.h"
#include "editors/templatepreview.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace wardbench {

using namespace Qt::StringLiterals;

ResponseForm::ResponseForm(Kind kind, QWidget *parent)
    : QWidget(parent), m_kind(kind), m_status(new TextField(tr("Status"), this)), m_reason(mutedLabel({}, this)),
      m_http(new QWidget(this)), m_data(new MemberForm(this)), m_headers(new HeaderRows(tr("Header"), m_http)),
      m_body(new BodyEditor(tr("Body"), true, m_http))
{
    m_status->setWidthInCharacters(5);
    m_status->setPlaceholderText(u"200"_s);
    CodeEditor *data = m_data->addScript(tr("Data"), {"data"});
    data->setLanguage(CodeEditor::Language::Text);
    data->setFixedHeight(160);
    build();
    connectParts();
    m_later.setSingleShot(true);
    m_later.setInterval(200);
    connect(&m_later, &QTimer::timeout, this, &ResponseForm::showPreview);
}

void ResponseForm::build()
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto *grid = new QGridLayout(m_http);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(8);
    grid->setColumnMinimumWidth(0, labelWidth);
    grid->setColumnStretch(1, 1);
    auto *statusLabel = new QLabel(tr("&Status"), m_http);
    statusLabel->setBuddy(m_status);
    auto *headersLabel = new QLabel(tr("Headers"), m_http);
    auto *addHeader = new QPushButton(Theme::icon(u"plus"_s), tr("Header"), m_http);
    addHeader->setAccessibleName(tr("Add header"));
    connect(addHeader, &QPushButton::clicked, m_headers, &HeaderRows::addHeader);
    auto *headers = new QVBoxLayout;
    headers->setSpacing(8);
    headers->addWidget(m_headers);
    auto *addRow = rowLayout();
    addRow->addWidget(addHeader);
    addRow->addStretch();
    headers->addLayout(addRow);
    auto *bodyLabel = new QLabel(tr("&Body"), m_http);
    bodyLabel->setBuddy(m_body);
    // In line with the first field beside it, however many there are.
    headersLabel->setMinimumHeight(m_status->sizeHint().height());
    bodyLabel->setMinimumHeight(m_status->sizeHint().height());
    grid->addWidget(statusLabel, 0, 0);
    grid->addWidget(buildStatus(), 0, 1);
    grid->addWidget(headersLabel, 1, 0, Qt::AlignTop);
    grid->addLayout(headers, 1, 1);
    grid->addWidget(bodyLabel, 2, 0, Qt::AlignTop);
    grid->addWidget(m_body, 2, 1);
    grid->setRowStretch(2, 1);
    if (m_kind == Kind::Answer)
        buildPreview(grid);
    layout->addWidget(m_http, 1);
    layout->addWidget(m_data, 1);
}

QWidget *ResponseForm::buildStatus()
{
    auto *line = new QWidget(m_http);
    auto *row = rowLayout();
    line->setLayout(row);
    row->addWidget(m_status);
    row->addWidget(m_reason);
    if (m_kind == Kind::Answer) {
        m_template = new QCheckBox(tr("&Template"), line);
        m_template->setToolTip(tr("The {{...}} in headers and body are worked out for each request"));
        row->addSpacing(16);
        row->addWidget(m_template);
        connect(m_template, &QCheckBox::clicked, this, &ResponseForm::templateChosen);
    }
    row->addStretch();
    return line;
}

void ResponseForm::buildPreview(QGridLayout *grid)
{
    m_previewLabel = new QLabel(tr("Preview"), m_http);
    m_previewHint = mutedLabel({}, m_http);
    m_problem = new QLabel(m_http);
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setFocusPolicy(Qt::NoFocus);
    m_preview = new CodeEditor(tr("Preview of the rendered answer"), m_http);
    m_preview->setReadOnly(true);
    m_preview->setFrameShape(QFrame::StyledPanel);
    m_preview->setMinimumHeight(96);
    m_preview->setMaximumHeight(160);
    grid->addWidget(m_previewLabel, 3, 0, Qt::AlignTop);
    grid->addWidget(m_previewHint, 3, 1);
    grid->addWidget(m_problem, 4, 1);
    grid->addWidget(m_preview, 5, 1);
}

void ResponseForm::connectParts()
{
    connect(m_status, &TextField::edited, this, [this](const QString &text) {
        bool number = false;
        const int code = text.toInt(&number);
        const bool good = text.isEmpty() || (number && code >= 100 && code <= 999);
        m_status->setProblem(good ? QString() : tr("Expected a status from 100 to 999"));
        if (good)
            Q_EMIT edited(tr("Change status"), {"statusCode"},
                          text.isEmpty() ? json::Value() : scalarValue(text, json::Value(code)));
    });
    connect(m_headers, &HeaderRows::headersEdited, this, [this](const json::Value &headers, const QString &what) {
        Q_EMIT edited(what, {"headers"}, headers.size() ? headers : json::Value());
    });
    connect(m_body, &BodyEditor::bodyEdited, this,
            [this](const json::Value &body) { Q_EMIT edited(tr("Change body"), {"body"}, body); });
    connect(m_body, &BodyEditor::binaryChosen, this, [this](bool binary, const json::Value &body) {
        Q_EMIT edited(tr("Change the body's form"), {"_mode"}, binary ? json::Value("binary") : json::Value());
        Q_EMIT edited(tr("Change body"), {"body"}, body);
    });
    connect(m_body, &BodyEditor::fileEdited, this, [this](const QString &name) {
        Q_EMIT edited(tr("Change the body's file"), {"bodyFile"},
                      name.isEmpty() ? json::Value() : json::Value(utf8(name)));
    });
    connect(m_data, &MemberForm::edited, this, &ResponseForm::edited);
}

void ResponseForm::setParts(const json::Value &parts, bool templated, const Setting &setting, bool fresh)
{
    if (fresh)
        m_body->flush();
    m_parts = parts;
    m_setting = setting;
    const bool tcp = setting.protocol == u"tcp";
    m_http->setVisible(!tcp);
    m_data->setVisible(tcp);
    m_data->setObject(parts);
    m_data->setToolTip(setting.binary ? tr("base64: the mock's mode is binary") : QString());
    m_status->setValue(scalarText(parts["statusCode"]));
    const int status = parts["statusCode"].isNull() ? 200 : scalarText(parts["statusCode"]).toInt();
    m_reason->setText(qtext(http::reasonPhrase(status)));
    m_headers->setHeaders(parts["headers"]);
    m_body->setFolder(setting.folder);
    m_body->setBody(parts["body"], parts["_mode"].text() == "binary", fresh, qtext(parts["bodyFile"].text()));
    if (m_kind == Kind::Default)
        return;
    m_template->setChecked(templated);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_previewLabel, m_previewHint, m_problem, m_preview})
        widget->setVisible(templated && !tcp);
    if (!templated)
        m_body->markProblem(0, 0);
    else if (fresh)
        showPreview();
    else
        m_later.start();
}

void ResponseForm::showPreview()
{
    if (!m_template->isChecked() || m_http->isHidden())
        return;
    const TemplatePreview preview = previewTemplates(m_parts, m_setting.example, m_setting.protocol == u"https");
    const bool good = preview.problem.isEmpty();
    m_previewHint->setText(tr("for %1 %2").arg(qtext(m_setting.example.method), qtext(m_setting.example.target)));
    m_problem->setText(preview.problem);
    m_problem->setVisible(!good);
    QPalette colours = m_problem->palette();
    colours.setColor(QPalette::WindowText, Theme::instance().color(Theme::Role::Bad));
    m_problem->setPalette(colours);
    m_preview->setVisible(good);
    m_preview->setContent(preview.text);
    m_body->markProblem(preview.line, preview.column);
}

void ResponseForm::flush()
{
    m_body->flush();
}

} // namespace wardbench
