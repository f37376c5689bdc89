// The table from names to their declarations: every name is in it, and what it says is what names mean.
#include "check/names/declarations.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "check_text.h"
#include "elaborate/network.h"
#include "import/graph_components.h"
#include "mutants.h"
#include "partition/partition.h"
#include "plan/plan.h"
#include "route/route.h"
#include "../tier.h"
#include "syntax/syntax_views.h"

using namespace anml;
using namespace anml::testing;

namespace {

std::string text_of(const SourceSet& sources, const SyntaxTree& tree, TokenId token)
{
    return std::string(unquoted(sources.text(tree.tokens[token.value].span)));
}

bool is_example(const std::filesystem::path& path) { return path.string().find("/examples/") != std::string::npos; }

// The examples, and of the other files all or one of so many.
std::vector<std::filesystem::path> examples_and_one_of(std::size_t step)
{
    std::vector<std::filesystem::path> files;
    std::size_t place = 0;
    for (const auto& path : anml_files())
        if (is_example(path) || place++ % step == 0 || everything()) files.push_back(path);
    return files;
}

// A file of the tree with what it imports and its graphs, if it is right.
struct Model {
    SourceSet sources;
    Checked checked;
};
std::optional<Model> load(const std::filesystem::path& path)
{
    Model model;
    Diagnostics unheard;
    SourceOptions options;
    options.input = path.string();
    if (std::filesystem::file_size(path) > 10'000) return std::nullopt;
    if (!load_sources(options, model.sources, unheard)) return std::nullopt;
    auto tree = parse(model.sources, unheard).if_whole();
    if (!tree || !expand_graphs(options, std::move(*tree), model.sources, unheard)) return std::nullopt;
    model.checked = check_sources(model.sources);
    if (!model.checked.whole()) return std::nullopt;
    return model;
}

// Names that mean nothing that stands in the text.
bool is_built_in(const std::string& name)
{
    static const std::set<std::string> kNames{
        "bool",       "int",        "number",  "ratio",    "time",
        "size",       "rate",       "length",  "trace",    "file",   // types
        "string",     "address",    "prefix",  "node",     "index", "key",  // of an element
        "up",         "down",       "off",     "to",       "via",
        "by",         "port",       "task",     // words, where they stand for themselves
        "active",                               // of workloads, in the timeline
        "from",       "until",                  // parts of a run
        "run",        "addressing", "routing",  // `override run`
        "vary",       "search",     "measure", "connect",  "tls",
        "first_byte", "transfer",   "page",    "slowdown",  // in experiments
#define ANML_TRAIT(name, schema, type, demanded) #name,
#include "check/schemas/traits.def"
        "trait"};
    return kNames.contains(name) || find_builtin(name).has_value();
}

// The kind of node whose name a declaration is; `none`: it is no name of one.
std::map<std::uint32_t, SyntaxKind> declared_kinds(const SyntaxTree& tree)
{
    std::map<std::uint32_t, SyntaxKind> kinds;
    const auto add = [&](SyntaxId name, SyntaxKind kind) {
        if (!tree.is_none(name))
            kinds[token_at(tree, tree.node(name).span.file, tree.node(name).span.begin).value] = kind;
    };
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const SyntaxId id(i);
        const SyntaxKind kind = tree.kind(id);
        if (kind == SyntaxKind::enum_decl)
            for (const SyntaxId value : syntax::EnumDeclaration(tree, id).values()) add(value, SyntaxKind::identifier);
        if (kind == SyntaxKind::import_decl) {
            if (const syntax::ImportDeclaration import(tree, id); import.has_alias()) add(import.alias(), kind);
            continue;
        }
        // The names of these are uses.
        if (kind == SyntaxKind::member || kind == SyntaxKind::argument || kind == SyntaxKind::attribute ||
            kind == SyntaxKind::annotation)
            continue;
        if (const SyntaxId name = syntax::name_of(tree, id)) add(name, kind);
    }
    return kinds;
}

// Its dumps: --emit=checked, and the plan if it has one.
std::string outputs(const CheckedProgram& program, const SourceSet& sources)
{
    std::string out = dump_checked(program);
    Diagnostics unheard;
    auto network = elaborate(program, {}, unheard);
    constexpr std::uint32_t kMostNodes = 1000;  // the plan of a large network takes long
    std::uint32_t nodes = 0;
    if (network)
        for (const NodeArray& group : network->nodes) nodes += std::min(group.count, kMostNodes);
    if (nodes >= kMostNodes) return out;
    const auto routes = network ? compute_routes(*network, unheard) : std::nullopt;
    const auto requirements = routes ? resolve_requirements(*network, *routes, unheard) : std::nullopt;
    if (!requirements) return out;
    const TaskGraph tasks = partition(*network, *routes);
    return out + dump_plan(make_plan({sources, *network, *routes, *requirements, tasks}));
}

// A name as long that stands nowhere: places on lines stay.
std::string fresh_name(const SourceSet& sources, const std::string& name)
{
    std::string fresh = name;
    for (int tries = 0; tries < 2000; ++tries) {
        for (std::size_t i = 0, number = static_cast<std::size_t>(tries) * 31 + 7;
             i < std::min<std::size_t>(fresh.size(), 4); ++i, number /= 26)
            fresh[fresh.size() - 1 - i] = static_cast<char>((i % 2 ? 'A' : 'a') + (number + i * 5) % 26);
        const bool used = is_keyword(fresh) || is_built_in(fresh) ||
                          std::any_of(sources.files.begin(), sources.files.end(), [&](const SourceFile& file) {
                              return file.text.find(fresh) != std::string::npos;
                          });
        if (!used) return fresh;
    }
    return {};
}

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

// The same sources with another word at each of these tokens.
SourceSet renamed(const Model& model, const std::vector<TokenId>& names, const std::string& name)
{
    SourceSet sources = model.sources;
    const SyntaxTree& tree = model.checked.tree();
    for (auto at = names.rbegin(); at != names.rend(); ++at) {
        const Span span = tree.tokens[at->value].span;
        sources.files[span.file.value].text.replace(span.begin, span.end - span.begin, name);
    }
    return sources;
}

}  // namespace

