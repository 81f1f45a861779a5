#pragma once

#include "stats/runresult.h"

#include <QWidget>

class QVBoxLayout;

namespace wardbench {

/// What belongs beside the numbers: thresholds with pass or fail in words, warnings, notes. Nothing: no height.
class Remarks : public QWidget
{
    Q_OBJECT

public:
    explicit Remarks(QWidget *parent = nullptr);
    void show(const RunResult &result);
    void clear();

protected:
    void changeEvent(QEvent *event) override;

private:
    enum class Tone { Plain, Good, Warn, Bad };
    struct Remark
    {
        Tone tone;
        QString head, text;
    };
    void build();

    QVBoxLayout *m_layout;
    std::vector<Remark> m_remarks;
};

} // namespace wardbench
