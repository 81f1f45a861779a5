#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace wardbench::test {

inline std::string readFile(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace wardbench::test
