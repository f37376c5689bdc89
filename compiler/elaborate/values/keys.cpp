// Keys in brackets, and of what loops run over.
#include <fmt/format.h>

#include "elaborate/topology/numbered.h"
#include "elaborate/values/evaluation.h"

namespace anml {

std::optional<std::int64_t> index(Elaboration& in, ExprId id, const KeySet* keys, Frame& frame, std::string_view what)
{
    const Expr& e = in.program.expr(id);
    if (e.type.kind != TypeKind::string || e.type.list) return shape(in, id, frame, what);
    const Value value = evaluate(in, id, frame);
    const auto* key = value.as<std::string>();
    if (value.absent()) in.report(Diag::absent_name, e.span, "this optional attribute is not set");
    if (!key || !keys) return std::nullopt;
    if (const auto place = keys->find(*key)) return *place;
    auto said = in.report(Diag::unknown_key, e.span, fmt::format("{} has no key \"{}\"", keys->of(), *key));
    if (in.report.diagnostics.suggests()) suggest_key(said, *key, *keys, e.span);
    return std::nullopt;
}

std::shared_ptr<const KeySet> keys_in(const CheckedProgram& program, const Value& over, const Type& type)
{
    if (!type.keys) return nullptr;
    if (const NodeSet* nodes = over.as<NodeSet>()) return nodes->keys;
    if (const InstanceSet* instances = over.as<InstanceSet>()) return instances->keys;
    return program.keys_of(type);
}

Value number_or_key(ValuePool& values, const KeySet* keys, std::int64_t number)
{
    if (!keys) return {Number{values.constant(static_cast<double>(number))}};
    const auto place = static_cast<std::size_t>(number);
    return {place < keys->size() ? (*keys)[place] : std::string()};  // an array without elements has attributes, too
}

// Of all elements of an array, whose type is that, in their order: loops may have made some of them only.
std::shared_ptr<const KeySet> keys_of_chosen(const CheckedProgram& program, const Value& value, const Type& array)
{
    std::shared_ptr<const KeySet> all = program.keys_of(array);
    const auto* numbered = value.as<std::shared_ptr<NumberedArray>>();
    if (!numbered || !all) return all;
    auto some = std::make_shared<KeySet>(all->of());
    for (const auto& [first, entry] : (*numbered)->entries) {
        const std::size_t begin = static_cast<std::size_t>(first), count = elements(entry).size();
        for (std::size_t place = begin; place < begin + count; ++place) some->add((*all)[place]);
    }
    return some;
}

}  // namespace anml
