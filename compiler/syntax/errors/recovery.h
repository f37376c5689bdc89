// Trees of words that do not parse: what they come to with as few words as possible added or left out.
//
// Where the parse of a statement or declaration stops, the words that would go on there are tried, and leaving out the
// word that does not fit; what leads furthest is taken. A word that was added takes no room, and becomes a hole; so do
// words that were left out. Blocks of statements inside others are mended statement by statement, so that one mistake
// costs no more than its own statement.
//
// Nothing is reported here: errors are found by the parse that failed.
#pragma once

#include <map>

#include "syntax/builder/tree_builder.h"
#include "syntax/parser/chunk_parser.h"
#include "syntax/parser/statement_bounds.h"

namespace anml {

class Recovery {
  public:
    Recovery(const SourceSet& sources, const FileTokens& file, SyntaxTree& tree, ChunkParser& parser)
        : sources_(sources), file_(file), tree_(tree), parser_(parser), bounds_(file, tree.tokens)
    {
    }

    // Of words [from, to) of a body.
    void statements(std::uint32_t from, std::uint32_t to, std::vector<SyntaxId>& out);
    // Of the declaration at `first`.
    void declaration(std::uint32_t first, std::uint32_t last, std::vector<SyntaxId>& out);
    // Of one whose head, up to the brace `open`, does not parse; `close` may be the end of the words.
    void body(std::uint32_t first, std::uint32_t open, std::uint32_t close, std::vector<SyntaxId> statements,
              std::vector<SyntaxId>& out);
    // Something that no node stands for is missing there, such as a brace.
    void missing_behind(std::uint32_t word);
    // Words that are understood by nobody.
    SyntaxId hole(std::uint32_t from, std::uint32_t to);

  private:
    struct Item {
        std::uint32_t word = FileTokens::kNone;  // kNone: one that was added
        std::uint16_t type = 0;
        std::uint32_t place = 0;  // of one that was added behind a block that was taken out; 0: behind the last word
    };
    using Items = std::vector<Item>;
    using Blocks = std::map<std::uint32_t, std::vector<SyntaxId>>;  // by the place of their braces
    // The same words with one change, and how many of the old ones it takes in.
    struct Change {
        Items items;
        std::size_t reach = 0;
    };

    Items items(std::uint32_t from, std::uint32_t to) const;
    // Adds what the items come to; where nothing does, a hole.
    void construct(Entry entry, Items items, const Blocks& blocks, std::uint32_t from, std::uint32_t to,
                   std::vector<SyntaxId>& out);
    antlr4::ParserRuleContext* mend(Entry entry, Items& items);
    bool advance(Entry entry, Items& items, const ParseFailure& failure);
    bool must_stay(const Items& items, std::size_t at) const;
    std::variant<antlr4::ParserRuleContext*, ParseFailure> parse(Entry entry, const Items& items);
    void write_down(const Items& items);  // as the words of draft_
    // Copies the draft; its blocks that were taken out get their statements back. False: one of them is no block.
    bool copy(const Blocks& blocks, std::vector<SyntaxId>& roots);

    const SourceSet& sources_;
    const FileTokens& file_;
    SyntaxTree& tree_;
    ChunkParser& parser_;
    StatementBounds bounds_;
    std::size_t budget_ = 300'000;  // words to parse in this file: behind that everything is a hole

    SyntaxTree draft_;
    FileTokens words_;                    // of the draft
    std::vector<std::uint32_t> origins_;  // by token of the draft: the token of the tree
};

}  // namespace anml
