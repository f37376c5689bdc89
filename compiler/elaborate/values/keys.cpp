// Keys in brackets, and of what loops run over.
#include <fmt/format.h>

#include "elaborate/elaborator.h"

namespace anml {

std::optional<std::int64_t> Elaborator::index(ExprId id, const KeySet* keys, Frame& frame, std::string_view what)
{
    const Expr& e = program_.expr(id);
    if (e.type.kind != TypeKind::string || e.type.list) return shape(id, frame, what);
    const Value value = evaluate(id, frame);
    const auto* key = value.as<std::string>();
    if (value.absent()) report(Diag::absent_name, e.span, "this optional attribute is not set");
    if (!key || !keys) return std::nullopt;
    if (const auto place = keys->find(*key)) return *place;
    auto said = report(Diag::unknown_key, e.span, fmt::format("{} has no key \"{}\"", keys->of(), *key));
    if (diagnostics_.suggests()) suggest_key(said, *key, *keys, e.span);
    return std::nullopt;
}

std::shared_ptr<const KeySet> Elaborator::keys_in(const Value& over, const Type& type) const
{
    if (!type.keys) return nullptr;
    if (const NodeSet* nodes = over.as<NodeSet>()) return nodes->keys;
    if (const InstanceSet* instances = over.as<InstanceSet>()) return instances->keys;
    return program_.keys_of(type);
}

Value Elaborator::number_or_key(const KeySet* keys, std::int64_t number)
{
    if (!keys) return {Number{constant(static_cast<double>(number))}};
    const auto place = static_cast<std::size_t>(number);
    return {place < keys->size() ? (*keys)[place] : std::string()};  // an array without elements has attributes, too
}

// Of all elements of an array, whose type is that, in their order: loops may have made some of them only.
std::shared_ptr<const KeySet> Elaborator::keys_of_chosen(const Value& value, const Type& array)
{
    std::shared_ptr<const KeySet> all = program_.keys_of(array);
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
