#include "http/leniency.h"

namespace wardbench::http {

std::string_view leniencyName(Leniency leniency)
{
    switch (leniency) {
    case Leniency::BareLf:
        return "bareLf";
    case Leniency::ObsFold:
        return "obsFold";
    case Leniency::SpaceBeforeColon:
        return "spaceBeforeColon";
    case Leniency::TeWithCl:
        return "teWithCl";
    case Leniency::EqualDuplicateCl:
        return "equalDuplicateCl";
    case Leniency::MissingHost:
        return "missingHost";
    case Leniency::Http09:
        return "http09";
    case Leniency::NonAsciiTarget:
        return "nonAsciiTarget";
    case Leniency::SpaceAfterChunkSize:
        return "spaceAfterChunkSize";
    case Leniency::CtlInValue:
        return "ctlInValue";
    case Leniency::MultiSpaceRequestLine:
        return "multiSpaceRequestLine";
    case Leniency::FragmentInTarget:
        return "fragmentInTarget";
    case Leniency::UserInfoInTarget:
        return "userInfoInTarget";
    }
    return {};
}

std::optional<Leniency> leniencyNamed(std::string_view name)
{
    for (const Leniency leniency : allLeniencies) {
        if (leniencyName(leniency) == name)
            return leniency;
    }
    return std::nullopt;
}

} // namespace wardbench::http
