#include "document/edits.h"
#include "journal/journalpanel.h"
#include "shell/documentcontroller.h"
#include "shell/mainwindow.h"
#include "shell/treepanel.h"
#include "ui/shell/windowfixture.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QComboBox>
#include <QLineEdit>
#include <QMenuBar>
#include <QTimer>
#include <QTreeView>

#include <memory>

using namespace wardbench;
using namespace Qt::StringLiterals;

// What holds for the window as a whole: names, keys, colours, room.

namespace {

QString pathOf(const QWidget *widget)
{
    QStringList parts;
    for (const QWidget *w = widget; w; w = w->parentWidget())
        parts.prepend(QString::fromLatin1(w->metaObject()->className()) +
                      (w->objectName().isEmpty() ? QString() : u"#"_s + w->objectName()));
    return parts.join(u" > "_s);
}

bool insideComposite(const QWidget *widget)
{
    const QWidget *parent = widget->parentWidget();
    return parent &&
           (qobject_cast<const QComboBox *>(parent) || parent->inherits("QAbstractSpinBox") ||
            parent->inherits("QLineEdit") || parent->inherits("QTabBar") || parent->inherits("QAbstractScrollArea"));
}

QStringList unnamed(const QWidget &window)
{
    QStringList missing;
    for (const QWidget *widget : window.findChildren<QWidget *>()) {
        if (!(widget->focusPolicy() & Qt::TabFocus) || insideComposite(widget) || widget->focusProxy())
            continue;
        if (widget->isHidden() && widget->testAttribute(Qt::WA_WState_ExplicitShowHide))
            continue; // put away by itself (a button without a use now); pages in the background are looked at
        QAccessibleInterface *access = QAccessible::queryAccessibleInterface(const_cast<QWidget *>(widget));
        if (!access || access->text(QAccessible::Name).trimmed().isEmpty())
            missing << pathOf(widget);
    }
    return missing;
}

} // namespace

class TestWindowManners : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(u"QObject|connect|ambiguous"_s)); }
    void init() { m_user = std::make_unique<test::NewUser>(); }
    void everyFocusableHasAName_data();
    void everyFocusableHasAName();
    void shortcutsAreUnique();
    void menuMnemonicsAreUnique();
    void goKeysMoveTheFocus();
    void themeSwitchesLive();
    void nothingIsCutAt1024();

private:
    std::unique_ptr<test::NewUser> m_user;
};

void TestWindowManners::everyFocusableHasAName_data()
{
    QTest::addColumn<QString>("place");
    for (const char *place : {"start", "mock", "stub", "policy", "scenario", "group"})
        QTest::addRow("%s", place) << QString::fromLatin1(place);
}

void TestWindowManners::everyFocusableHasAName()
{
    QFETCH(QString, place);
    MainWindow window;
    window.show();
    if (place != u"start"_s) {
        QVERIFY(window.files()->openExample(u"demo"_s));
        if (window.document()->workspace()->policies.empty())
            QVERIFY(window.document()->edit(edits::addPolicy(*window.document()->workspace()).edit));
        const QHash<QString, json::Path> paths{{u"mock"_s, {"imposters", "0"}},
                                               {u"stub"_s, {"imposters", "0", "stubs", "0"}},
                                               {u"policy"_s, {"policies", "0"}},
                                               {u"scenario"_s, {"scenarios", "0"}}};
        if (paths.contains(place))
            window.show(paths.value(place));
    }
    const QStringList missing = unnamed(window);
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
}

void TestWindowManners::shortcutsAreUnique()
{
    MainWindow window;
    QCOMPARE(window.actions()->conflicts(), QStringList());
    QStringList keyed;
    for (const QAction *action : window.findChildren<QAction *>()) {
        if (window.actions()->all().contains(const_cast<QAction *>(action)))
            continue;
        for (const QKeySequence &sequence : action->shortcuts())
            keyed << action->text() + u' ' + sequence.toString();
    }
    // Whatever else has a key (text fields bring their own) must not take one of the window's.
    for (const QAction *mine : window.actions()->all()) {
        for (const QKeySequence &sequence : mine->shortcuts()) {
            for (const QString &other : keyed)
                QVERIFY2(!other.endsWith(u' ' + sequence.toString()) || other.contains(u"&Undo"_s), qPrintable(other));
        }
    }
    QVERIFY(window.actions()->operator[](u"runStart"_s)->shortcuts().contains(QKeySequence(Qt::Key_F5)));
    QVERIFY(window.actions()->operator[](u"sendTest"_s)->shortcuts().contains(QKeySequence(Qt::Key_F6)));
    QVERIFY(window.actions()->operator[](u"runExport"_s)->shortcuts().contains(QKeySequence(Qt::CTRL | Qt::Key_E)));
    QVERIFY(window.actions()->operator[](u"runStop"_s)->shortcuts().contains(QKeySequence(Qt::SHIFT | Qt::Key_F5)));
}

