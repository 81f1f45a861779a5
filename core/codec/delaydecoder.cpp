#include "base/duration.h"
#include "codec/decoders.h"

namespace wardbench::codec {
namespace {

double requiredMilliseconds(const SchemaReader &reader)
{
    if (!reader.present())
        reader.error("is missing; expected a duration");
    return reader.milliseconds().value_or(0);
}

Delay decodeDistribution(const SchemaReader &reader)
{
    Delay delay;
    const SchemaReader type = reader["type"];
    if (!type.present())
        type.error("is missing; expected \"fixed\", \"uniform\", \"normal\" or \"lognormal\"");
    const std::string name = type.choice({"fixed", "uniform", "normal", "lognormal"}, "");
    if (name == "fixed") {
        delay.kind = Delay::Kind::Fixed;
        delay.milliseconds = requiredMilliseconds(reader["milliseconds"]);
    } else if (name == "uniform") {
        delay.kind = Delay::Kind::Uniform;
        delay.lower = requiredMilliseconds(reader["lower"]);
        delay.upper = requiredMilliseconds(reader["upper"]);
        if (delay.upper < delay.lower) {
            reader["upper"].expected("at least lower");
            delay.upper = delay.lower;
        }
    } else if (name == "normal") {
        delay.kind = Delay::Kind::Normal;
        delay.center = requiredMilliseconds(reader["mean"]);
        delay.spread = requiredMilliseconds(reader["deviation"]);
        delay.maxValue = reader["maxValue"].milliseconds().value_or(0);
    } else if (name == "lognormal") {
        delay.kind = Delay::Kind::Lognormal;
        delay.median = requiredMilliseconds(reader["median"]);
        if (!reader["sigma"].present())
            reader["sigma"].error("is missing; expected a number of at least 0");
        delay.sigma = reader["sigma"].number(0, 0, 20);
        delay.maxValue = reader["maxValue"].milliseconds().value_or(0);
    }
    return delay;
}

} // namespace

Delay decodeDelay(const SchemaReader &reader)
{
    Delay delay;
    const json::Value &value = reader.value();
    if (!reader.present())
        return delay;
    if (value.isObject())
        return decodeDistribution(reader);
    if (value.isString() && !parseDuration(value.text())) {
        delay.kind = Delay::Kind::Script;
        delay.script = value.text();
        return delay;
    }
    if (!value.isString() && !value.isNumber()) {
        reader.expected("milliseconds, text like \"250ms\", or a distribution like "
                        "{ \"type\": \"uniform\", \"lower\": 20, \"upper\": 60 }");
        return delay;
    }
    if (const auto milliseconds = reader.milliseconds()) {
        delay.kind = Delay::Kind::Fixed;
        delay.milliseconds = *milliseconds;
    }
    return delay;
}

} // namespace wardbench::codec
