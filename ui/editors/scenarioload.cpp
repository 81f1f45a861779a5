#include "editors/delayfield.h"
#include "editors/loadform.h"
#include "editors/scenariopage.h"
#include "widgets/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>

// The load of a scenario's page: users, phases, think time, repetitions.
namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

QString grouped(const json::Value &number)
{
    const auto whole = number.toInteger();
    return whole ? QLocale().toString(qlonglong(*whole)) : scalarText(number);
}

} // namespace

void ScenarioPage::buildModel()
{
    form()->addSpacing(8);
    m_model = new ChoiceField(tr("Load model"), this);
    m_model->addChoice(tr("closed loop"), u"closed"_s);
    m_model->addChoice(tr("shared iterations"), u"shared-iterations"_s);
    m_model->addChoice(tr("iterations per user"), u"per-vu-iterations"_s);
    m_model->addChoice(tr("constant users"), u"constant-vus"_s);
    m_model->addChoice(tr("ramping users"), u"ramping-vus"_s);
    m_model->addChoice(tr("constant arrival rate"), u"constant-arrival-rate"_s);
    m_model->addChoice(tr("ramping arrival rate"), u"ramping-arrival-rate"_s);
    auto *row = addRow(tr("&Load"), m_model);
    row->addWidget(m_model);
    row->addStretch();
    m_loadForm = new LoadForm(this);
    form()->addWidget(m_loadForm);
    connect(m_model, &ChoiceField::chosen, this, [this](const QString &model) {
        set(tr("Change the load model"), {"load"}, LoadForm::freshLoad(model, value()["load"]));
    });
    connect(m_loadForm, &LoadForm::edited, this, [this](const QString &what, const json::Path &path, const json::Value &part) {
        json::Path below{"load"};
        below.insert(below.end(), path.begin(), path.end());
        set(what, below, part);
    });
}

