#pragma once

#include <QColor>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <QString>

class QApplication;

namespace wardbench {

/// Colours and icons of the window: Qt's Fusion with our own light and dark palettes. One per process.
class Theme : public QObject
{
    Q_OBJECT

public:
    enum class Mode { System, Light, Dark };
    enum class Role {
        Accent, ///< the one accent
        AccentText, ///< text on it
        Muted, ///< secondary text
        Line, ///< hairlines between areas
        Field, ///< border of fields and buttons
        Good, ///< running, valid, holds (always with a word or a shape)
        Bad, ///< failed, invalid
        Warn,
        InfoBack, ///< message bars
        WarnBack,
        BadBack,
        Header ///< area behind tool bar, tabs and list heads
    };

    static Theme &instance();

    /// Style, palette and fonts of the application; call once, before the first widget.
    void install(QApplication &application);
    void setMode(Mode mode);
    Mode mode() const { return m_mode; }
    bool isDark() const { return m_dark; }

    QColor color(Role role) const { return color(role, m_dark); }
    static QColor color(Role role, bool dark);
    static QPalette palette(bool dark);
    /// Text colour of an HTTP method, a status code (its class).
    QColor methodColor(const QString &method) const;
    QColor statusColor(int status) const;

    /// A line icon of resources/icons in the current text colour; follows the palette by itself.
    static QIcon icon(const QString &name);
    /// The same in a fixed role's colour.
    static QIcon icon(const QString &name, Role role);
    /// WCAG contrast ratio, 1..21.
    static double contrast(const QColor &a, const QColor &b);
    /// Tabular figures and code.
    static QFont monospace();

Q_SIGNALS:
    void changed();

private:
    Theme() = default;
    void apply();

    Mode m_mode = Mode::System;
    bool m_dark = false;
    bool m_systemDark = false;
};

} // namespace wardbench
