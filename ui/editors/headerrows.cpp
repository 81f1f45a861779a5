#include "editors/headerrows.h"

#include "editors/fields.h"
#include "editors/jsonfields.h"
#include "widgets/text.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace wardbench {

using namespace Qt::StringLiterals;

/// One header's widgets.
class HeaderRows::Row : public QWidget
{
public:
    Row(HeaderRows *list, std::size_t index) : QWidget(list)
    {
        auto *row = rowLayout();
        setLayout(row);
        name = new TextField(tr("%1 %2: name").arg(list->m_name).arg(index + 1), this);
        name->setWidthInCharacters(20);
        name->setPlaceholderText(tr("Name"));
        value = new TextField(tr("%1 %2: value").arg(list->m_name).arg(index + 1), this);
        value->setPlaceholderText(tr("value"));
        auto *remove = removeButton(tr("Remove %1 %2").arg(list->m_name.toLower()).arg(index + 1), this);
        row->addWidget(name);
        row->addWidget(value, 1);
        row->addWidget(remove);
        QObject::connect(name, &TextField::edited, list, [list, index](const QString &text) { list->changeMember(index, &text, nullptr); });
        QObject::connect(value, &TextField::edited, list, [list, index](const QString &text) { list->changeMember(index, nullptr, &text); });
        QObject::connect(remove, &QToolButton::clicked, list, [list, index] { list->changeMember(index, nullptr, nullptr); });
    }

    TextField *name;
    TextField *value;
};

HeaderRows::HeaderRows(const QString &accessibleName, QWidget *parent)
    : QWidget(parent), m_name(accessibleName), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(8);
}

void HeaderRows::setHeaders(const json::Value &headers)
{
    m_headers = headers;
    if (headers.size() != m_rows.size())
        rebuild();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const auto &[name, value] = headers.members()[i];
        if (!m_rows[i]->name->hasFocus() || m_rows[i]->name->toolTip().isEmpty())
            m_rows[i]->name->setValue(qtext(name));
        if (!(scalarValue(m_rows[i]->value->text(), value) == value))
            m_rows[i]->value->setValue(scalarText(value));
    }
    setVisible(!m_rows.empty());
}

void HeaderRows::rebuild()
{
    for (Row *row : m_rows) {
        m_layout->removeWidget(row);
        row->hide();
        row->deleteLater();
    }
    m_rows.clear();
    for (std::size_t i = 0; i < m_headers.size(); ++i) {
        m_rows.push_back(new Row(this, i));
        m_layout->addWidget(m_rows.back());
    }
}

// No name and no value: the row goes.
void HeaderRows::changeMember(std::size_t index, const QString *name, const QString *value)
{
    json::Members members = m_headers.members();
    if (index >= members.size())
        return;
    QString what = tr("Change header");
    if (name) {
        const bool taken = std::any_of(members.begin(), members.end(), [&](const json::Member &other) {
            return &other != &members[index] && other.first == utf8(*name);
        });
        m_rows[index]->name->setProblem(name->isEmpty() ? tr("Expected a name")
                                            : taken ? tr("There is such a header already; give it a list value")
                                                    : QString());
        if (name->isEmpty() || taken)
            return;
        members[index].first = utf8(*name);
    } else if (value) {
        members[index].second = scalarValue(*value, members[index].second);
    } else {
        members.erase(members.begin() + static_cast<std::ptrdiff_t>(index));
        what = tr("Remove header");
    }
    Q_EMIT headersEdited(json::Value(std::move(members)), what);
}

void HeaderRows::addHeader()
{
    std::string name = "Content-Type";
    for (int i = 1; m_headers.find(name); ++i)
        name = i == 1 ? "X-Header" : "X-Header-" + std::to_string(i);
    const json::Value headers = m_headers.isObject() ? m_headers : json::Value::object();
    Q_EMIT headersEdited(headers.withMember(name, json::Value(name == "Content-Type" ? "application/json" : "")), tr("Add header"));
    if (!m_rows.empty()) {
        m_rows.back()->name->setFocus();
        m_rows.back()->name->selectAll();
    }
}

} // namespace wardbench
