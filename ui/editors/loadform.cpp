#include "editors/loadform.h"

#include "editors/fields.h"
#include "editors/jsonfields.h"
#include "editors/memberform.h"
#include "load/schedule.h"
#include "widgets/text.h"

#include <QLocale>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace wardbench {

using namespace Qt::StringLiterals;

/// Users or iterations a second over the time of the measured phase.
class LoadCurve : public QWidget
{
public:
    explicit LoadCurve(QWidget *parent) : QWidget(parent)
    {
        setMinimumHeight(96);
        setMaximumWidth(520);
    }

    void setProfile(const LoadProfile &profile)
    {
        m_points = loadCurve(profile);
        m_unit = profile.isOpen() ? tr("iterations/s") : tr("users");
        double highest = 0;
        for (const auto &[time, level] : m_points)
            highest = std::max(highest, level);
        setAccessibleName(tr("Load over time: at most %1 %2 in %3 s")
                              .arg(QLocale().toString(highest), m_unit,
                                   QLocale().toString(m_points.empty() ? 0.0 : m_points.back().first)));
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        double highest = 0;
        for (const auto &[time, level] : m_points)
            highest = std::max(highest, level);
        const double end = m_points.empty() ? 0 : m_points.back().first;
        if (highest <= 0 || end <= 0)
            return;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QFontMetrics metrics(font());
        const QString most = QLocale().toString(highest) + u' ' + m_unit,
                      length = tr("%1 s").arg(QLocale().toString(end));
        const QRectF area(4, metrics.height() + 4, width() - 8, height() - 2 * metrics.height() - 8);
        const auto place = [&](const std::pair<double, double> &point) {
            return QPointF(area.left() + area.width() * point.first / end,
                           area.bottom() - area.height() * point.second / highest);
        };
        QPolygonF line;
        for (const auto &point : m_points)
            line << place(point);
        QPolygonF filled = line;
        filled << area.bottomRight() << area.bottomLeft();
        QColor below = palette().color(QPalette::Highlight);
        below.setAlpha(50);
        painter.setPen(Qt::NoPen);
        painter.setBrush(below);
        painter.drawPolygon(filled);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawPolyline(line);
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawLine(area.bottomLeft(), area.bottomRight());
        painter.drawText(QRectF(0, 0, width(), metrics.height()), Qt::AlignLeft, most);
        painter.drawText(QRectF(0, height() - metrics.height(), width() - 4, metrics.height()), Qt::AlignRight, length);
    }

private:
    std::vector<std::pair<double, double>> m_points;
    QString m_unit;
};

namespace {

/// Which members the form has for a model.
const std::vector<std::string> &membersOf(const std::string &model)
{
    static const std::map<std::string, std::vector<std::string>> all{
        {"shared-iterations", {"vus", "iterations", "maxDuration"}},
        {"per-vu-iterations", {"vus", "iterations", "maxDuration"}},
        {"constant-vus", {"vus", "duration"}},
        {"ramping-vus", {"startVUs", "stages"}},
        {"constant-arrival-rate", {"rate", "timeUnit", "duration", "maxVUs", "arrivals", "whenBusy"}},
        {"ramping-arrival-rate", {"startRate", "timeUnit", "stages", "maxVUs", "arrivals", "whenBusy"}}};
    static const std::vector<std::string> none;
    const auto found = all.find(model);
    return found == all.end() ? none : found->second;
}

} // namespace

QString stagesText(const json::Value &stages)
{
    QStringList parts;
    for (const json::Value &stage : stages.items())
        parts << durationText(stage["duration"]) + u" to "_s + scalarText(stage["target"]);
    return parts.join(u", "_s);
}

std::optional<json::Value> stagesValue(const QString &text)
{
    json::Array stages;
    for (const QString &part : text.split(u',', Qt::SkipEmptyParts)) {
        const QStringList words = part.split(u" to "_s);
        const auto duration = durationValue(words.value(0).trimmed());
        bool isNumber = false;
        const double target = words.value(1).trimmed().toDouble(&isNumber);
        if (words.size() != 2 || !duration || duration->isNull() || !isNumber || target < 0)
            return std::nullopt;
        stages.push_back(json::Members{{"duration", *duration}, {"target", target}});
    }
    if (stages.empty())
        return std::nullopt;
    return json::Value(std::move(stages));
}

