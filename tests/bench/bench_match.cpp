// Cost of finding a stub: nanoseconds for one match, by number of stubs and by what tells them apart; and of compiling.
//     bench_match [STUBS]
// One thread; the request asks for the last stub unless said otherwise. Figures and method: docs/MATCHING.md.

#include "match/compiledimposter.h"
#include "support/predicates.h"
#include "json/parser.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

using namespace wardbench;

namespace {

using SteadyTime = std::chrono::steady_clock;

double nanosecondsSince(SteadyTime::time_point begun)
{
    return std::chrono::duration<double, std::nano>(SteadyTime::now() - begun).count();
}

std::vector<StubPtr> stubsOf(std::size_t count, const std::function<std::string(std::size_t)> &predicate)
{
    std::vector<StubPtr> stubs;
    for (std::size_t i = 1; i <= count; ++i) {
        const auto parsed = json::parse(predicate(i));
        const auto stub = std::make_shared<Stub>();
        stub->id = i;
        stub->source = std::get<json::Value>(parsed);
        for (const json::Value &one : stub->source.items())
            stub->predicates.push_back(test::predicateFromJson(one));
        stubs.push_back(stub);
    }
    return stubs;
}

double perMatch(const std::function<std::size_t()> &match, std::size_t expected)
{
    double best = 1e18;
    std::size_t rounds = 1;
    for (int repetition = 0; repetition < 7; ++repetition) {
        const auto begun = SteadyTime::now();
        for (std::size_t i = 0; i < rounds; ++i) {
            if (match() != expected) {
                std::fprintf(stderr, "wrong stub\n");
                std::exit(1);
            }
        }
        const double each = nanosecondsSince(begun) / static_cast<double>(rounds);
        if (repetition > 0)
            best = std::min(best, each);
        rounds = std::max<std::size_t>(3, static_cast<std::size_t>(2e7 / (each + 1)));
    }
    return best;
}

void line(const char *name, std::size_t count, const std::function<std::string(std::size_t)> &predicate,
          const http::Request &request, bool matches = true)
{
    const std::string client = "127.0.0.1:50000";
    const std::vector<StubPtr> stubs = stubsOf(count, predicate);
    const auto begun = SteadyTime::now();
    const auto compiled = CompiledStubs::compile(stubs);
    const double compile = nanosecondsSince(begun) / 1e6;

    std::vector<StubPtr> edited = stubs;
    auto changed = std::make_shared<Stub>(*stubs[count / 2]);
    changed->enabled = false;
    changed->source = json::Value::object();
    edited[count / 2] = changed;
    const auto editBegun = SteadyTime::now();
    const auto recompiled = CompiledStubs::compile(edited, compiled);
    const double recompile = nanosecondsSince(editBegun) / 1e6;

    const std::size_t expected = matches ? count - 1 : CompiledStubs::none;
    const double match = perMatch([&] { return compiled->match(request, client); }, expected);
    const double scan = perMatch([&] { return compiled->matchByScan(request, client); }, expected);
    const auto explainBegun = SteadyTime::now();
    compiled->explain(request, client);
    const double explain = nanosecondsSince(explainBegun) / 1e6;
    std::printf(
        "%-14s %7zu stubs  match %9.0f ns  scan %11.0f ns  compile %8.2f ms  one edit %7.2f ms  explain %6.2f ms\n",
        name, count, match, scan, compile, recompile, explain);
    std::fflush(stdout);
}

std::string number(std::size_t i)
{
    return std::to_string(i);
}

} // namespace

int main(int argc, char **argv)
{
    const std::size_t most = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000;
    const http::Headers json{{"Host", "mock"}, {"Content-Type", "application/json"}};
    const auto get = [](const std::string &target) {
        return test::requestFor("GET", target, {{"Host", "mock"}, {"Accept", "*/*"}});
    };
    const auto path = [](std::size_t i) {
        return R"([{"equals": {"path": "/item/)" + number(i) + "\"}}]";
    };
    const auto regex = [](std::size_t i) {
        return R"([{"matches": {"path": "^/r/part)" + number(i) + R"(/[a-zA-Z0-9]+$"}}])";
    };
    for (const std::size_t count : {std::size_t(1), std::size_t(10), std::size_t(1'000), most})
        line("exact path", count, path, get("/item/" + number(count)));
    line("no match", most, path, get("/nowhere"), false);
    for (const std::size_t count : {std::size_t(1), std::size_t(10), std::size_t(310), std::size_t(1'000), most})
        line("path regex", count, regex, get("/r/part" + number(count) + "/abc9"));
    constexpr std::size_t n = 100;
    const std::string last = number(n);
    line(
        "prefix", n, [](std::size_t i) { return R"([{"startsWith": {"path": "/p/part)" + number(i) + "/\"}}]"; },
        get("/p/part" + last + "/deep/er"));
    line(
        "header", n,
        [](std::size_t i) { return R"([{"equals": {"path": "/h", "headers": {"X-Route": "r)" + number(i) + "\"}}}]"; },
        test::requestFor("GET", "/h", {{"Host", "mock"}, {"X-Route", "r" + last}}));
    line(
        "query", n,
        [](std::size_t i) {
            return R"([{"equals": {"path": "/q", "query": {"page": ")" + number(i) + R"(", "size": "10"}}}])";
        },
        get("/q?page=" + last + "&size=10"));
    line(
        "body field", n,
        [](std::size_t i) {
            return R"([{"equals": {"method": "POST", "path": "/orders", "body": {"order": "o-)" + number(i) +
                   R"(", "via": "web"}}}])";
        },
        test::requestFor("POST", "/orders", json, R"({"order":"o-)" + last + R"(","via":"web"})"));
    line(
        "deepEquals", n,
        [](std::size_t i) {
            return R"([{"deepEquals": {"body": {"order": {"id": )" + number(i) + R"(, "lines": [{"sku": "s)" +
                   number(i) + R"("}]}}}}])";
        },
        test::requestFor("POST", "/", json,
                         R"({"order":{"id":)" + last + R"(,"lines":[{"sku":"s)" + last + R"("}]}})"));
    line(
        "body regex", n, [](std::size_t i) { return R"([{"matches": {"body": "ticket-)" + number(i) + R"(\\b"}}])"; },
        test::requestFor("POST", "/", {{"Host", "mock"}}, "see ticket-" + last + " today"));
    line(
        "jsonpath", n,
        [](std::size_t i) {
            return R"([{"equals": {"path": "/people"}}, {"equals": {"body": ")" + number(i) +
                   R"("}, "jsonpath": {"selector": "$.user.id"}}])";
        },
        test::requestFor("POST", "/people", json, R"({"user":{"id":)" + last + R"(,"name":"n"}})"));
    line(
        "xpath", n,
        [](std::size_t i) {
            return R"([{"equals": {"path": "/xml"}}, {"equals": {"body": "t)" + number(i) +
                   R"("}, "xpath": {"selector": "//item/title"}}])";
        },
        test::requestFor("POST", "/xml", {{"Host", "mock"}}, "<list><item><title>t" + last + "</title></item></list>"));
    line(
        "except", n,
        [](std::size_t i) {
            return R"([{"equals": {"path": "/item/)" + number(i) + R"("}, "except": "/rev-[0-9]+$"}])";
        },
        get("/item/" + last + "/rev-12"));
    return 0;
}
