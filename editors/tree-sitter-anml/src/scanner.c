// What stands behind a number: grammar/AnmlLexer.g4 and compiler/syntax/lexical.cpp have the rules.
#include <stdbool.h>
#include <string.h>

#include "tree_sitter/parser.h"

enum { kUnit, kPercent };

// No word that is one of these is a unit.
static const char* const kKeywords[] = {
    "edition", "import", "as", "schema", "enum", "profile", "process", "state", "yield", "function", "component",
    "model", "experiment", "graph", "tunable", "random", "router", "switch", "host", "endpoint", "link", "let", "for",
    "while", "in", "if", "else", "then", "workload", "on", "require", "override", "matching", "run", "addressing",
    "routing", "route", "at", "every", "from", "ramp", "self", "true", "false", "table", "extra", "pub", "label",
    "report", "and", "or", "to",
};

static bool is_letter(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

void* tree_sitter_anml_external_scanner_create(void) { return NULL; }
void tree_sitter_anml_external_scanner_destroy(void* state) { (void)state; }
unsigned tree_sitter_anml_external_scanner_serialize(void* state, char* buffer)
{
    (void)state, (void)buffer;
    return 0;
}
void tree_sitter_anml_external_scanner_deserialize(void* state, const char* buffer, unsigned length)
{
    (void)state, (void)buffer, (void)length;
}

static void skip_blanks(TSLexer* lexer, bool before_the_token)
{
    while (lexer->lookahead == ' ' || lexer->lookahead == '\t') lexer->advance(lexer, before_the_token);
}

// Reads a word; its length, which may be more than what `word` has of it.
static unsigned read_word(TSLexer* lexer, char word[16])
{
    unsigned length = 0;
    while (is_letter(lexer->lookahead) || is_digit(lexer->lookahead)) {
        if (length < 15) word[length] = (char)lexer->lookahead;
        ++length;
        lexer->advance(lexer, false);
    }
    word[length < 15 ? length : 15] = 0;
    return length;
}

static bool is_keyword(const char* word)
{
    for (unsigned i = 0; i < sizeof kKeywords / sizeof *kKeywords; ++i)
        if (strcmp(word, kKeywords[i]) == 0) return true;
    return false;
}

bool tree_sitter_anml_external_scanner_scan(void* state, TSLexer* lexer, const bool* valid)
{
    (void)state;
    if (!valid[kUnit] && !valid[kPercent]) return false;
    skip_blanks(lexer, true);
    char word[16];
    if (valid[kPercent] && lexer->lookahead == '%') {
        lexer->advance(lexer, false);
        lexer->mark_end(lexer);
        skip_blanks(lexer, false);
        if (is_digit(lexer->lookahead) || lexer->lookahead == '(') return false;
        if (is_letter(lexer->lookahead) && read_word(lexer, word) && (!is_keyword(word) || strcmp(word, "self") == 0))
            return false;
        lexer->result_symbol = kPercent;
        return true;
    }
    if (!valid[kUnit] || !is_letter(lexer->lookahead)) return false;
    const unsigned length = read_word(lexer, word);
    if (is_keyword(word)) return false;
    lexer->mark_end(lexer);
    // kbit/s
    if (length >= 3 && length <= 4 && strcmp(word + length - 3, "bit") == 0 && lexer->lookahead == '/') {
        lexer->advance(lexer, false);
        if (lexer->lookahead == 's') lexer->advance(lexer, false), lexer->mark_end(lexer);
    }
    lexer->result_symbol = kUnit;
    return true;
}
