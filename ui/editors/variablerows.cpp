#include "editors/fields.h"
#include "editors/jsonfields.h"
#include "editors/scenariorows.h"
#include "json/parser.h"
#include "widgets/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QToolButton>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

struct Parameter
{
    const char *member;
    const char *before; ///< words before the field
    const char *standard; ///< what the format takes when it is absent
    int width;
};

const std::vector<Parameter> &parametersOf(const QString &type)
{
    static const QHash<QString, std::vector<Parameter>> all{
        {u"integer"_s, {{"min", "", "0", 7}, {"max", "to", "0", 7}}},
        {u"decimal"_s, {{"min", "", "0", 5}, {"max", "to", "1", 5}, {"places", "places", "2", 3}}},
        {u"zipf"_s, {{"n", "1 to", "100", 7}, {"exponent", "exponent", "1", 5}}},
        {u"sequence"_s, {{"start", "from", "1", 7}, {"step", "step", "1", 5}}},
        {u"choice"_s, {{"values", "of", "", 24}}},
    };
    static const std::vector<Parameter> none;
    const auto found = all.constFind(type);
    return found == all.cend() ? none : *found;
}

json::Value fresh(const QString &type)
{
    json::Members members{{"type", json::Value(utf8(type))}};
    for (const Parameter &parameter : parametersOf(type)) {
        if (type == u"choice")
            members.emplace_back("values", json::Value(json::Array{json::Value("a"), json::Value("b")}));
        else
            members.emplace_back(parameter.member, json::Value::number(parameter.standard));
    }
    if (type == u"integer")
        members.back().second = json::Value(100);
    return json::Value(std::move(members));
}

QString listText(const json::Value &list)
{
    QStringList parts;
    for (const json::Value &item : list.items())
        parts << scalarText(item);
    return parts.join(u", "_s);
}

json::Value listValue(const QString &text)
{
    json::Array items;
    for (const QString &word : text.split(u',', Qt::SkipEmptyParts))
        items.emplace_back(utf8(word.trimmed()));
    return json::Value(std::move(items));
}

} // namespace

class VariableRows::Row : public QWidget
{
public:
    Row(VariableRows *list, std::size_t index) : QWidget(list), m_list(list), m_index(index)
    {
        auto *row = rowLayout();
        setLayout(row);
        m_name = new TextField(tr("Variable %1: name").arg(index + 1), this);
        m_name->setWidthInCharacters(8);
        m_type = new ChoiceField(tr("Variable %1: kind").arg(index + 1), this);
        for (const char *type : {"integer", "decimal", "zipf", "sequence", "choice"})
            m_type->addChoice(QString::fromLatin1(type), QString::fromLatin1(type));
        m_parameters = rowLayout();
        m_preview = mutedLabel({}, this);
        auto *remove = removeButton(tr("Remove variable %1").arg(index + 1), this);
        row->addWidget(mutedLabel(u"${"_s, this));
        row->addWidget(m_name);
        row->addWidget(mutedLabel(u"}"_s, this));
        row->addWidget(m_type);
        row->addLayout(m_parameters);
        row->addWidget(m_preview, 1);
        row->addWidget(remove);
        QObject::connect(m_name, &TextField::edited, this, [this](const QString &text) { rename(text); });
        QObject::connect(m_type, &ChoiceField::chosen, this, [this](const QString &type) {
            Q_EMIT m_list->edited(m_list->m_variables.withMember(member().first, fresh(type)), tr("Change variable to %1").arg(type));
        });
        QObject::connect(remove, &QToolButton::clicked, this, [this] {
            Q_EMIT m_list->edited(m_list->m_variables.withoutMember(member().first), tr("Remove variable"));
        });
    }

    void show(const Scenario &scenario)
    {
        const auto &[name, variable] = member();
        m_name->setValue(qtext(name));
        const QString type = scalarText(variable["type"]);
        m_type->setWord(type);
        if (type != m_shownType)
            buildParameters(type);
        for (const auto &[parameter, field] : m_fields) {
            const json::Value &part = variable[parameter];
            const QString text = part.isArray() ? listText(part) : scalarText(part);
            if (!part.isArray() || !(listValue(field->text()) == part))
                field->setValue(text);
        }
        showPreview(scenario);
    }

private:
    const json::Member &member() const { return m_list->m_variables.members()[m_index]; }

