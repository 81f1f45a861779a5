#include "shell/theme.h"

#include "shell/style.h"

#include <QApplication>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <QFile>

#include <algorithm>
#include <cmath>
#include <optional>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

double linear(double channel)
{
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// Draws one SVG of resources/icons in the colour of the moment, so that a switch of palette needs no new icons.
class LineIconEngine final : public QIconEngine
{
public:
    LineIconEngine(QString name, std::optional<Theme::Role> role) : m_name(std::move(name)), m_role(role) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
        painter->drawPixmap(rect, scaledPixmap(rect.size() * ratio, mode, state, ratio));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        return scaledPixmap(size, mode, state, 1.0);
    }

    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State, qreal) override
    {
        const QColor color = colorFor(mode);
        const QString key = u"wardbench-icon/%1/%2/%3x%4"_s.arg(m_name, color.name(QColor::HexArgb)).arg(size.width()).arg(size.height());
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap))
            return pixmap;
        QFile file(u":/icons/%1.svg"_s.arg(m_name));
        if (!file.open(QIODevice::ReadOnly))
            return {};
        QByteArray svg = file.readAll();
        svg.replace("#000", color.name().toLatin1());
        QSvgRenderer renderer(svg);
        pixmap = QPixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter, QRectF(QPointF(0, 0), QSizeF(size)));
        painter.end();
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }

    QIconEngine *clone() const override { return new LineIconEngine(m_name, m_role); }

private:
    QColor colorFor(QIcon::Mode mode) const
    {
        const QPalette palette = QGuiApplication::palette();
        if (mode == QIcon::Disabled)
            return palette.color(QPalette::Disabled, QPalette::WindowText);
        return m_role ? Theme::instance().color(*m_role) : palette.color(QPalette::WindowText);
    }

    QString m_name;
    std::optional<Theme::Role> m_role;
};

} // namespace

Theme &Theme::instance()
{
    static Theme theme;
    return theme;
}

void Theme::install(QApplication &application)
{
    const QPalette system = QGuiApplication::palette();
    m_systemDark = luminance(system.color(QPalette::WindowText)) > luminance(system.color(QPalette::Window));
    application.setStyle(new Style);
    apply();
}

void Theme::setMode(Mode mode)
{
    m_mode = mode;
    apply();
}

void Theme::apply()
{
    m_dark = m_mode == Mode::Dark || (m_mode == Mode::System && m_systemDark);
    QApplication::setPalette(palette(m_dark));
    Q_EMIT changed();
}

QColor Theme::color(Role role, bool dark)
{
    switch (role) {
    case Role::Accent: return dark ? QColor(0x56b4e9) : QColor(0x0072b2);
    case Role::AccentText: return dark ? QColor(0x0b1620) : QColor(0xffffff);
    case Role::Muted: return dark ? QColor(0xa3adb8) : QColor(0x56606b);
    case Role::Line: return dark ? QColor(0x3b424a) : QColor(0xd9dee4);
    case Role::Field: return dark ? QColor(0x7c8793) : QColor(0x8a949f);
    case Role::Good: return dark ? QColor(0x4fc3a1) : QColor(0x00755a);
    case Role::Bad: return dark ? QColor(0xff8a5c) : QColor(0xb84300);
    case Role::Warn: return dark ? QColor(0xf0b429) : QColor(0x8a5a00);
    case Role::InfoBack: return dark ? QColor(0x1f3442) : QColor(0xe3f0f8);
    case Role::WarnBack: return dark ? QColor(0x3d3320) : QColor(0xfdf3dc);
    case Role::BadBack: return dark ? QColor(0x432a20) : QColor(0xfbe6dc);
    case Role::Header: return dark ? QColor(0x2a2f35) : QColor(0xf1f3f5);
    }
    return {};
}

QPalette Theme::palette(bool dark)
{
    const QColor window = dark ? QColor(0x22262b) : QColor(0xf8f9fa);
    const QColor base = dark ? QColor(0x1c1f23) : QColor(0xffffff);
    const QColor text = dark ? QColor(0xe6e9ed) : QColor(0x1b1f24);
    const QColor off = dark ? QColor(0x707b86) : QColor(0x969fa9);
    const QColor button = dark ? QColor(0x2f353c) : QColor(0xffffff);
    QPalette palette;
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::AlternateBase, dark ? QColor(0x212529) : QColor(0xf6f8f9));
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::Button, button);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, QColor(dark ? Qt::white : Qt::black));
    palette.setColor(QPalette::ToolTipBase, dark ? QColor(0x383f47) : QColor(0x2b3138));
    palette.setColor(QPalette::ToolTipText, QColor(0xf4f6f8));
    palette.setColor(QPalette::PlaceholderText, color(Role::Muted, dark));
    palette.setColor(QPalette::Highlight, color(Role::Accent, dark));
    palette.setColor(QPalette::HighlightedText, color(Role::AccentText, dark));
    palette.setColor(QPalette::Link, color(Role::Accent, dark));
    palette.setColor(QPalette::LinkVisited, color(Role::Accent, dark));
    palette.setColor(QPalette::Light, dark ? QColor(0x3b424a) : QColor(0xffffff));
    palette.setColor(QPalette::Midlight, dark ? QColor(0x333940) : QColor(0xe9ecef));
    palette.setColor(QPalette::Mid, color(Role::Line, dark));
    palette.setColor(QPalette::Dark, dark ? QColor(0x16181b) : QColor(0xb9c1c9));
    palette.setColor(QPalette::Shadow, dark ? QColor(0x0c0e10) : QColor(0x6b747d));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, off);
    palette.setColor(QPalette::Disabled, QPalette::Base, window);
    palette.setColor(QPalette::Disabled, QPalette::Button, window);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, color(Role::Line, dark));
    return palette;
}

QColor Theme::methodColor(const QString &method) const
{
    if (method == "GET"_L1 || method == "HEAD"_L1)
        return color(Role::Accent);
    if (method == "POST"_L1)
        return color(Role::Good);
    if (method == "PUT"_L1 || method == "PATCH"_L1)
        return color(Role::Warn);
    if (method == "DELETE"_L1)
        return color(Role::Bad);
    return color(Role::Muted);
}

QColor Theme::statusColor(int status) const
{
    if (status >= 500)
        return color(Role::Bad);
    if (status >= 400)
        return color(Role::Warn);
    if (status >= 300)
        return color(Role::Accent);
    return status >= 200 ? color(Role::Good) : color(Role::Muted);
}

QIcon Theme::icon(const QString &name)
{
    return QIcon(new LineIconEngine(name, {}));
}

QIcon Theme::icon(const QString &name, Role role)
{
    return QIcon(new LineIconEngine(name, role));
}

double Theme::contrast(const QColor &a, const QColor &b)
{
    const double one = luminance(a) + 0.05;
    const double two = luminance(b) + 0.05;
    return std::max(one, two) / std::min(one, two);
}

QFont Theme::monospace()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleHint(QFont::Monospace);
    font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

} // namespace wardbench
