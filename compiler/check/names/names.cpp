// Looking names up: the open blocks from the inside out, then the module, then the prelude.
#include <fmt/format.h>

#include <algorithm>

#include "base/foreign_words.h"
#include "check/statements/statements.h"
#include "common/ascii.h"
#include "source/embedded_modules.h"
#include "syntax/errors/habits.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

// What the library declares by this name, or by one that ends with it behind a `_`, or a value of its enums, and the
// module that has it: `linux_bbr` of `std.tcp`, for `bbr`. Of several the shortest; both "": there is none.
std::pair<std::string, std::string_view> in_library(std::string_view name)
{
    constexpr std::size_t kShortest = 3;
    std::pair<std::string, std::string_view> found;
    if (name.size() < kShortest) return found;
    const auto take = [&](std::string declared, std::string_view module) {
        if (found.first.empty() || declared.size() < found.first.size()) found = {std::move(declared), module};
    };
    const auto first_word = [](std::string_view text) {
        const auto last = std::find_if_not(text.begin(), text.end(), in_word);
        return text.substr(0, static_cast<std::size_t>(last - text.begin()));
    };
    for (const EmbeddedModule& module : embedded_modules()) {
        if (module.module == "std.prelude") continue;
        std::string_view enumeration;  // whose values these lines are
        for (std::string_view rest = module.text; !rest.empty();) {
            const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
            std::string_view line = rest.substr(0, end);
            rest.remove_prefix(end + 1);
            if (line.starts_with("enum ")) enumeration = first_word(line.substr(5));
            if (!enumeration.empty()) {
                line = line.substr(0, line.find("//"));
                for (std::size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1))
                    if ((at == 0 || !in_word(line[at - 1])) && first_word(line.substr(at)) == name)
                        take(fmt::format("{}.{}", enumeration, name), module.module);
                if (line.find('}') != line.npos) enumeration = {};
                continue;
            }
            for (const std::string_view kind : {"profile ", "function ", "component "}) {
                if (!line.starts_with(kind)) continue;
                const std::string_view declared = first_word(line.substr(kind.size()));
                const std::size_t before = declared.size() - std::min(name.size(), declared.size());
                if (declared.ends_with(name) && (before == 0 || declared[before - 1] == '_'))
                    take(std::string(declared), module.module);
                break;
            }
        }
    }
    return found;
}

// A name of a file without quotes, or an interface at a link's end: what stands before and behind the name tells.
std::string_view meant_by_marks(const std::string& text, Span name)
{
    const std::string_view behind = std::string_view(text).substr(name.end);
    for (const std::string_view suffix : {".http", ".rest", ".csv", ".txt", ".json", ".pcap", ".log"})
        if (behind.starts_with(suffix)) return "a file's name is a string: `\"shop.http\"`";
    const std::string_view word = std::string_view(text).substr(name.begin, name.end - name.begin);
    if (name.begin > 0 && text[name.begin - 1] == ':' && (word.starts_with("eth") || word.starts_with("e1-")))
        return "links join nodes, which need no interfaces: `link a -- b`";
    return {};
}

const Member* find_member(Checking& in, ComponentId component, std::string_view name)
{
    auto& members = in.members_by_name[component];
    if (members.empty())
        for (const Member& m : in.program.component(component).members) {  // a `let` of a base may be replaced
            const auto [known, fresh] = members.try_emplace(m.name, &m);
            if (!fresh && known->second->let) known->second = &m;
        }
    const auto found = members.find(name);
    return found == members.end() ? nullptr : found->second;
}

// Whether a model of this file declares a node of that name, which a component does not know.
bool node_of_model(const SourceText& source, const CheckerScope& scope, const CheckedProgram& program, Span place,
                   std::string_view name)
{
    if (program.component(scope.component).is_model) return false;
    for (const SyntaxId id : syntax::File(source.tree, source.tree.roots[place.file.value]).declarations()) {
        if (source.tree.kind(id) != SyntaxKind::model_decl) continue;
        const SyntaxId body = syntax::ComponentDeclaration(source.tree, id).body();
        if (source.tree.kind(body) != SyntaxKind::block) continue;
        for (const SyntaxId statement : syntax::Block(source.tree, body).statements())
            if (source.tree.kind(statement) == SyntaxKind::node_decl &&
                source.text(syntax::NodeDeclaration(source.tree, statement).name()) == name)
                return true;
    }
    return false;
}

