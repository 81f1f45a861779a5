#include "script/shellcommands.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <future>
#include <memory>

#include <unistd.h>

using namespace wardbench;

namespace {

json::Value parsed(std::string_view text)
{
    return std::get<json::Value>(json::parse(text));
}

std::future<Result<json::Value>> start(ShellCommands &commands, const std::string &command,
                                       const json::Value &request = parsed("{\"path\":\"/it's\"}"),
                                       const json::Value &response = parsed("{\"body\":\"b\"}"))
{
    auto promise = std::make_shared<std::promise<Result<json::Value>>>();
    auto future = promise->get_future();
    commands.transform(command, request, response,
                       [promise](Result<json::Value> result) { promise->set_value(std::move(result)); });
    return future;
}

std::string shown(const Result<json::Value> &result)
{
    return result ? json::writeCompact(*result) : "! " + result.error().message;
}

} // namespace

class TestShellCommands : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void transforms_data();
    void transforms();
    void longArgumentsAreLeftOut();
    void largeOutput();
    void tooLargeForAnEnvironment();
    void timeLimit();
    void outputLimit();
    void leavesNoDescriptorToTheCommand();
    void runsSideBySide();
    void endsWithCommandsRunning();
};

void TestShellCommands::transforms_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("result");
    const auto row = [](const char *name, const char *command, const char *result) {
        QTest::newRow(name) << QString::fromUtf8(command) << QString::fromUtf8(result);
    };
    row("prints JSON", "echo '{\"body\": \"x\", \"a\": 1}' #", "{\"body\":\"x\",\"a\":1}");
    row("the request as an argument", "f() { printf '%s' \"$1\"; }; f", "{\"path\":\"/it's\"}");
    row("the response as an argument", "f() { printf '%s' \"$2\"; }; f", "{\"body\":\"b\"}");
    row("the request in the environment", "printf '%s' \"$MB_REQUEST\" #", "{\"path\":\"/it's\"}");
    row("the response in the environment", "printf '%s' \"$MB_RESPONSE\" #", "{\"body\":\"b\"}");
    row("node",
        "node -e \"const r = JSON.parse(process.argv[2]); r.path = JSON.parse(process.argv[1]).path; "
        "console.log(JSON.stringify(r))\"",
        "{\"body\":\"b\",\"path\":\"/it's\"}");
    row("own environment", "echo \"\\\"$WARDBENCH_TEST\\\"\" #", "\"value\"");
    row("no input", "cat; echo 1 #", "1");
    row("no JSON", "echo nonsense #", "! Shell command returned invalid JSON: 'nonsense\n'");
    row("nothing", "true", "! Shell command returned invalid JSON: ''");
    row("exit code", "echo why >&2; exit 3 #",
        "! Command failed: echo why >&2; exit 3 # '{\"path\":\"/it'\\''s\"}' '{\"body\":\"b\"}'\nwhy\n");
    row("killed", "kill -9 $$ #", "! Command failed: kill -9 $$ # '{\"path\":\"/it'\\''s\"}' '{\"body\":\"b\"}'\n");
}

void TestShellCommands::transforms()
{
    QFETCH(QString, command);
    QFETCH(QString, result);
    qputenv("WARDBENCH_TEST", "value");
    ShellCommands commands({});
    QCOMPARE(QString::fromStdString(shown(start(commands, command.toStdString()).get())), result);
}

// 2048 characters are too many for the arguments, 2047 are not; the environment has them always.
void TestShellCommands::longArgumentsAreLeftOut()
{
    ShellCommands commands({});
    const std::string command = "f() { echo 1$#${MB_REQUEST:+1}; }; f";
    const json::Value response = json::Value::object();
    const std::size_t fixed = command.size() + std::string(" '{\"body\":\"\"}' '{}'").size();
    const auto count = [&](std::size_t length) {
        const json::Value request(json::Members{{"body", json::Value(std::string(length - fixed, 'x'))}});
        return shown(start(commands, command, request, response).get());
    };
    QCOMPARE(count(2047), std::string("121"));
    QCOMPARE(count(2048), std::string("101"));
}

void TestShellCommands::largeOutput()
{
    ShellCommands commands({});
    const auto result = start(commands, "node -e \"process.stdout.write(JSON.stringify({ body: 'x'.repeat(8e6) })); "
                                        "process.stderr.write('e'.repeat(3e6))\"")
                            .get();
    QVERIFY2(result, result ? "" : result.error().message.substr(0, 200).c_str());
    QCOMPARE((*result)["body"].text().size(), std::size_t(8'000'000));
}

void TestShellCommands::tooLargeForAnEnvironment()
{
    ShellCommands commands({});
    const json::Value request(json::Members{{"body", json::Value(std::string(200'000, 'x'))}});
    const std::string result = shown(start(commands, "echo 1", request).get());
    QCOMPARE(result, std::string("! Command failed: echo 1\nit cannot be started: Argument list too long"));
}

void TestShellCommands::timeLimit()
{
    ShellCommands::Options options;
    options.timeLimit = std::chrono::milliseconds(200);
    ShellCommands commands(options);
    QElapsedTimer timer;
    timer.start();
    const std::string result = shown(start(commands, "sleep 60 & sleep 60 #").get());
    QVERIFY2(QByteArray::fromStdString(result).endsWith("\nit took longer than 200 ms"), result.c_str());
    QVERIFY(timer.elapsed() < 5000);
}

void TestShellCommands::outputLimit()
{
    ShellCommands::Options options;
    options.outputLimit = 1000;
    ShellCommands commands(options);
    const std::string result = shown(start(commands, "yes #").get());
    QVERIFY2(QByteArray::fromStdString(result).endsWith("\nit wrote more than 1000 bytes"), result.c_str());
}

void TestShellCommands::leavesNoDescriptorToTheCommand()
{
    ShellCommands commands({});
    const int ours[2] = {::dup(0), ::dup(0)}; // without close-on-exec
    const std::string result = shown(start(commands, "ls /proc/self/fd | wc -l #").get());
    ::close(ours[0]);
    ::close(ours[1]);
    QCOMPARE(result, std::string("4")); // input, output, errors, and the folder that ls reads
}

void TestShellCommands::runsSideBySide()
{
    ShellCommands commands({});
    const QTemporaryDir folder;
    const std::string at = folder.path().toStdString();
    // each waits for the other
    auto first = start(commands, "touch " + at + "/a; while [ ! -e " + at + "/b ]; do :; done; echo 1 #");
    auto second = start(commands, "touch " + at + "/b; while [ ! -e " + at + "/a ]; do :; done; echo 2 #");
    QCOMPARE(shown(first.get()) + shown(second.get()), std::string("12"));
}

void TestShellCommands::endsWithCommandsRunning()
{
    QElapsedTimer timer;
    timer.start();
    std::future<Result<json::Value>> open;
    {
        ShellCommands commands({});
        open = start(commands, "sleep 60 #");
    }
    QVERIFY(timer.elapsed() < 5000);
    const std::string result = shown(open.get());
    QVERIFY2(QByteArray::fromStdString(result).endsWith("\nit was stopped"), result.c_str());
}

QTEST_GUILESS_MAIN(TestShellCommands)
#include "tst_shellcommands.moc"