TEST_CASE("names lead to their declarations", "[check][declarations]")
{
    const std::string text =
        "import std.ether as wires\n"
        "enum Mood { good, bad }\n"
        "schema Tyre { mood: Mood = good, worn: ratio = 0.1 }\n"
        "function twice(x: int): int = x * 2\n"
        "component Site(n: int) {\n  host pc[n]\n  switch sw\n  link up: pc[*] -- sw : wires.fast\n  port out = sw\n}\n"
        "model M(k: int = 2) {\n  Site a(n = twice(k)) { override up { delay = 1 ms } }\n  let half = k / 2\n"
        "  router r\n  link a.out -- r : wires.fast\n  for i in 0 ..< k { require hops(a.pc[i], r) < half * 9 + 2 "
        "}\n}\n";
    const SourceSet sources = with_library(text);
    const Checked c = check_sources(sources);
    const SyntaxTree& tree = c.tree();
    // Behind the `nth` place where that stands, the line of its declaration; 0: none, -1: in the library.
    const auto line = [&](const std::string& words, const std::string& name) {
        const std::size_t at = text.find(name, text.find(words));
        const TokenId declaration = c.declarations.of(token_at(tree, FileId(0), static_cast<std::uint32_t>(at)));
        if (!declaration) return 0;
        const Span span = tree.tokens[declaration.value].span;
        CHECK(sources.text(span) == name);
        if (span.file != FileId(0)) return -1;
        return static_cast<int>(sources.position(span.file, span.begin).line);
    };
    CHECK(line("wires.fast", "wires") == 1);
    CHECK(line("wires.fast", "fast") == -1);
    CHECK(line("mood: Mood", "Mood") == 2);
    CHECK(line("= good", "good") == 2);
    CHECK(line("= x *", "x") == 4);
    CHECK(line("pc[n]", "n") == 5);
    CHECK(line("pc[*]", "pc") == 6);
    CHECK(line("Site a", "Site") == 5);
    CHECK(line("n = twice", "n") == 5);
    CHECK(line("(n = twice", "twice") == 4);
    CHECK(line("override up", "up") == 8);
    CHECK(line("delay = 1", "delay") == -1);
    CHECK(line("a.out", "out") == 9);
    CHECK(line("a.out", "a") == 12);
    CHECK(line("a.pc", "pc") == 6);
    CHECK(line("[i]", "i") == 16);
    CHECK(line("half * 9", "half") == 13);
    CHECK(line("n: int", "int") == 0);
    CHECK(line("hops(", "hops") == 0);
    const TokenId n = token_at(tree, FileId(0), static_cast<std::uint32_t>(text.find("n: int) {")));
    CHECK(c.declarations.of(n) == n);
    CHECK(c.declarations.names_of(n).size() == 3);
}

