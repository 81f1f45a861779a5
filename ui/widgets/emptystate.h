#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace wardbench {

/// What stands in an empty place: one sentence and, mostly, one button.
class EmptyState : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyState(QWidget *parent = nullptr);
    void setSentence(const QString &sentence);
    void setButton(const QString &text); ///< empty: none
    QPushButton *button() const { return m_button; }

Q_SIGNALS:
    void pressed();

private:
    QLabel *m_sentence;
    QPushButton *m_button;
};

} // namespace wardbench
