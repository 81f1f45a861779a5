#pragma once

#include "warden/module.h"
#include "warden/surroundings.h"

namespace wardbench::warden {

/// Last stage: hands requests to the transport and brings their outcomes back. An outcome that comes after the call
/// was cancelled or abandoned, twice, or after the pipeline was destroyed goes nowhere.
class Network final : public Module
{
public:
    Network(Transport &transport, Surroundings &surroundings) : m_transport(transport), m_surroundings(surroundings) {}

    void send(Call &call) override;
    void answer(Call &call, const Reply &reply) override;
    void abandon(Call &call) override;
    Transport &transport() const { return m_transport; }
    /// Needed for `abandon`; a pipeline without modules saves the trouble.
    void rememberSends() { m_remembers = true; }

private:
    Transport &m_transport;
    Surroundings &m_surroundings;
    bool m_remembers = false;
    PerCall<std::uint64_t> m_sends; ///< the transport's number of what is under way; 0: nothing
};

} // namespace wardbench::warden
