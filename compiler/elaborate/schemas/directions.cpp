// Attributes of values that may differ by direction: of links, whose `up` and `down` are given apart.
#include <fmt/format.h>

#include <algorithm>

#include "elaborate/schemas/schema_values.h"

namespace anml {
namespace {

bool same_form(const Absent&, const Absent&) { return true; }
bool same_form(const Failed&, const Failed&) { return true; }
bool same_form(const Number& a, const Number& b) { return a.id == b.id; }
bool same_form(const std::string& a, const std::string& b) { return a == b; }
bool same_form(const AddressValue& a, const AddressValue& b) { return a.bits == b.bits && a.ipv6 == b.ipv6; }
bool same_form(const PrefixValue& a, const PrefixValue& b)
{ return a.bits == b.bits && a.length == b.length && a.ipv6 == b.ipv6; }
bool same_form(const EnumValue& a, const EnumValue& b) { return a.ordinal == b.ordinal; }
bool same_form(const DistributionValue& a, const DistributionValue& b) { return a == b; }
bool same_form(const FileValue& a, const FileValue& b) { return a.index == b.index; }
bool same_form(const TraceValue& a, const TraceValue& b) { return a.index == b.index; }
bool same_list(const std::vector<Value>& a, const std::vector<Value>& b)
{ return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_value); }
bool same_form(const std::shared_ptr<const SchemaValue>& a, const std::shared_ptr<const SchemaValue>& b)
{
    return a == b || (a->schema == b->schema && same_list(a->attributes, b->attributes) &&
                      same_list(a->downwards().attributes, b->downwards().attributes));
}
bool same_form(const std::shared_ptr<const ListValue>& a, const std::shared_ptr<const ListValue>& b)
{ return a == b || same_list(*a, *b); }
bool same_form(const NodeSet& a, const NodeSet& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const TargetRange& x, const TargetRange& y) {
        return x.row == y.row && x.first == y.first && x.count == y.count;
    });
}
bool same_form(const InstanceSet& a, const InstanceSet& b) { return a.groups == b.groups; }
bool same_form(const LinkSet& a, const LinkSet& b) { return a.parts == b.parts; }
bool same_form(const std::shared_ptr<const PassedComponent>& a, const std::shared_ptr<const PassedComponent>& b)
{ return a == b; }
bool same_form(const WorkloadSet& a, const WorkloadSet& b) { return a == b; }
bool same_form(const std::shared_ptr<NumberedArray>& a, const std::shared_ptr<NumberedArray>& b) { return a == b; }

}  // namespace

bool same_value(const Value& a, const Value& b)
{
    if (a.form.index() != b.form.index()) return false;
    return std::visit([&](const auto& form) { return same_form(form, std::get<std::decay_t<decltype(form)>>(b.form)); },
                      a.form);
}

Value attribute_value(Elaboration& in, const Expr& e, Frame& frame)
{
    const Value object = evaluate(in, in.program.operands_of(e)[0], frame);
    const SchemaValue* value = object.schema();
    if (!value) {
        if (object.absent()) in.report(Diag::absent_name, e.span, "this optional attribute is not set");
        return {Failed{}};
    }
    const Value& up = value->attributes[e.index];
    if (same_value(up, value->downwards().attributes[e.index])) return up;
    const std::string& name = in.program.schema(value->schema).attributes[e.index].name;
    Span before = e.span;  // the name of the attribute, which ends it
    before.begin = before.end -= static_cast<std::uint32_t>(name.size());
    return failed(
        in.report(Diag::symmetric_attribute, e.span, fmt::format("`{}` is not the same in both directions", name))
            .help(fmt::format("say which one: `.up.{}` or `.down.{}`", name, name))
            .fix(before, "up.")
            .fix(before, "down."));
}

}  // namespace anml
