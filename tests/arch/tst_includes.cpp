#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QtTest>

using namespace Qt::StringLiterals;

// The dependency rules of docs/ARCHITECTURE.md, read from the rooms' CMakeLists.txt and held against every include.
class TestIncludes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void roomsHaveNoCycle();
    void coreKeepsToItsRooms();
    void coreSeesNoScreen();
    void commandLineSeesNoScreen();
    void nothingBelowIncludesTheApplication();
    void standardHeadersComeBeforeAsio();
    void theScanFindsWhatItShould();

private:
    struct Include
    {
        QString file, included;
    };
    QList<Include> includesBelow(const QString &folder) const;
    QSet<QString> reach(const QString &room) const;

    QString m_source = QStringLiteral(WARDBENCH_SOURCE_DIR);
    QMap<QString, QStringList> m_uses;
};

void TestIncludes::initTestCase()
{
    QDirIterator rooms(m_source + u"/core"_s, {u"CMakeLists.txt"_s}, QDir::Files, QDirIterator::Subdirectories);
    static const QRegularExpression declaration(u"wardbench_room\\((\\w+)(?:\\s+USES\\s+([\\w\\s]*?))?\\s*(?:LIBRARIES[^)]*)?\\)"_s);
    while (rooms.hasNext()) {
        QFile file(rooms.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto match = declaration.match(QString::fromUtf8(file.readAll()));
        if (match.hasMatch())
            m_uses[match.captured(1)] = match.captured(2).split(QRegularExpression(u"\\s+"_s), Qt::SkipEmptyParts);
    }
    QVERIFY(m_uses.size() >= 16);
    QCOMPARE(m_uses.value(u"json"_s), QStringList{u"base"_s});
}

QSet<QString> TestIncludes::reach(const QString &room) const
{
    QSet<QString> reached;
    QStringList open{room};
    while (!open.isEmpty()) {
        const QString next = open.takeLast();
        if (!reached.contains(next)) {
            reached.insert(next);
            open += m_uses.value(next);
        }
    }
    return reached;
}

QList<TestIncludes::Include> TestIncludes::includesBelow(const QString &folder) const
{
    QList<Include> found;
    static const QRegularExpression include(u"^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]"_s, QRegularExpression::MultilineOption);
    QDirIterator files(m_source + u'/' + folder, {u"*.h"_s, u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        auto matches = include.globalMatch(QString::fromUtf8(file.readAll()));
        while (matches.hasNext())
            found.append({QDir(m_source).relativeFilePath(file.fileName()), matches.next().captured(1)});
    }
    return found;
}

void TestIncludes::roomsHaveNoCycle()
{
    for (auto room = m_uses.cbegin(); room != m_uses.cend(); ++room) {
        for (const QString &used : room.value())
            QVERIFY2(!reach(used).contains(room.key()), qPrintable(room.key() + u" and "_s + used));
    }
}

void TestIncludes::coreKeepsToItsRooms()
{
    for (const auto &[file, included] : includesBelow(u"core"_s)) {
        const QString room = file.section(u'/', 1, 1);
        const QString other = included.section(u'/', 0, 0);
        if (included.contains(u'/') && m_uses.contains(other))
            QVERIFY2(reach(room).contains(other), qPrintable(file + u" includes "_s + included));
    }
}

void TestIncludes::coreSeesNoScreen()
{
    static const QRegularExpression screen(u"^(Qt(Gui|Widgets|Charts|Svg|PrintSupport)/|Qsci/|Q(Widget|Application|GuiApplication|"
                                           "Chart|Pixmap|Image|Color|Painter|UndoStack|Action|Font|Icon)\\b)"_s);
    for (const auto &[file, included] : includesBelow(u"core"_s)) {
        QVERIFY2(!screen.match(included).hasMatch(), qPrintable(file + u" includes "_s + included));
        QVERIFY2(!included.startsWith(u"charts/"_s) && !included.startsWith(u"shell/"_s), qPrintable(file));
    }
}

void TestIncludes::commandLineSeesNoScreen()
{
    static const QRegularExpression screen(u"^(Qt(Gui|Widgets|Charts|Svg)/|Q(Widget|Application|GuiApplication|Pixmap|Image)\\b|"
                                           "(charts|shell|editors|journal|models|document|widgets)/)"_s);
    for (const auto &[file, included] : includesBelow(u"app/cli"_s)) {
        if (!file.startsWith(u"app/cli/export"_s))
            QVERIFY2(!screen.match(included).hasMatch(), qPrintable(file + u" includes "_s + included));
    }
}

void TestIncludes::nothingBelowIncludesTheApplication()
{
    for (const QString &folder : {u"core"_s, u"ui"_s}) {
        for (const auto &[file, included] : includesBelow(folder))
            QVERIFY2(!included.startsWith(u"cli/"_s), qPrintable(file + u" includes "_s + included));
    }
    for (const auto &[file, included] : includesBelow(u"ui/charts"_s)) {
        const QString folder = included.section(u'/', 0, 0);
        QVERIFY2(!QStringList({u"shell"_s, u"document"_s, u"models"_s, u"editors"_s, u"journal"_s}).contains(folder),
                 qPrintable(file + u" includes "_s + included));
    }
}

// Asio looks for what the standard library offers (aligned_alloc) before it includes any of it. Files that differ in that
// allocate in one way and free in the other.
void TestIncludes::standardHeadersComeBeforeAsio()
{
    QString last;
    for (const QString &folder : {u"core"_s, u"app"_s, u"ui"_s, u"tests"_s}) {
        for (const auto &[file, included] : includesBelow(folder)) {
            QVERIFY2(file == last || !included.startsWith(u"asio/"_s), qPrintable(file + u" includes Asio first"_s));
            last = file;
        }
    }
}

// A scan that matches nothing would pass everything: known includes must be among what it sees.
void TestIncludes::theScanFindsWhatItShould()
{
    const auto includes = includesBelow(u"core"_s);
    QVERIFY(includes.size() > 100);
    const auto sees = [&](const QString &file, const QString &included) {
        return std::any_of(includes.begin(), includes.end(),
                           [&](const Include &include) { return include.file == file && include.included == included; });
    };
    QVERIFY(sees(u"core/json/parser.h"_s, u"json/value.h"_s));
    QVERIFY(sees(u"core/mock/mockservice.h"_s, u"match/explanation.h"_s));
    QVERIFY(!reach(u"json"_s).contains(u"model"_s));
    QVERIFY(reach(u"run"_s).contains(u"base"_s));
}

QTEST_APPLESS_MAIN(TestIncludes)
#include "tst_includes.moc"
