#pragma once

#include "model/delay.h"
#include "model/fault.h"
#include "model/selection.h"
#include "json/value.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wardbench {

/// An `is` response's parts as written; absent parts fall back to the default response (mountebank.md 2.2.2).
struct IsResponse
{
    std::optional<json::Value> statusCode;
    std::vector<std::pair<std::string, json::Value>> headers; ///< values: text, number or an array of them
    bool hasHeaders = false;
    std::optional<json::Value> body; ///< text, or any JSON
    std::string mode;                ///< "", "text" or "binary" (base64 body)
    std::string bodyFile;            ///< beside the workspace; sent as it is instead of a body
    json::Value source;              ///< the whole object, as written
    std::optional<json::Value> data; ///< tcp: text, or base64 in binary mode
};

/// One step that an answer passes, in the order of the file (mountebank.md 2.7).
struct Behavior
{
    enum class Kind { Wait, Copy, Lookup, Decorate, ShellTransform };

    Kind kind = Kind::Wait;
    std::string name; ///< as written: wait, copy, lookup, decorate, shellTransform
    Delay wait;       ///< Wait; may be a script

    json::Value from; ///< Copy, Lookup: a field's name, or a path of one-key objects
    Extraction extraction;
    std::string into; ///< Copy, Lookup: the token that is replaced

    std::size_t index = 0; ///< Lookup: which of the extracted values is the key
    std::string csvPath;
    std::string keyColumn;
    std::string delimiter = ",";

    std::string script; ///< Decorate: JavaScript; ShellTransform: the command
};

/// A proxy response (mountebank.md 2.8.3-8).
struct Proxy
{
    enum class Mode { Once, Always, Transparent };

    std::string to; ///< "http://host:port", https, or tcp
    Mode mode = Mode::Once;
    json::Value predicateGenerators; ///< array, as written; null: none
    bool addWaitBehavior = false;
    std::string addDecorateBehavior; ///< JavaScript
    std::vector<std::pair<std::string, json::Value>> injectHeaders;
    bool keepAlive = false;                            ///< tcp: the connection stays
    std::string key, certificate, passphrase, ciphers; ///< the client's certificate, PEM

    bool hasScript() const; ///< a generator with `inject`
};

struct Response
{
    enum class Kind { Is, Proxy, Inject, Fault };

    Kind kind = Kind::Is;
    IsResponse is;
    Proxy proxy;
    std::string script; ///< Inject: JavaScript
    Fault fault;        ///< Kind::Fault: instead of an answer; else what spoils it
    std::vector<Behavior> behaviors;
    int repeat = 1;
    double weight = 1;      ///< used in random mode only
    bool templated = false; ///< `"template": true`: the `{{...}}` in headers and body are worked out

    bool hasScript() const; ///< JavaScript or a shell command, in it or its behaviors
};

} // namespace wardbench
