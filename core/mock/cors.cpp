#include "mock/cors.h"

#include "mock/wiretext.h"

namespace wardbench::mock {
http::Headers preflightAnswer(const http::Request &request)
{
    if (request.method != "OPTIONS")
        return {};
    const std::string *origin = request.headers.find("Origin");
    const std::string *method = request.headers.find("Access-Control-Request-Method");
    const std::string *headers = request.headers.find("Access-Control-Request-Headers");
    if (!origin || !method || !headers)
        return {};
    return {{"Access-Control-Allow-Origin", fromHeaderBytes(*origin)},
            {"Access-Control-Allow-Methods", fromHeaderBytes(*method)},
            {"Access-Control-Allow-Headers", fromHeaderBytes(*headers)}};
}

} // namespace wardbench::mock
