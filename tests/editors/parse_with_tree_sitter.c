// Parses files by the tree-sitter grammar, as an editor does, and prints for each how many errors its tree has. Before
// that each query given by -q has to fit the grammar. Behind -t: also where each of its nodes begins, and of what kind
// it is.
//
//     parse_with_tree_sitter [-q QUERY]... [-t] FILE...
//     0	path
//     3:7	instance
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

const TSLanguage* tree_sitter_anml(void);

static char* read_all(const char* path, size_t* length)
{
    FILE* file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char* text = malloc(*length + 1);
    *length = fread(text, 1, *length, file);
    text[*length] = 0;
    fclose(file);
    return text;
}

static unsigned errors_of(TSNode node)
{
    if (!ts_node_has_error(node)) return 0;
    unsigned errors = ts_node_is_missing(node) || strcmp(ts_node_type(node), "ERROR") == 0;
    for (uint32_t i = 0; i < ts_node_child_count(node); ++i) errors += errors_of(ts_node_child(node, i));
    return errors;
}

static void print_nodes(TSNode node)
{
    const TSPoint at = ts_node_start_point(node);
    if (ts_node_is_named(node)) printf("%u:%u\t%s\n", at.row + 1, at.column + 1, ts_node_type(node));
    for (uint32_t i = 0; i < ts_node_child_count(node); ++i) print_nodes(ts_node_child(node, i));
}

int main(int argc, char** argv)
{
    TSParser* parser = ts_parser_new();
    if (!ts_parser_set_language(parser, tree_sitter_anml())) {
        fputs("the grammar was generated for another version of tree-sitter\n", stderr);
        return 1;
    }
    int trees = 0;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "-t") == 0) {
            trees = 1;
            continue;
        }
        const int is_query = strcmp(argv[i], "-q") == 0 && i + 1 < argc;
        if (is_query) ++i;
        size_t length = 0;
        char* text = read_all(argv[i], &length);
        if (!text) {
            perror(argv[i]);
            return 1;
        }
        if (is_query) {
            uint32_t at = 0;
            TSQueryError error = TSQueryErrorNone;
            TSQuery* query = ts_query_new(tree_sitter_anml(), text, (uint32_t)length, &at, &error);
            if (!query) {
                fprintf(stderr, "%s: error %d at byte %u\n", argv[i], (int)error, at);
                return 1;
            }
            ts_query_delete(query);
        } else {
            TSTree* tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)length);
            printf("%u\t%s\n", errors_of(ts_tree_root_node(tree)), argv[i]);
            if (trees) print_nodes(ts_tree_root_node(tree));
            ts_tree_delete(tree);
        }
        free(text);
    }
    ts_parser_delete(parser);
    return 0;
}
