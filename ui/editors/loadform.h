#pragma once

#include "model/loadprofile.h"
#include "json/pointer.h"
#include "json/value.h"

#include <QString>
#include <QWidget>

#include <optional>

namespace wardbench {

class LoadCurve;
class MemberForm;
class TextField;

/// The members of the load models that are not the closed loop, and the load as a curve.
class LoadForm : public QWidget
{
    Q_OBJECT

public:
    explicit LoadForm(QWidget *parent);

    /// `load`: as written, whose fields are shown; `profile`: what it means, which is drawn.
    void setLoad(const json::Value &load, const LoadProfile &profile);
    /// A load of this model to begin with, with the warm-up of `before`.
    static json::Value freshLoad(const QString &model, const json::Value &before);

Q_SIGNALS:
    /// Set `value` at `path` below the load; Null removes.
    void edited(const QString &what, const wardbench::json::Path &path, const wardbench::json::Value &value);

private:
    void addStages();

    MemberForm *m_form = nullptr;
    TextField *m_stages = nullptr;
    LoadCurve *m_curve = nullptr;
};

/// Stages as a person writes them: "30s to 10, 1m to 10".
QString stagesText(const json::Value &stages);
/// Nothing when the text is no list of stages.
std::optional<json::Value> stagesValue(const QString &text);

} // namespace wardbench