// `rack_0`, `rack0`, where there is an array `rack`: "rack[0]".
std::string element_of_array(const Checking& in, std::string_view name)
{
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    if (digits == name.size()) return {};
    std::string_view array = name.substr(0, digits);
    if (array.ends_with('_') && !find(in, array)) array.remove_suffix(1);
    const Symbol* const symbol = find(in, array);
    if (!symbol || symbol->kind != SymbolKind::local || symbol->type.array == 0) return {};
    return fmt::format("{}[{}]", array, name.substr(digits));
}

// Values of enums that are known by other names: `web.Version.HTTP_2`, for `HTTP_2`. `own`: of this file's alone.
bool suggest_value(const Checking& in, Span span, std::string_view name, bool own, Diagnostics::Builder& report)
{
    std::vector<std::pair<std::string, std::string>> found;  // the name, and as it is written
    const auto look_in = [&](const Names& names, std::string_view module) {
        for (const auto& [of, symbol] : names) {
            if (symbol.kind != SymbolKind::enumeration || (symbol.own && !module.empty())) continue;
            const auto& values = in.program.enums[symbol.index].values;
            if (std::find(values.begin(), values.end(), name) == values.end()) continue;
            const std::string before = module.empty() ? "" : fmt::format("{}.", module);
            const std::string quoted = module.empty() ? "" : fmt::format("{}.", quoted_name(module));
            found.emplace_back(fmt::format("{}{}.{}", before, of, name),
                               fmt::format("{}{}.{}", quoted, quoted_name(of), quoted_name(name)));
        }
    };
    look_in(in.modules[in.file.value], "");
    if (!own) look_in(in.modules[in.prelude.value], "");
    for (const auto& [module, symbol] : in.modules[in.file.value])
        if (!own && symbol.kind == SymbolKind::module) look_in(in.modules[symbol.index], module);
    std::sort(found.begin(), found.end());
    for (const auto& [value, written] : found) report.suggest(span, value, written);
    return !found.empty();
}

// Where a declaration begins: what another file may use begins a line.
Span start_of_line(const SourceText& source, Span within)
{
    const std::string& text = source.sources.file(within.file).text;
    const std::size_t before = within.begin == 0 ? std::string::npos : text.rfind('\n', within.begin - 1);
    const std::size_t begin = text.find_first_not_of(" \t", before == std::string::npos ? 0 : before + 1);
    return {within.file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin)};
}

// Says where it is not, once for each place. The symbol is used all the same: nothing else is wrong with it.
bool exported(Checking& in, const Symbol& symbol, const Symbol& module, SyntaxId identifier)
{
    if (!symbol.own || !in.kept_back.insert(in.span(identifier)).second) return !symbol.own;
    in.report(Diag::private_name, in.span(identifier),
              fmt::format("`{}` keeps `{}` to itself", module_path(in, in, module), in.text(identifier)))
        .also(symbol.span, fmt::format("the {} is declared here, without `pub`", kind_of(in.program, symbol)))
        .help("`pub` in front of it exports it, as it does others of that file")
        .fix_when_asked({start_of_line(in, symbol.span), "pub "});
    return false;
}

// The name of a `let` of a block inside of the body, which ends before the name is used; an invalid id: there is none.
SyntaxId let_within(const Checking& in, SyntaxId block, std::string_view name)
{
    for (const SyntaxId id : in.tree.children_of(block)) {
        const SyntaxKind kind = in.tree.kind(id);
        if (kind == SyntaxKind::let_stmt && block != in.body && !in.tree.is_hole(id)) {
            const SyntaxId own = syntax::LetStatement(in.tree, id).name();
            if (in.text(own) == name) return own;
        }
        if (kind != SyntaxKind::for_stmt && kind != SyntaxKind::if_stmt && kind != SyntaxKind::block) continue;
        if (const SyntaxId found = let_within(in, id, name)) return found;
    }
    return {};
}

