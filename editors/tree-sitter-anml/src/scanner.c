// What stands behind a number, and which words begin a statement that are names elsewhere: grammar/AnmlLexer.g4 and
// compiler/syntax/lexer/lexical.cpp have the rules.
#include <stdbool.h>
#include <string.h>

#include "tree_sitter/parser.h"

enum { kUnit, kPercent, kLabel, kReport };

// No word that is one of these is a unit. The last ones may be names.
static const char* const kKeywords[] = {
    "model", "component", "experiment", "schema", "profile", "enum", "function", "graph", "router", "switch", "host",
    "endpoint", "link", "workload", "for", "while", "if", "then", "else", "yield", "import", "edition", "as", "let",
    "require", "run", "addressing", "routing", "route", "tunable", "random", "override", "matching", "on", "ramp", "in",
    "true", "false", "self",
    "table", "extra", "pub", "label", "report", "process", "state", "at", "every", "from", "and", "or", "to",
};
enum { kWords = sizeof kKeywords / sizeof *kKeywords, kNeverNames = kWords - 13 };

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

static bool is_one_of(const char* word, unsigned count)
{
    for (unsigned i = 0; i < count; ++i)
        if (strcmp(word, kKeywords[i]) == 0) return true;
    return false;
}

static bool is_keyword(const char* word) { return is_one_of(word, kWords); }

// Blanks, line ends and comments. False: there was a line end.
static bool skip_space(TSLexer* lexer)
{
    bool same_line = true;
    for (;;) {
        const int32_t c = lexer->lookahead;
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            same_line &= c != '\n';
            lexer->advance(lexer, false);
        } else if (c == '/') {
            lexer->advance(lexer, false);
            const bool line = lexer->lookahead == '/';
            if (!line && lexer->lookahead != '*') return same_line;
            lexer->advance(lexer, false);
            for (int32_t before = 0; !lexer->eof(lexer); lexer->advance(lexer, false)) {
                if (line ? lexer->lookahead == '\n' : before == '*' && lexer->lookahead == '/') break;
                before = lexer->lookahead;
                same_line &= before != '\n';
            }
            if (!line) lexer->advance(lexer, false);
        } else {
            return same_line;
        }
    }
}

// Reads a name, between backquotes, too; `word` is empty then. False: what is there is none.
static bool read_name(TSLexer* lexer, char word[16])
{
    word[0] = 0;
    if (lexer->lookahead == '`') {
        do lexer->advance(lexer, false);
        while (!lexer->eof(lexer) && lexer->lookahead != '`' && lexer->lookahead != '\n');
        lexer->advance(lexer, false);
        return true;
    }
    return is_letter(lexer->lookahead) && read_word(lexer, word) && !is_one_of(word, kNeverNames);
}

// Behind `label`: names and what is chosen of them, up to a block of attributes or an empty one.
static bool begins_label(TSLexer* lexer)
{
    char word[16];
    unsigned depth = 0;
    bool first = true, behind_name = false;
    for (skip_space(lexer); lexer->lookahead != '{'; skip_space(lexer), first = false) {
        const int32_t c = lexer->lookahead;
        if (lexer->eof(lexer) || c == '}' || (first && c != '[' && c != '`' && !is_letter(c))) return false;
        if (is_letter(c) || c == '`') {
            const bool name = read_name(lexer, word);
            if (depth == 0 && (name ? behind_name : strcmp(word, "self") != 0)) return false;
            behind_name = name;
            continue;
        }
        behind_name = false;
        lexer->advance(lexer, false);
        if (c == '[' || c == '(') {
            ++depth;
        } else if (c == ']' || c == ')') {
            if (depth-- == 0) return false;
        } else if (c == '"') {
            for (; lexer->lookahead != '"' && lexer->lookahead != '\n' && !lexer->eof(lexer);
                 lexer->advance(lexer, false))
                if (lexer->lookahead == '\\') lexer->advance(lexer, false);
            lexer->advance(lexer, false);
        }
        if (depth == 0 && c != '.' && c != ',' && c != ']' && c != ')') return false;
    }
    if (depth > 0) return false;
    lexer->advance(lexer, false);
    skip_space(lexer);
    if (lexer->lookahead == '}') return true;
    if (!read_name(lexer, word)) return false;
    skip_space(lexer);
    return lexer->lookahead == '=';
}

// Behind `report`: `by` and a name, all in a line.
static bool begins_report(TSLexer* lexer)
{
    char word[16];
    if (!skip_space(lexer) || !read_name(lexer, word) || strcmp(word, "by") != 0) return false;
    return skip_space(lexer) && read_name(lexer, word);
}

static bool scan_statement(TSLexer* lexer, const bool* valid)
{
    while (lexer->lookahead == ' ' || lexer->lookahead == '\t' || lexer->lookahead == '\r' || lexer->lookahead == '\n')
        lexer->advance(lexer, true);
    if (lexer->lookahead != 'l' && lexer->lookahead != 'r') return false;
    char word[16];
    read_word(lexer, word);
    lexer->mark_end(lexer);
    if (valid[kLabel] && strcmp(word, "label") == 0 && begins_label(lexer)) {
        lexer->result_symbol = kLabel;
        return true;
    }
    lexer->result_symbol = kReport;
    return valid[kReport] && strcmp(word, "report") == 0 && begins_report(lexer);
}

bool tree_sitter_anml_external_scanner_scan(void* state, TSLexer* lexer, const bool* valid)
{
    (void)state;
    const bool statement = valid[kLabel] || valid[kReport];
    if (!valid[kUnit] && !valid[kPercent]) return statement && scan_statement(lexer, valid);
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
    if (!valid[kUnit] || !is_letter(lexer->lookahead)) return statement && scan_statement(lexer, valid);
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
