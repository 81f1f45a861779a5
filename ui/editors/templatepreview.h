#pragma once

#include "http/message.h"
#include "json/value.h"

#include <QString>

namespace wardbench {

/// What an answer's templates come to for one request.
struct TemplatePreview
{
    QString text;             ///< headers and body as they would be sent; empty when something is wrong
    QString problem;          ///< where and what; empty when all is well
    int line = 0, column = 0; ///< of the problem in the body's text, when it is there
};

/// Renders the headers and body of `is` as the mock would for `request`. Random values are those of the first draw;
/// counters begin at 1. Any thread.
TemplatePreview previewTemplates(const json::Value &is, const http::Request &request, bool tls);

} // namespace wardbench