// `surf`, which is a workload of the instances `home`: "home[*].surf"; "": of none.
std::string part_of_instance(const Checking& in, std::string_view name)
{
    for (const Names& scope : in.scopes)
        for (const auto& [instance, symbol] : scope) {
            if (symbol.kind != SymbolKind::local || symbol.type.kind != TypeKind::instance) continue;
            for (const Member& m : in.program.component(ComponentId{symbol.type.ref}).members)
                if (m.name == name)
                    return fmt::format("{}{}.{}", quoted_name(instance),
                                       !symbol.type.array                    ? ""
                                       : m.type.kind == TypeKind::workload ? "[*]"
                                                                             : "[0]",
                                       quoted_name(name));
        }
    return {};
}

// `200000 km/s`, of which `s` is not known: the two quantities.
Span speed_before(const SourceText& source, Span unit)
{
    const std::string& text = source.sources.file(unit.file).text;
    std::size_t at = unit.begin;
    const auto back_over = [&](std::string_view characters) {
        const std::size_t from = at;
        while (at > 0 && characters.find(text[at - 1]) != characters.npos) --at;
        return from - at;
    };
    if (back_over("/") != 1) return {};
    const std::size_t behind = at;
    if (back_over("kmKMGTbpsBi") == 0) return {};
    back_over(" ");
    if (back_over("0123456789.") == 0) return {};
    const Span quantity{unit.file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(behind)};
    return parse_quantity(source.sources.text(quantity)) ? quantity : Span{};
}

std::string workloads_of(const CheckedProgram& program, const Names& module)
{
    std::string all;
    for (const auto& [name, symbol] : module)
        if (symbol.kind == SymbolKind::schema && !symbol.own &&
            program.derives(SchemaId{symbol.index}, program.workload))
            all += fmt::format("{}`{}`", all.empty() ? "" : ", ", name);
    return all;
}

}  // namespace

const Symbol* find(const Checking& in, std::string_view name)
{
    for (std::size_t i = in.scopes.size(); i-- > 0;)
        if (auto it = in.scopes[i].find(name); it != in.scopes[i].end()) return &it->second;
    for (const Level& level : in.levels)
        if (level.names.contains(name)) return nullptr;
    for (const Names* names : {&in.modules[in.file.value], &in.modules[in.prelude.value]})
        if (auto it = names->find(name); it != names->end()) return &it->second;
    return nullptr;
}

// The same, or a parameter, whose value is known from outside.
std::optional<Member> member_named(Checking& in, ComponentId component, std::string_view name)
{
    if (const Member* found = find_member(in, component, name)) return *found;
    for (const Parameter& p : in.program.component(component).parameters)
        if (p.name == name && p.type.kind != TypeKind::component) return Member{p.name, p.slot, p.type, p.span};
    return std::nullopt;
}

std::vector<std::string_view> visible_names(const Checking& in)
{
    std::vector<std::string_view> result;
    for (const Names& scope : in.scopes)
        for (const auto& [name, symbol] : scope) result.push_back(name);
    for (const auto& [name, symbol] : in.links) result.push_back(name);
    for (const Names* names : {&in.modules[in.file.value], &in.modules[in.prelude.value]})
        for (const auto& [name, symbol] : *names) result.push_back(name);
    return result;
}

// What the name means outside of the blocks that declare it further down; null: nothing.
const Symbol* hidden_by(const Checking& in, std::string_view name)
{
    for (const Names* names : {&in.modules[in.file.value], &in.modules[in.prelude.value]})
        if (auto it = names->find(name); it != names->end()) return &it->second;
    return nullptr;
}

std::string_view kind_of(const CheckedProgram& program, const Symbol& symbol)
{
    switch (symbol.kind) {
        case SymbolKind::module:
            return "module";
        case SymbolKind::schema:
            return "schema";
        case SymbolKind::enumeration:
            return "enum";
        case SymbolKind::profile:
            return "profile";
        case SymbolKind::process:
            return "process";
        case SymbolKind::function:
            return "function";
        case SymbolKind::component:
            return program.components[symbol.index].is_model ? "model" : "component";
        case SymbolKind::table:
            return "table";
        case SymbolKind::local:
            break;
    }
    return "value";
}

