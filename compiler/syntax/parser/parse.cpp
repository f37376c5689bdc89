// Parses every file of the set, declaration by declaration; the bodies of components and models a statement at a time,
// so that memory is bounded by the longest one. Where one fails the run of statements around it is parsed as a whole,
// so that the error says what could have gone on. After an error it goes on at the next statement to find more errors;
// the tree of what does not parse is made apart from that, without a word (recovery.h).
#include <fmt/format.h>

#include "AnmlLexer.h"
#include "syntax/builder/tree_builder.h"
#include "syntax/errors/foreign_text.h"
#include "syntax/errors/recovery.h"
#include "syntax/errors/syntax_error.h"
#include "syntax/parser/chunk_parser.h"
#include "syntax/parser/statement_bounds.h"
#include "syntax/parser/statement_shapes.h"

namespace anml {

namespace {

using grammar::AnmlLexer;
using grammar::AnmlParser;

constexpr std::uint32_t kRunWords = 2048;  // a run of statements ends at the first statement past this
constexpr std::size_t kMostErrors = 100;   // per file; a file with more is no .anml file

class FileParser {
  public:
    FileParser(const SourceSet& sources, FileTokens& file, SyntaxTree& tree, ChunkParser& parser,
               StatementShapes& shapes, Diagnostics& diagnostics)
        : sources_(sources),
          file_(file),
          tree_(tree),
          parser_(parser),
          shapes_(shapes),
          diagnostics_(diagnostics),
          builder_(tree, sources, file, diagnostics),
          bounds_(file, tree.tokens),
          recovery_(sources, file, tree, parser),
          allowed_(diagnostics.errors() + kMostErrors)
    {
    }

    SyntaxId run()
    {
        auto count = static_cast<std::uint32_t>(file_.words.size());
        for (std::uint32_t first = 0, last; first < count && diagnostics_.errors() < allowed_; first = last) {
            if (last = file_.skipped_to(first); last > first) {
                declarations_.push_back(recovery_.hole(first, last));
                continue;
            }
            last = declaration_end(first);
            declaration(first, last);
            if (diagnostics_.errors() >= allowed_ && last < count) declarations_.push_back(recovery_.hole(last, count));
        }
        report_open_brackets(sources_, tree_.tokens, file_, diagnostics_);
        return file_node(builder_, declarations_);
    }

    // Of a file whose brackets cannot be followed.
    SyntaxId run_nothing()
    {
        if (auto count = static_cast<std::uint32_t>(file_.words.size()); count > 0)
            declarations_.push_back(recovery_.hole(0, count));
        return file_node(builder_, declarations_);
    }

    // Of a file that holds an expression. The root has no child where it is none.
    SyntaxId run_value()
    {
        auto count = static_cast<std::uint32_t>(file_.words.size());
        const std::size_t nodes = tree_.size();
        if (auto* context = count > 0 ? parse(Entry::value, 0, count) : nullptr)
            declarations_.push_back(
                expression(builder_, static_cast<AnmlParser::ValueContext*>(context)->expression()));
        report_open_brackets(sources_, tree_.tokens, file_, diagnostics_);
        bool whole = true;
        for (std::size_t id = nodes; id < tree_.size(); ++id) whole = whole && !tree_.is_hole(SyntaxId(id));
        if (!whole) {
            declarations_.clear();
            tree_.truncate(nodes);
        }
        return file_node(builder_, declarations_);
    }

  private:
    std::uint16_t type(std::uint32_t word) const { return tree_.tokens.type(file_.words[word].token); }

    std::uint32_t declaration_end(std::uint32_t first) const
    {
        auto count = static_cast<std::uint32_t>(file_.words.size());
        std::uint32_t at = first + 1;
        const auto begins_here = [&] {
            return begins_declaration(type(at)) && file_.inside(at) == FileTokens::kNone &&
                   type(at - 1) != AnmlLexer::PUB;
        };
        while (at < count && !begins_here()) ++at;
        return at;
    }

