#include "editors/mockpage.h"

#include "document/mockcontroller.h"
#include "document/workspacedocument.h"
#include "editors/delayfield.h"
#include "editors/fields.h"
#include "editors/memberform.h"
#include "editors/responseform.h"
#include "shell/theme.h"
#include "widgets/text.h"
#include "json/parser.h"

#include <QCheckBox>
#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLocale>
#include <QPushButton>

namespace wardbench {

using namespace Qt::StringLiterals;

MockPage::MockPage(WorkspaceDocument *document, MockController *mocks, QWidget *parent)
    : FormPage(document, mocks, parent)
{
    buildState();
    form()->addSpacing(8);
    form()->addWidget(sectionLine(this));
    buildSettings();
    buildProtocols();
    buildTreatment();
    form()->addSpacing(8);
    m_defaultLine = sectionLine(this);
    form()->addWidget(m_defaultLine);
    m_defaultHead = new QWidget(this);
    auto *head = rowLayout();
    m_defaultHead->setLayout(head);
    head->addWidget(sectionLabel(tr("Default answer"), this));
    head->addWidget(mutedLabel(tr("when no stub matches, and for parts that an answer leaves out"), this));
    head->addStretch();
    form()->addWidget(m_defaultHead);
    m_default = new ResponseForm(ResponseForm::Kind::Default, this);
    form()->addWidget(m_default, 1);
    form()->addStretch();
    connect(m_default, &ResponseForm::edited, this,
            [this](const QString &what, const json::Path &path, const json::Value &part) {
                json::Path whole{"defaultResponse"};
                whole.insert(whole.end(), path.begin(), path.end());
                set(what, whole, part);
            });
    connect(mocks, &MockController::stateChanged, this, [this] { showState(); });
    connect(mocks, &MockController::countersChanged, this, [this] {
        if (isVisible())
            showState();
    });
}

void MockPage::buildState()
{
    auto *row = rowLayout();
    m_startStop = new QPushButton(this);
    m_addresses = new QLabel(this);
    m_addresses->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_copy = new QPushButton(Theme::icon(u"copy"_s), tr("Copy address"), this);
    m_anyPort = new QPushButton(tr("Use any free port"), this);
    m_problem = new QLabel(this);
    m_problem->setWordWrap(true);
    m_counters = mutedLabel({}, this);
    m_record = new QCheckBox(tr("Record"), this);
    m_record->setToolTip(tr("Keep what the proxies of this mock get as stubs"));
    row->addWidget(m_startStop);
    row->addWidget(m_record);
    row->addSpacing(8);
    row->addWidget(m_addresses);
    row->addWidget(m_copy);
    row->addWidget(m_problem, 1);
    row->addWidget(m_anyPort);
    row->addStretch();
    form()->addLayout(row);
    form()->addWidget(m_counters);
    connect(m_startStop, &QPushButton::clicked, this, [this] {
        const quint64 id = mockId();
        if (mocks()->state(id).running())
            mocks()->stop(id);
        else
            mocks()->start(id);
    });
    connect(m_record, &QCheckBox::clicked, this, [this](bool on) { mocks()->setRecording(mockId(), on); });
    connect(mocks(), &MockController::recordingChanged, this, [this] { showState(); });
    connect(m_anyPort, &QPushButton::clicked, this, [this] { mocks()->start(mockId(), true); });
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(mocks()->state(mockId()).url);
        Q_EMIT notice(tr("Copied %1").arg(mocks()->state(mockId()).url), false);
    });
}

void MockPage::buildSettings()
{
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(8);
    grid->setColumnMinimumWidth(0, labelWidth);
    grid->setColumnStretch(2, 1);
    const auto addRow = [&](int row, const QString &text, QWidget *field, const QString &hint) {
        auto *label = new QLabel(text, this);
        label->setBuddy(field);
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row, 1);
        if (!hint.isEmpty())
            grid->addWidget(mutedLabel(hint, this), row, 2);
    };
    m_protocol = new ChoiceField(tr("Protocol"), this);
    for (const char *protocol : {"http", "https", "tcp", "smtp"})
        m_protocol->addChoice(QString::fromLatin1(protocol), QString::fromLatin1(protocol));
    m_name = new TextField(tr("Name"), this);
    m_name->setMinimumWidth(fieldWidth);
    m_port = new NumberField(tr("Port"), 0, 65535, this);
    m_port->setSpecialValueText(tr("any free"));
    m_port->setGroupSeparatorShown(false);
    m_host = new TextField(tr("Listen on"), this);
    m_host->setPlaceholderText(tr("loopback"));
    m_keepAlive = new QCheckBox(tr("&Keep connections open"), this);
    m_seed = new TextField(tr("Seed"), this);
    m_seed->setPlaceholderText(tr("random"));
    addRow(0, tr("&Name"), m_name, {});
    addRow(1, tr("Pr&otocol"), m_protocol, {});
    addRow(2, tr("&Port"), m_port, tr("empty or 0: any free port, which the file does not keep"));
    addRow(3, tr("&Listen on"), m_host, tr("an address; 0.0.0.0 lets other machines in"));
    grid->addWidget(m_keepAlive, 4, 1);
    m_keepHint = mutedLabel(tr("off: mountebank's rule, each answer closes its connection"), this);
    grid->addWidget(m_keepHint, 4, 2);
    buildCapacity(grid, 5);
    addRow(6, tr("&Seed"), m_seed, tr("of random answers and delays while served; runs have their own"));
    form()->addLayout(grid);
    connectSettings();
}

