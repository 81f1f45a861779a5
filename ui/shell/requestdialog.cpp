#include "shell/requestdialog.h"

#include "shell/theme.h"
#include "widgets/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

QPlainTextEdit *makeEdit(const QString &text, int lines, QWidget *parent)
{
    auto *edit = new QPlainTextEdit(text, parent);
    edit->setFont(Theme::monospace());
    edit->setTabChangesFocus(true);
    edit->setFixedHeight(edit->fontMetrics().lineSpacing() * lines + 16);
    return edit;
}

} // namespace

RequestDialog::RequestDialog(Purpose purpose, const QString &why, const ExampleRequest &draft, QWidget *parent)
    : QDialog(parent), m_method(new QComboBox(this)), m_path(new QLineEdit(qtext(draft.path), this)),
      m_keep(new QCheckBox(tr("Keep as the stub's e&xample"), this))
{
    const bool asks = purpose == Purpose::Ask;
    setWindowTitle(asks ? tr("Ask") : tr("Send Request"));
    m_keep->setVisible(!asks);
    setAttribute(Qt::WA_DeleteOnClose);
    m_method->addItems({u"GET"_s, u"HEAD"_s, u"POST"_s, u"PUT"_s, u"PATCH"_s, u"DELETE"_s, u"OPTIONS"_s});
    m_method->setEditable(true);
    m_method->setCurrentText(qtext(draft.method));
    QStringList headers;
    for (const auto &[name, value] : draft.headers)
        headers << u"%1: %2"_s.arg(qtext(name), qtext(value));
    m_headers = makeEdit(headers.join(u'\n'), 3, this);
    m_headers->setPlaceholderText(tr("Name: value, one on each line"));
    m_body = makeEdit(qtext(draft.body), 6, this);
    m_keep->setChecked(true);
    auto *reason = new QLabel(why, this);
    reason->setWordWrap(true);
    auto *form = new QFormLayout;
    form->addRow(tr("&Method"), m_method);
    form->addRow(tr("&Path"), m_path);
    form->addRow(tr("&Headers"), m_headers);
    form->addRow(tr("&Body"), m_body);
    if (!asks)
        form->addRow(QString(), m_keep);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton *send = buttons->addButton(asks ? tr("&Ask") : tr("&Send"), QDialogButtonBox::AcceptRole);
    send->setProperty("primary", true);
    send->setDefault(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 16, 24, 16);
    layout->setSpacing(16);
    layout->addWidget(reason);
    layout->addLayout(form);
    layout->addWidget(buttons);
    resize(560, sizeHint().height());
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this, asks] {
        if (asks)
            Q_EMIT askRequested(request());
        else
            Q_EMIT sendRequested(request(), m_keep->isChecked());
        accept();
    });
    m_path->setFocus();
}

ExampleRequest RequestDialog::request() const
{
    ExampleRequest request;
    request.method = utf8(m_method->currentText().trimmed());
    request.path = utf8(m_path->text().trimmed());
    if (request.path.empty() || request.path.front() != '/')
        request.path.insert(0, "/");
    const QStringList lines = m_headers->toPlainText().split(u'\n', Qt::SkipEmptyParts);
    for (const QString &line : lines) {
        const qsizetype colon = line.indexOf(u':');
        if (colon > 0)
            request.headers.emplace_back(utf8(line.left(colon).trimmed()), utf8(line.mid(colon + 1).trimmed()));
    }
    request.body = utf8(m_body->toPlainText());
    return request;
}

} // namespace wardbench
