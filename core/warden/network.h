#pragma once

#include "warden/module.h"

#include <memory>

namespace wardbench::warden {

/// Last stage: hands requests to the transport and brings their outcomes back. An outcome that comes after the call
/// was cancelled, twice, or after the pipeline was destroyed goes nowhere.
class Network final : public Module
{
public:
    explicit Network(Transport &transport) : m_transport(transport) {}
    void setOwner(std::weak_ptr<void> owner) { m_owner = std::move(owner); }

    void send(Call &call) override;
    void answer(Call &call, const Reply &reply) override;
    Transport &transport() const { return m_transport; }

private:
    Transport &m_transport;
    std::weak_ptr<void> m_owner;
};

} // namespace wardbench::warden
