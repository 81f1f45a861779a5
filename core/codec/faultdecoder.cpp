#include "base/nearestname.h"
#include "codec/decoders.h"

namespace wardbench::codec {
namespace {

using Kind = Fault::Kind;

/// mountebank's and WireMock's names for faults that need no more than a name.
const std::vector<std::pair<std::string, Kind>> &namedFaults()
{
    static const std::vector<std::pair<std::string, Kind>> names{{"CONNECTION_RESET_BY_PEER", Kind::Reset},
                                                                 {"RANDOM_DATA_THEN_CLOSE", Kind::Garbage},
                                                                 {"EMPTY_RESPONSE", Kind::Empty},
                                                                 {"MALFORMED_RESPONSE_CHUNK", Kind::MalformedChunk}};
    return names;
}

const std::vector<std::pair<std::string, Kind>> &faultTypes()
{
    static const std::vector<std::pair<std::string, Kind>> types{
        {"empty", Kind::Empty},     {"reset", Kind::Reset},
        {"garbage", Kind::Garbage}, {"malformedChunk", Kind::MalformedChunk},
        {"dribble", Kind::Dribble}, {"throttle", Kind::Throttle},
        {"limit", Kind::Limit},     {"slowClose", Kind::SlowClose},
        {"hang", Kind::Hang}};
    return types;
}

std::vector<std::string> typeNames()
{
    std::vector<std::string> names;
    for (const auto &[name, kind] : faultTypes())
        names.push_back(name);
    return names;
}

Kind kindNamed(const std::vector<std::pair<std::string, Kind>> &list, const std::string &name)
{
    for (const auto &[known, kind] : list) {
        if (known == name)
            return kind;
    }
    return Kind::Unknown;
}

std::uint64_t bytes(const SchemaReader &reader, std::int64_t otherwise)
{
    constexpr std::int64_t most = std::int64_t(1) << 50;
    return static_cast<std::uint64_t>(reader.integer(otherwise, 0, most));
}

void required(const SchemaReader &reader, std::string_view what)
{
    if (!reader.present())
        reader.error("is missing; expected " + std::string(what));
}

void decodeReset(Fault &fault, const SchemaReader &reader)
{
    fault.afterHead = reader["afterBytes"].present();
    fault.afterBytes = bytes(reader["afterBytes"], 0);
    fault.afterAnswer = reader["when"].choice({"before", "within", "after"}, "before") == "after";
    if (reader["when"].value().text() == "within")
        required(reader["afterBytes"], "the bytes of the body that are sent first");
}

void decodeParameters(Fault &fault, const SchemaReader &reader)
{
    switch (fault.kind) {
    case Kind::Reset:
        decodeReset(fault, reader);
        break;
    case Kind::Garbage:
    case Kind::MalformedChunk:
        fault.bytes = bytes(reader["bytes"], 36);
        break;
    case Kind::Dribble:
        required(reader["pieces"], "the number of pieces");
        required(reader["duration"], "a duration");
        fault.pieces = static_cast<int>(reader["pieces"].integer(1, 1, 1'000'000));
        fault.duration = reader["duration"].duration().value_or(Nanoseconds(0));
        break;
    case Kind::Throttle:
        required(reader["bytesPerSecond"], "a number of bytes");
        fault.bytesPerSecond = reader["bytesPerSecond"].number(1, 1, 1e15);
        break;
    case Kind::Limit:
        required(reader["afterBytes"], "a number of bytes");
        fault.afterBytes = bytes(reader["afterBytes"], 0);
        break;
    case Kind::SlowClose:
        required(reader["duration"], "a duration");
        fault.duration = reader["duration"].duration().value_or(Nanoseconds(0));
        break;
    case Kind::Hang:
        fault.afterHead = reader["when"].choice({"before", "within"}, "before") == "within";
        fault.duration = reader["duration"].duration().value_or(Nanoseconds(0));
        break;
    case Kind::Empty:
    case Kind::None:
    case Kind::Unknown:
        break;
    }
}

Fault decodeFaultObject(const SchemaReader &reader)
{
    Fault fault;
    const SchemaReader type = reader["type"];
    fault.name = type.requiredText("the kind of fault");
    fault.kind = kindNamed(faultTypes(), fault.name);
    if (fault.kind == Kind::Unknown)
        fault.kind = kindNamed(namedFaults(), fault.name);
    if (fault.kind == Kind::Unknown && !fault.name.empty())
        type.expected("one of empty, reset, garbage, malformedChunk, dribble, throttle, limit, slowClose, hang" +
                      suggestion(fault.name, typeNames()));
    fault.probability = reader["probability"].number(1, 0, 1);
    if (reader["count"].present())
        fault.count = static_cast<std::uint64_t>(reader["count"].integer(1, 0));
    fault.seed = reader["seed"].seed();
    if (reader["direction"].choice({"response", "request"}, "response") == "request") {
        fault.direction = Fault::Direction::Request;
        if (fault.kind != Kind::Throttle)
            reader["direction"].error("only a throttle can act on the request; expected \"response\"");
    }
    decodeParameters(fault, reader);
    return fault;
}

} // namespace

Fault decodeFault(const SchemaReader &reader)
{
    if (reader.value().isObject())
        return decodeFaultObject(reader);
    Fault fault;
    fault.named = true;
    fault.name = reader.value().text();
    fault.kind = kindNamed(namedFaults(), fault.name);
    if (!reader.value().isString())
        reader.expected("the name of a fault, or an object with a \"type\"");
    else if (fault.kind == Kind::Unknown)
        reader.warning("\"" + fault.name + "\" is no fault; the default response is sent instead" +
                       suggestion(fault.name, {"CONNECTION_RESET_BY_PEER", "RANDOM_DATA_THEN_CLOSE", "EMPTY_RESPONSE",
                                               "MALFORMED_RESPONSE_CHUNK"}));
    return fault;
}

} // namespace wardbench::codec
