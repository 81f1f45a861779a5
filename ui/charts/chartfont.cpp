#include "charts/chartfont.h"

#include <QFontDatabase>
#include <QStringList>

#include <cmath>

// Outside any namespace, as Qt asks: a static library's resources are dropped by the linker unless named.
static void initialiseFontResources()
{
    Q_INIT_RESOURCE(chartfonts);
}

namespace wardbench::charts {

namespace {

QString loadFamily()
{
    initialiseFontResources();
    const int regular = QFontDatabase::addApplicationFont(QStringLiteral(":/charts/fonts/regular.ttf"));
    QFontDatabase::addApplicationFont(QStringLiteral(":/charts/fonts/bold.ttf"));
    const QStringList families = QFontDatabase::applicationFontFamilies(regular);
    return families.isEmpty() ? QStringLiteral("Liberation Sans") : families.first();
}

} // namespace

QFont chartFont(qreal pixels, bool bold)
{
    static const QString family = loadFamily();
    QFont font(family);
    font.setPixelSize(static_cast<int>(std::lround(pixels)));
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(static_cast<QFont::StyleStrategy>(QFont::PreferAntialias | QFont::NoSubpixelAntialias));
    font.setKerning(true);
    return font;
}

} // namespace wardbench::charts
