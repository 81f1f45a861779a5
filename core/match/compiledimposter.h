#pragma once

#include "base/result.h"
#include "http/message.h"
#include "match/compiledpredicate.h"
#include "match/explanation.h"
#include "match/scripthost.h"
#include "model/imposter.h"

#include <memory>
#include <string>

namespace wardbench {

/// The stubs of an imposter, ready to be asked: prepared predicates and the index. Immutable; any number of threads
/// may ask at once without a lock.
class CompiledStubs
{
public:
    /// `previous` lends the compiled predicates of stubs whose subtree did not change. `coding` is that of tcp.
    static std::shared_ptr<const CompiledStubs> compile(const std::vector<StubPtr> &stubs,
                                                        const std::shared_ptr<const CompiledStubs> &previous = {},
                                                        DataCoding coding = DataCoding::Text);
    ~CompiledStubs();

    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    /// Position (in `stubs`) of the first enabled stub whose predicates all hold, or `none`: by priority, then in file
    /// order. Through the index. `context`, if given, may keep stubs from answering, run scripts, and gets the failure.
    std::size_t match(const http::Request &request, std::string_view client, MatchContext *context = nullptr) const;
    std::size_t match(const TcpRequest &request, std::string_view client, MatchContext *context = nullptr) const;
    /// The same by a plain scan: the oracle of the differential test.
    std::size_t matchByScan(const http::Request &request, std::string_view client,
                            MatchContext *context = nullptr) const;
    MatchExplanation explain(const http::Request &request, std::string_view client,
                             MatchContext *context = nullptr) const;
    MatchExplanation explain(const TcpRequest &request, std::string_view client, MatchContext *context = nullptr) const;
    const std::vector<StubPtr> &stubs() const;

private:
    CompiledStubs();
    class Private;
    std::unique_ptr<Private> d;
};

/// What an imposter that does not run would do with a request. Over tcp the body is the data.
MatchExplanation explain(const Imposter &imposter, const http::Request &request, std::string_view client);

} // namespace wardbench
