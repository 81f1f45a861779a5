#include "editors/proxyform.h"

#include "editors/codeeditor.h"
#include "editors/fields.h"
#include "editors/generatorlist.h"
#include "editors/headerrows.h"
#include "editors/jsonfields.h"
#include "editors/memberform.h"
#include "shell/theme.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace wardbench {

using namespace Qt::StringLiterals;

ProxyForm::ProxyForm(QWidget *parent)
    : QWidget(parent), m_grid(new QGridLayout(this)), m_form(new MemberForm(this, tr("Proxy"))),
      m_recorded(new MemberForm(this, tr("Recorded"))), m_certificate(new MemberForm(this, tr("Client certificate"))),
      m_generators(new GeneratorList(this)), m_headers(new HeaderRows(tr("Injected header"), this)),
      m_addHeader(new QPushButton(Theme::icon(u"plus"_s), tr("Header"), this)),
      m_showCertificate(new QPushButton(tr("Client certificate\u2026"), this)),
      m_record(new QCheckBox(tr("Record now: answers become stubs, which one undo takes back"), this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(8);
    m_grid->setColumnMinimumWidth(0, labelWidth);
    m_grid->setColumnStretch(1, 1);
    m_form->addText(tr("To"), {"to"}, {}, MemberForm::Empty::Stays)->setPlaceholderText(u"http://127.0.0.1:8080"_s);
    m_form->addChoice(tr("Mode"), {"mode"},
                      {{u"proxyOnce"_s, tr("once: record, then answer from the record")},
                       {u"proxyAlways"_s, tr("always: record every answer, always ask")},
                       {u"proxyTransparent"_s, tr("transparent: ask, record nothing")}});
    m_form->addFlag(tr("Keep the connection"), {"keepalive"});
    m_grid->addWidget(m_form, 0, 0, 1, 2);
    buildRecording();
    auto *row = rowLayout();
    m_addHeader->setAccessibleName(tr("Add injected header"));
    row->addWidget(m_addHeader);
    row->addWidget(mutedLabel(tr("headers set on every request that is passed on"), this));
    row->addStretch();
    addSection(tr("Passed on"), {m_headers});
    m_grid->addLayout(row, m_grid->rowCount(), 1);
    buildCertificate();
    for (MemberForm *form : {m_form, m_recorded, m_certificate})
        connect(form, &MemberForm::edited, this, &ProxyForm::edited);
    connect(m_addHeader, &QPushButton::clicked, m_headers, &HeaderRows::addHeader);
    connect(m_headers, &HeaderRows::headersEdited, this, [this](const json::Value &headers, const QString &what) {
        Q_EMIT edited(what, {"injectHeaders"}, headers.size() ? headers : json::Value());
    });
    connect(m_generators, &GeneratorList::edited, this,
            [this](const QString &what, const json::Path &path, const json::Value &value) {
                json::Path whole{"predicateGenerators"};
                whole.insert(whole.end(), path.begin(), path.end());
                Q_EMIT edited(what, whole, value);
            });
}

void ProxyForm::addSection(const QString &label, std::initializer_list<QWidget *> widgets)
{
    int row = m_grid->rowCount();
    auto *name = new QLabel(label, this);
    name->setMinimumHeight(m_addHeader->sizeHint().height());
    m_grid->addWidget(name, row, 0, static_cast<int>(widgets.size()) + 1, 1, Qt::AlignTop);
    for (QWidget *widget : widgets)
        m_grid->addWidget(widget, row++, 1);
}

void ProxyForm::buildRecording()
{
    m_recorded->addFlag(tr("Add a wait as long as the answer took"), {"addWaitBehavior"});
    m_recorded->addScript(tr("Decorate"), {"addDecorateBehavior"},
                          tr("a script that recorded answers are decorated with; empty for none"));
    addSection(tr("Recorded"), {m_record, m_generators});
    connect(m_record, &QCheckBox::clicked, this, &ProxyForm::recordingRequested);
    m_grid->addWidget(m_recorded, m_grid->rowCount(), 0, 1, 2);
}

void ProxyForm::buildCertificate()
{
    m_certificate->addPem(tr("Key"), {"key"}, {});
    m_certificate->addPem(tr("Certificate"), {"cert"}, tr("shown to servers that ask for one"));
    m_certificate->addText(tr("Passphrase"), {"passphrase"}, tr("of the key; it is kept in the file"));
    m_certificate->addText(tr("Ciphers"), {"ciphers"}, tr("as OpenSSL names them"));
    auto *row = rowLayout();
    m_showCertificate->setCheckable(true);
    row->addWidget(m_showCertificate);
    row->addStretch();
    m_grid->addLayout(row, m_grid->rowCount(), 1);
    m_grid->addWidget(m_certificate, m_grid->rowCount(), 0, 1, 2);
    m_certificate->hide();
    connect(m_showCertificate, &QPushButton::toggled, m_certificate, &QWidget::setVisible);
}

void ProxyForm::setProxy(const json::Value &proxy, const QString &protocol)
{
    const bool tcp = protocol == u"tcp";
    m_form->setObject(proxy);
    m_form->setRowVisible({"keepalive"}, tcp);
    m_recorded->setObject(proxy);
    m_certificate->setObject(proxy);
    m_generators->setGenerators(proxy["predicateGenerators"], tcp);
    m_headers->setHeaders(proxy["injectHeaders"]);
    m_record->setEnabled(proxy["mode"].text() != "proxyTransparent");
    const bool certificate = proxy.find("key") || proxy.find("cert") || proxy.find("ciphers");
    if (certificate)
        m_showCertificate->setChecked(true);
}

void ProxyForm::setRecording(bool on)
{
    m_record->setChecked(on);
}

} // namespace wardbench