TEST_CASE("names lead to their declarations in broken texts", "[check][declarations]")
{
    const std::string text = "model M {\n  router a\n  link a -- \n  let x = a.\n  let y = x +\n}\n";
    const Checked c = check_sources(with_library(text));
    const auto token = [&](const char* words) {
        return token_at(c.tree(), FileId(0), static_cast<std::uint32_t>(text.find(words)));
    };
    CHECK(c.declarations.of(token("a --")) == token("a\n"));
    CHECK(c.declarations.of(token("a.")) == token("a\n"));
    CHECK(c.declarations.of(token("x +")) == token("x ="));
}

TEST_CASE("every name of the tree's files has a declaration", "[check][declarations]")
{
    std::size_t names = 0, files = 0;
    for (const auto& path : examples_and_one_of(kSanitized ? 96 : 24)) {
        const auto model = load(path);
        if (!model) continue;
        ++files;
        const SyntaxTree& tree = model->checked.tree();
        std::set<std::uint32_t> paths;  // the folders of imports
        for (const SyntaxId id : syntax::File(tree, tree.roots[0]).declarations()) {
            if (tree.kind(id) != SyntaxKind::import_decl) continue;
            const syntax::ImportDeclaration import(tree, id);
            for (const SyntaxId part : syntax::DottedName(tree, import.path()).parts())
                paths.insert(tree.node(part).span.begin);
        }
        for (std::size_t i = 0; i < tree.tokens.size() && tree.tokens.file(i) == FileId(0); ++i) {
            if (tree.tokens.cls(i) != TokenClass::identifier) continue;
            ++names;
            const std::string name = text_of(model->sources, tree, TokenId(i));
            const TokenId declaration = model->checked.declarations.of(TokenId(i));
            if (!declaration) {
                if (!is_built_in(name) && !paths.contains(tree.tokens.begin_of(i)))
                    FAIL_CHECK(path << ": `" << name << "` at " << tree.tokens.begin_of(i) << " has no declaration");
                continue;
            }
            if (text_of(model->sources, tree, declaration) != name)
                FAIL_CHECK(path << ": `" << name << "` is taken for something else");
            if (model->checked.declarations.of(declaration) != declaration)
                FAIL_CHECK(path << ": `" << name << "` has a declaration that is none");
        }
    }
    INFO(names << " names in " << files << " files");
    CHECK(files > 40);
    CHECK(names > 1000);
}

TEST_CASE("what is renamed with all its names is the same program", "[check][declarations]")
{
    std::map<SyntaxKind, int> tried;
    for (const auto& path : examples_and_one_of(80)) {
        const auto model = load(path);
        if (!model) continue;
        const SyntaxTree& tree = model->checked.tree();
        const auto kinds = declared_kinds(tree);
        std::string before;
        std::set<SyntaxKind> seen;  // one of each kind
        for (const auto& [token, kind] : kinds) {
            const Span span = tree.tokens[token].span;
            if (span.file != FileId(0) || model->checked.declarations.of(TokenId(token)) != TokenId(token)) continue;
            // Every kind is tried often enough; with everything, in each example.
            if (tried[kind] >= (everything() && is_example(path) ? 1000 : kSanitized ? 1 : 2)) continue;
            if (!seen.insert(kind).second) continue;
            const std::string name = text_of(model->sources, tree, TokenId(token));
            const std::string fresh = fresh_name(model->sources, name);
            if (fresh.empty() || model->sources.text(span).front() == '`') continue;
            if (before.empty()) {
                before = outputs(model->checked.program(), model->sources);
                if (!everything() && before.size() > 20'000) break;  // a large network
            }
            const SourceSet sources = renamed(*model, model->checked.declarations.names_of(TokenId(token)), fresh);
            const Checked again = check_sources(sources);
            ++tried[kind];
            INFO(path << ": the " << syntax_kind_name(kind) << " `" << name << "` as `" << fresh << "`");
            if (!again.whole()) {
                const auto& list = (again.parsed.whole ? again.of_check : again.of_parse).list();
                FAIL_CHECK(list.front().message);
                continue;
            }
            const bool same = replaced(outputs(again.program(), sources), fresh, name) == before;
            CHECK(same);
        }
    }
    CHECK(tried.size() >= 10);
}
