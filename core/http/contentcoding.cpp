#include "http/contentcoding.h"

#include "http/message.h"

#include <algorithm>
#include <limits>

#include <zlib.h>

namespace wardbench::http {

namespace {

constexpr int gzipWindow = 15 + 16;
constexpr int zlibWindow = 15;
constexpr int rawWindow = -15;

/// Frees zlib's state on every way out.
struct Inflater
{
    z_stream stream{};
    bool ready = false;
    explicit Inflater(int window) { ready = inflateInit2(&stream, window) == Z_OK; }
    ~Inflater()
    {
        if (ready)
            inflateEnd(&stream);
    }
    Inflater(const Inflater &) = delete;
    Inflater &operator=(const Inflater &) = delete;
};

void giveInput(z_stream &stream, std::string_view &data)
{
    const auto size = static_cast<uInt>(std::min<std::size_t>(data.size(), std::numeric_limits<uInt>::max()));
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(data.data()));
    stream.avail_in = size;
    data.remove_prefix(size);
}

Result<std::string> inflateAll(std::string_view data, int window, std::size_t limit, std::string_view coding)
{
    const auto broken = [coding](const char *what) {
        return fail(std::string(coding) + " body: " + what, Error::Code::BadInput);
    };
    Inflater inflater(window);
    if (!inflater.ready)
        return fail("out of memory while decoding a body");
    std::string out;
    char block[16 * 1024];
    z_stream &stream = inflater.stream;
    for (;;) {
        if (stream.avail_in == 0)
            giveInput(stream, data);
        stream.next_out = reinterpret_cast<Bytef *>(block);
        stream.avail_out = sizeof block;
        const int code = inflate(&stream, Z_NO_FLUSH);
        const std::size_t made = sizeof block - stream.avail_out;
        if (made > limit - out.size())
            return fail(std::string(coding) + " body is larger than " + std::to_string(limit) + " bytes when decoded",
                        Error::Code::TooLarge);
        out.append(block, made);
        const bool inputLeft = stream.avail_in > 0 || !data.empty();
        if (code == Z_STREAM_END) {
            if (!inputLeft)
                return out;
            // gzip allows several members one after the other (RFC 1952 section 2.2).
            if (window != gzipWindow || inflateReset(&stream) != Z_OK)
                return broken("bytes after its end");
        } else if (code != Z_OK) {
            return broken(code == Z_BUF_ERROR ? "ends too early" : "not valid");
        }
    }
}

} // namespace

Result<std::string> decodeContent(std::string_view coding, std::string_view data, std::size_t limit)
{
    if (coding.empty() || equalsIgnoringCase(coding, "identity")) {
        if (data.size() > limit)
            return fail("body is larger than " + std::to_string(limit) + " bytes", Error::Code::TooLarge);
        return std::string(data);
    }
    if (equalsIgnoringCase(coding, "gzip") || equalsIgnoringCase(coding, "x-gzip"))
        return inflateAll(data, gzipWindow, limit, coding);
    if (equalsIgnoringCase(coding, "deflate")) {
        // Clients send both the zlib form the RFC names and the bare one; the first byte tells them apart.
        const bool wrapped = !data.empty() && (static_cast<unsigned char>(data[0]) & 0x0f) == Z_DEFLATED;
        return inflateAll(data, wrapped ? zlibWindow : rawWindow, limit, coding);
    }
    return fail("content coding \"" + std::string(coding) + "\" is not one of gzip, deflate, identity",
                Error::Code::BadInput);
}

std::string gzip(std::string_view data)
{
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return {};
    std::string out;
    char block[16 * 1024];
    int code = Z_OK;
    while (code == Z_OK) {
        if (stream.avail_in == 0)
            giveInput(stream, data);
        stream.next_out = reinterpret_cast<Bytef *>(block);
        stream.avail_out = sizeof block;
        code = deflate(&stream, data.empty() ? Z_FINISH : Z_NO_FLUSH);
        out.append(block, sizeof block - stream.avail_out);
    }
    deflateEnd(&stream);
    return out;
}

} // namespace wardbench::http
