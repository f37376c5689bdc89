// Blocks of attributes against the schema of the construct that they belong to.
#include <fmt/format.h>

#include "check/checker.h"

namespace anml {

std::vector<AttributeValue> Checker::attributes(SyntaxId block, SchemaId schema_id, bool complete, Span construct,
                                                std::string_view what)
{
    std::vector<AttributeValue> result;
    const Schema schema = program_.schema(schema_id);  // a copy: values may grow the program
    std::vector<Span> given(schema.attributes.size());
    const SchemaId outer = self_;
    self_ = schema_id;
    const auto list = tree_.is_none(block) ? std::span<const SyntaxId>{} : tree_.children_of(block);
    for (SyntaxId entry : list) {
        const SyntaxId name = tree_.child(entry, 0), value_syntax = tree_.child(entry, 1);
        std::size_t index = 0;
        while (index < schema.attributes.size() && schema.attributes[index].name != text(name)) ++index;
        if (index == schema.attributes.size()) {
            auto report = diagnostics_.report(Diag::unknown_attribute, span(name),
                                              fmt::format("{} has no attribute `{}`", what, text(name)));
            std::vector<std::string_view> candidates;
            std::string names;
            for (const Attribute& a : schema.attributes) {
                candidates.push_back(a.name);
                names += fmt::format("{}`{}`", names.empty() ? "" : ", ", a.name);
            }
            if (const auto similar = similar_name(text(name), candidates); !similar.empty())
                report.help(fmt::format("there is `{}`", similar));
            else if (!names.empty())
                report.help(fmt::format("it has {}", names));
            expression(value_syntax);
            continue;
        }
        const Attribute& attribute = schema.attributes[index];
        if (given[index].valid()) {
            diagnostics_
                .report(Diag::duplicate_attribute, span(name), fmt::format("`{}` is given twice", attribute.name))
                .also(given[index], "first given here");
            continue;
        }
        given[index] = span(name);
        const ExprId v = value(value_syntax, attribute.type, fmt::format("`{}`", attribute.name));
        check_range(v, attribute.range, attribute.type, attribute.name, attribute.span);
        result.push_back({static_cast<std::uint32_t>(index), v, span(name)});
    }
    self_ = outer;
    if (complete) {
        for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
            const Attribute& attribute = schema.attributes[i];
            if (!attribute.required || given[i].valid()) continue;
            diagnostics_.report(Diag::missing_attribute, construct, fmt::format("{} needs `{}`", what, attribute.name))
                .also(attribute.span, "declared here, without a default");
        }
    }
    return result;
}

}  // namespace anml
