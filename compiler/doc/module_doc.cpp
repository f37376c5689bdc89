// Walks the declarations of a file. Signatures and types are shown as they are written.
#include "doc/module_doc.h"

#include <fmt/format.h>

#include <algorithm>

#include "doc/as_written.h"
#include "doc/component_doc.h"
#include "syntax/file_doc.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

class Reader {
  public:
    Reader(const SourceSet& sources, const SyntaxTree& tree, const Bases& bases)
        : sources_(sources), tree_(tree), bases_(bases)
    {
    }

    bool is_declaration(SyntaxKind kind) const
    {
        return kind != SyntaxKind::edition_decl && kind != SyntaxKind::import_decl;
    }

    std::string doc(SyntaxId id) const { return doc_text(sources_, tree_, id); }

    DeclarationDoc declaration(SyntaxId id) const
    {
        DeclarationDoc out;
        const SyntaxKind kind = tree_.kind(id);
        const SyntaxNode node = tree_.node(id);
        std::string_view whole = sources_.text({node.span.file, node.token.begin, node.span.end});  // without `pub`
        out.kind = whole.substr(0, whole.find(' '));
        out.name = sources_.text(tree_.node(syntax::name_of(tree_, id)).span);
        out.text = doc(id);
        // A profile is its values, which stand there as they are written; what other declarations have in braces is no
        // signature.
        const std::size_t body = body_of(whole);
        out.signature = one_line(whole.substr(0, body));
        if (kind == SyntaxKind::profile_decl) out.signature += fmt::format(" {}", whole.substr(body));
        if (const SyntaxId list = syntax::parameters_of(tree_, id); list.valid())
            for (SyntaxId parameter : syntax::ParameterList(tree_, list).parameters())
                out.members.push_back(member(parameter));
        if (kind == SyntaxKind::schema_decl)
            for (SyntaxId item : syntax::SchemaDeclaration(tree_, id).items()) {
                // What stands before an annotation is about the attribute behind it. Traits are no members.
                const bool noted = tree_.kind(item) == SyntaxKind::annotated;
                const SyntaxId declared = noted ? syntax::Annotated(tree_, item).declaration() : item;
                if (tree_.kind(declared) != SyntaxKind::attribute_decl) continue;
                out.members.push_back(member(declared));
                if (const std::string text = noted ? doc(item) : ""; !text.empty()) out.members.back().text = text;
            }
        if (kind == SyntaxKind::enum_decl)
            for (SyntaxId value : syntax::EnumDeclaration(tree_, id).values())
                out.members.push_back(
                    {std::string(sources_.text(tree_.node(value).span)), "", "", words_about(sources_, tree_, value)});
        if (kind == SyntaxKind::component_decl || kind == SyntaxKind::model_decl || kind == SyntaxKind::experiment_decl)
            out.inside = component_inside(sources_, tree_, id, bases_);
        return out;
    }

  private:
    // The brace that opens the body: the first one outside parentheses.
    static std::size_t body_of(std::string_view text)
    {
        int depth = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            depth += (text[i] == '(') - (text[i] == ')');
            if (text[i] == '{' && depth == 0) return i;
        }
        return text.size();
    }

    MemberDoc member(SyntaxId id) const
    {
        MemberDoc out;
        const syntax::ValueDeclaration declared(tree_, id);
        const Span span = tree_.node(id).span, name = tree_.node(declared.name()).span;
        out.name = sources_.text(name);
        const SyntaxId preset = declared.preset();
        if (!tree_.is_none(preset)) out.preset = one_line(sources_.text(tree_.node(preset).span));
        std::string_view type = sources_.text({span.file, name.end, span.end});
        type.remove_prefix(std::min(type.find(':') + 1, type.size()));
        if (!tree_.is_none(preset)) type = type.substr(0, type.rfind('=', type.size() - out.preset.size()));
        out.type = one_line(type);
        if (tree_.node(id).flags & syntax_flag::tunable) out.type += ", tunable";
        out.text = words_about(sources_, tree_, id);
        return out;
    }

    const SourceSet& sources_;
    const SyntaxTree& tree_;
    const Bases& bases_;
};

}  // namespace

void add_file_doc(const SourceSet& sources, const SyntaxTree& tree, FileId file, const Bases& bases, ModuleDoc& module)
{
    const Reader reader(sources, tree, bases);
    if (module.declarations.empty() && module.text.empty()) module.text = file_doc(sources, tree, file);
    const auto declarations = syntax::File(tree, tree.roots[file.value]).declarations();
    const auto exported = [&](SyntaxId id) { return (tree.node(id).flags & syntax_flag::pub) != 0; };
    const bool all = std::none_of(declarations.begin(), declarations.end(), exported);
    for (SyntaxId id : declarations)
        if (reader.is_declaration(tree.kind(id)) && (all || exported(id)))
            module.declarations.push_back(reader.declaration(id));
}

}  // namespace anml