    void declaration(std::uint32_t first, std::uint32_t last)
    {
        const std::uint16_t keyword = type(first + (type(first) == AnmlLexer::PUB && first + 1 < last));
        bool has_body =
            keyword == AnmlLexer::COMPONENT || keyword == AnmlLexer::MODEL || keyword == AnmlLexer::EXPERIMENT;
        std::uint32_t open = first;
        while (has_body && open < last && !(type(open) == AnmlLexer::LBRACE && file_.inside(open) == FileTokens::kNone))
        {
            ++open;
        }
        if (has_body && open < last) return body(first, open, last);
        auto* context = parse(Entry::whole_declaration, first, last);
        if (!context) {
            skim(failed_at_, last);
            return recovery_.declaration(first, last, declarations_);
        }
        declarations_.push_back(
            whole_declaration(builder_, static_cast<AnmlParser::Whole_declarationContext*>(context)));
    }

    void body(std::uint32_t first, std::uint32_t open, std::uint32_t last)
    {
        std::optional<BodyHead> head;
        if (auto* context = parse(Entry::body_head, first, open + 1))
            head = body_head(builder_, static_cast<AnmlParser::Body_headContext*>(context));
        if (!head && file_.skipped_to(open) > open) return declarations_.push_back(recovery_.hole(first, last));
        const std::uint32_t close = file_.partner(open) == FileTokens::kNone ? last : file_.partner(open);
        std::vector<SyntaxId> statements;
        for (std::uint32_t from = open + 1, to; from < close; from = to) {
            to = run_end(from, close);
            if (!each(from, to, statements) && !run(from, to, statements)) recovery_.statements(from, to, statements);
            if (diagnostics_.errors() < allowed_) continue;
            if (to < close) statements.push_back(recovery_.hole(to, close));
            break;
        }
        const bool closed = close < last;  // otherwise reported with the brackets
        if (!closed) recovery_.missing_behind(last - 1);
        if (head)
            declarations_.push_back(finish_body(builder_, *head, statements, closed ? close : last - 1));
        else
            recovery_.body(first, open, close, std::move(statements), declarations_);
        if (close + 1 >= last) return;
        // Says why this is no declaration.
        if (diagnostics_.errors() < allowed_ && file_.skipped_to(close + 1) == close + 1)
            parse(Entry::whole_declaration, close + 1, last);
        declarations_.push_back(recovery_.hole(close + 1, last));
    }

    // A run ends before the first statement that is kRunWords from its beginning.
    std::uint32_t run_end(std::uint32_t from, std::uint32_t close) const
    {
        std::uint32_t at = from;
        while (at < close) {
            if (at - from >= kRunWords && bounds_.begins_here(at)) return at;
            at = bounds_.behind(at);
        }
        return close;
    }

    // Statement by statement. False, with nothing done, where one of them does not parse.
    bool each(std::uint32_t from, std::uint32_t to, std::vector<SyntaxId>& statements)
    {
        const std::size_t nodes = tree_.size(), before = statements.size();
        Diagnostics found;
        TreeBuilder builder(tree_, sources_, file_, found);
        for (std::uint32_t first = from, last; first < to; first = last) {
            last = bounds_.piece_end(first, to);
            if (const SyntaxId id = shapes_.build(file_, first, last, tree_); id.valid()) {
                statements.push_back(id);
                continue;
            }
            const auto result = parser_.parse(Entry::body_part, file_, tree_.tokens, first, last);
            const auto* context = std::get_if<antlr4::ParserRuleContext*>(&result);
            if (!context) {
                tree_.truncate(nodes);
                statements.resize(before);
                return false;
            }
            builder.begin_chunk(first);
            for (AnmlParser::StatementContext* item : static_cast<AnmlParser::Body_partContext*>(*context)->statement())
                statements.push_back(statement(builder, item));
        }
        diagnostics_.append(std::move(found));
        return true;
    }

    // The same as a whole.
    bool run(std::uint32_t from, std::uint32_t to, std::vector<SyntaxId>& statements)
    {
        auto* context = parse(Entry::body_part, from, to);
        if (!context) return skim(failed_at_, to), false;
        for (AnmlParser::StatementContext* item : static_cast<AnmlParser::Body_partContext*>(context)->statement())
            statements.push_back(statement(builder_, item));
        return true;
    }