void ScenarioPage::buildLoad()
{
    buildModel();
    m_users = new NumberField(tr("Users"), 1, 100'000, this);
    m_users->setWidthInCharacters(7);
    m_amount = new TextField(tr("Stop after"), this);
    m_amount->setAlignment(Qt::AlignRight);
    m_amount->setWidthInCharacters(9);
    m_amountKind = new ChoiceField(tr("Stop after, kind"), this);
    m_amountKind->addChoice(tr("iterations, all users together"), u"iterations"_s);
    m_amountKind->addChoice(tr("of time"), u"duration"_s);
    auto *row = addRow({});
    auto *users = mutedLabel(tr("users"), this), *stopAfter = mutedLabel(tr("stop after"), this);
    row->addWidget(users);
    row->addWidget(m_users);
    row->addWidget(stopAfter);
    row->addWidget(m_amount);
    m_closedOnly = {users, m_users, stopAfter, m_amount, m_amountKind};
    row->addWidget(m_amountKind);
    row->addStretch();
    buildWarmup(addRow({}));
    m_thinkTime = new DelayField(tr("Think time"), this);
    m_rampUp = new DurationField(tr("Ramp-up"), true, this);
    m_rampUp->setPlaceholderText(tr("none"));
    auto *third = addRow({});
    third->addWidget(mutedLabel(tr("Think time"), this));
    third->addWidget(m_thinkTime);
    third->addSpacing(8);
    third->addWidget(mutedLabel(tr("Ramp-up"), this));
    third->addWidget(m_rampUp);
    third->addStretch();

    connect(m_users, &NumberField::edited, this, [this](int users) { set(tr("Change users"), {"load", "users"}, json::Value(users)); });
    connect(m_amount, &TextField::edited, this,
            [this](const QString &text) { setPhase(tr("Change the end"), {"load"}, m_amountKind->word(), text, m_amount); });
    connect(m_amountKind, &ChoiceField::chosen, this, [this](const QString &kind) {
        const json::Value load = value()["load"].withoutMember("iterations").withoutMember("duration");
        set(tr("Change the end"), {"load"}, kind == u"duration" ? load.withMember("duration", json::Value("5s"))
                                                                 : load.withMember("iterations", json::Value(10'000)));
    });
    connect(m_thinkTime, &DelayField::delayEdited, this,
            [this](const json::Value &delay) { set(tr("Change think time"), {"load", "thinkTime"}, delay); });
    connect(m_rampUp, &DurationField::durationEdited, this,
            [this](const json::Value &duration) { set(tr("Change ramp-up"), {"load", "rampUp"}, duration); });
}

void ScenarioPage::buildWarmup(QHBoxLayout *row)
{
    m_warmup = new TextField(tr("Warm-up"), this);
    m_warmup->setAlignment(Qt::AlignRight);
    m_warmup->setWidthInCharacters(9);
    m_warmupKind = new ChoiceField(tr("Warm-up, kind"), this);
    m_warmupKind->addChoice(tr("none"), u"none"_s);
    m_warmupKind->addChoice(tr("iterations"), u"iterations"_s);
    m_warmupKind->addChoice(tr("of time"), u"duration"_s);
    row->addWidget(mutedLabel(tr("Warm-up"), this));
    row->addWidget(m_warmup);
    row->addWidget(m_warmupKind);
    row->addWidget(mutedLabel(tr("not counted; its state is kept"), this));
    row->addStretch();
    connect(m_warmup, &TextField::edited, this, [this](const QString &text) {
        setPhase(tr("Change warm-up"), {"load", "warmup"}, m_warmupKind->word(), text, m_warmup);
    });
    connect(m_warmupKind, &ChoiceField::chosen, this, [this](const QString &kind) {
        const json::Value fresh = kind == u"duration" ? json::Value("500ms") : json::Value(1000);
        set(tr("Change warm-up"), {"load", "warmup"},
            kind == u"none" ? json::Value() : json::Value(json::Members{{utf8(kind), fresh}}));
    });
}

void ScenarioPage::buildRepeat()
{
    form()->addSpacing(8);
    m_repetitions = new NumberField(tr("Repetitions"), 1, 1000, this);
    m_repetitions->setWidthInCharacters(4);
    m_seed = new TextField(tr("Seed"), this);
    m_seed->setWidthInCharacters(12);
    m_seed->setPlaceholderText(tr("random"));
    m_transport = new ChoiceField(tr("Client"), this);
    m_transport->addChoice(tr("Qt"), u"qt"_s);
    m_transport->addChoice(tr("sockets"), u"socket"_s);
    m_pools = mutedLabel({}, this);
    auto *row = addRow(tr("&Repeat"), m_repetitions);
    row->addWidget(m_repetitions);
    row->addWidget(mutedLabel(tr("times, contestants take turns"), this));
    row->addSpacing(8);
    row->addWidget(mutedLabel(tr("Seed"), this));
    row->addWidget(m_seed);
    row->addSpacing(8);
    row->addWidget(mutedLabel(tr("Client"), this));
    row->addWidget(m_transport);
    row->addWidget(m_pools);
    row->addStretch();
    connect(m_repetitions, &NumberField::edited, this,
            [this](int n) { set(tr("Change repetitions"), {"repetitions"}, json::Value(n)); });
    connect(m_transport, &ChoiceField::chosen, this, [this](const QString &transport) {
        set(tr("Change the client"), {"transport"}, json::Value(utf8(transport)));
    });
    connect(m_seed, &TextField::edited, this, [this](const QString &text) {
        bool good = false;
        const qulonglong seed = text.toULongLong(&good);
        m_seed->setProblem(good || text.isEmpty() ? QString() : tr("Expected a whole number"));
        if (good || text.isEmpty())
            set(tr("Change seed"), {"seed"}, good ? json::Value(std::uint64_t(seed)) : json::Value());
    });
}

void ScenarioPage::setPhase(const QString &what, const json::Path &at, const QString &kind, const QString &amount, TextField *field)
{
    std::optional<json::Value> parsed;
    if (kind == u"duration") {
        parsed = durationValue(amount);
    } else {
        QString digits = amount;
        digits.remove(QLocale().groupSeparator()).remove(u' ');
        bool whole = false;
        const qulonglong count = digits.toULongLong(&whole);
        if (whole && count > 0)
            parsed = json::Value(std::uint64_t(count));
    }
    const bool good = parsed && !parsed->isNull();
    field->setProblem(good ? QString() : kind == u"duration" ? tr("Expected a duration like 2s or 500 ms") : tr("Expected a whole number above 0"));
    if (good)
        set(what, at / utf8(kind), *parsed);
}

void ScenarioPage::showLoad(const Scenario &scenario)
{
    const json::Value &load = value()["load"];
    m_users->setNumber(static_cast<int>(load["users"].toInteger().value_or(1)));
    const auto showPhase = [](const json::Value &phase, ChoiceField *kind, TextField *amount, bool optional) {
        const bool duration = !phase["duration"].isNull() && phase["iterations"].isNull();
        const bool none = optional && phase["duration"].isNull() && phase["iterations"].isNull();
        kind->setWord(none ? u"none"_s : duration ? u"duration"_s : u"iterations"_s);
        amount->setVisible(!none);
        if (duration) {
            const auto typed = durationValue(amount->text());
            if (!typed || !(*typed == phase["duration"]))
                amount->setValue(durationText(phase["duration"]));
        } else {
            QString digits = amount->text();
            digits.remove(QLocale().groupSeparator());
            if (digits != scalarText(phase["iterations"]))
                amount->setValue(grouped(phase["iterations"]));
        }
        amount->setProblem({});
    };
    showPhase(load, m_amountKind, m_amount, false);
    showPhase(load["warmup"], m_warmupKind, m_warmup, true);
    m_thinkTime->setDelay(load["thinkTime"]);
    m_rampUp->setDuration(load["rampUp"]);
    m_model->setWord(qtext(scenario.load.model));
    for (QWidget *field : std::as_const(m_closedOnly))
        field->setVisible(scenario.load.model == "closed");
    m_loadForm->setLoad(load, scenario.load);
    m_thinkTime->setEnabled(!scenario.load.isOpen()); // a schedule does not wait for answers
    m_rampUp->setEnabled(scenario.load.kind == LoadProfile::Kind::Users);
    m_transport->setWord(qtext(scenario.transport));
    const int pools = (scenario.load.users + 5) / 6; // Qt opens six connections for one manager and host
    m_pools->setText(scenario.transport == "qt" ? tr("%n connection pools", nullptr, pools) : QString());
}

} // namespace wardbench