void report_unknown(Checking& in, Span span, std::string_view name)
{
    for (const Level& level : in.levels) {
        if (auto it = level.names.find(name); it != level.names.end()) {
            const Symbol* hidden = hidden_by(in, name);
            // That it has the name of a module is said at the declaration, for all its uses.
            if (hidden && hidden->kind == SymbolKind::module) return;
            const bool of_itself = in.let && it->second.let == in.let;
            auto report = of_itself ? in.report(Diag::recursive_declaration, span,
                                                fmt::format("`{}` is computed from itself", name))
                                    : in.report(Diag::used_before_declaration, span,
                                                fmt::format("`{}` is used before its declaration", name));
            if (!of_itself || hidden) report.also(it->second.span, "declared here");
            if (hidden)
                report
                    .also(hidden->span,
                          fmt::format("the {} `{}`, which that hides", kind_of(in.program, *hidden), name))
                    .help(
                        fmt::format("a name means one thing in a block: give this one another, such as `my_{}`", name));
            else if (!of_itself)
                report.help("one statement uses and declares it: make two of it");
            return;
        }
    }
    if (const SyntaxNode* link = in.body.valid() ? find_link(in, name) : nullptr) {
        in.report(Diag::used_before_declaration, span, fmt::format("`{}` is used before its declaration", name))
            .also(link->span, "declared here")
            .help(in.self && in.program.derives(in.self, in.program.link)
                      ? "of itself a link has `self.rate` and `self.delay`"
                      : "one statement uses and declares it: make two of it");
        return;
    }
    const std::string_view marks = meant_by_marks(in.sources.file(span.file).text, span);
    if (!marks.empty() && in.diagnostics.has_errors()) {  // `link r1:eth1 -- r2:eth2`
        const Diagnostic& last = in.diagnostics.list().back();
        if (!last.helps.empty() && last.helps.front() == marks && last.span.file == span.file &&
            last.span.begin < span.begin &&
            in.sources.text({span.file, last.span.begin, span.begin}).find('\n') == std::string_view::npos)
            return;
    }
    // A module that is not imported, or called otherwise, is one mistake wherever it is used.
    if (in.sources.file(span.file).text.substr(span.end, 1) == "." &&
        !in.modules_missed.emplace(span.file.value, name).second)
        return;
    // Of `import std.http`, for which `std.web` is offered, `web` is no second mistake.
    for (const std::string& missing : in.sources.file(span.file).missing) {
        const std::string_view last = std::string_view(missing).substr(missing.rfind('.') + 1);
        const std::string module = fmt::format("std.{}", name);
        if (foreign_module(last) == name || missing.starts_with(fmt::format("{}.", name)) ||
            missing.ends_with(fmt::format(".{}.anml", name)) || !similar_name(missing, {module}).empty())
            return;
    }
    auto report = in.report(Diag::unknown_name, span, fmt::format("unknown name `{}`", name));
    for (const auto& [known, symbol] : in.modules[in.file.value]) {
        if (symbol.kind != SymbolKind::module || !module_path(in, in, symbol).ends_with(fmt::format(".{}", name)))
            continue;
        report.help(fmt::format("`{}` is imported as `{}`", module_path(in, in, symbol), known)).fix(span, known);
        return;
    }
    if (const Span quantity = find_unit(name) ? speed_before(in, span) : Span{}; quantity.valid()) {
        const std::string quotient = fmt::format("({} / 1 {})", in.sources.text(quantity), name);
        report.help(fmt::format("so much in a unit of time is a quotient: `{}`", quotient))
            .fix({span.file, quantity.begin, span.end}, quotient);
        return;
    }
    if (name == "droptail_packets") {
        report.help("it is written `droptail(packets = 100)` now: `anmlc fmt` writes it so");
        return;
    }
    // A module of the standard library may be called as an attribute is: `loss`.
    const auto modules = embedded_modules();
    const bool of_library = std::any_of(modules.begin(), modules.end(), [&](const EmbeddedModule& module) {
        return module.module == fmt::format("std.{}", name);
    });
    if (of_library) {
        report.help(fmt::format("`import std.{}` makes it known", name))
            .fix(Edit{{in.file, 0, 0}, fmt::format("std.{}", name), EditAt::import});
        return;
    }
    const std::string_view ours = foreign_module(name);
    if (!ours.empty() && in.sources.file(span.file).text.substr(span.end, 1) == ".") {  // `http.Get`
        report.help(fmt::format("`import std.{0}`, and what is in it is called `{0}.` and its name", ours));
        return;
    }
    if (in.every.valid() && name.size() == 1 && in.body.valid()) {  // `every 5 s { beam[k % 4] down }`
        if (!in.once.insert(in.every).second)
            return in.diagnostics.drop_if(
                [&](const Diagnostic& d) { return d.diag == Diag::unknown_name && d.span == span; });
        report.help(fmt::format("`as` gives the number of the time a name: `every ... as {} {{ ... }}`", name));
        return;
    }
    if (const SyntaxId let = in.body.valid() ? let_within(in, in.body, name) : SyntaxId{}) {
        report.also(in.span(let), "this one is known in its own block only")
            .help("declare it in the body itself, before its loops");
        return;
    }
    if (name.size() == 1 && (find(in, "key") || find(in, "index"))) {  // `Site site[sites](sites[k].hosts)`
        const std::string_view own = find(in, "key") ? "key" : "index";
        report.help(fmt::format("which element it is says `{}`", own)).fix(span, std::string(own));
        return;
    }
    if (in.self) {
        for (const Attribute& a : in.program.schema(in.self).attributes) {
            if (a.name != name) continue;
            report.help(fmt::format("the construct's own attribute is `self.{}`", name))
                .fix(span, fmt::format("self.{}", name));
            return;
        }
    }
    if (in.self && name == "this") {
        report.help("the construct itself is `self`").fix(span, "self");
        return;
    }
    if (const std::string element = element_of_array(in, name); !element.empty()) {
        report.help(fmt::format("an array's elements stand in brackets: `{}`", element)).fix(span, element);
        return;
    }
    if (!in.diagnostics.suggests()) return;
    const auto [meant, module] = in_library(name);
    const bool declared = !meant.empty() && meant.find('.') == std::string::npos;
    if (suggest_value(in, span, name, declared, report)) return;
    for (std::string_view visible : visible_names(in)) {
        const Symbol* module = find(in, visible);
        if (!module || module->kind != SymbolKind::module) continue;
        const auto there = in.modules[module->index].find(name);
        if (there == in.modules[module->index].end() || there->second.own) continue;
        report.suggest(span, fmt::format("{}.{}", visible, name),
                       fmt::format("{}.{}", quoted_name(visible), quoted_name(name)));
        return;
    }
    if (name == "index") {
        report.help(
            "elements are numbered where an array is declared; elsewhere by a loop: `for i in 0 ..< n { ... }`");
        return;
    }
    if (name == "not") {
        report.help("\"not\" is written `!`").fix(span, "!");
        return;
    }
    for (const std::string_view ours : {marks, foreign_name_help(name)}) {
        if (ours.empty()) continue;
        report.help(std::string(ours));
        return;
    }
    for (const auto& [theirs, ours] : {std::pair<std::string_view, std::string_view>{"True", "true"},
                                       {"False", "false"},
                                       {"yes", "true"},
                                       {"no", "false"},
                                       {"on", "true"},
                                       {"off", "false"}}) {
        if (name != theirs) continue;
        report.suggest(span, ours);
        return;
    }
    if (name == "None" || name == "null" || name == "nil") {
        report.help("there is no value for nothing: leave the attribute or argument out");
        return;
    }
    std::vector<std::string_view> values = visible_names(in);
    std::erase_if(values, [&](std::string_view visible) {
        const Symbol* symbol = find(in, visible);
        return symbol && symbol->kind == SymbolKind::component && in.program.components[symbol->index].is_model;
    });
    const auto similar = similar_name(name, values);
    if (!similar.empty()) {
        report.suggest(span, similar, quoted_name(similar));
        if (const Symbol* symbol = find(in, similar);
            symbol && symbol->span.valid() && symbol->kind != SymbolKind::module)
            report.also(symbol->span, fmt::format("`{}` is declared here", similar));
        return;
    }
    for (FileId file{0}; file.value < in.sources.files.size(); ++file.value) {
        const std::string& module = in.sources.file(file).module;
        const std::string_view last = std::string_view(module).substr(module.rfind('.') + 1);
        if (last == name) {
            report.help(fmt::format("`import {}` makes it known", module))
                .fix(Edit{{in.file, 0, 0}, module, EditAt::import});
            return;
        }
    }
    if (const std::string inner = meant.empty() ? part_of_instance(in, name) : ""; !inner.empty()) {
        report.help(fmt::format("it stands in an instance: `{}`", inner)).fix(span, inner);
        return;
    }
    if (meant.empty() && in.component.valid() && node_of_model(in, in, in.program, span, name)) {
        report.help(
            fmt::format("a component knows what it is given: `{0}` of the model is a parameter, `component "
                        "{1}({0}: node)`, and stands in the arguments of each instance",
                        name, in.program.component(in.component).name));
        return;
    }
    if (meant.empty()) {
        if (in.may_be_measure) report.help(fmt::format("measures are {}", measures_there_are()));
        return;
    }
    help_with_library(in, report, span, name);
}

