// Each try parses the words anew: they are few, and mistakes are rare.
#include "syntax/errors/recovery.h"

#include <algorithm>

#include "AnmlLexer.h"

namespace anml {

namespace {

using grammar::AnmlLexer;
using grammar::AnmlParser;

// What may be missing: of words that lead equally far the first is taken. An identifier stands for any value.
constexpr std::uint16_t kMayBeMissing[] = {
    AnmlLexer::IDENTIFIER, AnmlLexer::ASSIGN, AnmlLexer::DUPLEX, AnmlLexer::COLON,  AnmlLexer::COMMA,
    AnmlLexer::LBRACE,     AnmlLexer::RBRACE, AnmlLexer::RPAREN, AnmlLexer::RBRACK, AnmlLexer::IN,
    AnmlLexer::ON,         AnmlLexer::THEN,   AnmlLexer::ELSE,   AnmlLexer::FROM,   AnmlLexer::INTEGER,
    AnmlLexer::STRING,     AnmlLexer::LPAREN};
// What ends a construct soonest.
constexpr std::uint16_t kCompletes[] = {AnmlLexer::RBRACE, AnmlLexer::RPAREN, AnmlLexer::RBRACK, AnmlLexer::DUPLEX,
                                        AnmlLexer::COLON,  AnmlLexer::ASSIGN, AnmlLexer::THEN,   AnmlLexer::ELSE,
                                        AnmlLexer::IN,     AnmlLexer::ON,     AnmlLexer::LBRACE, AnmlLexer::LPAREN,
                                        AnmlLexer::FROM,   AnmlLexer::STRING, AnmlLexer::INTEGER};

constexpr unsigned kMostChanges = 40;      // of one construct; what follows is left out
constexpr unsigned kMostCompletions = 40;  // at its end

}  // namespace

SyntaxId Recovery::hole(std::uint32_t from, std::uint32_t to)
{
    const auto token = [&](std::uint32_t word) { return file_.words[word].token; };
    const Span span{file_.file, tree_.tokens.begin_of(token(from)), tree_.tokens.end_of(token(to - 1))};
    tree_.skipped.push_back(tree_.add(SyntaxKind::hole, 0, span, {}, {}));
    return tree_.skipped.back();
}

void Recovery::missing_behind(std::uint32_t word)
{
    const std::uint32_t end = tree_.tokens.end_of(file_.words[word].token);
    tree_.add(SyntaxKind::hole, 0, {file_.file, end, end}, {}, {});
}

Recovery::Items Recovery::items(std::uint32_t from, std::uint32_t to) const
{
    Items result;
    for (std::uint32_t word = from; word < to; ++word) result.push_back({word, bounds_.type(word)});
    return result;
}

void Recovery::statements(std::uint32_t from, std::uint32_t to, std::vector<SyntaxId>& out)
{
    for (std::uint32_t first = from, last; first < to; first = last) {
        last = bounds_.piece_end(first, to);
        Items words = items(first, last);
        const bool nests = bounds_.type(first) == AnmlLexer::FOR || bounds_.type(first) == AnmlLexer::IF;
        Blocks blocks;
        if (nests && !std::holds_alternative<antlr4::ParserRuleContext*>(parse(Entry::body_part, words))) {
            words.clear();
            for (std::uint32_t word = first; word < last; ++word) {
                words.push_back({word, bounds_.type(word)});
                const std::uint32_t close = file_.partner(word);
                if (bounds_.type(word) != AnmlLexer::LBRACE || close == FileTokens::kNone || close >= last) continue;
                statements(word + 1, close, blocks[tree_.tokens.begin_of(file_.words[word].token)]);
                word = close - 1;
            }
        }
        construct(Entry::body_part, std::move(words), blocks, first, last, out);
    }
}

void Recovery::declaration(std::uint32_t first, std::uint32_t last, std::vector<SyntaxId>& out)
{
    construct(Entry::whole_declaration, items(first, last), {}, first, last, out);
}

void Recovery::body(std::uint32_t first, std::uint32_t open, std::uint32_t close, std::vector<SyntaxId> statements,
                    std::vector<SyntaxId>& out)
{
    Items words = items(first, open + 1);
    const bool closed = close < file_.words.size() && file_.partner(open) == close;
    const std::uint32_t end = tree_.tokens.end_of(file_.words[close - 1].token);
    words.push_back(closed ? Item{close, bounds_.type(close)} : Item{FileTokens::kNone, AnmlLexer::RBRACE, end});
    Blocks blocks;
    blocks[tree_.tokens.begin_of(file_.words[open].token)] = std::move(statements);
    construct(Entry::whole_declaration, std::move(words), blocks, first, closed ? close + 1 : close, out);
}

void Recovery::construct(Entry entry, Items items, const Blocks& blocks, std::uint32_t from, std::uint32_t to,
                         std::vector<SyntaxId>& out)
{
    const Items before = items;
    auto* context = mend(entry, items);
    if (!context || std::none_of(items.begin(), items.end(), [](const Item& i) { return i.word != FileTokens::kNone; }))
    {
        out.push_back(hole(from, to));
        return;
    }
    write_down(items);
    Diagnostics unheard;
    TreeBuilder builder(draft_, sources_, words_, unheard);
    builder.begin_chunk(0);
    std::vector<SyntaxId> roots;
    if (entry == Entry::body_part) {
        for (AnmlParser::StatementContext* item : static_cast<AnmlParser::Body_partContext*>(context)->statement())
            roots.push_back(statement(builder, item));
    } else {
        roots.push_back(whole_declaration(builder, static_cast<AnmlParser::Whole_declarationContext*>(context)));
    }
    if (!copy(blocks, roots)) {
        out.push_back(hole(from, to));
        return;
    }
    // Words that no node stands for, such as a `=`, are missing too.
    for (std::size_t i = 0; i < items.size(); ++i) {
        const Span place = draft_.tokens[words_.words[i].token].span;
        if (items[i].word == FileTokens::kNone) tree_.add(SyntaxKind::hole, 0, place, {}, {});
    }

    // Holes over what was left out, run by run.
    std::vector<std::uint32_t> words;  // that stay, in order
    for (const Item& item : items)
        if (item.word != FileTokens::kNone) words.push_back(item.word);
    const auto stays = [&](const Item& item) {
        return item.word == FileTokens::kNone || std::binary_search(words.begin(), words.end(), item.word);
    };
    for (std::size_t i = 0, end; i < before.size(); i = end) {
        end = i + 1;
        if (stays(before[i])) continue;
        while (end < before.size() && before[end].word == before[end - 1].word + 1 && !stays(before[end])) ++end;
        const SyntaxId skipped = hole(before[i].word, before[end - 1].word + 1);
        const Span gap = tree_.node(skipped).span;
        const auto behind =
            std::find_if(roots.begin(), roots.end(), [&](SyntaxId id) { return tree_.node(id).span.end > gap.begin; });
        if (behind == roots.end() || tree_.node(*behind).span.begin >= gap.end) roots.insert(behind, skipped);
    }
    out.insert(out.end(), roots.begin(), roots.end());
}

antlr4::ParserRuleContext* Recovery::mend(Entry entry, Items& items)
{
    unsigned changes = kMostChanges, completions = kMostCompletions;
    while (budget_ > 0) {
        auto result = parse(entry, items);
        if (auto* context = std::get_if<antlr4::ParserRuleContext*>(&result)) return *context;
        const ParseFailure& failure = std::get<ParseFailure>(result);
        if (failure.too_deep) return nullptr;
        if (failure.word < items.size() && changes > 0) {
            --changes;
            if (advance(entry, items, failure)) continue;
        }
        if (completions-- == 0) return nullptr;
        if (failure.word < items.size() && (changes == 0 || !must_stay(items, failure.word))) {
            // What cannot be mended: all that follows, or the one word.
            const auto at = items.begin() + static_cast<std::ptrdiff_t>(failure.word);
            items.erase(at, changes == 0 ? items.end() : at + 1);
            continue;
        }
        const auto* missing = std::find_if(std::begin(kCompletes), std::end(kCompletes),
                                           [&](std::uint16_t type) { return failure.expected[type]; });
        const bool value = failure.expected[AnmlLexer::IDENTIFIER] &&
                           (missing == std::end(kCompletes) || failure.expected[AnmlLexer::ON] ||
                            failure.expected[AnmlLexer::INTEGER]);
        if (!value && missing == std::end(kCompletes)) return nullptr;
        items.insert(items.begin() + static_cast<std::ptrdiff_t>(failure.word),
                     {FileTokens::kNone, value ? std::uint16_t{AnmlLexer::IDENTIFIER} : *missing});
    }
    return nullptr;
}

// Takes the change that lets the parse go furthest beyond the word that did not fit. False: none does.
bool Recovery::advance(Entry entry, Items& items, const ParseFailure& failure)
{
    const std::size_t at = failure.word;
    Change best;
    // `reach` counts from where the change makes the items longer or shorter.
    const auto consider = [&](std::size_t place, std::uint16_t added) {
        Items changed = items;
        const auto where = changed.begin() + static_cast<std::ptrdiff_t>(place);
        if (added != 0)
            changed.insert(where, {FileTokens::kNone, added});
        else
            changed.erase(where);
        const auto result = parse(entry, changed);
        const auto* stopped = std::get_if<ParseFailure>(&result);
        if (stopped && stopped->too_deep) return;
        const std::size_t end = stopped ? stopped->word : changed.size() + 1;
        const std::size_t reach = added != 0 ? end - std::min<std::size_t>(end, 1) : end + 1;
        if (reach > at && reach > best.reach) best = {std::move(changed), reach};
    };
    // `rate =` at the end of a line, and the next attribute was taken for its value.
    const Item* before = at > 0 ? &items[at - 1] : nullptr;
    if (before && before->word != FileTokens::kNone && before->type == AnmlLexer::IDENTIFIER &&
        file_.words[before->word].starts_line && at > 1)
        consider(at - 1, AnmlLexer::IDENTIFIER);
    const bool closes = must_stay(items, at);
    for (const std::uint16_t type : kMayBeMissing)
        if (failure.expected[type] && !(closes && is_opening_bracket(type))) consider(at, type);
    if (!closes) consider(at, 0);
    if (best.reach == 0) return false;
    items = std::move(best.items);
    return true;
}

// A bracket that closes one of the items, or the brace of a block that was taken out.
bool Recovery::must_stay(const Items& items, std::size_t at) const
{
    const Item& item = items[at];
    if (item.word == FileTokens::kNone) return false;
    if (item.type == AnmlLexer::LBRACE && at + 1 < items.size() && items[at + 1].type == AnmlLexer::RBRACE &&
        items[at + 1].word != item.word + 1)
        return true;
    if (item.type != AnmlLexer::RBRACE && item.type != AnmlLexer::RPAREN && item.type != AnmlLexer::RBRACK)
        return false;
    const std::uint32_t open = file_.partner(item.word);
    return open != FileTokens::kNone &&
           std::any_of(items.begin(), items.end(), [&](const Item& other) { return other.word == open; });
}

std::variant<antlr4::ParserRuleContext*, ParseFailure> Recovery::parse(Entry entry, const Items& items)
{
    write_down(items);
    budget_ -= std::min<std::size_t>(budget_, items.size() + 10);
    return parser_.parse(entry, words_, draft_.tokens, 0, static_cast<std::uint32_t>(items.size()));
}

void Recovery::write_down(const Items& items)
{
    draft_ = {};
    words_ = {};
    words_.file = file_.file;
    origins_.clear();
    std::uint32_t place = 0;
    for (const Item& item : items) {
        if (item.word == FileTokens::kNone) continue;
        place = tree_.tokens.begin_of(file_.words[item.word].token);
        break;
    }
    const auto add = [&](const Token& token, std::uint32_t origin) {
        draft_.tokens.push_back(token);
        origins_.push_back(origin);
    };
    for (const Item& item : items) {
        if (item.word == FileTokens::kNone) {
            place = std::max(place, item.place);
            add({{file_.file, place, place}, item.type, TokenClass::identifier}, FileTokens::kNone);
        } else {
            const std::uint32_t token = file_.words[item.word].token;
            std::uint32_t doc = token;
            while (doc > 0 && tree_.tokens.cls(doc - 1) == TokenClass::doc_comment &&
                   tree_.tokens.file(doc - 1) == file_.file)
                --doc;
            for (; doc < token; ++doc) add(tree_.tokens[doc], doc);
            add(tree_.tokens[token], token);
            place = tree_.tokens.end_of(token);
        }
        const bool starts_line =
            words_.words.empty() || (item.word != FileTokens::kNone && file_.words[item.word].starts_line);
        words_.words.push_back({static_cast<std::uint32_t>(draft_.tokens.size() - 1), starts_line});
    }
}

bool Recovery::copy(const Blocks& blocks, std::vector<SyntaxId>& roots)
{
    const std::size_t base = tree_.size();
    std::size_t blocks_left = blocks.size();
    std::vector<SyntaxId> children;
    for (std::size_t i = 0; i < draft_.size(); ++i) {
        const SyntaxNode node = draft_.node(SyntaxId(i));
        children.clear();
        for (const SyntaxId child : draft_.children_of(SyntaxId(i))) children.emplace_back(base + child.value);
        if (node.kind == SyntaxKind::block)
            if (const auto taken_out = blocks.find(node.span.begin); taken_out != blocks.end())
                --blocks_left, children = taken_out->second;
        const SyntaxId id = tree_.add(node.kind, node.flags, node.span, node.token, children);
        if (node.doc) tree_.document(id, TokenId(origins_[node.doc.value]));
    }
    for (SyntaxId& id : roots) id = SyntaxId(base + id.value);
    return blocks_left == 0;
}

}  // namespace anml
