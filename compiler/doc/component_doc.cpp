// Walks the body of a component. Nothing is elaborated: a loop is shown as the loop that it is.
#include "doc/component_doc.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/ascii.h"
#include "doc/as_written.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

constexpr std::size_t kLongestEnds = 100;    // of a link with its name, where its ends are shown
constexpr std::size_t kLongestWhere = 60;    // of a condition
constexpr std::size_t kMostInherited = 100;  // components in a row; the checker allows no more

using Part = InsideDoc::Part;

class Inside {
  public:
    Inside(const SourceSet& sources, const SyntaxTree& tree) : sources_(sources), tree_(tree) {}

    void add(SyntaxId component, std::string from)
    {
        from_ = std::move(from);
        walk(syntax::Block(tree_, syntax::ComponentDeclaration(tree_, component).body()).statements());
    }

    // Ports first, what is inherited last.
    std::vector<InsideDoc> take()
    {
        for (std::size_t i = found_.size(); i-- > 0;)  // the last first: those before it may be there for it alone
            if (found_[i].part == Part::constant && !used(i)) found_.erase(found_.begin() + static_cast<long>(i));
        std::vector<InsideDoc> out;
        for (const bool inherited : {false, true})
            for (int part = 0; part <= static_cast<int>(Part::requirement); ++part)
                for (const InsideDoc& one : found_)
                    if (!one.from.empty() == inherited && static_cast<int>(one.part) == part) out.push_back(one);
        return out;
    }

  private:
    std::string text(SyntaxId id) const { return one_line(sources_.text(tree_.node(id).span)); }
    std::string behind(std::string_view sign, SyntaxId id) const
    {
        return tree_.is_none(id) ? "" : fmt::format("{}{}", sign, text(id));
    }

    // A `let` concerns only those who want to know how many elements an array has.
    bool used(std::size_t constant) const
    {
        const std::string& let = found_[constant].text;
        const std::string name = let.substr(4, let.find(' ', 4) - 4);
        for (const InsideDoc& one : found_) {
            if (&one == &found_[constant]) continue;
            for (std::size_t at = 0; (at = one.text.find(name, at)) != std::string::npos; at += name.size()) {
                const std::size_t end = at + name.size();
                const bool begins = at == 0 || !(in_word(one.text[at - 1]) || one.text[at - 1] == '.');
                if (begins && (end == one.text.size() || !in_word(one.text[end]))) return true;
            }
        }
        return false;
    }

    void walk(std::span<const SyntaxId> statements)
    {
        for (SyntaxId id : statements) statement(id);
    }

    void nested(std::string where, std::span<const SyntaxId> statements)
    {
        around_.push_back(std::move(where));
        walk(statements);
        around_.pop_back();
    }

    void statement(SyntaxId id)
    {
        using namespace syntax;
        const bool noted = tree_.kind(id) == SyntaxKind::annotated;
        const SyntaxId at = noted ? Annotated(tree_, id).declaration() : id;
        switch (tree_.kind(at)) {
            case SyntaxKind::for_stmt:
                return loop(ForStatement(tree_, at));
            case SyntaxKind::if_stmt:
                return choice(IfStatement(tree_, at), "");
            case SyntaxKind::port_decl: {
                const PortDeclaration port(tree_, at);
                return found(Part::port, id, port.name(),
                             fmt::format("port {} = {}", text(port.name()), text(port.value())));
            }
            case SyntaxKind::node_decl: {
                const NodeDeclaration node(tree_, at);
                return found(Part::node, id, node.name(),
                             fmt::format("{} {}{}", sources_.text(tree_.node(at).token), text(node.name()),
                                         behind("", node.brackets())));
            }
            case SyntaxKind::instance_decl: {
                const InstanceDeclaration made(tree_, at);
                return found(
                    Part::instance, id, made.name(),
                    fmt::format("{} {}{}", text(made.component()), text(made.name()), behind("", made.brackets())));
            }
            case SyntaxKind::link_decl: {
                const LinkDeclaration link(tree_, at);
                if (!link.has_name()) return;
                const std::string name = fmt::format("link {}{}", text(link.name()), behind("", link.brackets()));
                const std::string_view arrow = tree_.node(at).flags & syntax_flag::directed ? "->" : "--";
                const std::string whole = fmt::format("{}: {} {} {}{}", name, text(link.left()), arrow,
                                                      text(link.right()), behind(" : ", link.profile()));
                return found(Part::link, id, link.name(), whole.size() > kLongestEnds ? name : whole);
            }
            case SyntaxKind::workload_decl: {
                const WorkloadDeclaration work(tree_, at);
                return found(Part::workload, id, work.name(),
                             fmt::format("workload {}{}: {} on {}", text(work.name()), behind("", work.brackets()),
                                         text(work.type()), text(work.on())));
            }
            case SyntaxKind::let_stmt: {
                const LetStatement let(tree_, at);
                if (around_.empty()) found(Part::constant, id, let.name(), text(at));
                return;
            }
            case SyntaxKind::factor_decl: {
                const FactorDeclaration factor(tree_, at);
                return found(Part::factor, id, factor.name(), text(at));
            }
            case SyntaxKind::require_stmt: {
                const RequireStatement required(tree_, at);
                found(Part::requirement, id, {}, fmt::format("require {}", text(required.condition())));
                if (!required.has_message() || !found_.back().about.empty()) return;
                std::string said = text(required.message());
                found_.back().about = said.substr(1, said.size() - 2);  // without its quotes
                return;
            }
            default:
                return;  // nothing that has a name outside
        }
    }

