#include "mock/scriptsteps.h"

#include "mock/steptimer.h"
#include "script/scripthost.h"
#include "script/shellcommands.h"

#include <asio/post.hpp>

namespace wardbench::mock {
namespace {

Executor homeAt(asio::io_context &loop)
{
    return [&loop](std::function<void()> work) {
        asio::post(loop, std::move(work));
    };
}

/// A reply that goes on with `next` on the answer's own thread, after `use` took the value.
template <typename T, typename Use>
ScriptReply<T> replyFor(AnswerContext &context, const std::function<void()> &next, Use use)
{
    return {homeAt(context.loop()), [&context, next, use](ScriptOutcome<T> outcome) {
                if (const auto *failure = std::get_if<ScriptFailure>(&outcome)) {
                    failByScript(context, *failure);
                    next();
                } else {
                    use(std::move(std::get<T>(outcome)), next);
                }
            }};
}

/// A script's answer may be anything; only an object says something.
void take(AnswerContext &context, json::Value value)
{
    context.answer = value.isObject() ? std::move(value) : json::Value::object();
}

/// A reply whose value is the answer from now on.
ScriptReply<json::Value> answerFor(AnswerContext &context, const std::function<void()> &next)
{
    return replyFor<json::Value>(context, next, [&context](json::Value value, const auto &done) {
        take(context, std::move(value));
        done();
    });
}

class InjectStep final : public AnswerStep
{
public:
    explicit InjectStep(std::string script) : m_script(std::move(script)) {}

    bool run(AnswerContext &context, const std::function<void()> &next) const override
    {
        context.scripts().respond(m_script, context.requestJson(), answerFor(context, next));
        return false;
    }

private:
    const std::string m_script;
};

class DecorateStep final : public AnswerStep
{
public:
    explicit DecorateStep(std::string script) : m_script(std::move(script)) {}

    bool run(AnswerContext &context, const std::function<void()> &next) const override
    {
        context.scripts().decorate(m_script, context.requestJson(), context.answer, answerFor(context, next));
        return false;
    }

private:
    const std::string m_script;
};

class ScriptWaitStep final : public AnswerStep
{
public:
    explicit ScriptWaitStep(std::string script) : m_script(std::move(script)) {}

    bool run(AnswerContext &context, const std::function<void()> &next) const override
    {
        context.scripts().wait(m_script,
                               replyFor<Nanoseconds>(context, next, [&context](Nanoseconds wait, const auto &done) {
                                   callAfter(context.loop(), wait, done);
                               }));
        return false;
    }

private:
    const std::string m_script;
};

class ShellStep final : public AnswerStep
{
public:
    explicit ShellStep(std::string command) : m_command(std::move(command)) {}

    bool run(AnswerContext &context, const std::function<void()> &next) const override
    {
        asio::io_context &loop = context.loop();
        context.services().shell->transform(
            m_command, context.requestJson(), context.answer, [&context, &loop, next](Result<json::Value> answer) {
                asio::post(loop, [&context, next, answer = std::move(answer)] {
                    if (answer)
                        take(context, *answer);
                    else
                        context.fail(json::Value(answer.error().message)); // plain text, as mountebank has it (2.2.4)
                    next();
                });
            });
        return false;
    }

private:
    const std::string m_command;
};

} // namespace

AnswerStepPtr injectStep(const std::string &script)
{
    return std::make_shared<const InjectStep>(script);
}

AnswerStepPtr decorateStep(const std::string &script)
{
    return std::make_shared<const DecorateStep>(script);
}

AnswerStepPtr scriptWaitStep(const std::string &script)
{
    return std::make_shared<const ScriptWaitStep>(script);
}

AnswerStepPtr shellStep(const std::string &command)
{
    return std::make_shared<const ShellStep>(command);
}

void askForEnd(ScriptHost &scripts, const std::string &script, const std::string &bytes, bool binary,
               asio::io_context &loop, std::function<void(bool whole)> answer)
{
    scripts.isEndOfRequest(script, bytes, binary,
                           {homeAt(loop), [answer = std::move(answer)](ScriptOutcome<bool> outcome) {
                                const bool *whole = std::get_if<bool>(&outcome);
                                answer(whole && *whole);
                            }});
}

void failByScript(AnswerContext &context, const ScriptFailure &failure)
{
    context.fail(failure.toJson());
}

} // namespace wardbench::mock
