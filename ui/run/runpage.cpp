#include "run/runpage.h"

namespace wardbench {

class RunPage::Private
{
public:
    std::shared_ptr<RunSession> session;
    std::optional<RunResult> result;
};

RunPage::RunPage(QWidget *parent) : QWidget(parent), d(std::make_unique<Private>()) {}

RunPage::~RunPage() = default;

void RunPage::showSession(std::shared_ptr<RunSession> session, const QString &)
{
    d->session = std::move(session);
    d->result.reset();
}

void RunPage::showResult(const RunResult &result)
{
    d->session.reset();
    d->result = result;
}

bool RunPage::isRunning() const
{
    return d->session != nullptr;
}

const std::optional<RunResult> &RunPage::result() const
{
    return d->result;
}

void RunPage::exportChart() {}

void RunPage::copy() {}

void RunPage::saveRunAs() {}

} // namespace wardbench
