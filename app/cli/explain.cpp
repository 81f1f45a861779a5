#include "cli/explain.h"

#include "admin/explanationjson.h"
#include "cli/filecheck.h"
#include "cli/nameglob.h"
#include "cli/usage.h"
#include "codec/filecontent.h"
#include "match/compiledimposter.h"
#include "json/parser.h"

#include <algorithm>
#include <ostream>

namespace wardbench::cli {
namespace {

constexpr std::size_t longestRequest = 64u << 20;

/// "POST /orders" as JSON; null when the text is no such line.
json::Value requestLine(const QString &text)
{
    const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
    const bool isLine = words.size() == 2 && words[1].startsWith(u'/');
    if (!isLine)
        return {};
    return json::Members{{"method", words[0].toStdString()}, {"path", words[1].toStdString()}};
}

Result<json::Value> requestFile(const QString &path)
{
    const auto content = codec::readContent(fileName(path), longestRequest);
    if (!content)
        return content.error();
    const json::ParseResult parsed = json::parse(content->bytes);
    if (const auto *error = std::get_if<json::ParseError>(&parsed))
        return fail(path.toStdString() + ':' + std::to_string(error->position.line) + ':' +
                    std::to_string(error->position.column) + ": " + error->message);
    return std::get<json::Value>(parsed);
}

std::string words(const json::Value &stub)
{
    std::string text =
        "  stub " + std::to_string(stub["index"].toInteger().value_or(0) + 1) + " \"" + stub["name"].text() + "\"";
    if (stub["matched"].toBool())
        return text + ": matches\n";
    text += ": " + stub["holding"].text() + " of " + stub["total"].text() + " conditions hold";
    if (const json::Value *failed = stub.find("failed"))
        text += "; not " + (*failed)["expected"].text() + ", got " + (*failed)["got"].text();
    return text + '\n';
}

void write(const Imposter &imposter, const admin::AskedRequest &asked, std::ostream &out)
{
    const json::Value json =
        admin::explanationJson(wardbench::explain(imposter, asked.request, asked.client), imposter);
    const json::Value &answering = json["answeredBy"];
    out << imposter.displayName() << ": " << asked.request.method << (asked.request.target.empty() ? "" : " ")
        << asked.request.target << " is answered by "
        << (answering.isNull() ? std::string("the default response")
                               : "stub " + std::to_string(answering["index"].toInteger().value_or(0) + 1) + " \"" +
                                     answering["name"].text() + '"')
        << '\n';
    for (const json::Value &stub : json["stubs"].items())
        out << words(stub);
}

} // namespace

int explain(const QString &request, const std::vector<std::string> &files, const std::vector<std::string> &only,
            const Streams &streams)
{
    json::Value json = requestLine(request);
    if (json.isNull()) {
        auto read = requestFile(request);
        if (!read) {
            streams.err << "error: " << read.error().message << std::endl;
            return Failed;
        }
        json = std::move(*read);
    }
    for (const std::string &path : files) {
        const auto file = checkedFile(path);
        if (!file || !file->workspace) {
            streams.err << "error: " << (file ? path + ": not JSON" : file.error().message) << std::endl;
            return Failed;
        }
        for (const ImposterPtr &imposter : file->workspace->imposters) {
            const std::string name = imposter->displayName();
            if (!only.empty() &&
                std::none_of(only.begin(), only.end(), [&](const std::string &glob) { return fitsGlob(glob, name); }))
                continue;
            const auto asked = admin::requestOf(json, *imposter);
            if (!asked) {
                streams.err << "error: " << asked.error().message << std::endl;
                return Failed;
            }
            write(*imposter, *asked, streams.out);
        }
    }
    streams.out << std::flush;
    return Done;
}

} // namespace wardbench::cli
