#include "admin/page.h"

#include "base/markup.h"
#include "json/writer.h"

namespace wardbench::admin {
namespace {

std::string escaped(std::string_view text)
{
    return escapedMarkup(text, "&<>\"");
}

void addLinks(const json::Value &json, std::string &out)
{
    for (const json::Member &member : json["_links"].members()) {
        const std::string address = escaped(member.second["href"].text());
        out += "<li><a href=\"" + address + "\">" + escaped(member.first) + "</a></li>\n";
    }
    for (const json::Value &imposter : json["imposters"].items()) {
        const std::string address = escaped(imposter["_links"]["self"]["href"].text());
        const std::string name = imposter["name"].text();
        out += "<li><a href=\"" + address + "\">" +
               escaped(imposter["protocol"].text() + ' ' + imposter["port"].text()) +
               (name.empty() ? "" : ' ' + escaped(name)) + "</a></li>\n";
    }
}

std::string document(std::string_view title, const std::string &body)
{
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + escaped(title) +
           "</title>\n</head>\n<body>\n" + body + "</body>\n</html>\n";
}

} // namespace

std::string htmlPage(std::string_view title, const json::Value &json)
{
    std::string links;
    addLinks(json, links);
    std::string body = "<h1>" + escaped(title) + "</h1>\n";
    if (!links.empty())
        body += "<ul>\n" + links + "</ul>\n";
    return document(title, body + "<pre>" + escaped(json::writePretty(json, 2)) + "</pre>\n");
}

std::string notFoundPage(std::string_view method, std::string_view path)
{
    return document("Error", "<pre>Cannot " + escaped(method) + ' ' + escaped(path) + "</pre>\n");
}

} // namespace wardbench::admin
