#pragma once

#include "transport/transport.h"
#include "json/jsonpath.h"

#include <string>
#include <string_view>

/// What an identifier can read of a request (reference/warden.md 1.3 and 2.2), written straight into the key. The
/// functions that append one value say whether it was there and not empty.
namespace wardbench::warden {

/// Path component of a target: no query, no fragment, "/" when empty, illegal characters percent-escaped.
void appendPath(std::string_view target, std::string &key);

/// Form-decoded value of a query parameter; a repeated one is joined by commas.
bool appendQueryValue(std::string_view target, std::string_view name, std::string &key);
/// Value of a cookie: the first of that name, without quotes, percent-decoded when it can be.
bool appendCookie(const http::Headers &headers, std::string_view name, std::string &key);
/// Value of a header field, names compared without case; a repeated one is joined by commas.
bool appendHeader(const http::Headers &headers, std::string_view name, std::string &key);

/// Whole maps as compact JSON, sorted by name so that order on the wire does not matter; a repeated name is a list.
/// Header names are lower case. `{}` when there is nothing.
void appendQueryMap(std::string_view target, std::string &key);
void appendCookieMap(const http::Headers &headers, std::string &key);
void appendHeaderMap(const http::Headers &headers, std::string &key);
/// The same without the Cookie field, which the cookie map stands for - unless that map lost something (repeated
/// cookies, pairs without '=').
void appendHeaderMapBesideCookies(const http::Headers &headers, std::string &key);

/// The body as it is when it is short, else its digest.
bool appendBody(const std::string &body, std::string &key);
/// What the path selects in a JSON body, texts as they are, joined by commas. Nothing when the body is no JSON.
bool appendBodyValue(const std::string &body, const json::JsonPath &path, std::string &key);
/// `LENGTH:HASH`, 64 bits of it.
void appendDigest(const std::string &body, std::string &key);

} // namespace wardbench::warden
