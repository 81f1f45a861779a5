#include "run/csvvariables.h"

#include "base/csv.h"
#include "mock/bodysource.h"

#include <algorithm>

namespace wardbench {
namespace {

constexpr std::uint64_t largestFile = 256ULL * 1024 * 1024;

Result<std::string> contentOf(const std::string &folder, const std::string &path)
{
    const Result<mock::BodySource> source = mock::BodySource::file(folder, path);
    if (!source)
        return fail("the file \"" + path + "\" cannot be read in " + (folder.empty() ? "the current folder" : folder) +
                        "; expected a file beside the workspace or below",
                    source.error().code);
    if (source->size() > largestFile)
        return fail("the file \"" + path + "\" is larger than 256 MiB", Error::Code::BadInput);
    std::string text;
    if (!source->read(0, static_cast<std::size_t>(source->size()), text))
        return fail("the file \"" + path + "\" became shorter while it was read", Error::Code::BadInput);
    return text;
}

Result<void> load(Variable &variable, const std::string &folder)
{
    const Result<std::string> text = contentOf(folder, variable.file);
    if (!text)
        return text.error();
    CsvReader reader(*text, variable.delimiter);
    const auto head = reader.next();
    const auto column =
        head ? std::find(head->begin(), head->end(), variable.column) : std::vector<std::string>::const_iterator();
    if (!head || column == head->end()) {
        std::string names;
        for (const std::string &name : head.value_or(std::vector<std::string>()))
            names += (names.empty() ? "\"" : ", \"") + name + "\"";
        return fail("the file \"" + variable.file + "\" has no column \"" + variable.column + "\"; expected " +
                        (names.empty() ? "a first row with the columns' names" : "one of " + names),
                    Error::Code::BadInput);
    }
    const auto index = static_cast<std::size_t>(column - head->begin());
    variable.values.clear();
    while (const auto row = reader.next()) {
        if (reader.unterminated() || index >= row->size())
            return fail("the file \"" + variable.file + "\", line " + std::to_string(reader.line()) +
                            (reader.unterminated() ? ": a quote is never closed"
                                                   : ": has no field for \"" + variable.column + "\""),
                        Error::Code::BadInput);
        variable.values.push_back((*row)[index]);
    }
    if (variable.values.empty())
        return fail("the file \"" + variable.file + "\" has no rows; expected values below the first row",
                    Error::Code::BadInput);
    return {};
}

} // namespace

Result<void> loadCsvVariables(Scenario &scenario, const std::string &folder)
{
    for (Variable &variable : scenario.variables) {
        if (variable.type != Variable::Type::Csv)
            continue;
        if (const Result<void> loaded = load(variable, folder); !loaded)
            return fail("scenario \"" + scenario.name + "\": csv variable \"" + variable.name +
                            "\": " + loaded.error().message,
                        loaded.error().code);
    }
    return {};
}

} // namespace wardbench
