#pragma once

#include "json/value.h"

#include <string>

namespace wardbench::admin {

/// One element of an error answer (mountebank.md 1.2).
struct ApiError
{
    std::string code;
    std::string message;
    json::Value source{}; ///< null: left out
    std::string data{};   ///< empty: left out
};

inline json::Value toJson(const ApiError &error)
{
    json::Members members{{"code", error.code}, {"message", error.message}};
    if (!error.source.isNull())
        members.emplace_back("source", error.source);
    if (!error.data.empty())
        members.emplace_back("data", error.data);
    return json::Value(std::move(members));
}

inline ApiError badData(std::string message, json::Value source = {})
{
    return {"bad data", std::move(message), std::move(source)};
}

} // namespace wardbench::admin