// What the library has by this name, or by one that ends with it.
void help_with_library(const Checking& in, Diagnostics::Builder& report, Span span, std::string_view name)
{
    const auto [meant, module] = in_library(name);
    if (meant.empty()) return;
    const std::string_view short_name = module.substr(module.rfind('.') + 1);
    if (const Symbol* imported = find(in, short_name); imported && imported->kind == SymbolKind::module)
        report.suggest(span, fmt::format("{}.{}", short_name, meant));
    else
        report.help(fmt::format("`import {}` makes `{}.{}` known", module, short_name, meant))
            .fix(Fix{{span, fmt::format("{}.{}", short_name, meant)},
                     {{{in.file, 0, 0}, std::string(module), EditAt::import}},
                     true});
}

// As the file that asks imports it.
std::string module_path(const SourceText& source, const CheckerScope& scope, const Symbol& module)
{
    const std::size_t files = source.sources.files.size();
    for (const Import& import : source.sources.file(scope.file).imports)
        if ((import.file.valid() ? import.file.value : files + import.folder) == module.index) return import.name;
    return module.index < files ? source.sources.files[module.index].module
                                : source.sources.folders[module.index - files].module;
}

const Symbol* find_in_module(Checking& in, const Symbol& module, SyntaxId identifier)
{
    const Names& names = in.modules[module.index];
    const std::string_view wanted = in.text(identifier);
    if (auto it = names.find(wanted); it != names.end() && it->second.kind != SymbolKind::module) {
        exported(in, it->second, module, identifier);
        in.means(identifier, it->second.span);
        return &it->second;
    }
    auto report = in.report(Diag::unknown_name, in.span(identifier),
                            fmt::format("`{}` has no `{}`", module_path(in, in, module), wanted));
    if (!in.diagnostics.suggests()) return nullptr;
    std::vector<std::string_view> candidates;
    std::string all;
    const bool called = in.sources.file(in.span(identifier).file).text.substr(in.span(identifier).end, 1) == "(";
    for (const auto& [name, symbol] : names) {
        if (symbol.kind == SymbolKind::module || symbol.own) continue;
        if (called && (symbol.kind == SymbolKind::schema || symbol.kind == SymbolKind::enumeration)) continue;
        candidates.push_back(name);
        all += fmt::format("{}`{}`", all.empty() ? "" : ", ", name);
    }
    if (const auto similar = meant_name(wanted, candidates); !similar.empty())
        report.suggest(in.span(identifier), similar, quoted_name(similar));
    else if (const std::string_view meant = foreign_name_help(wanted); !meant.empty())
        report.help(std::string(meant));
    else if (candidates.size() <= 12 && !all.empty())
        report.help(fmt::format("it has {}", all));
    else if (const std::string workloads = workloads_of(in.program, names); !workloads.empty())
        report.help(fmt::format("its workloads are {}", workloads));
    return nullptr;
}

