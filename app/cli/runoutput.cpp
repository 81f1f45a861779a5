#include "cli/runoutput.h"

#include "codec/workspacefile.h"
#include "report/exports.h"
#include "report/runfile.h"
#include "report/text.h"

#include <filesystem>
#include <ostream>

namespace wardbench::cli {
namespace {

std::string wardenLists(const std::vector<RunResult> &results)
{
    std::string text;
    for (const RunResult &result : results)
        text += report::wardenJson(result);
    return text;
}

} // namespace

RunOutput::RunOutput(const RunOptions &options, std::ostream &out, std::ostream &err)
    : m_options(options), m_out(out), m_err(err)
{
}

Result<void> RunOutput::prepare()
{
    if (m_options.out.empty())
        return {};
    std::error_code failure;
    std::filesystem::create_directories(m_options.out, failure);
    if (failure)
        return fail(m_options.out + ": the folder cannot be made: " + failure.message());
    return {};
}

std::string RunOutput::pathOf(const std::string &name) const
{
    return m_options.out == "." ? name : (std::filesystem::path(m_options.out) / name).string();
}

// Two names may give one slug: the second one gets a number.
std::string RunOutput::uniqueStem(const RunResult &result)
{
    const std::string slug = report::slug(result.scenario);
    std::string stem = slug;
    for (int number = 2; !m_usedStems.insert(stem).second; ++number)
        stem = slug + "-" + std::to_string(number);
    return stem;
}

Result<void> RunOutput::write(const std::string &name, const std::string &text) const
{
    return codec::writeFileAtomically(pathOf(name), text);
}

Result<void> RunOutput::add(const RunResult &result, const std::string &kept)
{
    const std::string stem = uniqueStem(result);
    const bool toFolder = !m_options.out.empty();
    std::string text = report::table(result);
    const std::string saved = toFolder ? pathOf(stem + ".wbrun") : kept;
    if (!saved.empty())
        text += "saved   " + saved + "\n";
    if (!result.again.empty())
        text += "again   " + result.again + "\n";
    if (m_options.wants(RunFormat::Table))
        m_out << (m_results.empty() ? "" : "\n\n") << text << std::flush;
    else if (!m_options.quiet && !saved.empty())
        m_err << "saved   " << saved << std::endl;
    m_results.push_back(result);
    m_stems.push_back(stem);
    if (!toFolder)
        return {};
    if (Result<void> written = write(stem + ".wbrun", report::encodeRun(result)); !written)
        return written;
    if (m_options.formatsGiven && m_options.wants(RunFormat::Table))
        return write(stem + ".txt", text);
    return {};
}

Result<void> RunOutput::finish()
{
    if (m_results.empty())
        return {};
    if (m_options.out.empty()) {
        for (const RunFormat format : m_options.formats) {
            switch (format) {
            case RunFormat::Table:
                break; // printed as it came
            case RunFormat::Markdown:
                m_out << report::markdown(m_results);
                break;
            case RunFormat::Json:
                m_out << report::json(m_results);
                break;
            case RunFormat::Csv:
                m_out << report::csv(m_results);
                break;
            case RunFormat::Warden:
                m_out << wardenLists(m_results);
                break;
            case RunFormat::JUnit:
                m_out << report::junitXml(m_results);
                break;
            }
        }
        m_out << std::flush;
        return {};
    }
    for (std::size_t i = 0; i < m_results.size() && m_options.wants(RunFormat::Warden); ++i) {
        if (Result<void> written = write(m_stems[i] + ".warden.json", report::wardenJson(m_results[i])); !written)
            return written;
    }
    const std::vector<std::pair<RunFormat, std::string>> together{{RunFormat::Markdown, "results.md"},
                                                                  {RunFormat::Json, "results.json"},
                                                                  {RunFormat::Csv, "results.csv"},
                                                                  {RunFormat::JUnit, "results.xml"}};
    for (const auto &[format, name] : together) {
        if (!m_options.wants(format))
            continue;
        const std::string text = format == RunFormat::Markdown ? report::markdown(m_results)
                                 : format == RunFormat::Json   ? report::json(m_results)
                                 : format == RunFormat::Csv    ? report::csv(m_results)
                                                               : report::junitXml(m_results);
        if (Result<void> written = write(name, text); !written)
            return written;
    }
    return {};
}

} // namespace wardbench::cli
