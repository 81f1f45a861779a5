#pragma once

#include <QString>

#include <string>
#include <string_view>

namespace wardbench {

// The two ways between the core's UTF-8 and Qt's text.

inline QString qtext(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

inline std::string utf8(const QString &text)
{
    return text.toStdString();
}

} // namespace wardbench
