#include "lsp/features/uses.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace anml::lsp {

namespace {

// A part of a path, "net[1]" or "net[i]": a subscript that is no number may be any.
struct Part {
    std::string name, number;

    bool may_be(const Part& other) const
    {
        return name == other.name && (number.empty() || other.number.empty() || number == other.number);
    }
};
using Path = std::vector<Part>;

bool is_number(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "net[3].lan.client", as a row is called.
Path path_of(std::string_view name)
{
    Path path(1);
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '.') {
            path.emplace_back();
        } else if (name[i] == '[') {
            const std::size_t end = std::min(name.find(']', i), name.size());
            const std::string_view inside = name.substr(i + 1, end - i - 1);
            if (is_number(inside)) path.back().number = inside;
            i = end;
        } else {
            path.back().name += name[i];
        }
    }
    return path;
}

std::string without_numbers(const Path& path, std::size_t parts)
{
    std::string text;
    for (std::size_t i = 0; i < parts; ++i) text += (i ? "." : "") + path[i].name;
    return text;
}

std::string place_key(const json& location)
{
    const json& start = location["range"]["start"];
    return fmt::format("{} {} {}", location["uri"].get<std::string>(), start["line"].get<std::size_t>(),
                       start["character"].get<std::size_t>());
}

class UseFinder {
  public:
    UseFinder(const json& places, const Snapshot& snapshot, const Workspace& workspace)
        : snapshot_(snapshot), workspace_(workspace)
    {
        for (const json& place : places) {
            const Path path = path_of(place["name"].get<std::string>());
            // Rows come first: what is the beginning of one's path is an instance.
            const auto rows = rows_in_.find(without_numbers(path, path.size()));
            const std::string key = place_key(place);
            if (rows != rows_in_.end()) {
                for (const std::size_t row : rows->second) shown_[key].push_back({row, path.size()});
                continue;
            }
            shown_[key].push_back({rows_.size(), path.size()});
            for (std::size_t parts = 1; parts < path.size(); ++parts)
                rows_in_[without_numbers(path, parts)].push_back(rows_.size());
            rows_.push_back(path);
            names_.push_back(place["name"]);
        }
    }

    json run()
    {
        json all = json::array();
        const TokenList& tokens = snapshot_.tree.tokens;
        for (std::uint32_t i = 0; i < tokens.size(); ++i) {
            if (tokens.cls(i) != TokenClass::identifier) continue;
            const TokenId declaration = snapshot_.declarations.of(TokenId{i});
            if (!declaration || declaration.value == i) continue;
            if (snapshot_.sources.file(tokens.file(i)).path.starts_with("<")) continue;
            const std::vector<Shown>& shown = shown_by(declaration);
            if (shown.empty()) continue;
            const Path wanted = path_to(i);
            const auto found =
                std::find_if(shown.begin(), shown.end(), [&](const Shown& s) { return fits(s, wanted); });
            if (found == shown.end()) continue;
            json location = workspace_.location(snapshot_, tokens[i].span);
            if (location.is_null()) continue;
            location["name"] = names_[found->row];
            all.push_back(std::move(location));
        }
        return all;
    }

  private:
    struct Shown {
        std::size_t row;
        std::size_t parts;  // of the row's path, up to what is declared
    };

    const std::vector<Shown>& shown_by(TokenId declaration)
    {
        const auto [at, is_new] = by_declaration_.try_emplace(declaration.value);
        if (is_new) {
            const json location = workspace_.location(snapshot_, snapshot_.tree.tokens[declaration.value].span);
            if (const auto found = shown_.find(location.is_null() ? "" : place_key(location)); found != shown_.end())
                at->second = found->second;
        }
        return at->second;
    }

    // What stands before the name and belongs to it, "net[1].gateway", and its own subscript.
    Path path_to(std::uint32_t name) const
    {
        const TokenList& tokens = snapshot_.tree.tokens;
        const auto text = [&](std::size_t i) {
            return i < tokens.size() && tokens.file(i) == tokens.file(name) ? snapshot_.text(tokens[i].span)
                                                                            : std::string_view();
        };
        const auto part = [&](std::size_t i) {
            const bool one = text(i + 1) == "[" && text(i + 3) == "]" && is_number(text(i + 2));
            return Part{std::string(unquoted(text(i))), one ? std::string(text(i + 2)) : ""};
        };
        Path path{part(name)};
        for (std::size_t i = name; i > 1 && text(i - 1) == ".";) {
            i -= 2;
            if (text(i) == "]") {
                int depth = 1;
                while (i > 0 && depth > 0) {
                    --i;
                    depth += (text(i) == "]") - (text(i) == "[");
                }
                if (i == 0) break;
                --i;
            }
            if (tokens.cls(i) != TokenClass::identifier) break;
            path.insert(path.begin(), part(i));
        }
        return path;
    }

    // Whether the end of the row's path up to what is declared may be this one.
    bool fits(const Shown& shown, const Path& wanted) const
    {
        const Path& row = rows_[shown.row];
        const std::size_t parts = std::min(wanted.size(), shown.parts);  // a module may stand before it
        for (std::size_t i = 1; i <= parts; ++i)
            if (!row[shown.parts - i].may_be(wanted[wanted.size() - i])) return false;
        return true;
    }

    const Snapshot& snapshot_;
    const Workspace& workspace_;
    std::vector<Path> rows_;
    std::vector<json> names_;
    std::unordered_map<std::string, std::vector<std::size_t>> rows_in_;  // by instance: "net", "net.lan"
    std::unordered_map<std::string, std::vector<Shown>> shown_;          // by the place of a declaration
    std::unordered_map<std::uint32_t, std::vector<Shown>> by_declaration_;
};

}  // namespace

json uses_json(const json& places, const Snapshot& snapshot, const Workspace& workspace)
{
    return UseFinder(places, snapshot, workspace).run();
}

}  // namespace anml::lsp
