// Labels of nodes, instances, links and workloads, and the groups of results that are made of them.
#include <fmt/format.h>

#include <algorithm>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

// Invalid: an error was reported.
ExprId Checker::label_subject(SyntaxId id)
{
    const ExprId subject = link_or_value(id);
    const Type type = program_.expr(subject).type;
    if (type.kind == TypeKind::error) return {};
    const bool fits = type.kind == TypeKind::node || type.kind == TypeKind::instance || type.kind == TypeKind::link ||
                      type.kind == TypeKind::workload;
    if (fits && !type.list) return subject;
    auto report =
        diagnostics_.report(Diag::type_mismatch, span(id),
                            fmt::format("nodes, instances, links and workloads have labels, found {}", a_named(type)));
    if (fits) report.help("choose its elements: `[*]`").fix(span(id).behind(), "[*]");
    return {};
}

// For an editor: all of one key are one.
void Checker::label_key(SyntaxId identifier)
{
    if (tree_.is_hole(identifier)) return;
    const auto first = label_keys_.try_emplace(std::string(text(identifier)), span(identifier)).first;
    means(identifier, first->second);
}

bool Checker::label_statement(SyntaxId id, Statement& out)
{
    const syntax::LabelStatement written(tree_, id);
    LabelStatement label;
    bool whole = true;
    for (const SyntaxId subject : syntax::LabelSubjects(tree_, written.subjects()).subjects()) {
        label.subjects.push_back(label_subject(subject));
        whole = whole && label.subjects.back().valid();
    }
    const auto labels = syntax::AttributeBlock(tree_, written.labels()).attributes();
    if (labels.empty()) {
        diagnostics_.report(Diag::missing_attribute, span(written.labels()), "this labels nothing")
            .help("a label is a key and a string: `{ name = \"Library\", region = \"north\" }`");
        return false;
    }
    for (const SyntaxId entry : labels) {
        if (tree_.is_hole(entry)) continue;
        const syntax::Attribute attribute(tree_, entry);
        const std::string key(text(attribute.name()));
        label_key(attribute.name());
        const SyntaxId value_syntax = attribute.value();
        if (tree_.kind(value_syntax) == SyntaxKind::attribute_block || tree_.kind(value_syntax) == SyntaxKind::range) {
            diagnostics_.report(Diag::type_mismatch, span(value_syntax),
                                fmt::format("the label `{}` is a string", key));
            whole = false;
            continue;
        }
        const auto same = [&](const LabelValue& other) { return other.key == key; };
        if (const auto first = std::find_if(label.labels.begin(), label.labels.end(), same);
            first != label.labels.end())
        {
            diagnostics_.report(Diag::invalid_label, span(attribute.name()), fmt::format("`{}` is given twice", key))
                .also(first->span, "first given here");
            whole = false;
            continue;
        }
        const ExprId value = expression(value_syntax);
        const Type type = program_.expr(value).type;
        if (type.kind != TypeKind::string || type.list) {
            if (type.kind != TypeKind::error) {
                auto report =
                    diagnostics_.report(Diag::type_mismatch, span(value_syntax),
                                        fmt::format("the label `{}` is a string, found {}", key, a_named(type)));
                if (type.kind == TypeKind::integer || type.kind == TypeKind::number)
                    report.write(span(value_syntax), fmt::format("text({})", text(value_syntax)));
            }
            whole = false;
            continue;
        }
        label.labels.push_back({key, value, span(attribute.name())});
    }
    out.form = std::move(label);
    return whole;
}

bool Checker::report_statement(SyntaxId id, Statement& out)
{
    ReportStatement report;
    for (const SyntaxId key : syntax::ReportStatement(tree_, id).keys()) {
        const std::string name(text(key));
        label_key(key);
        const auto same = [&](const auto& other) { return other.first == name; };
        if (const auto first = std::find_if(report.keys.begin(), report.keys.end(), same); first != report.keys.end()) {
            diagnostics_.report(Diag::invalid_label, span(key), fmt::format("`{}` is given twice", name))
                .also(first->second, "first given here");
            return false;
        }
        if (!name.empty()) report.keys.emplace_back(name, span(key));
    }
    out.form = std::move(report);
    return true;
}

}  // namespace anml
