#include "shell/documentcontroller.h"
#include "shell/mainwindow.h"
#include "ui/shell/windowfixture.h"
#include "widgets/messagearea.h"

#include <QAction>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTcpServer>

#include <memory>

using namespace wardbench;
using namespace Qt::StringLiterals;

// A workspace's scripts run after the person agreed, and not before. Recording and REST by the window's actions.

namespace {

/// A workspace of one mock; ' stands for ".
QByteArray workspace(const char *name, const char *stubs)
{
    const QByteArray text = QByteArray("{'format':'wardbench/1','imposters':[{'protocol':'http','name':'") + name +
                            "','stubs':[" + stubs + "]}]}";
    return QByteArray(text).replace('\'', '"');
}

const QByteArray plain = workspace("plain", "{'name':'hello','responses':[{'is':{'body':'hi'}}]}");
const QByteArray javascript =
    workspace("scripted", "{'responses':[{'inject':'function (config) { return { statusCode: 202 }; }'}]}");
const QByteArray shell =
    workspace("shell", "{'responses':[{'is':{'body':'x'},'behaviors':[{'shellTransform':'sed s/x/y/'}]}]},"
                       "{'enabled':false,'responses':[{'is':{},'behaviors':[{'shellTransform':'never'}]}]}");
const QByteArray proxy = workspace("gate", "{'responses':[{'proxy':{'to':'http://127.0.0.1:1'}}]}");

} // namespace

class TestScriptConsent : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void neverAskedWithoutScripts();
    void allowedForTheSession();
    void rememberedForTheFile();
    void shellCommandsAreNamed();
    void askedWhenAScriptComes();
    void recordAction();
    void restAction();

private:
    QString written(const QString &name, const QByteArray &text) const
    {
        QFile file(m_user->file(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write a test file");
        return file.fileName();
    }
    void press(const QString &text)
    {
        for (QPushButton *button : m_window->messages()->findChildren<QPushButton *>()) {
            if (button->text() == text && button->isVisible()) {
                button->click();
                return;
            }
        }
        QFAIL(qPrintable(u"no button \"%1\""_s.arg(text)));
    }
    QString question() const { return m_window->messages()->text(u"scripts"_s); }
    quint64 mock() const { return m_window->document()->ids().mocks().front(); }
    MockState state() const { return m_window->mocks()->state(mock()); }
    QAction *action(const char *id) const { return (*m_window->actions())[QString::fromLatin1(id)]; }
    void openWindow()
    {
        m_window.reset();
        m_window = std::make_unique<MainWindow>();
        m_window->files()->askToSave = [] {
            return DocumentController::Answer::Discard;
        };
        m_window->show();
    }

    std::unique_ptr<test::NewUser> m_user;
    std::unique_ptr<MainWindow> m_window;
};

void TestScriptConsent::init()
{
    m_user = std::make_unique<test::NewUser>();
    openWindow();
}

void TestScriptConsent::cleanup()
{
    m_window.reset();
}

void TestScriptConsent::neverAskedWithoutScripts()
{
    m_window->openFile(written(u"plain.wardbench"_s, plain));
    QCOMPARE(question(), QString());
    m_window->mocks()->startAll();
    QVERIFY(state().running());
    QCOMPARE(question(), QString());
    QVERIFY(m_window->files()->openExample(u"demo"_s));
    QCOMPARE(question(), QString());
}

void TestScriptConsent::allowedForTheSession()
{
    const QString file = written(u"scripted.wardbench"_s, javascript);
    m_window->openFile(file);
    QVERIFY2(question().contains(u"JavaScript"_s), qPrintable(question()));
    m_window->messages()->dismiss(u"scripts"_s);
    m_window->mocks()->startAll(); // it asks again and says why nothing runs
    QVERIFY(!question().isEmpty());
    QVERIFY(state().denied);
    press(u"Allow for this session"_s);
    QVERIFY(state().running());
    QCOMPARE(question(), QString());
    m_window->openFile(written(u"other.wardbench"_s, javascript)); // not for others
    QVERIFY(!question().isEmpty());
    m_window->mocks()->startAll();
    QVERIFY(!state().running());
    openWindow(); // and not for the next time
    m_window->openFile(file);
    QVERIFY(!question().isEmpty());
}

void TestScriptConsent::rememberedForTheFile()
{
    const QString file = written(u"scripted.wardbench"_s, javascript);
    m_window->openFile(file);
    press(u"Always for this file"_s);
    openWindow();
    m_window->openFile(file);
    QCOMPARE(question(), QString());
    m_window->mocks()->startAll();
    QVERIFY(state().running());
    m_window->openFile(written(u"other.wardbench"_s, javascript));
    QVERIFY(!question().isEmpty());
}

void TestScriptConsent::shellCommandsAreNamed()
{
    m_window->openFile(written(u"shell.wardbench"_s, shell));
    QVERIFY2(question().contains(u"\u201csed s/x/y/\u201d"_s), qPrintable(question()));
    QVERIFY2(!question().contains(u"never"_s), qPrintable(question()));
}

void TestScriptConsent::askedWhenAScriptComes()
{
    QVERIFY(m_window->files()->newWorkspace());
    action("mockAdd")->trigger();
    QCOMPARE(question(), QString());
    const json::Value script = json::Members{{"responses", json::Array{json::Members{{"inject", "function () {}"}}}}};
    QVERIFY(m_window->document()->edit(
        WorkspaceEdit::set("Script", {"imposters", "0", "stubs"}, json::Value(json::Array{script}))));
    QVERIFY(!question().isEmpty());
    m_window->document()->undoStack()->undo();
    QCOMPARE(question(), QString());
}

void TestScriptConsent::recordAction()
{
    m_window->openFile(written(u"plain.wardbench"_s, plain));
    QVERIFY(!action("mockRecord")->isVisible());
    m_window->openFile(written(u"proxy.wardbench"_s, proxy));
    QVERIFY(action("mockRecord")->isVisible());
    QVERIFY(action("mockRecord")->isChecked());
    action("mockRecord")->trigger();
    QVERIFY(!m_window->mocks()->isRecording(mock()));
    QVERIFY(!action("mockRecord")->isChecked());
    action("mockRecord")->trigger();
    QVERIFY(m_window->mocks()->isRecording(mock()));
}

void TestScriptConsent::restAction()
{
    QTcpServer taken; // on the usual port, unless another program is there already
    taken.listen(QHostAddress::LocalHost, RestApi::usualPort);
    m_window->openFile(written(u"plain.wardbench"_s, plain));
    action("mockRest")->trigger();
    QVERIFY(m_window->rest()->isOn());
    QVERIFY(QUrl(m_window->rest()->url()).port() != RestApi::usualPort);
    const QString text = m_window->messages()->text(u"rest"_s);
    QVERIFY2(text.contains(m_window->rest()->url()), qPrintable(text));
    action("mockRest")->trigger();
    QVERIFY(!m_window->rest()->isOn());
    QVERIFY(!action("mockRest")->isChecked());
    QCOMPARE(m_window->messages()->text(u"rest"_s), QString());
}

static void initResources()
{
    Q_INIT_RESOURCE(icons);
}

int main(int argc, char **argv)
{
    return test::runWindowTest<TestScriptConsent>(argc, argv, &initResources);
}

#include "tst_scriptconsent.moc"
