#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench {

/// An EJS 2.7 template as JavaScript: statements that fill `__output` by way of `__append` and `escapeFn`, to be put
/// into a function. An old `<% include file %>` becomes `__append(eval(__include("file", __file)))`, so that the file
/// sees the variables of the one that includes it.
struct EjsTemplate
{
    std::string statements;
    std::vector<std::size_t> lines; ///< line of the template, from 1, for each line of the statements

    /// Errors name the line: a tag without an end.
    static Result<EjsTemplate> compile(std::string_view text);
};

} // namespace wardbench
