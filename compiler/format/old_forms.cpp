// Forms that the language has no longer, to those that say the same now.
#include <algorithm>

#include "format/format.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

struct Change {
    Span place;
    std::string_view text;
};

Span in_front_of(Span span) { return {span.file, span.begin, span.begin}; }

// `droptail_packets(100)`: `droptail(packets = 100)`.
void queue_in_packets(const SourceSet& sources, const SyntaxTree& tree, SyntaxId id, std::vector<Change>& changes)
{
    const syntax::Call call(tree, id);
    const Span callee = tree.node(call.callee()).span;
    if (tree.kind(call.callee()) != SyntaxKind::name || sources.text(callee) != "droptail_packets") return;
    changes.push_back({callee, "droptail"});
    const auto given = syntax::ArgumentList(tree, call.arguments()).arguments();
    if (given.empty()) return;
    const syntax::Argument first(tree, given[0]);
    if (!first.has_name()) changes.push_back({in_front_of(tree.node(given[0]).span), "packets = "});
    // By position the capacity stood second.
    if (given.size() > 1 && !syntax::Argument(tree, given[1]).has_name())
        changes.push_back({in_front_of(tree.node(given[1]).span), "capacity = "});
}

}  // namespace

std::optional<std::string> with_new_forms(const SourceSet& sources, const SyntaxTree& tree, FileId file)
{
    std::vector<Change> changes;
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        const SyntaxId id{i};
        if (tree.kind(id) == SyntaxKind::profile_decl &&
            sources.text(tree.node(syntax::ProfileDeclaration(tree, id).name()).span) == "droptail_packets")
            return std::nullopt;  // the file's own
        if (tree.kind(id) == SyntaxKind::call && tree.node(id).span.file == file)
            queue_in_packets(sources, tree, id, changes);
    }
    if (changes.empty()) return std::nullopt;
    std::stable_sort(changes.begin(), changes.end(),
                     [](const Change& a, const Change& b) { return a.place.begin < b.place.begin; });
    const std::string& text = sources.file(file).text;
    std::string result;
    std::uint32_t from = 0;
    for (const Change& change : changes) {
        result.append(text, from, change.place.begin - from).append(change.text);
        from = change.place.end;
    }
    return result.append(text, from, std::string::npos);
}

}  // namespace anml
