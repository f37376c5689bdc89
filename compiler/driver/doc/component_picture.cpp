// Builds a model that has one instance of the component and nothing else.
#include "driver/doc/component_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/check.h"
#include "common/ascii.h"
#include "driver/show_network.h"
#include "import/graph_components.h"
#include "import/tables/read_table.h"

namespace anml {

namespace {

constexpr std::uint32_t kMostShownNodes = 300;
constexpr std::string_view kModule = "it";  // what the model calls the component's module

struct Instance {
    std::string text;   // in a model that calls the module `it`; "": none
    std::string shown;  // as a reader would write it
};

// `topology.Ring net(8)` between backquotes behind "Usage: ", with the module's name replaced. Nothing where it
// shows something else.
Instance usage_of(const DeclarationDoc& component)
{
    const std::string_view text = component.text;
    std::size_t begin = text.find("Usage: `");
    if (begin == text.npos) return {};
    begin += 8;
    const std::string_view usage = text.substr(begin, text.find('`', begin) - begin);
    std::size_t head = 0;
    while (head < usage.size() && (in_word(usage[head]) || usage[head] == '.')) ++head;
    const std::string_view path = usage.substr(0, head);
    const std::size_t dot = path.rfind('.');
    if ((dot == path.npos ? path : path.substr(dot + 1)) != component.name) return {};
    std::string out = fmt::format("{}.{}{}", kModule, component.name, usage.substr(head));
    if (dot == path.npos) return {out, std::string(usage)};
    const std::string own = fmt::format("{}.", path.substr(0, dot));
    for (std::size_t at = kModule.size() + 1; (at = out.find(own, at)) != out.npos; at += kModule.size() + 1)
        if (!in_word(out[at - 1]) && out[at - 1] != '.') out.replace(at, own.size(), fmt::format("{}.", kModule));
    return {out, std::string(usage)};
}

Instance with_defaults(const DeclarationDoc& component)
{
    for (const MemberDoc& parameter : component.members)
        if (parameter.preset.empty()) return {};
    return {fmt::format("{}.{} one", kModule, component.name), fmt::format("{} one", component.name)};
}

// The text of a model, with the imports of what it names of the standard library.
std::string model_of(const std::string& name, const std::string& instance, std::string imports)
{
    for (const EmbeddedModule& known : embedded_modules()) {
        const std::string_view called = known.module.substr(known.module.rfind('.') + 1);
        const std::size_t at = instance.find(fmt::format("{}.", called));
        if (at != instance.npos && (at == 0 || !in_word(instance[at - 1])))
            imports += fmt::format("import {}\n", known.module);
    }
    return fmt::format("{}model {} {{\n  {}\n  run {{ duration = 1 s }}\n}}\n", imports, name, instance);
}

// The model stands in a text of its own. A module that is a file is read from where it is, with the imports that it has
// there; what else of the library the model names is read beside it.
bool load(const SourceOptions& options, const Documented& module, const std::string& name, const std::string& instance,
          SourceSet& sources, Diagnostics& diagnostics)
{
    const std::string path = fmt::format("usage of {}", name);
    if (!module.library.empty())
        return load_text(path, model_of(name, instance, fmt::format("import {} as {}\n", module.module, kModule)),
                         sources, diagnostics);
    if (!load_sources(with_folders(options, module), sources, diagnostics)) return false;
    const FileId file = sources.main;
    sources.main = sources.add(path, model_of(name, instance, fmt::format("import {}\n", kModule)), "");
    sources.files[sources.main.value].imports.push_back({std::string(kModule), file, 0});
    return true;
}

std::optional<Network> build(const SourceOptions& options, const Documented& module, const std::string& name,
                             const std::string& instance, SourceSet& sources, Diagnostics& diagnostics)
{
    if (!load(options, module, name, instance, sources, diagnostics)) return std::nullopt;
    auto tree = parse(sources, diagnostics).if_whole();
    if (!tree || !read_tables(options, *tree, sources, diagnostics)) return std::nullopt;
    tree = expand_graphs(options, std::move(*tree), sources, diagnostics);
    if (!tree) return std::nullopt;
    const auto program = check(sources, *tree, diagnostics).if_whole();
    if (!program) return std::nullopt;
    return elaborate(*program, {}, diagnostics);
}

}  // namespace

void draw_component(const SourceOptions& options, const Documented& module, DeclarationDoc& component,
                    Compilation& wrong)
{
    if (component.kind != "component") return;
    const Instance usage = usage_of(component);
    for (const Instance& instance : {usage, with_defaults(component)}) {
        if (instance.text.empty()) continue;
        Compilation one;
        SourceSet& sources = one.sources;
        const auto network = build(options, module, component.name, instance.text, sources, one.diagnostics);
        if (!network && instance.text == usage.text) {
            one.diagnostics.remove_if([](const Diagnostic&) { return true; });
            adopt_quotes(one.diagnostics, one.sources);
            wrong = std::move(one);
        }
        if (!network || network->node_count == 0 || network->node_count > kMostShownNodes) continue;
        Diagnostics unsaid;
        PictureOptions picture;
        picture.format = PictureFormat::svg;
        const auto light = show_network(*network, picture, {}, sources, unsaid);
        picture.dark = true;
        const auto dark = show_network(*network, picture, {}, sources, unsaid);
        if (!light || !dark) continue;
        component.picture = *light;
        component.dark_picture = *dark;
        component.pictured = instance.shown;
        return;
    }
}

}  // namespace anml