void TestWindowManners::menuMnemonicsAreUnique()
{
    MainWindow window;
    QStringList titles;
    for (const QMenu *menu : window.findChildren<QMenu *>()) {
        if (!menu->title().isEmpty() && menu->parentWidget() != &window && menu->parentWidget() != window.menuBar()) {
            QStringList letters;
            for (const QAction *item : menu->actions()) {
                const qsizetype at = item->text().indexOf(u'&');
                if (at >= 0)
                    letters << item->text().mid(at + 1, 1).toLower();
            }
            QVERIFY2(letters.removeDuplicates() == 0, qPrintable(menu->title()));
        }
    }
    const auto letterOf = [](const QString &text) {
        const qsizetype at = text.indexOf(u'&');
        return at < 0 ? QString() : text.mid(at + 1, 1).toLower();
    };
    QStringList top;
    for (const QAction *menu : window.menuBar()->actions()) {
        titles << menu->text().remove(u'&');
        QVERIFY2(!top.contains(letterOf(menu->text())), qPrintable(menu->text()));
        top << letterOf(menu->text());
        QStringList letters;
        QVERIFY2(menu->menu()->actions().size() <= 16, qPrintable(menu->text()));
        for (const QAction *item : menu->menu()->actions()) {
            if (item->isSeparator())
                continue;
            const QString letter = letterOf(item->text());
            QVERIFY2(!letter.isEmpty(), qPrintable(item->text()));
            QVERIFY2(!letters.contains(letter), qPrintable(menu->text() + u": "_s + item->text()));
            letters << letter;
        }
    }
    QCOMPARE(titles, (QStringList{u"File"_s, u"Edit"_s, u"Mock"_s, u"Run"_s, u"View"_s, u"Help"_s}));
}

void TestWindowManners::goKeysMoveTheFocus()
{
    MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.tryDemo();
    QCOMPARE(window.focusWidget(), window.tree()->view());
    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier);
    QVERIFY(window.focusWidget() != window.tree()->view());
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(qobject_cast<QLineEdit *>(window.focusWidget()));
    QTest::keyClicks(window.focusWidget(), u"order"_s);
    QTest::keyClick(window.focusWidget(), Qt::Key_Escape); // empties
    QVERIFY(qobject_cast<QLineEdit *>(window.focusWidget()));
    QTest::keyClick(window.focusWidget(), Qt::Key_Escape); // back
    QCOMPARE(window.focusWidget(), window.tree()->view());
    QTest::keyClick(&window, Qt::Key_3, Qt::ControlModifier);
    QVERIFY(window.journal()->isAncestorOf(window.focusWidget()));
}

void TestWindowManners::themeSwitchesLive()
{
    MainWindow window;
    window.show();
    window.tryDemo();
    // Qt hands a new palette to the windows only while the application's loop runs.
    QTimer::singleShot(0, &window, [&window] {
        window.actions()->operator[](u"viewTheme2"_s)->trigger();
        QTimer::singleShot(0, qApp, &QApplication::quit); // the next turn has told the windows
    });
    QApplication::exec();
    QVERIFY(Theme::instance().isDark());
    QVERIFY(window.palette().color(QPalette::Window).lightnessF() < 0.3);
    const QImage picture = window.grab().toImage();
    qint64 bright = 0;
    for (int y = 0; y < picture.height(); y += 3) {
        for (int x = 0; x < picture.width(); x += 3)
            bright += picture.pixelColor(x, y).lightnessF() > 0.9f;
    }
    // No white islands: text and the accent are all that is light.
    QVERIFY2(bright * 9 < picture.width() * picture.height() / 20, qPrintable(QString::number(bright)));
    window.actions()->operator[](u"viewTheme1"_s)->trigger();
    QVERIFY(!Theme::instance().isDark());
}

void TestWindowManners::nothingIsCutAt1024()
{
    MainWindow window;
    window.show();
    window.tryDemo();
    window.resize(1024, 700);
    QTest::qWait(50);
    QCOMPARE(window.size(), QSize(1024, 700));
    for (const json::Path &path :
         {json::Path{"imposters", "0"}, json::Path{"imposters", "0", "stubs", "0"}, json::Path{"scenarios", "0"}}) {
        window.show(path);
        QTest::qWait(20);
        for (const QAbstractButton *button : window.findChildren<QAbstractButton *>()) {
            if (button->isVisible() && !button->text().isEmpty()) {
                QVERIFY2(button->width() >= button->minimumSizeHint().width(),
                         qPrintable(u"%1: %2 < %3"_s.arg(button->text())
                                        .arg(button->width())
                                        .arg(button->minimumSizeHint().width())));
            }
        }
    }
}

static void initResources()
{
    Q_INIT_RESOURCE(icons);
}

int main(int argc, char **argv)
{
    return test::runWindowTest<TestWindowManners>(argc, argv, &initResources);
}

#include "tst_windowmanners.moc"
