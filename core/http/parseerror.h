#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wardbench::http {

/// Why a message was refused. `reason` is one of our own fixed texts, never a piece of the message.
struct ParseError
{
    int status = 0; ///< for the answer: 400, 413, 414, 417, 431, 501, 505; 0: no error
    std::string_view reason;
    std::uint64_t offset = 0; ///< bytes from the start of the message to where it was found

    explicit operator bool() const { return status != 0; }
};

/// Sizes beyond which a message is refused (bytes, line ends included, unless said otherwise).
struct ParserLimits
{
    std::size_t requestLine = 16 * 1024;      ///< 414
    std::size_t head = 64 * 1024;             ///< request line and fields: 431; a trailer section has the same again
    std::size_t fields = 256;                 ///< number of header fields: 431
    std::size_t method = 64;                  ///< 501
    std::size_t emptyLines = 8;               ///< before a request line: 400
    std::uint64_t body = 64ull * 1024 * 1024; ///< after the transfer coding: 413
    std::size_t chunkExtensions = 16 * 1024;  ///< of one message: 400
    std::uint64_t chunkFraming = 100'000;     ///< more than this, and over 80 % of what came: 400
};

} // namespace wardbench::http
