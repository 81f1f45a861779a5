#include "widgets/emptystate.h"

#include "shell/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace wardbench {

EmptyState::EmptyState(QWidget *parent) : QWidget(parent), m_sentence(new QLabel(this)), m_button(new QPushButton(this))
{
    m_button->hide(); // until it says something
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setWordWrap(true);
    m_sentence->setForegroundRole(QPalette::PlaceholderText);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 16, 24, 16);
    layout->setSpacing(8);
    layout->addStretch(1);
    layout->addWidget(m_sentence);
    auto *row = new QHBoxLayout;
    row->addStretch();
    row->addWidget(m_button);
    row->addStretch();
    layout->addLayout(row);
    layout->addStretch(2);
    connect(m_button, &QPushButton::clicked, this, &EmptyState::pressed);
}

void EmptyState::setSentence(const QString &sentence)
{
    m_sentence->setText(sentence);
}

void EmptyState::setButton(const QString &text)
{
    m_button->setText(text);
    m_button->setVisible(!text.isEmpty());
}

} // namespace wardbench
