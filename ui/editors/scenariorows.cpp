#include "editors/scenariorows.h"

#include <QVBoxLayout>

namespace wardbench {

ScenarioRows::ScenarioRows(QWidget *parent) : QWidget(parent), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(8);
}

void ScenarioRows::setRowCount(std::size_t count)
{
    while (m_rows.size() > count) {
        QWidget *last = m_rows.back();
        m_rows.pop_back();
        m_layout->removeWidget(last);
        last->hide();
        last->deleteLater(); // one of its signals may be on the stack
    }
    while (m_rows.size() < count) {
        m_rows.push_back(makeRow(m_rows.size()));
        m_layout->addWidget(m_rows.back());
    }
    setVisible(count > 0);
}

void ScenarioRows::rebuild()
{
    setRowCount(0);
}

} // namespace wardbench
