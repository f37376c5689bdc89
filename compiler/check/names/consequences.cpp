// A mistake of syntax is one mistake: what is near a hole is not judged. Nor is what uses a module that is missing.
#include "check/names/consequences.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "syntax/syntax_views.h"

namespace anml {

namespace {

bool within(const Span& inner, const Span& outer)
{
    return inner.valid() && inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

class Consequences {
  public:
    Consequences(const SourceSet& sources, const SyntaxTree& tree) : sources_(sources), tree_(tree)
    {
        for (std::size_t i = 0; i < tree.size(); ++i)
            if (tree.is_hole(SyntaxId(i))) find_broken(tree.node(SyntaxId(i)).span);
        for (const SyntaxId id : tree.skipped) find_names(tree.node(id).span);
        for (const SyntaxId root : tree.roots) {
            // Their components are there once graphs are read, which is not done for a broken text.
            for (const SyntaxId id : syntax::File(tree, root).declarations())
                if (tree.kind(id) == SyntaxKind::graph_decl) find_names(tree.node(syntax::name_of(tree, id)).span);
            find_uses_of_missing(root);
        }
    }

    bool explains(const Diagnostic& diagnostic) const
    {
        // Perhaps that is what was not understood.
        if (diagnostic.diag == Diag::dead_attribute) return true;
        return is_broken(diagnostic.span) || is_lost(diagnostic.span) ||
               std::any_of(diagnostic.labels.begin(), diagnostic.labels.end(),
                           [&](const Label& label) { return is_broken(label.span); });
    }

  private:
    // The statement or declaration around a hole, without the statements in it.
    void find_broken(const Span& hole)
    {
        SyntaxId at = tree_.roots[hole.file.value], unit = at;
        for (bool deeper = true; deeper;) {
            const auto children = tree_.children_of(at);
            const auto inner = std::find_if(children.begin(), children.end(),
                                            [&](SyntaxId id) { return within(hole, tree_.node(id).span); });
            deeper = inner != children.end();
            if (!deeper) break;
            if (tree_.kind(at) == SyntaxKind::file || tree_.kind(at) == SyntaxKind::block) unit = *inner;
            at = *inner;
        }
        if (tree_.kind(unit) == SyntaxKind::file) return broken_.push_back(hole);
        Span rest = tree_.node(unit).span;
        // What its parts are called elsewhere is not known.
        if (tree_.kind(unit) == SyntaxKind::schema_decl || tree_.kind(unit) == SyntaxKind::enum_decl) find_names(rest);
        take_blocks_out(unit, rest);
        broken_.push_back(rest);
    }

    // What the names of modules that are missing stand in.
    void find_uses_of_missing(SyntaxId root)
    {
        const FileId file = tree_.node(root).span.file;
        const std::vector<std::string>& missing = sources_.file(file).missing;
        if (missing.empty()) return;
        std::set<std::string, std::less<>> known;
        for (const SyntaxId id : syntax::File(tree_, root).declarations()) {
            if (tree_.kind(id) != SyntaxKind::import_decl) continue;
            const syntax::ImportDeclaration import(tree_, id);
            const auto parts = syntax::DottedName(tree_, import.path()).parts();
            if (parts.empty()) continue;
            std::string module;
            for (const SyntaxId part : parts)
                module += fmt::format("{}{}", module.empty() ? "" : ".", sources_.text(tree_.node(part).span));
            if (std::find(missing.begin(), missing.end(), module) != missing.end())
                known.emplace(sources_.text(tree_.node(import.has_alias() ? import.alias() : parts.back()).span));
        }
        for (std::size_t i = 0; i < tree_.tokens.size(); ++i) {
            if (tree_.tokens.file(i) != file) continue;
            const Span word = tree_.tokens[i].span;
            if (known.contains(sources_.text(word))) find_broken(word);
        }
    }

    void take_blocks_out(SyntaxId id, Span& rest)
    {
        for (const SyntaxId child : tree_.children_of(id)) {
            if (tree_.kind(child) != SyntaxKind::block) {
                take_blocks_out(child, rest);
                continue;
            }
            const Span block = tree_.node(child).span;
            broken_.push_back({rest.file, rest.begin, block.begin});
            rest.begin = block.end;
        }
    }

    void find_names(const Span& words)
    {
        const std::string_view text = sources_.text(words);
        constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
        for (std::size_t at = 0; (at = text.find_first_of(kLetters, at)) != std::string_view::npos;) {
            const std::size_t end = std::min(text.find_first_not_of(kLetters, at), text.size());
            lost_.emplace(text.substr(at, end - at));
            at = end;
        }
    }

    bool is_broken(const Span& span) const
    {
        return std::any_of(broken_.begin(), broken_.end(), [&](const Span& part) { return within(span, part); });
    }

    // One of the names in it.
    bool is_lost(const Span& span) const
    {
        if (!span.valid()) return false;
        const std::string_view text = sources_.text(span);
        for (std::size_t at = 0; at <= text.size();) {
            const std::size_t end = std::min(text.find('.', at), text.size());
            if (lost_.contains(unquoted(text.substr(at, end - at)))) return true;
            at = end + 1;
        }
        return false;
    }

    const SourceSet& sources_;
    const SyntaxTree& tree_;
    std::vector<Span> broken_;
    std::set<std::string, std::less<>> lost_;
};

}  // namespace

void drop_consequences(const SourceSet& sources, const SyntaxTree& tree, Diagnostics& diagnostics)
{
    const Consequences consequences(sources, tree);
    diagnostics.drop_if([&](const Diagnostic& d) { return consequences.explains(d); });
}

}  // namespace anml
