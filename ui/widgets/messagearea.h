#pragma once

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QVBoxLayout;

namespace wardbench {

/// Sentences above the work instead of dialogs in front of it. Each has a key: a new one with the same key takes its
/// place, so that a hundred changes of a file make one bar.
class MessageArea : public QWidget
{
    Q_OBJECT

public:
    enum class Kind { Info, Warning, Error };
    struct Choice
    {
        QString text;
        std::function<void()> act; ///< the bar goes away first
    };

    explicit MessageArea(QWidget *parent = nullptr);

    void show(const QString &key, Kind kind, const QString &text, const std::vector<Choice> &choices = {});
    void dismiss(const QString &key);
    void dismissAll();
    QString text(const QString &key) const; ///< empty when there is no such bar

private:
    QWidget *bar(const QString &key) const;
    QVBoxLayout *m_layout;
};

} // namespace wardbench