    void loop(const syntax::ForStatement& loop)
    {
        const std::string number = behind("", loop.number());
        nested(
            fmt::format("for {}{}{} in {}", number, number.empty() ? "" : ", ", text(loop.name()), text(loop.over())),
            syntax::Block(tree_, loop.body()).statements());
    }

    void choice(const syntax::IfStatement& choice, std::string_view before)
    {
        std::string condition = text(choice.condition());
        if (condition.size() > kLongestWhere) condition = "its condition holds";
        nested(fmt::format("{}if {}", before, condition), syntax::Block(tree_, choice.then()).statements());
        if (!choice.has_otherwise()) return;
        if (tree_.kind(choice.otherwise()) == SyntaxKind::if_stmt)
            return this->choice(syntax::IfStatement(tree_, choice.otherwise()), "else ");
        nested(fmt::format("unless {}", condition), syntax::Block(tree_, choice.otherwise()).statements());
    }

    // Several statements may make elements of one array: the name is shown once, at the first.
    void found(Part part, SyntaxId id, SyntaxId name, std::string written)
    {
        if (name.valid()) {
            const std::string word = text(name);
            for (const auto& known : names_)
                if (known == word) return;
            names_.push_back(word);
        }
        InsideDoc one{part, std::move(written), fmt::format("{}", fmt::join(around_, ", ")),
                      words_about(sources_, tree_, id), from_};
        if (one.where.size() > kLongestEnds) one.where = "in loops or under conditions";
        found_.push_back(std::move(one));
    }

    const SourceSet& sources_;
    const SyntaxTree& tree_;
    std::string from_;
    std::vector<std::string> around_, names_;
    std::vector<InsideDoc> found_;
};

// The component whose name stands there.
SyntaxId component_named(const SyntaxTree& tree, Span name)
{
    for (SyntaxId id : syntax::File(tree, tree.roots[name.file.value]).declarations()) {
        const SyntaxKind kind = tree.kind(id);
        if (kind != SyntaxKind::component_decl && kind != SyntaxKind::model_decl) continue;
        if (tree.node(syntax::name_of(tree, id)).span.begin == name.begin) return id;
    }
    return {};
}

}  // namespace

std::vector<InsideDoc> component_inside(const SourceSet& sources, const SyntaxTree& tree, SyntaxId component,
                                        const Bases& bases)
{
    Inside inside(sources, tree);
    inside.add(component, "");
    for (std::size_t depth = 0; depth < kMostInherited; ++depth) {
        const Span name = tree.node(syntax::name_of(tree, component)).span;
        const auto base = std::find_if(bases.begin(), bases.end(), [&](const auto& pair) {
            return pair.first.file == name.file && pair.first.begin == name.begin;
        });
        if (base == bases.end()) break;
        const SyntaxId written = syntax::ComponentDeclaration(tree, component).base();
        component = component_named(tree, base->second);
        if (!component.valid()) break;
        inside.add(component, std::string(sources.text(tree.node(written).span)));
    }
    return inside.take();
}

}  // namespace anml
