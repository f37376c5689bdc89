// Looking names up: the open blocks from the inside out, then the module, then the prelude.
#include <fmt/format.h>

#include <algorithm>

#include "base/foreign_words.h"
#include "check/checker.h"
#include "common/ascii.h"
#include "source/embedded_modules.h"
#include "syntax/syntax_views.h"

namespace anml {

const Symbol* Checker::find(std::string_view name) const
{
    for (std::size_t i = scopes_.size(); i-- > 0;)
        if (auto it = scopes_[i].find(name); it != scopes_[i].end()) return &it->second;
    for (const Level& level : levels_)
        if (level.names.contains(name)) return nullptr;
    for (const Names* names : {&modules_[file_.value], &modules_[prelude_.value]})
        if (auto it = names->find(name); it != names->end()) return &it->second;
    return nullptr;
}

const Member* Checker::find_member(ComponentId component, std::string_view name)
{
    auto& members = members_by_name_[component];
    if (members.empty())
        for (const Member& m : program_.component(component).members) {  // a `let` of a base may be replaced
            const auto [known, fresh] = members.try_emplace(m.name, &m);
            if (!fresh && known->second->let) known->second = &m;
        }
    const auto found = members.find(name);
    return found == members.end() ? nullptr : found->second;
}

// The same, or a parameter, whose value is known from outside.
std::optional<Member> Checker::member_named(ComponentId component, std::string_view name)
{
    if (const Member* found = find_member(component, name)) return *found;
    for (const Parameter& p : program_.component(component).parameters)
        if (p.name == name && p.type.kind != TypeKind::component) return Member{p.name, p.slot, p.type, p.span};
    return std::nullopt;
}

std::vector<std::string_view> Checker::visible_names() const
{
    std::vector<std::string_view> result;
    for (const Names& scope : scopes_)
        for (const auto& [name, symbol] : scope) result.push_back(name);
    for (const auto& [name, symbol] : links_) result.push_back(name);
    for (const Names* names : {&modules_[file_.value], &modules_[prelude_.value]})
        for (const auto& [name, symbol] : *names) result.push_back(name);
    return result;
}

// What the name means outside of the blocks that declare it further down; null: nothing.
const Symbol* Checker::hidden_by(std::string_view name) const
{
    for (const Names* names : {&modules_[file_.value], &modules_[prelude_.value]})
        if (auto it = names->find(name); it != names->end()) return &it->second;
    return nullptr;
}

std::string_view Checker::kind_of(const Symbol& symbol) const
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
            return program_.components[symbol.index].is_model ? "model" : "component";
        case SymbolKind::table:
            return "table";
        case SymbolKind::local:
            break;
    }
    return "value";
}

// What the library declares by this name, or by one that ends with it behind a `_`, or a value of its enums, and the
// module that has it: `linux_bbr` of `std.tcp`, for `bbr`. Of several the shortest; both "": there is none.
static std::pair<std::string, std::string_view> in_library(std::string_view name)
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

namespace {

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

}  // namespace

