#include "model/imposter.h"

namespace wardbench {

std::string Imposter::displayName() const
{
    if (!name.empty())
        return name;
    return port == 0 ? protocol : protocol + " " + std::to_string(port);
}

} // namespace wardbench
