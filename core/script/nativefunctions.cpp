#include "script/nativefunctions.h"

#include "match/text.h"
#include "script/environment.h"
#include "script/scriptcheck.h"

#include <QDateTime>
#include <QStringEncoder>
#include <QTimeZone>

#include <algorithm>
#include <cmath>

namespace wardbench {
namespace {

/// Node stops at the first character that is no hexadecimal digit.
QByteArray fromHex(const QString &text)
{
    const QByteArray digits = text.toLatin1();
    const auto good = std::find_if_not(digits.begin(), digits.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    });
    return QByteArray::fromHex(digits.left((good - digits.begin()) / 2 * 2));
}

/// Node takes both alphabets, and passes over what belongs to none up to the first "=".
QByteArray fromBase64(const QString &text)
{
    QByteArray letters;
    for (const QChar c : text) {
        if (c == u'=')
            break;
        const char letter = c == u'-' ? '+' : c == u'_' ? '/' : c.unicode() < 128 ? c.toLatin1() : ' ';
        if (std::isalnum(static_cast<unsigned char>(letter)) || letter == '+' || letter == '/')
            letters += letter;
    }
    if (letters.size() % 4 == 1)
        letters.chop(1);
    return QByteArray::fromBase64(letters);
}

QByteArray toLatin1(const QString &text)
{
    QByteArray bytes;
    bytes.reserve(text.size());
    for (const QChar c : text)
        bytes += static_cast<char>(c.unicode() & 0xff);
    return bytes;
}

/// Lone surrogates become U+FFFD.
QByteArray toUtf8(const QString &text)
{
    if (text.isValidUtf16())
        return text.toUtf8();
    QString valid = text;
    for (qsizetype i = 0; i < valid.size(); ++i) {
        if (valid[i].isHighSurrogate() && i + 1 < valid.size() && valid[i + 1].isLowSurrogate())
            ++i;
        else if (valid[i].isSurrogate())
            valid[i] = QChar::ReplacementCharacter;
    }
    return valid.toUtf8();
}

} // namespace

void NativeFunctions::log(const QString &level, const QString &text)
{
    if (!m_environment.m_options.log)
        return;
    const ScriptLogLevel known = level == QLatin1String("error")   ? ScriptLogLevel::Error
                                 : level == QLatin1String("warn")  ? ScriptLogLevel::Warning
                                 : level == QLatin1String("debug") ? ScriptLogLevel::Debug
                                                                   : ScriptLogLevel::Info;
    m_environment.m_options.log(known, toUtf8(text).toStdString());
}

void NativeFunctions::later(int timer, double milliseconds)
{
    const auto wait = std::chrono::duration<double, std::milli>(milliseconds);
    m_environment.m_timers.emplace(std::chrono::steady_clock::now() + std::chrono::duration_cast<Nanoseconds>(wait),
                                   timer);
}

void NativeFunctions::answer(double call, bool succeeded, const QString &text)
{
    if (m_environment.m_options.answer)
        m_environment.m_options.answer(static_cast<std::uint32_t>(call), succeeded, toUtf8(text).toStdString());
}

QString NativeFunctions::regexProblem(const QString &pattern, const QString &flags)
{
    return toQString(wardbench::regexProblem(pattern.toStdString(), flags.toStdString()));
}

QString NativeFunctions::zoneName(double time)
{
    const QTimeZone zone = QTimeZone::systemTimeZone();
    if (zone.id().contains("UTC") || !zone.isValid())
        return QStringLiteral("Coordinated Universal Time");
    const QDateTime moment = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(time), zone);
    return zone.displayName(moment, QTimeZone::LongName, QLocale::c());
}

QByteArray NativeFunctions::encode(const QString &text, const QString &encoding)
{
    if (encoding == QLatin1String("hex"))
        return fromHex(text);
    if (encoding.startsWith(QLatin1String("base64")))
        return fromBase64(text);
    if (encoding == QLatin1String("latin1") || encoding == QLatin1String("ascii"))
        return toLatin1(text);
    if (encoding == QLatin1String("utf16le"))
        return QByteArray(reinterpret_cast<const char *>(text.utf16()), text.size() * 2);
    return toUtf8(text);
}

QString NativeFunctions::decode(const QByteArray &bytes, double offset, double length, const QString &encoding)
{
    QByteArray part = bytes.mid(static_cast<qsizetype>(offset), static_cast<qsizetype>(length));
    if (encoding == QLatin1String("hex"))
        return QString::fromLatin1(part.toHex());
    if (encoding == QLatin1String("base64"))
        return QString::fromLatin1(part.toBase64());
    if (encoding == QLatin1String("base64url"))
        return QString::fromLatin1(part.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals));
    if (encoding == QLatin1String("latin1"))
        return QString::fromLatin1(part);
    if (encoding == QLatin1String("ascii")) {
        for (char &c : part)
            c = static_cast<char>(c & 0x7f);
        return QString::fromLatin1(part);
    }
    if (encoding == QLatin1String("utf16le"))
        return QString::fromUtf16(reinterpret_cast<const char16_t *>(part.constData()), part.size() / 2);
    return QString::fromStdU16String(
        toUtf16(std::string_view(part.constData(), static_cast<std::size_t>(part.size()))));
}

} // namespace wardbench
