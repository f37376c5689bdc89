#include "lsp/features/locations.h"

#include <memory>
#include <set>

namespace anml::lsp {

namespace {

constexpr std::size_t kMostRows = 20'000;  // of a model; the rest of a larger one has no places

// "net[3].lan.client" to "net.lan": the instance around a row, "" for none.
std::string instance_around(std::string_view row)
{
    std::string path;
    int depth = 0;
    for (const char c : row.substr(0, std::min(row.rfind('.'), row.size()))) {
        depth += (c == '[') - (c == ']');
        if (depth == 0 && c != ']') path += c;
    }
    return row.find('.') == row.npos ? "" : path;
}

class PlaceFinder {
  public:
    PlaceFinder(const ShownRows& shown, const SourceSet& sources, const Snapshot& snapshot, const Workspace& workspace)
        : shown_(shown), sources_(sources), snapshot_(snapshot), workspace_(workspace)
    {
    }

    json run()
    {
        std::set<std::string> instances;
        for (const ShownRow& row : shown_.rows) {
            add(row.name, location(row.span));
            for (std::string path = instance_around(row.name); !path.empty() && instances.insert(path).second;)
                path = instance_around(path);
        }
        for (const std::string& path : instances)
            if (const Span span = declaration_of(path); span.valid()) add(path, workspace_.location(snapshot_, span));
        return std::move(all_);
    }

  private:
    void add(const std::string& name, json location)
    {
        if (!location.is_object()) return;
        location["name"] = name;
        all_.push_back(std::move(location));
    }

    // Of a span of the text that the network was made of.
    json location(Span span)
    {
        if (!span.valid()) return nullptr;
        auto& file = files_[span.file.value];
        if (!file.map) {
            const SourceFile& source = sources_.file(span.file);
            file.map = std::make_unique<PositionMap>(source.text, workspace_.client.encoding);
            file.uri = workspace_.uri(source);
        }
        if (file.uri.empty()) return nullptr;
        return {{"uri", file.uri}, {"range", file.map->range_json(span.begin, span.end)}};
    }

    // The name of an instance in the component that has it.
    Span declaration_of(std::string_view path) const
    {
        const CheckedProgram& program = snapshot_.program;
        const Component* component = nullptr;
        for (const ComponentId id : program.models)
            if (program.component(id).name == shown_.model) component = &program.component(id);
        Span found;
        while (component && !path.empty()) {
            const std::size_t dot = std::min(path.find('.'), path.size());
            const Component* inside = nullptr;
            for (const Member& member : component->members) {
                if (member.name != path.substr(0, dot) || member.type.kind != TypeKind::instance) continue;
                found = member.span;
                if (member.type.ref < program.components.size()) inside = &program.components[member.type.ref];
            }
            if (!inside) return {};
            component = inside;
            path.remove_prefix(std::min(dot + 1, path.size()));
        }
        return found;
    }

    struct File {
        std::unique_ptr<PositionMap> map;
        std::string uri;
    };

    const ShownRows& shown_;
    const SourceSet& sources_;
    const Snapshot& snapshot_;
    const Workspace& workspace_;
    std::map<std::uint32_t, File> files_;
    json all_ = json::array();
};

}  // namespace

ShownRows shown_rows(const Network& network)
{
    ShownRows shown{network.model_name, {}};
    for (const NodeArray& row : network.nodes) {
        if (shown.rows.size() >= kMostRows) break;
        shown.rows.push_back({row.name, row.span});
    }
    return shown;
}

json locations_json(const ShownRows& shown, const SourceSet& sources, const Snapshot& snapshot,
                    const Workspace& workspace)
{
    return PlaceFinder(shown, sources, snapshot, workspace).run();
}

}  // namespace anml::lsp