    // Looks for further errors in [from, to), beginning at each statement that starts a line.
    void skim(std::uint32_t from, std::uint32_t to)
    {
        const std::size_t nodes = tree_.size();
        while (diagnostics_.errors() < allowed_) {
            while (from < to && !resumes_at(from)) ++from;
            if (from >= to) break;
            std::uint32_t open = file_.inside(from);
            std::uint32_t close = open == FileTokens::kNone ? FileTokens::kNone : file_.partner(open);
            std::uint32_t end = std::min(to, close);
            auto* context = parse(Entry::body_part, from, end);
            if (context) {
                auto* part = static_cast<AnmlParser::Body_partContext*>(context);
                for (AnmlParser::StatementContext* item : part->statement()) statement(builder_, item);
            }
            from = context ? end : failed_at_;  // past `from`: a statement's first word fits
        }
        tree_.truncate(nodes);
    }

    bool resumes_at(std::uint32_t word) const
    {
        // `from` and `every` may also stand inside a statement.
        const bool timeline = type(word) == AnmlLexer::FROM || type(word) == AnmlLexer::EVERY;
        if (!file_.words[word].starts_line || !(timeline || bounds_.begins_here(word)) || notes_attribute(word) ||
            file_.skipped_to(word) > word)
            return false;
        std::uint32_t open = file_.inside(word);
        return open != FileTokens::kNone && type(open) == AnmlLexer::LBRACE;
    }

    // An annotation of an attribute, in a schema.
    bool notes_attribute(std::uint32_t word) const
    {
        if (type(word) != AnmlLexer::AT || word + 2 >= file_.words.size()) return false;
        const std::uint32_t close = file_.partner(word + 2);
        return close != FileTokens::kNone && close + 2 < file_.words.size() && type(close + 2) == AnmlLexer::COLON;
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
    StatementShapes& shapes_;
    Diagnostics& diagnostics_;
    TreeBuilder builder_;
    StatementBounds bounds_;
    Recovery recovery_;
    std::size_t allowed_;
    std::uint32_t failed_at_ = 0;
    std::vector<SyntaxId> declarations_;
};

}  // namespace

// Of a file of another language nothing else is said.
static void report_foreign_text(const SourceSet& sources, FileId id, const FileTokens& file, const TokenList& tokens,
                                Diagnostics& diagnostics)
{
    const auto foreign = foreign_text(sources.file(id).text);
    if (!foreign || file.words.empty()) return;
    diagnostics.drop_if([&](const Diagnostic& d) { return d.span.file == id; });
    const auto text = [&](std::size_t word) { return sources.text(tokens[file.words[word].token].span); };
    std::size_t first = 0;  // behind lines that may be ours: `import std.ether`
    if (text(0) == "import" && foreign->name.starts_with("NED"))
        while (first + 1 < file.words.size() && text(first) != "network" && text(first) != "module" &&
               text(first) != "simple")
            ++first;
    diagnostics
        .report(Diag::syntax_error, tokens[file.words[first].token].span, fmt::format("this file is {}", foreign->name))
        .help(std::string(foreign->help));
}

Partial<SyntaxTree> parse(const SourceSet& sources, Diagnostics& diagnostics)
{
    std::size_t before = diagnostics.errors();
    SyntaxTree tree;
    ChunkParser parser;
    StatementShapes shapes(parser);
    for (std::size_t i = 0; i < sources.files.size(); ++i) {
        if (!sources.files[i].value_of.empty()) {
            Diagnostics found;
            FileTokens file = lex_file(sources, FileId(i), tree.tokens, found);
            match_brackets(sources, file, tree.tokens, found);
            tree.roots.push_back(FileParser(sources, file, tree, parser, shapes, found).run_value());
            if (found.has_errors()) tree.no_values.emplace_back(FileId(i), std::move(found));
            continue;
        }
        const std::size_t before_file = diagnostics.errors();
        FileTokens file = lex_file(sources, FileId(i), tree.tokens, diagnostics);
        if (file.cut_off) {  // what is in the comment was perhaps none
            const Span rest = tree.tokens[tree.tokens.size() - 1].span;
            tree.skipped.push_back(tree.add(SyntaxKind::hole, 0, rest, {}, {}));
        }
        Diagnostics unheard;  // of a file that is cut off
        Diagnostics& heard = file.cut_off ? unheard : diagnostics;
        const bool matched = match_brackets(sources, file, tree.tokens, heard);
        FileParser one(sources, file, tree, parser, shapes, heard);
        tree.roots.push_back(matched ? one.run() : one.run_nothing());
        if (diagnostics.errors() != before_file)
            report_foreign_text(sources, FileId(i), file, tree.tokens, diagnostics);
    }
    return {std::move(tree), diagnostics.errors() == before};
}

}  // namespace anml