LoadForm::LoadForm(QWidget *parent) : QWidget(parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_form = new MemberForm(this);
    constexpr double mostUsers = 100'000, highestRate = 10'000'000, mostIterations = 1e15;
    m_form->addNumber(tr("Users"), {"vus"}, 1, mostUsers, true);
    m_form->addNumber(tr("Iterations"), {"iterations"}, 1, mostIterations, true);
    m_form->addDuration(tr("Longest duration"), {"maxDuration"}, tr("10 min"));
    m_form->addNumber(tr("Users at first"), {"startVUs"}, 0, mostUsers, true, tr("1"));
    m_form->addNumber(tr("Rate"), {"rate"}, 0, highestRate, false);
    m_form->addNumber(tr("Rate at first"), {"startRate"}, 0, highestRate, false, tr("0"));
    m_form->addDuration(tr("Rates are per"), {"timeUnit"}, tr("1 s"));
    m_form->addDuration(tr("Duration"), {"duration"});
    addStages();
    m_form->addNumber(tr("Users at most"), {"maxVUs"}, 1, mostUsers, true);
    m_form->addChoice(tr("Arrivals"), {"arrivals"},
                      {{u"even"_s, tr("evenly spaced")}, {u"poisson"_s, tr("at random (Poisson)")}});
    m_form->addChoice(tr("When all users are busy"), {"whenBusy"},
                      {{u"drop"_s, tr("drop the iteration")}, {u"queue"_s, tr("wait for a user")}});
    m_curve = new LoadCurve(this);
    layout->addWidget(m_form);
    layout->addWidget(m_curve);
    connect(m_form, &MemberForm::edited, this, &LoadForm::edited);
}

void LoadForm::addStages()
{
    m_stages = new TextField(tr("Stages"), this);
    m_stages->setPlaceholderText(tr("30s to 10, 1m to 10"));
    m_form->addRow(tr("Stages"), m_stages, {"stages"}, tr("0s to 50 jumps"), [this](const json::Value &load) {
        if (const auto typed = stagesValue(m_stages->text()); !typed || !(*typed == load["stages"]))
            m_stages->setValue(stagesText(load["stages"]));
        m_stages->setProblem({});
    });
    connect(m_stages, &TextField::edited, this, [this](const QString &text) {
        const auto stages = stagesValue(text);
        m_stages->setProblem(stages ? QString() : tr("Expected stages like \"30s to 10, 1m to 10\""));
        if (stages)
            Q_EMIT edited(tr("Change stages"), {"stages"}, *stages);
    });
}

void LoadForm::setLoad(const json::Value &load, const LoadProfile &profile)
{
    const std::vector<std::string> &shown = membersOf(profile.model);
    for (const char *member : {"vus", "iterations", "maxDuration", "startVUs", "rate", "startRate", "timeUnit",
                               "duration", "stages", "maxVUs", "arrivals", "whenBusy"})
        m_form->setRowVisible({member}, std::find(shown.begin(), shown.end(), member) != shown.end());
    m_form->setVisible(!shown.empty());
    m_form->setObject(load);
    m_curve->setProfile(profile);
    m_curve->setVisible(!shown.empty() || profile.rampUp.count() > 0);
}

json::Value LoadForm::freshLoad(const QString &model, const json::Value &before)
{
    json::Members load{{"model", utf8(model)}};
    const json::Value stages = json::Array{json::Members{{"duration", "10s"}, {"target", 50}},
                                           json::Members{{"duration", "20s"}, {"target", 50}}};
    if (model == u"closed"_s)
        load.insert(load.end(), {{"users", 10}, {"duration", "10s"}});
    else if (model == u"constant-vus"_s)
        load.insert(load.end(), {{"vus", 10}, {"duration", "10s"}});
    else if (model == u"ramping-vus"_s)
        load.emplace_back("stages", stages);
    else if (model == u"constant-arrival-rate"_s)
        load.insert(load.end(), {{"rate", 100}, {"duration", "10s"}, {"maxVUs", 100}});
    else if (model == u"ramping-arrival-rate"_s)
        load.insert(load.end(), {{"stages", stages}, {"maxVUs", 100}});
    else
        load.insert(load.end(), {{"vus", 10}, {"iterations", 1000}});
    if (const json::Value &warmup = before["warmup"]; !warmup.isNull())
        load.emplace_back("warmup", warmup);
    return load;
}

} // namespace wardbench