void MockPage::connectSettings()
{
    connect(m_protocol, &ChoiceField::chosen, this, [this](const QString &protocol) {
        set(tr("Change protocol to %1").arg(protocol), {"protocol"}, json::Value(utf8(protocol)));
    });
    connect(m_name, &TextField::edited, this, [this](const QString &text) {
        set(tr("Rename mock"), {"name"}, text.isEmpty() ? json::Value() : json::Value(utf8(text)));
    });
    connect(m_port, &NumberField::edited, this,
            [this](int port) { set(tr("Change port"), {"port"}, port ? json::Value(port) : json::Value()); });
    connect(m_host, &TextField::edited, this, [this](const QString &text) {
        set(tr("Change address"), {"host"}, text.isEmpty() ? json::Value() : json::Value(utf8(text)));
    });
    connect(m_keepAlive, &QCheckBox::clicked, this, [this](bool on) {
        set(on ? tr("Keep connections open") : tr("Close connections"), {"keepAlive"}, json::Value(on));
    });
    connect(m_seed, &TextField::edited, this, [this](const QString &text) {
        bool good = false;
        text.toULongLong(&good);
        m_seed->setProblem(good || text.isEmpty() ? QString() : tr("Expected a whole number"));
        if (good || text.isEmpty())
            set(tr("Change seed"), {"seed"},
                good ? json::Value::number(std::to_string(text.toULongLong())) : json::Value());
    });
}

// What only one protocol has.
void MockPage::buildProtocols()
{
    m_tls = new MemberForm(this, tr("TLS"));
    m_tls->addPem(tr("Key"), {"key"}, {});
    m_tls->addPem(tr("Certificate"), {"cert"}, tr("PEM; without both, one that was made for this machine is used"));
    m_tls->addFlag(tr("Ask clients for a certificate"), {"mutualAuth"});
    m_tls->addFlag(tr("Refuse clients whose certificate cannot be verified"), {"rejectUnauthorized"});
    m_tls->addPem(tr("Authorities"), {"ca"}, tr("PEM; they verify the certificates of clients"), true);
    m_tls->addText(tr("Ciphers"), {"ciphers"}, tr("as OpenSSL names them; empty: its usual ones"));
    m_tcp = new MemberForm(this, tr("TCP"));
    m_tcp->addChoice(tr("Mode"), {"mode"}, {{u"text"_s, tr("text")}, {u"binary"_s, tr("binary")}},
                     tr("binary: data are base64 in the file"));
    m_tcp->addScript(tr("Request's end"), {"endOfRequestResolver", "inject"},
                     tr("a script that says whether a request is complete; without it each read is one"));
    for (MemberForm *part : {m_tls, m_tcp}) {
        form()->addWidget(part);
        connect(
            part, &MemberForm::edited, this,
            [this](const QString &what, const json::Path &path, const json::Value &value) { set(what, path, value); });
    }
}

void MockPage::buildTreatment()
{
    m_treatment = new MemberForm(this);
    auto *wait = new DelayField(tr("Delay of every answer"), m_treatment);
    m_treatment->addRow(tr("Dela&y"), wait, {"wait"}, {},
                        [wait](const json::Value &mock) { wait->setDelay(mock["wait"]); });
    connect(wait, &DelayField::delayEdited, this,
            [this](const json::Value &value) { set(tr("Change delay of every answer"), {"wait"}, value); });
    m_treatment->addFlag(tr("Record requests"), {"recordRequests"},
                         tr("for mountebank's REST API; the journal has them anyway"));
    m_treatment->addFlag(tr("Record matches"), {"recordMatches"}, tr("what each stub answered, for the REST API"));
    m_treatment->addFlag(tr("Answer preflight requests (CORS)"), {"allowCORS"}, tr("of browsers, without a stub"));
    form()->addWidget(m_treatment);
    connect(m_treatment, &MemberForm::edited, this,
            [this](const QString &what, const json::Path &path, const json::Value &value) { set(what, path, value); });
}

