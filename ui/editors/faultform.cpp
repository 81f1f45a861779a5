#include "editors/faultform.h"

#include "editors/fields.h"
#include "editors/jsonfields.h"
#include "editors/memberform.h"
#include "widgets/text.h"

#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

constexpr double largestCount = 1e15;

/// Which parameters a type has.
const std::map<QString, std::vector<std::string>> &parameters()
{
    static const std::map<QString, std::vector<std::string>> map{{u"reset"_s, {"when", "afterBytes"}},
                                                                 {u"garbage"_s, {"bytes"}},
                                                                 {u"malformedChunk"_s, {"bytes"}},
                                                                 {u"dribble"_s, {"pieces", "duration"}},
                                                                 {u"throttle"_s, {"bytesPerSecond", "direction"}},
                                                                 {u"limit"_s, {"afterBytes"}},
                                                                 {u"slowClose"_s, {"duration"}},
                                                                 {u"hang"_s, {"when", "duration"}}};
    return map;
}

const char *const allParameters[] = {"when",     "afterBytes",     "bytes",    "pieces",
                                     "duration", "bytesPerSecond", "direction"};
const char *const always[] = {"probability", "count", "seed"};

bool hasParameter(const QString &type, const std::string &name)
{
    const auto found = parameters().find(type);
    return found != parameters().end() &&
           std::find(found->second.begin(), found->second.end(), name) != found->second.end();
}

bool isName(const QString &type)
{
    return !type.isEmpty() && type == type.toUpper();
}

} // namespace

FaultForm::FaultForm(Place place, QWidget *parent)
    : QWidget(parent), m_place(place), m_type(new ChoiceField(tr("Fault"), this)),
      m_form(new MemberForm(this, tr("Fault")))
{
    if (place == Place::Beside)
        m_type->addChoice(tr("nothing"), {});
    const std::pair<const char *, QString> types[] = {{"empty", tr("empty: the connection ends without a byte")},
                                                      {"reset", tr("reset: a real RST")},
                                                      {"garbage", tr("garbage: bytes that are no HTTP")},
                                                      {"malformedChunk", tr("malformed chunk after a good head")},
                                                      {"dribble", tr("dribble: the body in pieces, slowly")},
                                                      {"throttle", tr("throttle: the body at a rate")},
                                                      {"limit", tr("limit: the body is cut off")},
                                                      {"slowClose", tr("slow close: the end comes late")},
                                                      {"hang", tr("hang: nothing more comes")}};
    for (const auto &[word, label] : types)
        m_type->addChoice(label, QString::fromLatin1(word));
    if (place == Place::Alone) {
        for (const char *name : {"CONNECTION_RESET_BY_PEER", "RANDOM_DATA_THEN_CLOSE"})
            m_type->addChoice(tr("%1, as mountebank writes it").arg(QLatin1String(name)), QLatin1String(name));
    }
    addParameters();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto *row = rowLayout();
    row->addWidget(m_type);
    row->addStretch();
    layout->addLayout(row);
    layout->addWidget(m_form);
    setFocusProxy(m_type);
    connect(m_type, &ChoiceField::chosen, this, &FaultForm::typeChosen);
    connect(m_form, &MemberForm::edited, this, &FaultForm::edited);
}

void FaultForm::addParameters()
{
    m_form->addChoice(tr("When"), {"when"},
                      {{u"before"_s, tr("before the first byte")},
                       {u"within"_s, tr("within the answer")},
                       {u"after"_s, tr("after the whole answer")}});
    m_form->addNumber(tr("After"), {"afterBytes"}, 0, largestCount, true, tr("bytes of the body"));
    m_form->addNumber(tr("Length"), {"bytes"}, 0, largestCount, true, tr("bytes; 36 when empty"));
    m_form->addNumber(tr("Pieces"), {"pieces"}, 1, 1e6, true, tr("equal ones; the last takes the remainder"));
    m_form->addDuration(tr("Duration"), {"duration"},
                        tr("over which it is spread, or after which the connection ends"));
    m_form->addNumber(tr("Rate"), {"bytesPerSecond"}, 1, largestCount, false, tr("bytes per second"));
    m_form->addChoice(tr("Direction"), {"direction"},
                      {{u"response"_s, tr("the answer is slow")}, {u"request"_s, tr("the request is read slowly")}});
    m_form->addNumber(tr("Probability"), {"probability"}, 0, 1, false, tr("0 to 1; always when empty"))
        ->setPlaceholderText(u"1"_s);
    m_form->addNumber(tr("Count"), {"count"}, 0, largestCount, true, tr("of the stub's answers at most"))
        ->setPlaceholderText(tr("no limit"));
    m_form->addNumber(tr("Seed"), {"seed"}, 0, 1.8e19, true, tr("of its draws, to make them repeatable"));
}

json::Value FaultForm::faultOf(const QString &type, const json::Value &before)
{
    json::Value fault(json::Members{{"type", json::Value(utf8(type))}});
    if (type == u"dribble")
        fault = fault.withMember("pieces", json::Value(5)).withMember("duration", json::Value("2s"));
    else if (type == u"throttle")
        fault = fault.withMember("bytesPerSecond", json::Value(1024));
    else if (type == u"limit")
        fault = fault.withMember("afterBytes", json::Value(10));
    else if (type == u"slowClose")
        fault = fault.withMember("duration", json::Value("2s"));
    for (const auto &[name, value] : before.members()) {
        const bool own = std::find(std::begin(allParameters), std::end(allParameters), name) != std::end(allParameters);
        if (!own && name != "type")
            fault = fault.withMember(name, value);
    }
    return fault;
}

void FaultForm::typeChosen(const QString &type)
{
    const json::Value fault = type.isEmpty() ? json::Value()
                              : isName(type) ? json::Value(utf8(type))
                                             : faultOf(type, m_fault);
    setFault(fault);
    Q_EMIT edited(type.isEmpty() ? tr("Remove fault") : tr("Change fault"), {}, fault);
}

void FaultForm::setFault(const json::Value &fault)
{
    m_fault = fault;
    const QString type = fault.isObject() ? scalarText(fault["type"]) : scalarText(fault);
    m_type->setWord(type);
    m_form->setObject(fault);
    for (const char *name : allParameters) {
        const bool needless = std::string_view(name) == "afterBytes" && type == u"reset" &&
                              fault["when"].text() != "within" && fault["afterBytes"].isNull();
        m_form->setRowVisible({name}, hasParameter(type, name) && !needless);
    }
    for (const char *name : always)
        m_form->setRowVisible({name}, fault.isObject());
    m_form->setVisible(fault.isObject());
}

} // namespace wardbench
