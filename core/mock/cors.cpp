#include "mock/cors.h"

namespace wardbench::mock {
namespace {

/// A received value as an answer's headers are kept: bytes beyond ASCII are Latin-1 on the wire.
std::string toUtf8(const std::string &bytes)
{
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xC0 | (byte >> 6));
            text += static_cast<char>(0x80 | (byte & 0x3F));
        }
    }
    return text;
}

} // namespace

http::Headers preflightAnswer(const http::Request &request)
{
    if (request.method != "OPTIONS")
        return {};
    const std::string *origin = request.headers.find("Origin");
    const std::string *method = request.headers.find("Access-Control-Request-Method");
    const std::string *headers = request.headers.find("Access-Control-Request-Headers");
    if (!origin || !method || !headers)
        return {};
    return {{"Access-Control-Allow-Origin", toUtf8(*origin)},
            {"Access-Control-Allow-Methods", toUtf8(*method)},
            {"Access-Control-Allow-Headers", toUtf8(*headers)}};
}

} // namespace wardbench::mock
