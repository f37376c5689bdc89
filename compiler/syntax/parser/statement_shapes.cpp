// A shape is learnt from a text of which nothing but the types of its tokens is real: before each
// word stands a doc comment, and the places where a word begins and ends are numbers that no other word has.
#include "syntax/parser/statement_shapes.h"

#include "AnmlLexer.h"
#include "syntax/builder/tree_builder.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

using grammar::AnmlLexer;
using grammar::AnmlParser;

constexpr std::uint32_t kLongest = 256;      // words of a statement that is worth remembering
constexpr std::size_t kMostShapes = 10'000;  // a file of more has no few shapes that it repeats
constexpr std::uint32_t kPlaces = 4;         // for each word: its comment, then itself
constexpr std::uint32_t kBegin = 1, kEnd = 3;

static_assert(AnmlLexer::STRAY < 128);
char letter(std::uint16_t type, bool starts_line) { return static_cast<char>(type << 1 | starts_line); }

// Statements in which only kinds of tokens count. The others hold words that are keywords in their place alone, or
// statements, of which this is not known.
bool only_types_count(SyntaxKind kind)
{
    switch (kind) {
        case SyntaxKind::node_decl:
        case SyntaxKind::instance_decl:
        case SyntaxKind::link_decl:
        case SyntaxKind::let_stmt:
        case SyntaxKind::workload_decl:
        case SyntaxKind::require_stmt:
        case SyntaxKind::override_stmt:
        case SyntaxKind::profile_decl:
        case SyntaxKind::label_stmt:
            return true;
        default:
            return false;
    }
}

}  // namespace

StatementShapes::Shape StatementShapes::learn(const FileTokens& file, std::uint32_t first, std::uint32_t last,
                                              const TokenList& tokens)
{
    SyntaxTree tree;
    SourceSet sources;
    FileTokens words;
    words.file = sources.add("", std::string((last - first) * kPlaces, ' '), "");
    for (std::uint32_t w = 0; w < last - first; ++w) {
        const std::uint32_t token = file.words[first + w].token, place = w * kPlaces;
        tree.tokens.push_back({{words.file, place, place + kBegin}, AnmlLexer::DOC_COMMENT, TokenClass::doc_comment});
        tree.tokens.push_back({{words.file, place + kBegin, place + kEnd}, tokens.type(token), tokens.cls(token)});
        words.words.push_back({2 * w + 1, file.words[first + w].starts_line});
    }
    Diagnostics diagnostics;
    if (!match_brackets(sources, words, tree.tokens, diagnostics)) return {};
    const auto parsed = parser_.parse(Entry::body_part, words, tree.tokens, 0, last - first);
    const auto* context = std::get_if<antlr4::ParserRuleContext*>(&parsed);
    if (!context) return {};
    const auto statements = static_cast<AnmlParser::Body_partContext*>(*context)->statement();
    if (statements.size() != 1) return {};
    TreeBuilder builder(tree, sources, words, diagnostics);
    builder.begin_chunk(0);
    const SyntaxId root = statement(builder, statements[0]);
    const SyntaxKind kind =
        tree.kind(tree.kind(root) == SyntaxKind::annotated ? syntax::Annotated(tree, root).declaration() : root);
    if (!diagnostics.list().empty() || !only_types_count(kind)) return {};

    Shape shape;
    for (std::uint32_t id = 0; id < tree.size(); ++id) {
        Node& node = shape.emplace_back();
        node.node = tree.node(SyntaxId(id));
        if (node.node.doc) node.node.doc = TokenId(node.node.doc.value / 2);
        for (const SyntaxId child : tree.children_of(SyntaxId(id))) node.children.push_back(child.value);
    }
    return shape;
}

SyntaxId StatementShapes::build(const FileTokens& file, std::uint32_t first, std::uint32_t last, SyntaxTree& tree)
{
    if (last - first > kLongest) return {};
    // What an instance in the middle of a line stands behind counts too.
    if (tree.tokens.type(file.words[first].token) == AnmlLexer::IDENTIFIER && !file.words[first].starts_line) return {};
    key_.clear();
    for (std::uint32_t w = first; w < last; ++w)
        key_ += letter(tree.tokens.type(file.words[w].token), file.words[w].starts_line);
    auto at = shapes_.find(std::string_view(key_));
    if (at == shapes_.end()) {
        if (shapes_.size() < kMostShapes) shapes_.emplace(key_, std::nullopt);
        return {};
    }
    if (!at->second) at->second = learn(file, first, last, tree.tokens);
    if (at->second->empty()) return {};

    const auto place = [&](std::uint32_t learnt) {
        const std::uint32_t token = file.words[first + learnt / kPlaces].token;
        return learnt % kPlaces == kBegin ? tree.tokens.begin_of(token) : tree.tokens.end_of(token);
    };
    const auto here = [&](const Span& learnt) {
        return learnt.valid() ? Span{file.file, place(learnt.begin), place(learnt.end)} : Span{};
    };
    const std::size_t base = tree.size();
    for (const auto& [node, children] : *at->second) {
        children_.clear();
        for (const std::uint32_t child : children) children_.emplace_back(base + child);
        const SyntaxId id = tree.add(node.kind, node.flags, here(node.span), here(node.token), children_);
        if (node.doc) document(tree, file, id, first + node.doc.value);
    }
    return SyntaxId(tree.size() - 1);
}

}  // namespace anml