void Checker::report_unknown(Span span, std::string_view name)
{
    for (const Level& level : levels_) {
        if (auto it = level.names.find(name); it != level.names.end()) {
            const Symbol* hidden = hidden_by(name);
            // That it has the name of a module is said at the declaration, for all its uses.
            if (hidden && hidden->kind == SymbolKind::module) return;
            const bool of_itself = let_ && it->second.let == let_;
            auto report = of_itself
                              ? diagnostics_.report(Diag::recursive_declaration, span,
                                                    fmt::format("`{}` is computed from itself", name))
                              : diagnostics_.report(Diag::used_before_declaration, span,
                                                    fmt::format("`{}` is used before its declaration", name));
            if (!of_itself || hidden) report.also(it->second.span, "declared here");
            if (hidden)
                report.also(hidden->span, fmt::format("the {} `{}`, which that hides", kind_of(*hidden), name))
                    .help(
                        fmt::format("a name means one thing in a block: give this one another, such as `my_{}`", name));
            else if (!of_itself)
                report.help("one statement uses and declares it: make two of it");
            return;
        }
    }
    if (const SyntaxNode* link = body_.valid() ? find_link(name) : nullptr) {
        diagnostics_
            .report(Diag::used_before_declaration, span, fmt::format("`{}` is used before its declaration", name))
            .also(link->span, "declared here")
            .help(self_ && program_.derives(self_, program_.link)
                      ? "of itself a link has `self.rate` and `self.delay`"
                      : "one statement uses and declares it: make two of it");
        return;
    }
    const std::string_view marks = meant_by_marks(sources_.file(span.file).text, span);
    if (!marks.empty() && diagnostics_.has_errors()) {  // `link r1:eth1 -- r2:eth2`
        const Diagnostic& last = diagnostics_.list().back();
        if (!last.helps.empty() && last.helps.front() == marks && last.span.file == span.file &&
            last.span.begin < span.begin &&
            sources_.text({span.file, last.span.begin, span.begin}).find('\n') == std::string_view::npos)
            return;
    }
    // A module that is not imported, or called otherwise, is one mistake wherever it is used.
    if (sources_.file(span.file).text.substr(span.end, 1) == "." &&
        !modules_missed_.emplace(span.file.value, name).second)
        return;
    auto report = diagnostics_.report(Diag::unknown_name, span, fmt::format("unknown name `{}`", name));
    for (const auto& [known, symbol] : modules_[file_.value]) {
        if (symbol.kind != SymbolKind::module || !module_path(symbol).ends_with(fmt::format(".{}", name))) continue;
        report.help(fmt::format("`{}` is imported as `{}`", module_path(symbol), known)).fix(span, known);
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
            .fix(Edit{{file_, 0, 0}, fmt::format("std.{}", name), EditAt::import});
        return;
    }
    if (self_) {
        for (const Attribute& a : program_.schema(self_).attributes) {
            if (a.name != name) continue;
            report.help(fmt::format("the construct's own attribute is `self.{}`", name))
                .fix(span, fmt::format("self.{}", name));
            return;
        }
    }
    if (!diagnostics_.suggests()) return;
    const auto [meant, module] = in_library(name);
    const bool declared = !meant.empty() && meant.find('.') == std::string::npos;
    if (suggest_value(span, name, declared, report)) return;
    for (std::string_view visible : visible_names()) {
        const Symbol* module = find(visible);
        if (!module || module->kind != SymbolKind::module) continue;
        const auto there = modules_[module->index].find(name);
        if (there == modules_[module->index].end() || there->second.own) continue;
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
    std::vector<std::string_view> values = visible_names();
    std::erase_if(values, [&](std::string_view visible) {
        const Symbol* symbol = find(visible);
        return symbol && symbol->kind == SymbolKind::component && program_.components[symbol->index].is_model;
    });
    const auto similar = similar_name(name, values);
    if (!similar.empty()) {
        report.suggest(span, similar, quoted_name(similar));
        if (const Symbol* symbol = find(similar); symbol && symbol->span.valid() && symbol->kind != SymbolKind::module)
            report.also(symbol->span, fmt::format("`{}` is declared here", similar));
        return;
    }
    for (FileId file{0}; file.value < sources_.files.size(); ++file.value) {
        const std::string& module = sources_.file(file).module;
        const std::string_view last = std::string_view(module).substr(module.rfind('.') + 1);
        if (last == name) {
            report.help(fmt::format("`import {}` makes it known", module))
                .fix(Edit{{file_, 0, 0}, module, EditAt::import});
            return;
        }
    }
    if (meant.empty() && component_.valid() && node_of_model(span, name)) {
        report.help(fmt::format("a component knows what it is given: `{0}` of the model is a parameter, `component "
                                "{1}({0}: node)`, and stands in the arguments of each instance",
                                name, program_.component(component_).name));
        return;
    }
    if (meant.empty()) {
        if (may_be_measure_) report.help(fmt::format("measures are {}", measures_there_are()));
        return;
    }
    help_with_library(report, span, name);
}

// Whether a model of this file declares a node of that name, which a component does not know.
bool Checker::node_of_model(Span place, std::string_view name) const
{
    if (program_.component(component_).is_model) return false;
    for (const SyntaxId id : syntax::File(tree_, tree_.roots[place.file.value]).declarations()) {
        if (tree_.kind(id) != SyntaxKind::model_decl) continue;
        const SyntaxId body = syntax::ComponentDeclaration(tree_, id).body();
        if (tree_.kind(body) != SyntaxKind::block) continue;
        for (const SyntaxId statement : syntax::Block(tree_, body).statements())
            if (tree_.kind(statement) == SyntaxKind::node_decl &&
                text(syntax::NodeDeclaration(tree_, statement).name()) == name)
                return true;
    }
    return false;
}

// What the library has by this name, or by one that ends with it.
void Checker::help_with_library(Diagnostics::Builder& report, Span span, std::string_view name) const
{
    const auto [meant, module] = in_library(name);
    if (meant.empty()) return;
    const std::string_view short_name = module.substr(module.rfind('.') + 1);
    if (const Symbol* imported = find(short_name); imported && imported->kind == SymbolKind::module)
        report.suggest(span, fmt::format("{}.{}", short_name, meant));
    else
        report.help(fmt::format("`import {}` makes `{}.{}` known", module, short_name, meant))
            .fix(Fix{{span, fmt::format("{}.{}", short_name, meant)},
                     {{{file_, 0, 0}, std::string(module), EditAt::import}},
                     true});
}

// Values of enums that are known by other names: `web.Version.HTTP_2`, for `HTTP_2`. `own`: of this file's alone.
bool Checker::suggest_value(Span span, std::string_view name, bool own, Diagnostics::Builder& report) const
{
    std::vector<std::pair<std::string, std::string>> found;  // the name, and as it is written
    const auto look_in = [&](const Names& names, std::string_view module) {
        for (const auto& [of, symbol] : names) {
            if (symbol.kind != SymbolKind::enumeration || (symbol.own && !module.empty())) continue;
            const auto& values = program_.enums[symbol.index].values;
            if (std::find(values.begin(), values.end(), name) == values.end()) continue;
            const std::string before = module.empty() ? "" : fmt::format("{}.", module);
            const std::string quoted = module.empty() ? "" : fmt::format("{}.", quoted_name(module));
            found.emplace_back(fmt::format("{}{}.{}", before, of, name),
                               fmt::format("{}{}.{}", quoted, quoted_name(of), quoted_name(name)));
        }
    };
    look_in(modules_[file_.value], "");
    if (!own) look_in(modules_[prelude_.value], "");
    for (const auto& [module, symbol] : modules_[file_.value])
        if (!own && symbol.kind == SymbolKind::module) look_in(modules_[symbol.index], module);
    std::sort(found.begin(), found.end());
    for (const auto& [value, written] : found) report.suggest(span, value, written);
    return !found.empty();
}

// As the file that asks imports it.
std::string Checker::module_path(const Symbol& module) const
{
    const std::size_t files = sources_.files.size();
    for (const Import& import : sources_.file(file_).imports)
        if ((import.file.valid() ? import.file.value : files + import.folder) == module.index) return import.name;
    return module.index < files ? sources_.files[module.index].module : sources_.folders[module.index - files].module;
}

// Where a declaration begins: what another file may use begins a line.
Span Checker::start_of_line(Span within) const
{
    const std::string& text = sources_.file(within.file).text;
    const std::size_t before = within.begin == 0 ? std::string::npos : text.rfind('\n', within.begin - 1);
    const std::size_t begin = text.find_first_not_of(" \t", before == std::string::npos ? 0 : before + 1);
    return {within.file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin)};
}

