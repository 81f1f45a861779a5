#pragma once

#include "match/fieldselection.h"
#include "match/jspattern.h"
#include "match/requestview.h"
#include "model/imposter.h"

#include <optional>
#include <string>
#include <vector>

namespace wardbench {

/// What a predicate expects of one place, prepared: text folded, pattern compiled.
struct Expectation
{
    enum class Kind { Scalar, Object, Array };
    struct Member;

    Kind kind = Kind::Scalar;
    std::string text;    ///< Scalar: as JavaScript's text, folded when values are
    bool isNull = false; ///< Scalar
    bool truthy = true;
    std::optional<JsPattern> pattern; ///< `matches` only
    std::vector<Member> members;      ///< Object: keys folded when keys are, each once
    std::vector<Expectation> items;   ///< Array
    json::Value source;               ///< as written: for explanations
};

struct Expectation::Member
{
    std::string key;
    std::string shownKey; ///< as written
    Expectation expected;
};

/// One top-level field of an operator: `"path": "/x"` of an `equals`.
struct FieldExpectation
{
    Field field = Field::Unknown;
    std::string shownName; ///< as written
    Expectation expected;
    std::string canonical; ///< `deepEquals` only
};

/// A predicate made ready once, asked by any number of threads.
struct CompiledPredicate
{
    using Operator = Predicate::Operator;

    Operator op = Operator::Unknown;
    Casing casing = Casing::Ignored;
    std::shared_ptr<const FieldSelection> selection; ///< leaf operators: what becomes of a field first; null: nothing
    std::vector<FieldExpectation> fields;            ///< leaf operators: every one must hold
    std::string script;                              ///< inject
    std::vector<CompiledPredicate> children;         ///< not, or, and
};

/// How predicates find the fields of a request: http's and tcp's by their names, `data` as it is or (mode binary) in
/// base64; those of any other protocol as members of the JSON that stands in the body.
enum class DataCoding { Text, Base64, Json };

/// Why a predicate can never be asked: a part that does not run here, or a pattern or selector that is none.
using PredicateProblem = std::string;

/// `problem` gets the first part that cannot run; the result is then of no use for matching.
CompiledPredicate compilePredicate(const Predicate &predicate, PredicateProblem &problem,
                                   DataCoding coding = DataCoding::Text);

/// Whether the predicate holds (reference/mountebank.md 2.6).
bool holds(const CompiledPredicate &predicate, RequestView &request);
/// One field of a leaf operator, and one member of a field whose expectation is an object.
bool fieldHolds(const CompiledPredicate &predicate, const FieldExpectation &field, RequestView &request);
bool memberHolds(const CompiledPredicate &predicate, const FieldExpectation &field, const Expectation::Member &member,
                 RequestView &request);
/// Whether the field's object expectation comes to its members one by one. Not so for a body that is an array, of which
/// one element must satisfy all of them together.
bool decomposes(const CompiledPredicate &predicate, const FieldExpectation &field, RequestView &request);

/// "equals": the operator as files write it.
std::string_view operatorName(Predicate::Operator op);

} // namespace wardbench