void MockPage::showProtocol(const json::Value &mock)
{
    const QString protocol = scalarText(mock["protocol"]);
    const bool http = protocol == u"http" || protocol == u"https";
    m_protocol->setWord(protocol);
    m_tls->setVisible(protocol == u"https");
    m_tcp->setVisible(protocol == u"tcp");
    m_keepAlive->setVisible(http);
    m_keepHint->setVisible(http);
    m_tls->setObject(mock);
    m_tcp->setObject(mock);
    m_treatment->setObject(mock);
    m_treatment->setRowVisible({"allowCORS"}, http);
    m_treatment->setRowVisible({"wait"}, protocol != u"smtp");
    for (QWidget *part : std::initializer_list<QWidget *>{m_defaultLine, m_defaultHead, m_default})
        part->setVisible(protocol != u"smtp"); // it answers as the protocol demands
}

void MockPage::buildCapacity(QGridLayout *grid, int row)
{
    m_limited = new QCheckBox(tr("&Capacity"), this);
    m_capacity = new QWidget(this);
    auto *parts = rowLayout();
    m_capacity->setLayout(parts);
    m_concurrent = new NumberField(tr("Requests at a time"), 1, 1'000'000, m_capacity);
    m_concurrent->setWidthInCharacters(7);
    m_queue = new NumberField(tr("Requests waiting"), 0, 10'000'000, m_capacity);
    m_queue->setWidthInCharacters(9);
    parts->addWidget(m_concurrent);
    parts->addWidget(mutedLabel(tr("at a time,"), m_capacity));
    parts->addWidget(m_queue);
    parts->addWidget(mutedLabel(tr("wait; more get 503"), m_capacity));
    parts->addStretch();
    grid->addWidget(m_limited, row, 0);
    grid->addWidget(m_capacity, row, 1, 1, 2);
    connect(m_limited, &QCheckBox::clicked, this, [this](bool on) {
        set(on ? tr("Limit capacity") : tr("Remove capacity"), {"capacity"},
            on ? json::Value(json::Members{{"concurrent", json::Value(16)}, {"queue", json::Value(1000)}})
               : json::Value());
    });
    connect(m_concurrent, &NumberField::edited, this, [this](int n) {
        set(tr("Change capacity"), {"capacity", "concurrent"}, json::Value(n));
    });
    connect(m_queue, &NumberField::edited, this, [this](int n) {
        set(tr("Change queue"), {"capacity", "queue"}, json::Value(n));
    });
}

void MockPage::focusFirstField()
{
    m_name->setFocus();
    m_name->selectAll();
}

void MockPage::targetChanged()
{
    m_fresh = true;
}

void MockPage::showValue()
{
    const json::Value &mock = value();
    m_name->setValue(qtext(mock["name"].text()));
    showProtocol(mock);
    m_port->setNumber(static_cast<int>(mock["port"].toInteger().value_or(0)));
    m_host->setValue(qtext(mock["host"].text()));
    m_keepAlive->setChecked(mock["keepAlive"].toBool());
    const json::Value &capacity = mock["capacity"];
    m_limited->setChecked(capacity.isObject());
    m_capacity->setEnabled(capacity.isObject());
    m_concurrent->setNumber(static_cast<int>(capacity["concurrent"].toInteger().value_or(16)));
    m_queue->setNumber(static_cast<int>(capacity["queue"].toInteger().value_or(1000)));
    m_seed->setValue(scalarText(mock["seed"]));
    m_default->setParts(mock["defaultResponse"], false, responseSetting(), m_fresh);
    m_fresh = false;
    showState();
}

void MockPage::showState()
{
    const MockState state = mocks()->state(mockId());
    const bool running = state.running();
    m_startStop->setText(running ? tr("S&top") : tr("S&tart"));
    m_startStop->setIcon(Theme::icon(running ? u"stop"_s : u"play"_s));
    m_startStop->setAccessibleName(running ? tr("Stop this mock") : tr("Start this mock"));
    m_addresses->setText(running ? state.urls.join(u"   "_s) : state.error.isEmpty() ? tr("Stopped") : QString());
    m_record->setVisible(mocks()->canRecord(mockId()));
    m_record->setChecked(mocks()->isRecording(mockId()));
    m_copy->setVisible(running);
    m_problem->setVisible(!state.error.isEmpty());
    m_problem->setText(state.error);
    QPalette colours = m_problem->palette();
    colours.setColor(QPalette::WindowText, Theme::instance().color(Theme::Role::Bad));
    m_problem->setPalette(colours);
    m_anyPort->setVisible(state.portInUse);
    m_counters->setVisible(running);
    const QLocale locale;
    const ImposterCounters &counters = state.counters;
    m_counters->setText(
        (counters.received == 1 ? tr("%1 request, %2/s, %3 unmatched, %4 in flight, %5 queued, open connections %6")
                                : tr("%1 requests, %2/s, %3 unmatched, %4 in flight, %5 queued, open connections %6"))
            .arg(locale.toString(qulonglong(counters.received)), locale.toString(state.perSecond, 'f', 0),
                 locale.toString(qulonglong(counters.unmatched)), locale.toString(qulonglong(counters.inFlight)),
                 locale.toString(qulonglong(counters.queued)), locale.toString(qulonglong(counters.openConnections))));
}

} // namespace wardbench