const Symbol* find_dotted(Checking& in, SyntaxId dotted_name)
{
    const auto parts = syntax::DottedName(in.tree, dotted_name).parts();
    if (parts.empty()) return nullptr;  // a hole
    if (check_named(in, in.text(parts[0]), in.span(parts[0]))) return nullptr;
    const Symbol* symbol = find(in, in.text(parts[0]));
    if (!symbol) {
        report_unknown(in, in.span(parts[0]), in.text(parts[0]));
        return nullptr;
    }
    in.means(parts[0], symbol->span);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (symbol->kind != SymbolKind::module) {
            in.report(Diag::unknown_name, in.span(parts[i - 1]),
                      fmt::format("`{}` is not an imported module", in.text(parts[i - 1])));
            return nullptr;
        }
        symbol = find_in_module(in, *symbol, parts[i]);
        if (!symbol) return nullptr;
    }
    return symbol;
}

const Symbol* static_symbol(Checking& in, SyntaxId id)
{
    if (in.tree.kind(id) == SyntaxKind::name) {
        if (check_named(in, in.text(id), in.span(id))) return nullptr;
        const Symbol* symbol = find(in, in.text(id));
        if (!symbol || symbol->kind == SymbolKind::local) return nullptr;
        in.means(syntax::Name(in.tree, id).identifier(), symbol->span);
        return symbol;
    }
    if (in.tree.kind(id) != SyntaxKind::member) return nullptr;
    const syntax::Member member(in.tree, id);
    const Symbol* object = static_symbol(in, member.object());
    if (!object || object->kind != SymbolKind::module) return nullptr;
    const Names& names = in.modules[object->index];
    const auto it = names.find(in.text(member.name()));
    if (it == names.end() || it->second.kind == SymbolKind::module) return nullptr;
    exported(in, it->second, *object, member.name());
    in.means(member.name(), it->second.span);
    return &it->second;
}