// Says where it is not, once for each place. The symbol is used all the same: nothing else is wrong with it.
bool Checker::exported(const Symbol& symbol, const Symbol& module, SyntaxId identifier)
{
    if (!symbol.own || !kept_back_.insert(span(identifier)).second) return !symbol.own;
    diagnostics_
        .report(Diag::private_name, span(identifier),
                fmt::format("`{}` keeps `{}` to itself", module_path(module), text(identifier)))
        .also(symbol.span, fmt::format("the {} is declared here, without `pub`", kind_of(symbol)))
        .help("`pub` in front of it exports it, as it does others of that file")
        .fix_when_asked({start_of_line(symbol.span), "pub "});
    return false;
}

std::string Checker::workloads_of(const Names& module) const
{
    std::string all;
    for (const auto& [name, symbol] : module)
        if (symbol.kind == SymbolKind::schema && !symbol.own &&
            program_.derives(SchemaId{symbol.index}, program_.workload))
            all += fmt::format("{}`{}`", all.empty() ? "" : ", ", name);
    return all;
}

const Symbol* Checker::find_in_module(const Symbol& module, SyntaxId identifier)
{
    const Names& names = modules_[module.index];
    const std::string_view wanted = text(identifier);
    if (auto it = names.find(wanted); it != names.end() && it->second.kind != SymbolKind::module) {
        exported(it->second, module, identifier);
        means(identifier, it->second.span);
        return &it->second;
    }
    auto report = diagnostics_.report(Diag::unknown_name, span(identifier),
                                      fmt::format("`{}` has no `{}`", module_path(module), wanted));
    if (!diagnostics_.suggests()) return nullptr;
    std::vector<std::string_view> candidates;
    std::string all;
    for (const auto& [name, symbol] : names) {
        if (symbol.kind == SymbolKind::module || symbol.own) continue;
        candidates.push_back(name);
        all += fmt::format("{}`{}`", all.empty() ? "" : ", ", name);
    }
    if (const auto similar = similar_name(wanted, candidates); !similar.empty())
        report.suggest(span(identifier), similar, quoted_name(similar));
    else if (const std::string_view meant = foreign_name_help(wanted); !meant.empty())
        report.help(std::string(meant));
    else if (candidates.size() <= 12 && !all.empty())
        report.help(fmt::format("it has {}", all));
    else if (const std::string workloads = workloads_of(names); !workloads.empty())
        report.help(fmt::format("its workloads are {}", workloads));
    return nullptr;
}

