#include "model/workspace.h"

namespace wardbench {
namespace {

template <typename T>
std::shared_ptr<const T> byName(const std::vector<std::shared_ptr<const T>> &list, std::string_view name)
{
    for (const auto &item : list) {
        if (item->name == name)
            return item;
    }
    return {};
}

} // namespace

ImposterPtr Workspace::imposter(std::string_view wanted) const
{
    return byName(imposters, wanted);
}

PolicyPtr Workspace::policy(std::string_view wanted) const
{
    return byName(policies, wanted);
}

ScenarioPtr Workspace::scenario(std::string_view wanted) const
{
    return byName(scenarios, wanted);
}

} // namespace wardbench