std::string string_value(const SourceText& source, Diagnostics& diagnostics, SyntaxId literal)
{
    std::string_view raw = source.text(literal);
    if (source.tree.is_hole(literal)) return {};
    raw.remove_prefix(1);
    raw.remove_suffix(1);
    std::string result;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (raw[i] != '\\' || i + 1 == raw.size()) {
            result += raw[i];
            continue;
        }
        const char escaped = raw[++i];
        if (escaped == 'n' || escaped == 't') {
            result += escaped == 'n' ? '\n' : '\t';
            continue;
        }
        result += escaped;
        if (escaped == '"' || escaped == '\\') continue;
        Span place = source.span(literal);
        place.begin += static_cast<std::uint32_t>(i);  // of the backslash: the quote is before raw
        place.end = place.begin + 1;
        diagnostics.report(Diag::invalid_literal, place, "this backslash escapes nothing")
            .help("the escapes are `\\\"`, `\\\\`, `\\n` and `\\t`; a backslash itself is written `\\\\`")
            .fix(place, "\\\\");
    }
    return result;
}

// `"core ${i}"`, which other languages fill in.
void find_placeholders(const SourceText& source, Diagnostics& diagnostics, SyntaxId literal)
{
    if (source.tree.is_hole(literal)) return;
    const std::string_view raw = source.text(literal);
    std::string sum;
    std::size_t from = 1;  // of what is not yet in the sum
    Span first{};
    const auto add = [&](std::string_view part) { add_to_sum(sum, part); };
    const auto add_text = [&](std::size_t end) {
        if (end > from) add(fmt::format("\"{}\"", raw.substr(from, end - from)));
    };
    for (std::size_t open = raw.find("${"); open != std::string_view::npos; open = raw.find("${", open + 1)) {
        const std::size_t close = raw.find_first_of("{}\\", open + 2);
        if (close == std::string_view::npos || raw[close] != '}' || close == open + 2) continue;
        if (sum.empty()) {
            const std::uint32_t begin = source.span(literal).begin;
            first = {source.span(literal).file, begin + static_cast<std::uint32_t>(open),
                     begin + static_cast<std::uint32_t>(close) + 1};
        }
        add_text(open);
        add(said_in_text(source.sources.file(source.span(literal).file).text, raw.substr(open + 2, close - open - 2)));
        from = close + 1;
    }
    if (sum.empty()) return;
    add_text(raw.size() - 1);
    diagnostics.report(Diag::literal_placeholder, first, "nothing is filled in here: the string has these characters")
        .help(fmt::format("strings are put together: `{}`", sum))
        .fix_when_asked({source.span(literal), sum});
}

}  // namespace anml
