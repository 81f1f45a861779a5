// A server with a fixed answer on one I/O thread, for wrk: prints its URL and runs until stdin closes.
// docs/HTTP.md says how the figure is taken.
#include "http/messagewriter.h"
#include "io/limits.h"
#include "server/httpserver.h"

#include <QCoreApplication>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

using namespace wardbench;

namespace {

class FixedAnswer final : public server::RequestHandler
{
public:
    void handle(const server::ExchangePtr &exchange) override
    {
        server::Outgoing answer;
        answer.head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\nDate: ";
        answer.head.append(http::dateNow());
        answer.close = exchange->wantsClose();
        answer.head.append(answer.close ? "\r\nConnection: close\r\n\r\n" : "\r\nConnection: keep-alive\r\n\r\n");
        answer.body = m_body;
        exchange->respond(std::move(answer), {});
    }

private:
    std::shared_ptr<const std::string> m_body = std::make_shared<const std::string>("item 0");
};

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    io::raiseDescriptorLimit();
    server::HttpServer server(argc > 1 ? std::atoi(argv[1]) : 1);
    const auto listening = server.listen("127.0.0.1", 0, std::make_shared<FixedAnswer>());
    if (!listening) {
        std::fprintf(stderr, "%s\n", listening.error().message.c_str());
        return 1;
    }
    std::printf("http://127.0.0.1:%u/item/0\n", listening->port);
    std::fflush(stdout);
    std::string line;
    while (std::getline(std::cin, line)) {
    }
    return 0;
}