    void rename(const QString &text)
    {
        const bool taken = m_list->m_variables.find(utf8(text)) && text != qtext(member().first);
        const bool good = !text.isEmpty() && !taken && !text.contains(u'}');
        m_name->setProblem(good ? QString() : taken ? tr("There is such a variable already") : tr("Expected a name"));
        if (!good)
            return;
        json::Members members = m_list->m_variables.members();
        members[m_index].first = utf8(text);
        Q_EMIT m_list->edited(json::Value(std::move(members)), tr("Rename variable"));
    }

    void buildParameters(const QString &type)
    {
        m_shownType = type;
        while (QLayoutItem *item = m_parameters->takeAt(0)) {
            item->widget()->hide();
            item->widget()->deleteLater();
            delete item;
        }
        m_fields.clear();
        for (const Parameter &parameter : parametersOf(type)) {
            const QString word = QString::fromLatin1(parameter.before);
            if (!word.isEmpty())
                m_parameters->addWidget(mutedLabel(word, this));
            auto *field = new TextField(tr("Variable %1: %2").arg(m_index + 1).arg(QString::fromLatin1(parameter.member)), this);
            field->setWidthInCharacters(parameter.width);
            field->setPlaceholderText(QString::fromLatin1(parameter.standard));
            const bool list = type == u"choice";
            if (!list)
                field->setAlignment(Qt::AlignRight);
            m_parameters->addWidget(field);
            m_fields.emplace_back(parameter.member, field);
            QObject::connect(field, &TextField::edited, this, [this, field, list, name = std::string(parameter.member)](const QString &text) {
                auto parsed = json::parse(utf8(text));
                const auto *number = std::get_if<json::Value>(&parsed);
                const bool good = list ? !listValue(text).items().empty() : text.isEmpty() || (number && number->isNumber());
                field->setProblem(good ? QString() : list ? tr("Expected values with commas between") : tr("Expected a number"));
                if (good)
                    m_list->setMember(m_index, name, list ? listValue(text) : text.isEmpty() ? json::Value() : *number,
                                      tr("Change variable"));
            });
        }
    }

    void showPreview(const Scenario &scenario)
    {
        m_preview->clear();
        for (const Variable &variable : scenario.variables) {
            if (variable.name != member().first || variable.type == Variable::Type::Csv)
                continue;
            const VariableStream stream(variable, scenario.seed.value_or(1), 0);
            QStringList values;
            for (std::uint64_t k = 0; k < 3; ++k)
                values << qtext(stream.value(k));
            const std::uint64_t distinct = VariableStream::distinct(variable);
            m_preview->setText(values.join(u"  "_s) + u" …"_s
                               + (distinct ? tr("   %1 values").arg(QLocale().toString(qulonglong(distinct))) : QString()));
        }
    }

    VariableRows *m_list;
    std::size_t m_index;
    TextField *m_name;
    ChoiceField *m_type;
    QHBoxLayout *m_parameters;
    QLabel *m_preview;
    QString m_shownType;
    std::vector<std::pair<std::string, TextField *>> m_fields;
};

void VariableRows::show(const json::Value &variables, const Scenario &scenario)
{
    m_variables = variables;
    setRowCount(variables.size());
    for (std::size_t i = 0; i < rowCount(); ++i)
        static_cast<Row *>(row(i))->show(scenario);
}

QWidget *VariableRows::makeRow(std::size_t index)
{
    return new Row(this, index);
}

void VariableRows::setMember(std::size_t index, const std::string &name, const json::Value &value, const QString &what)
{
    const auto &[variable, parts] = m_variables.members()[index];
    const json::Value changed = value.isNull() ? parts.withoutMember(name) : parts.withMember(name, value);
    Q_EMIT edited(m_variables.withMember(variable, changed), what);
}

void VariableRows::add()
{
    std::string name = "id";
    for (int i = 2; m_variables.find(name); ++i)
        name = "id" + std::to_string(i);
    const json::Value variables = m_variables.isObject() ? m_variables : json::Value::object();
    Q_EMIT edited(variables.withMember(name, fresh(u"integer"_s)), tr("Add variable"));
}

} // namespace wardbench
