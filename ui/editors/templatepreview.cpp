#include "editors/templatepreview.h"

#include "editors/jsonfields.h"
#include "mock/requestscope.h"
#include "widgets/text.h"
#include "json/writer.h"

#include <QRegularExpression>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype shownLength = 64 * 1024;

/// The problem's place, when it lies in a body of text: messages carry it in words.
void locate(TemplatePreview &preview, const json::Value &is)
{
    if (!is["body"].isString() || mock::Template::compile(is["body"].text()))
        return;
    static const QRegularExpression place(u"line (\\d+), column (\\d+)"_s);
    const QRegularExpressionMatch match = place.match(preview.problem);
    if (match.hasMatch()) {
        preview.line = match.captured(1).toInt();
        preview.column = match.captured(2).toInt();
    }
}

} // namespace

TemplatePreview previewTemplates(const json::Value &is, const http::Request &request, bool tls)
{
    TemplatePreview preview;
    asio::io_context loop;
    mock::AnswerServices services;
    services.tls = tls;
    const std::string client = "127.0.0.1:50000";
    mock::AnswerContext context(request, client, loop, services);
    context.answer = is;
    const Result<json::Value> rendered = mock::renderTemplates(is, context);
    if (!rendered) {
        preview.problem = qtext(rendered.error().message);
        locate(preview, is);
        return preview;
    }
    for (const auto &[name, value] : (*rendered)["headers"].members()) {
        const json::Array one{value};
        for (const json::Value &text : value.isArray() ? value.items() : one)
            preview.text += u"%1: %2\n"_s.arg(qtext(name), scalarText(text));
    }
    const json::Value &body = (*rendered)["body"];
    if (!preview.text.isEmpty() && !body.isNull())
        preview.text += u'\n';
    preview.text += body.isString() || body.isNull() ? qtext(body.text()) : qtext(json::writePretty(body, 4));
    if (preview.text.size() > shownLength)
        preview.text = preview.text.left(shownLength) + u"\u2026"_s;
    return preview;
}

} // namespace wardbench
