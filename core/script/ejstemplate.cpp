#include "script/ejstemplate.h"

#include "json/writer.h"

#include <algorithm>
#include <array>
#include <optional>

namespace wardbench {
namespace {

using namespace std::string_view_literals;

/// As EJS looks for them: the first that fits.
constexpr std::array tags{"<%%"sv, "%%>"sv, "<%="sv, "<%-"sv, "<%_"sv, "<%#"sv, "<%"sv, "%>"sv, "-%>"sv, "_%>"sv};

/// Blanks before `<%_` and after `_%>` go.
std::string withoutSlurped(std::string_view text)
{
    std::string kept;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i, 3) == "<%_") {
            while (!kept.empty() && (kept.back() == ' ' || kept.back() == '\t'))
                kept.pop_back();
        }
        kept += text[i];
        if (kept.ends_with("_%>")) {
            while (i + 1 < text.size() && (text[i + 1] == ' ' || text[i + 1] == '\t'))
                ++i;
        }
    }
    return kept;
}

/// Tags, and what stands between them.
std::vector<std::string_view> pieces(std::string_view text)
{
    std::vector<std::string_view> found;
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto tag = std::find_if(tags.begin(), tags.end(),
                                      [&](std::string_view each) { return text.substr(i).starts_with(each); });
        if (tag == tags.end()) {
            ++i;
            continue;
        }
        if (i > start)
            found.push_back(text.substr(start, i - start));
        found.push_back(text.substr(i, tag->size()));
        start = i += tag->size();
    }
    if (start < text.size())
        found.push_back(text.substr(start));
    return found;
}

bool closes(std::string_view piece)
{
    return piece == "%>" || piece == "-%>" || piece == "_%>";
}

/// The name in `include name`.
std::optional<std::string> includedName(std::string_view code)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t word = code.find_first_not_of(blanks);
    if (word == std::string_view::npos || !code.substr(word).starts_with("include"))
        return std::nullopt;
    const std::size_t after = word + 7;
    const std::size_t name = code.find_first_not_of(blanks, after);
    if (name == std::string_view::npos || name == after || code[name] == '(' || code[name] == '=')
        return std::nullopt;
    return std::string(code.substr(name, code.find_first_of(blanks, name) - name));
}

/// A JavaScript string; unlike in JSON the two separators must be escaped for this engine.
std::string literal(std::string_view text)
{
    std::string quoted = json::quoted(text);
    for (const auto &[raw, escaped] : {std::pair("\u2028"sv, "\\u2028"sv), std::pair("\u2029"sv, "\\u2029"sv)}) {
        for (std::size_t at = quoted.find(raw); at != std::string::npos; at = quoted.find(raw, at))
            quoted.replace(at, raw.size(), escaped);
    }
    return quoted;
}

std::string withoutLastSemicolon(std::string_view code)
{
    const std::size_t last = code.find_last_not_of(" \t\r\n");
    std::string text(code);
    if (last != std::string_view::npos && code[last] == ';')
        text.erase(last, 1);
    return text;
}

class Compiler
{
public:
    Result<EjsTemplate> run(std::string_view text)
    {
        const std::string slurped = withoutSlurped(text);
        const std::vector<std::string_view> found = pieces(slurped);
        for (std::size_t i = 0; i < found.size(); ++i) {
            const std::string_view piece = found[i];
            if (piece.starts_with("<%") && piece.size() <= 3 && piece != "<%%" &&
                !(i + 2 < found.size() && closes(found[i + 2])))
                return fail("line " + std::to_string(m_line) + ": no \"%>\" for this \"" + std::string(piece) + "\"",
                            Error::Code::BadInput);
            scan(piece);
            m_line += static_cast<std::size_t>(std::count(piece.begin(), piece.end(), '\n'));
        }
        return std::move(m_template);
    }

private:
    enum class Mode { Text, Run, Escaped, Raw, Comment, Literal };

    void scan(std::string_view piece)
    {
        if (piece == "<%" || piece == "<%_")
            m_mode = Mode::Run;
        else if (piece == "<%=")
            m_mode = Mode::Escaped;
        else if (piece == "<%-")
            m_mode = Mode::Raw;
        else if (piece == "<%#")
            m_mode = Mode::Comment;
        else if (piece == "<%%" || piece == "%%>")
            quote(piece == "<%%" ? "<%" : "%>");
        else if (closes(piece))
            close(piece);
        else if (m_mode == Mode::Text || m_mode == Mode::Literal)
            output(piece);
        else if (m_mode != Mode::Comment)
            code(piece);
    }

    void quote(std::string_view tag)
    {
        m_mode = Mode::Literal;
        add("; __append(" + literal(tag) + ")");
    }

    void close(std::string_view tag)
    {
        if (m_mode == Mode::Literal)
            output(tag);
        m_mode = Mode::Text;
        m_dropBreak = tag != "%>";
    }

    void output(std::string_view text)
    {
        if (m_dropBreak)
            text.remove_prefix(text.starts_with("\r\n") ? 2 : text.starts_with('\n') || text.starts_with('\r') ? 1 : 0);
        m_dropBreak = false;
        if (!text.empty())
            add("; __append(" + literal(text) + ")");
    }

    void code(std::string_view text)
    {
        const std::optional<std::string> name = m_mode != Mode::Escaped ? includedName(text) : std::nullopt;
        if (name)
            return add("; __append(eval(__include(" + literal(*name) + ", __file)))");
        // the line break ends a comment
        if (m_mode == Mode::Run)
            return add("; " + std::string(text));
        const char *before = m_mode == Mode::Escaped ? "; __append(escapeFn(" : "; __append(";
        add(before + withoutLastSemicolon(text) + "\n" + (m_mode == Mode::Escaped ? "))" : ")"));
    }

    /// Statements that begin on the template's current line; a line break behind them.
    void add(const std::string &statements)
    {
        std::size_t line = m_line;
        for (const char c : statements + "\n") {
            m_template.statements += c;
            if (c == '\n')
                m_template.lines.push_back(line++);
        }
    }

    Mode m_mode = Mode::Text;
    bool m_dropBreak = false;
    std::size_t m_line = 1;
    EjsTemplate m_template;
};

} // namespace

Result<EjsTemplate> EjsTemplate::compile(std::string_view text)
{
    return Compiler().run(text.substr(text.starts_with("\ufeff") ? 3 : 0));
}

} // namespace wardbench
