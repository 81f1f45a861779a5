#include "editors/delayfield.h"

#include "base/duration.h"
#include "editors/jsonfields.h"
#include "widgets/text.h"

#include <QHBoxLayout>
#include <QLabel>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

const char *const newScript = "function () { return 50; }";

json::Value numberFrom(const QString &text)
{
    bool valid = false;
    text.toDouble(&valid);
    return valid ? json::Value::number(utf8(text)) : json::Value();
}

QString kindOf(const json::Value &value)
{
    if (value.isObject())
        return scalarText(value["type"]);
    if (value.isNull())
        return u"none"_s;
    return isScriptDelay(value) ? u"script"_s : u"fixed"_s;
}

json::Value newDelay(const QString &kind)
{
    using json::Value;
    if (kind == u"none")
        return {};
    if (kind == u"fixed")
        return Value(50);
    if (kind == u"script")
        return Value(newScript);
    if (kind == u"uniform")
        return Value(json::Members{{"type", Value("uniform")}, {"lower", Value(20)}, {"upper", Value(60)}});
    if (kind == u"normal")
        return Value(json::Members{{"type", Value("normal")}, {"mean", Value(40)}, {"deviation", Value(5)}});
    return Value(json::Members{{"type", Value("lognormal")}, {"median", Value(40)}, {"sigma", Value::number("0.4")}});
}

} // namespace

DelayField::DelayField(const QString &accessibleName, QWidget *parent, bool offersScript)
    : QWidget(parent), m_name(accessibleName), m_kind(new ChoiceField(accessibleName, this)),
      m_fixed(new DurationField(accessibleName + tr(", fixed"), false, this)), m_unit(mutedLabel(tr("ms"), this))
{
    m_kind->addChoice(tr("none"), u"none"_s);
    m_kind->addChoice(tr("fixed"), u"fixed"_s);
    m_kind->addChoice(tr("uniform"), u"uniform"_s);
    m_kind->addChoice(tr("normal"), u"normal"_s);
    m_kind->addChoice(tr("lognormal"), u"lognormal"_s);
    if (offersScript)
        m_kind->addChoice(tr("script"), u"script"_s);
    auto *row = rowLayout();
    setLayout(row);
    row->addWidget(m_kind);
    row->addWidget(m_fixed);
    addPart("uniform", "lower", tr("lower"), {}, 5);
    addPart("uniform", "upper", tr("upper"), tr("to"), 5);
    addPart("normal", "mean", tr("mean"), tr("mean"), 5);
    addPart("normal", "deviation", tr("deviation"), tr("\u00b1"), 4);
    addPart("lognormal", "median", tr("median"), tr("median"), 5);
    addPart("lognormal", "sigma", tr("sigma"), tr("sigma"), 4);
    addPart("", "maxValue", tr("at most"), tr("at most"), 6);
    m_parts.back().field->setPlaceholderText(tr("no limit"));
    row->addWidget(m_unit);
    row->addStretch();
    connect(m_kind, &ChoiceField::chosen, this, &DelayField::kindChosen);
    connect(m_fixed, &DurationField::durationEdited, this, [this](const json::Value &value) {
        m_value = m_value.isObject() ? m_value.withMember("milliseconds", value) : value;
        Q_EMIT delayEdited(m_value);
    });
    setFocusProxy(m_kind);
    showParts();
}

void DelayField::addPart(const char *kind, const char *member, const QString &name, const QString &before, int width)
{
    QLabel *label = before.isEmpty() ? nullptr : mutedLabel(before, this);
    auto *field = new TextField(m_name + u", "_s + name, this);
    field->setAlignment(Qt::AlignRight);
    field->setWidthInCharacters(width);
    if (label)
        layout()->addWidget(label);
    layout()->addWidget(field);
    m_parts.push_back({kind, member, label, field});
    connect(field, &TextField::edited, this,
            [this, index = m_parts.size() - 1](const QString &text) { partEdited(m_parts[index], text); });
}

void DelayField::setDelay(const json::Value &value)
{
    m_value = value;
    m_kind->setWord(kindOf(value));
    m_fixed->setDuration(value.isObject() ? value["milliseconds"] : isScriptDelay(value) ? json::Value() : value);
    for (const Part &part : m_parts)
        part.field->setValue(scalarText(value[part.member]));
    showParts();
}

void DelayField::kindChosen(const QString &kind)
{
    setDelay(newDelay(kind));
    Q_EMIT delayEdited(m_value);
}

void DelayField::partEdited(const Part &part, const QString &text)
{
    const json::Value number = numberFrom(text);
    const bool optional = std::string_view(part.member) == "maxValue";
    const bool good = !number.isNull() || (optional && text.isEmpty());
    part.field->setProblem(good ? QString() : tr("Expected a number"));
    if (!good)
        return;
    m_value = number.isNull() ? m_value.withoutMember(part.member) : m_value.withMember(part.member, number);
    Q_EMIT delayEdited(m_value);
}

void DelayField::showParts()
{
    const QString kind = m_kind->word();
    const bool spread = kind == u"normal" || kind == u"lognormal";
    m_fixed->setVisible(kind == u"fixed");
    for (const Part &part : m_parts) {
        const bool shown = *part.kind ? kind == QLatin1String(part.kind) : spread;
        part.field->setVisible(shown);
        if (part.label)
            part.label->setVisible(shown);
    }
    m_unit->setVisible(spread || kind == u"uniform");
}

} // namespace wardbench
