#include "script/scriptoutcome.h"

namespace wardbench {

json::Value ScriptFailure::toJson() const
{
    return json::Value(json::Members{{"code", json::Value("invalid injection")},
                                     {"message", json::Value(message)},
                                     {"source", json::Value(source)},
                                     {"data", json::Value(data)}});
}

std::optional<std::string> bufferBytes(const json::Value &value)
{
    const json::Value &data = value["data"];
    if (value["type"].text() != "Buffer" || !data.isArray())
        return std::nullopt;
    std::string bytes;
    bytes.reserve(data.size());
    for (const json::Value &item : data.items()) {
        const std::optional<std::int64_t> byte = item.toInteger();
        if (!byte || *byte < 0 || *byte > 255)
            return std::nullopt;
        bytes += static_cast<char>(*byte);
    }
    return bytes;
}

} // namespace wardbench
