// Parses every file of the set, declaration by declaration; the bodies of components and models a run of statements at
// a time, so that memory is bounded by the longest statement. After an error it goes on at the next statement, only to
// find more errors: a tree is returned only where there was none.
#include "AnmlLexer.h"
#include "syntax/chunk_parser.h"
#include "syntax/syntax_error.h"
#include "syntax/tree_builder.h"

namespace anml {

namespace {

using grammar::AnmlLexer;
using grammar::AnmlParser;

constexpr std::uint32_t kRunWords = 2048;  // a run of statements ends at the first statement past this
constexpr std::size_t kMostErrors = 100;   // per file; a file with more is no .anml file

class FileParser {
  public:
    FileParser(const SourceSet& sources, FileTokens& file, SyntaxTree& tree, ChunkParser& parser,
               Diagnostics& diagnostics)
        : sources_(sources),
          file_(file),
          tree_(tree),
          parser_(parser),
          diagnostics_(diagnostics),
          builder_(tree, sources, file, diagnostics),
          allowed_(diagnostics.errors() + kMostErrors)
    {
    }

    SyntaxId run()
    {
        auto count = static_cast<std::uint32_t>(file_.words.size());
        for (std::uint32_t first = 0, last; first < count && diagnostics_.errors() < allowed_; first = last) {
            last = declaration_end(first);
            declaration(first, last);
        }
        report_open_brackets(sources_, tree_.tokens, file_, diagnostics_);
        return builder_.file_node(declarations_);
    }

  private:
    std::uint16_t type(std::uint32_t word) const { return tree_.tokens[file_.words[word].token].type; }

    std::uint32_t declaration_end(std::uint32_t first) const
    {
        auto count = static_cast<std::uint32_t>(file_.words.size());
        std::uint32_t at = first + 1;
        while (at < count && !(begins_declaration(type(at)) && file_.words[at].inside == FileTokens::kNone)) ++at;
        return at;
    }

    void declaration(std::uint32_t first, std::uint32_t last)
    {
        bool has_body = type(first) == AnmlLexer::COMPONENT || type(first) == AnmlLexer::MODEL;
        std::uint32_t open = first;
        while (has_body && open < last &&
               !(type(open) == AnmlLexer::LBRACE && file_.words[open].inside == FileTokens::kNone))
        {
            ++open;
        }
        if (has_body && open < last) return body(first, open, last);
        auto* context = parse(Entry::whole_declaration, first, last);
        if (!context) return skim(failed_at_, last);
        auto* whole = static_cast<AnmlParser::Whole_declarationContext*>(context);
        declarations_.push_back(builder_.declaration(whole->declaration()));
    }

    void body(std::uint32_t first, std::uint32_t open, std::uint32_t last)
    {
        TreeBuilder::Head head;
        bool good = false;
        if (auto* context = parse(Entry::body_head, first, open + 1)) {
            head = builder_.head(static_cast<AnmlParser::Body_headContext*>(context));
            good = true;
        }
        std::uint32_t close = file_.words[open].partner == FileTokens::kNone ? last : file_.words[open].partner;
        std::vector<SyntaxId> statements;
        for (std::uint32_t from = open + 1, to; from < close; from = to) {
            to = run_end(from, close);
            good = run(from, to, &statements) && good;
            if (diagnostics_.errors() >= allowed_) return;
        }
        if (close == last) return;  // never closed: reported with the brackets
        if (good) declarations_.push_back(builder_.finish_body(head, statements, close));
        if (close + 1 < last) parse(Entry::whole_declaration, close + 1, last);  // says why this is no declaration
    }

    // A run ends before the first statement that is kRunWords from its beginning.
    std::uint32_t run_end(std::uint32_t from, std::uint32_t close) const
    {
        std::uint32_t at = from;
        while (at < close) {
            if (at - from >= kRunWords && begins_here(at)) return at;
            std::uint32_t partner = file_.words[at].partner;
            at = partner != FileTokens::kNone && partner > at ? partner + 1 : at + 1;
        }
        return close;
    }

    // A statement's first word. An annotation belongs to what follows it.
    bool begins_here(std::uint32_t word) const
    {
        return begins_statement(type(word)) && !follows_annotation(file_, tree_.tokens, word);
    }

    bool run(std::uint32_t from, std::uint32_t to, std::vector<SyntaxId>* statements)
    {
        auto* context = parse(Entry::body_part, from, to);
        if (!context) return skim(failed_at_, to), false;
        auto* part = static_cast<AnmlParser::Body_partContext*>(context);
        for (AnmlParser::StatementContext* item : part->statement()) {
            SyntaxId id = builder_.statement(item);
            if (statements) statements->push_back(id);
        }
        return true;
    }

    // Looks for further errors in [from, to), beginning at each statement that starts a line.
    void skim(std::uint32_t from, std::uint32_t to)
    {
        while (diagnostics_.errors() < allowed_) {
            while (from < to && !resumes_at(from)) ++from;
            if (from >= to) return;
            std::uint32_t open = file_.words[from].inside;
            std::uint32_t close = open == FileTokens::kNone ? FileTokens::kNone : file_.words[open].partner;
            std::uint32_t end = std::min(to, close);
            auto* context = parse(Entry::body_part, from, end);
            if (context) {
                auto* part = static_cast<AnmlParser::Body_partContext*>(context);
                for (AnmlParser::StatementContext* item : part->statement()) builder_.statement(item);
            }
            from = context ? end : failed_at_;  // past `from`: a statement's first word fits
        }
    }

    bool resumes_at(std::uint32_t word) const
    {
        // `from` and `every` may also stand inside a statement.
        const bool timeline = type(word) == AnmlLexer::FROM || type(word) == AnmlLexer::EVERY;
        if (!file_.words[word].starts_line || !(timeline || begins_here(word))) return false;
        std::uint32_t open = file_.words[word].inside;
        return open != FileTokens::kNone && type(open) == AnmlLexer::LBRACE;
    }

    // The context, or nullptr after a report; failed_at_ is then the word that did not fit.
    antlr4::ParserRuleContext* parse(Entry entry, std::uint32_t first, std::uint32_t last)
    {
        auto result = parser_.parse(entry, file_, tree_.tokens, first, last);
        builder_.begin_chunk(first);
        if (auto* failure = std::get_if<ParseFailure>(&result)) {
            failed_at_ = failure->word;
            report_failure(sources_, tree_.tokens, file_, *failure, diagnostics_);
            return nullptr;
        }
        return std::get<antlr4::ParserRuleContext*>(result);
    }

    const SourceSet& sources_;
    FileTokens& file_;
    SyntaxTree& tree_;
    ChunkParser& parser_;
    Diagnostics& diagnostics_;
    TreeBuilder builder_;
    std::size_t allowed_;
    std::uint32_t failed_at_ = 0;
    std::vector<SyntaxId> declarations_;
};

}  // namespace

std::optional<SyntaxTree> parse(const SourceSet& sources, Diagnostics& diagnostics)
{
    std::size_t before = diagnostics.errors();
    SyntaxTree tree;
    ChunkParser parser;
    for (std::size_t i = 0; i < sources.files.size(); ++i) {
        FileTokens file = lex_file(sources, FileId(i), tree.tokens, diagnostics);
        if (match_brackets(file, tree.tokens, diagnostics)) {
            tree.roots.push_back(FileParser(sources, file, tree, parser, diagnostics).run());
        }
    }
    if (diagnostics.errors() != before) return std::nullopt;
    return tree;
}

}  // namespace anml
