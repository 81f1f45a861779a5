#include "codec/decoders.h"

namespace wardbench::codec {
namespace {

/// The address; tcp imposters of old wrote it as an object (mountebank.md 2.10).
std::string decodeTo(const SchemaReader &reader)
{
    if (!reader.value().isObject())
        return reader.requiredText("an address like \"http://localhost:8080\"");
    return "tcp://" + reader["host"].requiredText("a host") + ':' + std::to_string(reader["port"].integer(0, 1, 65535));
}

Proxy::Mode decodeMode(const SchemaReader &reader)
{
    const std::string &mode = reader.value().text();
    if (mode == "proxyAlways")
        return Proxy::Mode::Always;
    if (mode == "proxyTransparent")
        return Proxy::Mode::Transparent;
    if (reader.present() && mode != "proxyOnce") // any other text counts as proxyOnce
        reader.warning(shown(reader.value()) +
                       " is no mode and counts as proxyOnce; expected proxyOnce, proxyAlways or proxyTransparent");
    return Proxy::Mode::Once;
}

} // namespace

Proxy decodeProxy(const SchemaReader &reader)
{
    Proxy proxy;
    if (!reader.isObject())
        return proxy;
    proxy.to = decodeTo(reader["to"]);
    proxy.mode = decodeMode(reader["mode"]);
    if (reader["predicateGenerators"].isArray())
        proxy.predicateGenerators = reader["predicateGenerators"].value();
    proxy.addWaitBehavior = reader["addWaitBehavior"].value().isTruthy();
    if (reader["addDecorateBehavior"].value().isTruthy())
        proxy.addDecorateBehavior = reader["addDecorateBehavior"].text();
    if (reader["injectHeaders"].value().isTruthy()) {
        reader["injectHeaders"].eachMember([&proxy](const std::string &name, const SchemaReader &value) {
            proxy.injectHeaders.emplace_back(name, value.value());
        });
    }
    proxy.keepAlive = reader["keepalive"].value().isTruthy();
    proxy.key = reader["key"].text();
    proxy.certificate = reader["cert"].text();
    proxy.passphrase = reader["passphrase"].text();
    proxy.ciphers = reader["ciphers"].text();
    return proxy;
}

} // namespace wardbench::codec
