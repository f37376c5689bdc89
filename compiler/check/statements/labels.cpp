// Labels of nodes, instances, links and workloads, and the groups of results that are made of them.
#include <fmt/format.h>

#include <algorithm>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

// Invalid: an error was reported.
ExprId label_subject(Checking& in, SyntaxId id)
{
    const ExprId subject = link_or_value(in, id);
    const Type type = in.program.expr(subject).type;
    if (type.kind == TypeKind::error) return {};
    const bool fits = type.kind == TypeKind::node || type.kind == TypeKind::instance || type.kind == TypeKind::link ||
                      type.kind == TypeKind::workload;
    if (fits && !type.list) return subject;
    auto report =
        in.report(Diag::type_mismatch, in.span(id),
                  fmt::format("nodes, instances, links and workloads have labels, found {}", in.a_named(type)));
    if (fits) report.help("choose its elements: `[*]`").fix(in.span(id).behind(), "[*]");
    return {};
}

// For an editor: all of one key are one.
void label_key(Checking& in, SyntaxId identifier)
{
    if (in.tree.is_hole(identifier)) return;
    const auto first = in.label_keys.try_emplace(std::string(in.text(identifier)), in.span(identifier)).first;
    in.means(identifier, first->second);
}

}  // namespace

bool label_statement(Checking& in, SyntaxId id, Statement& out)
{
    const syntax::LabelStatement written(in.tree, id);
    LabelStatement label;
    bool whole = true;
    for (const SyntaxId subject : syntax::LabelSubjects(in.tree, written.subjects()).subjects()) {
        label.subjects.push_back(label_subject(in, subject));
        whole = whole && label.subjects.back().valid();
    }
    const auto labels = syntax::AttributeBlock(in.tree, written.labels()).attributes();
    if (labels.empty()) {
        in.report(Diag::missing_attribute, in.span(written.labels()), "this labels nothing")
            .help("a label is a key and a string: `{ name = \"Library\", region = \"north\" }`");
        return false;
    }
    for (const SyntaxId entry : labels) {
        if (in.tree.is_hole(entry)) continue;
        const syntax::Attribute attribute(in.tree, entry);
        const std::string key(in.text(attribute.name()));
        label_key(in, attribute.name());
        const SyntaxId value_syntax = attribute.value();
        if (in.tree.kind(value_syntax) == SyntaxKind::attribute_block ||
            in.tree.kind(value_syntax) == SyntaxKind::range)
        {
            in.report(Diag::type_mismatch, in.span(value_syntax), fmt::format("the label `{}` is a string", key));
            whole = false;
            continue;
        }
        const auto same = [&](const LabelValue& other) { return other.key == key; };
        if (const auto first = std::find_if(label.labels.begin(), label.labels.end(), same);
            first != label.labels.end())
        {
            in.report(Diag::invalid_label, in.span(attribute.name()), fmt::format("`{}` is given twice", key))
                .also(first->span, "first given here");
            whole = false;
            continue;
        }
        const ExprId value = expression(in, value_syntax);
        const Type type = in.program.expr(value).type;
        if (type.kind != TypeKind::string || type.list) {
            if (type.kind != TypeKind::error) {
                auto report = in.report(Diag::type_mismatch, in.span(value_syntax),
                                        fmt::format("the label `{}` is a string, found {}", key, in.a_named(type)));
                if (type.kind == TypeKind::integer || type.kind == TypeKind::number)
                    report.write(in.span(value_syntax), fmt::format("text({})", in.text(value_syntax)));
            }
            whole = false;
            continue;
        }
        label.labels.push_back({key, value, in.span(attribute.name())});
    }
    out.form = std::move(label);
    return whole;
}

bool report_statement(Checking& in, SyntaxId id, Statement& out)
{
    ReportStatement report;
    for (const SyntaxId key : syntax::ReportStatement(in.tree, id).keys()) {
        const std::string name(in.text(key));
        label_key(in, key);
        const auto same = [&](const auto& other) { return other.first == name; };
        if (const auto first = std::find_if(report.keys.begin(), report.keys.end(), same); first != report.keys.end()) {
            in.report(Diag::invalid_label, in.span(key), fmt::format("`{}` is given twice", name))
                .also(first->second, "first given here");
            return false;
        }
        if (!name.empty()) report.keys.emplace_back(name, in.span(key));
    }
    out.form = std::move(report);
    return true;
}

}  // namespace anml