const Symbol* Checker::find_dotted(SyntaxId dotted_name)
{
    const auto parts = syntax::DottedName(tree_, dotted_name).parts();
    if (parts.empty()) return nullptr;  // a hole
    if (check_named(text(parts[0]), span(parts[0]))) return nullptr;
    const Symbol* symbol = find(text(parts[0]));
    if (!symbol) {
        report_unknown(span(parts[0]), text(parts[0]));
        return nullptr;
    }
    means(parts[0], symbol->span);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (symbol->kind != SymbolKind::module) {
            diagnostics_.report(Diag::unknown_name, span(parts[i - 1]),
                                fmt::format("`{}` is not an imported module", text(parts[i - 1])));
            return nullptr;
        }
        symbol = find_in_module(*symbol, parts[i]);
        if (!symbol) return nullptr;
    }
    return symbol;
}

const Symbol* Checker::static_symbol(SyntaxId id)
{
    if (tree_.kind(id) == SyntaxKind::name) {
        if (check_named(text(id), span(id))) return nullptr;
        const Symbol* symbol = find(text(id));
        if (!symbol || symbol->kind == SymbolKind::local) return nullptr;
        means(syntax::Name(tree_, id).identifier(), symbol->span);
        return symbol;
    }
    if (tree_.kind(id) != SyntaxKind::member) return nullptr;
    const syntax::Member member(tree_, id);
    const Symbol* object = static_symbol(member.object());
    if (!object || object->kind != SymbolKind::module) return nullptr;
    const Names& names = modules_[object->index];
    const auto it = names.find(text(member.name()));
    if (it == names.end() || it->second.kind == SymbolKind::module) return nullptr;
    exported(it->second, *object, member.name());
    means(member.name(), it->second.span);
    return &it->second;
}

std::string Checker::string_value(SyntaxId literal)
{
    std::string_view raw = text(literal);
    if (tree_.is_hole(literal)) return {};
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
        Span place = span(literal);
        place.begin += static_cast<std::uint32_t>(i);  // of the backslash: the quote is before raw
        place.end = place.begin + 1;
        diagnostics_.report(Diag::invalid_literal, place, "this backslash escapes nothing")
            .help("the escapes are `\\\"`, `\\\\`, `\\n` and `\\t`; a backslash itself is written `\\\\`")
            .fix(place, "\\\\");
    }
    return result;
}

// `"core ${i}"`, which other languages fill in.
void Checker::find_placeholders(SyntaxId literal)
{
    if (tree_.is_hole(literal)) return;
    const std::string_view raw = text(literal);
    std::string sum;
    std::size_t from = 1;  // of what is not yet in the sum
    Span first{};
    const auto add = [&](std::string_view part) { (sum += sum.empty() ? "" : " + ") += part; };
    const auto add_text = [&](std::size_t end) {
        if (end > from) add(fmt::format("\"{}\"", raw.substr(from, end - from)));
    };
    for (std::size_t open = raw.find("${"); open != std::string_view::npos; open = raw.find("${", open + 1)) {
        const std::size_t close = raw.find_first_of("{}\\", open + 2);
        if (close == std::string_view::npos || raw[close] != '}' || close == open + 2) continue;
        if (sum.empty()) {
            const std::uint32_t begin = span(literal).begin;
            first = {span(literal).file, begin + static_cast<std::uint32_t>(open),
                     begin + static_cast<std::uint32_t>(close) + 1};
        }
        add_text(open);
        add(fmt::format("text({})", raw.substr(open + 2, close - open - 2)));
        from = close + 1;
    }
    if (sum.empty()) return;
    add_text(raw.size() - 1);
    diagnostics_.report(Diag::literal_placeholder, first, "nothing is filled in here: the string has these characters")
        .help(fmt::format("strings are put together: `{}`", sum))
        .fix_when_asked({span(literal), sum});
}

}  // namespace anml
