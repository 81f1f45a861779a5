// Heads per second and core of the request parser, http::Request filled: an 80-byte GET, nine headers in 450 bytes, and
// the first of them delivered byte by byte. `bench_parser COUNT` runs a fixed count, for instruction counts.
#include "http/requestparser.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

using namespace wardbench;

namespace {

const std::string shortHead = "GET /item/9999 HTTP/1.1\r\nHost: 127.0.0.1:4545\r\nUser-Agent: x\r\nAccept: */*\r\n\r\n";

const std::string longHead = "GET /wp-content/uploads/2010/03/hello-kitty-darth-vader-pink.jpg HTTP/1.1\r\n"
                             "Host: www.kittyhell.example\r\n"
                             "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0 \r\n"
                             "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
                             "Accept-Language: en-us,en;q=0.5\r\n"
                             "Accept-Encoding: gzip,deflate\r\n"
                             "Accept-Charset: utf-8;q=0.7,*;q=0.7\r\n"
                             "Keep-Alive: 115\r\n"
                             "Connection: keep-alive\r\n"
                             "Cookie: wp_ozh_wsa_visits=2\r\n\r\n";

/// Processor time of this thread: other programs on the machine do not count.
double processorSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

void measure(const char *name, const std::string &head, std::size_t piece, std::uint64_t count)
{
    http::RequestParser parser;
    const double start = processorSeconds();
    std::uint64_t fields = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        for (std::size_t at = 0; at < head.size(); at += piece)
            parser.feed(std::string_view(head).substr(at, piece));
        if (parser.state() != http::RequestParser::State::Complete) {
            std::fprintf(stderr, "%s: not complete\n", name);
            std::exit(1);
        }
        fields += parser.request().headers.size();
        parser.next();
    }
    const double took = processorSeconds() - start;
    const auto heads = static_cast<double>(count);
    std::printf("%-28s %4zu bytes %10.0f heads/s %8.1f MB/s %3.0f fields\n", name, head.size(), heads / took,
                heads * static_cast<double>(head.size()) / took / 1e6, static_cast<double>(fields) / heads);
}

} // namespace

int main(int argc, char **argv)
{
    const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2'000'000;
    measure("short GET", shortHead, shortHead.size(), count);
    measure("nine headers", longHead, longHead.size(), count);
    measure("short GET byte by byte", shortHead, 1, count / 4);
    return 0;
}
