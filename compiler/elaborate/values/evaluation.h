// Expressions: what they are worth in a frame.
#pragma once

#include "elaborate/elaboration.h"

namespace anml {

// parameters.cpp
void model_parameters(Elaboration& in, const Component& model);
// evaluate.cpp
Value evaluate(Elaboration& in, ExprId id, Frame& frame);
// The same, of a name without a copy: it may stand for very many. Else it is kept in `own`.
const Value& seen(Elaboration& in, ExprId id, Frame& frame, Value& own);
Value checked(const ValuePool& values, ReportOnce& report, ValueExprId id, Span span);  // not finite: an error
std::optional<ValueExprId> number(Elaboration& in, ExprId id, Frame& frame);
std::optional<ValueExprId> number_in(ValuePool& values,
                                     const Value& value);  // what it computes or draws; nullopt: nothing
// A number that may not depend on a tunable; `what` says for what it is wanted.
std::optional<std::int64_t> shape(Elaboration& in, ExprId id, Frame& frame, std::string_view what);
void report_shape(Elaboration& in, ValueExprId id, Span span, std::string_view what);
std::vector<std::uint32_t> tunables_in(const ValuePool& values, ValueExprId id);
// Of a query: what it asks, whatever asked it first.
Value answer_of(Elaboration& in, const PathQuery& query, QueryNodes asked);
void number_queries(Elaboration& in);
// mathematics.cpp
Value mathematics(Elaboration& in, const Expr& e, Builtin function, Frame& frame);
Value draw(Elaboration& in, const Expr& e, Frame& frame);
// selections.cpp
Value select(Elaboration& in, const Expr& e, Frame& frame);
Value select_in(Elaboration& in, const Value& object, const Expr& e, std::int64_t low, std::int64_t high, Span place);
bool grows(Elaboration& in, const Expr& e);
bool missing_element(Elaboration& in, const Expr& e, Span place);  // false: it was not asked for by its key
Value member(Elaboration& in, const Expr& e, Frame& frame);
const Value* port_of_one(Elaboration& in, const Expr& e, Frame& frame);
Value node_list(Elaboration& in, const Expr& e, Frame& frame);
// functions.cpp
Value function_call(Elaboration& in, const Expr& e, Frame& frame);
Value link_bdp(Elaboration& in, const Expr& e, Frame& frame);
// comprehensions.cpp
Value comprehension(Elaboration& in, const Expr& e, Frame& frame);
// lists.cpp
Value of_list(Elaboration& in, const Expr& e, Builtin function, Frame& frame);
Value length(Elaboration& in, const Expr& e, Builtin function, Frame& frame);
Value list_part(Elaboration& in, const ListValue& list, const Expr& e, Frame& frame);
Value list_operation(Elaboration& in, ValueOp op, const Value& left, const Value& right, Span place);
ValueExprId equal(ValuePool& values, const Value& left, const Value& right);  // of one type, which can be compared
// strings.cpp
Value string_operation(ValuePool& values, ReportOnce& report, ValueOp op, const std::string& left,
                       const std::string& right, Span place);
Value text(Elaboration& in, const Expr& e, Frame& frame);
// tables.cpp
Value table(Elaboration& in, const Expr& e);
Value cell(Elaboration& in, const Expr& e);
// distributions.cpp
Value drawn(const ValuePool& values, ValueExprId id);  // a number, or a distribution where it draws
ValueExprId expression_of(ValuePool& values, const DistributionValue& value);
Value distribution_call(Elaboration& in, const Expr& e, Builtin function, Frame& frame);
Value process(Elaboration& in, const Expr& e, Frame& frame);
bool check_random_range(Elaboration& in, const DistributionValue& value, ValueExprId low, ValueExprId high,
                        std::string_view limits, const Type& type, std::string_view name, Span span, Span declared);
// A distribution that is worked out anew each time stays within the range.
Value within(Elaboration& in, const Value& value, const ValueRange& range, Frame& frame, Span span);
// cumulative.cpp
Value cumulative(Elaboration& in, const Expr& e, Frame& frame);
// fixed_values.cpp
Value fallback(Elaboration& in, const Attribute& attribute);
// The value of a module's profile without arguments, or with an error; nullptr: it is none.
std::shared_ptr<const SchemaValue> module_profile(Elaboration& in, ExprId id);
// keys.cpp
// A number, or the place of a key among `keys`. `what` says for what it is wanted.
std::optional<std::int64_t> index(Elaboration& in, ExprId id, const KeySet* keys, Frame& frame, std::string_view what);
std::shared_ptr<const KeySet> keys_of_chosen(const CheckedProgram& program, const Value& value, const Type& array);
// Of what a loop runs over, whose type is that: null where its elements have none.
std::shared_ptr<const KeySet> keys_in(const CheckedProgram& program, const Value& over, const Type& type);
Value number_or_key(ValuePool& values, const KeySet* keys, std::int64_t number);
// positions.cpp
std::optional<NodePosition> position(Elaboration& in, const SchemaValue& node_attributes, const Statement& at);
Value distance(Elaboration& in, const Expr& e, Frame& frame);
// nearest.cpp
Value nearest(Elaboration& in, const Expr& e, Frame& frame);

}  // namespace anml
