// Code actions: the fixes of diagnostics; and the page of the network.
#include <fmt/format.h>

#include "lsp/features/locations.h"
#include "lsp/features/uses.h"
#include "lsp/server.h"

namespace anml::lsp {

namespace {

bool wanted(const json& only, std::string_view kind)
{
    if (!only.is_array()) return true;
    for (const json& one : only) {
        const std::string asked = one.is_string() ? one.get<std::string>() : "";
        if (kind == asked || kind.starts_with(asked + ".")) return true;
    }
    return false;
}

bool before(const json& a, const json& b)
{
    return std::pair(a["line"].get<std::uint64_t>(), a["character"].get<std::uint64_t>()) <
           std::pair(b["line"].get<std::uint64_t>(), b["character"].get<std::uint64_t>());
}

bool meet(const json& a, const json& b) { return !before(a["end"], b["start"]) && !before(b["end"], a["start"]); }

// Edits of which one could be made in the other: not those of two lines in a row.
bool overlap(const json& a, const json& b)
{
    const bool inserts = a["start"] == a["end"] || b["start"] == b["end"];
    return inserts ? meet(a, b) : before(a["start"], b["end"]) && before(b["start"], a["end"]);
}

bool same(const json& a, const json& b) { return a["range"] == b["range"] && a["newText"] == b["newText"]; }

// Adds the edits of a fix to those of this document, unless one of them is in another or meets one that is there. What
// is there already, such as the import that two names need, is made once.
bool add_apart(const json& edits, const std::string& uri, json& all)
{
    if (edits.size() != 1 || !edits.contains(uri)) return false;
    json fresh = json::array();
    for (const json& edit : edits[uri]) {
        bool known = false;
        for (const json& other : all) {
            known = known || same(edit, other);
            if (!same(edit, other) && overlap(edit["range"], other["range"])) return false;
        }
        if (!known) fresh.push_back(edit);
    }
    for (json& edit : fresh) all.push_back(std::move(edit));
    return true;
}

}  // namespace

json Server::code_actions(const json& params)
{
    Document& document = workspace_.document(params);
    const json& range = field(params, "range");
    const PositionMap map(document.text, workspace_.client.encoding);
    const ByteRange bytes = map.range(range);
    const json asked = map.range_json(bytes.begin, bytes.end);
    const json only = params.value("context", json::object()).value("only", json());
    while (document.stale && check_one()) {  // of this text, not of the one before
    }
    json actions = json::array(), all = json::array();
    const auto found = published_.find(document.uri);
    if (found == published_.end() || found->second.value("version", json()) != document.version) return actions;
    const auto quick_fix = [&](const json& change, const json& diagnostic, bool preferred) {
        actions.push_back({{"title", change["title"]},
                           {"kind", "quickfix"},
                           {"diagnostics", {diagnostic}},
                           {"isPreferred", preferred},
                           {"edit", {{"changes", change["edits"]}}}});
    };
    std::size_t mended = 0;
    for (const json& d : found->second["diagnostics"]) {
        if (!d.contains("data")) continue;
        const json fixes = d["data"].value("fixes", json::array());
        // Where there are several nobody knows which one is meant.
        const bool certain = fixes.size() == 1 && !fixes[0]["asked"];
        json shown = d;
        shown.erase("data");
        if (meet(d["range"], asked) && wanted(only, "quickfix")) {
            for (const json& fix : fixes) quick_fix(fix, shown, certain);
            if (d["data"].contains("allow")) quick_fix(d["data"]["allow"], shown, false);
        }
        if (certain && add_apart(fixes[0]["edits"], document.uri, all)) ++mended;
    }
    if (mended > 1 && wanted(only, "source.fixAll"))
        actions.push_back({{"title", fmt::format("mend all {} places that have one remedy", mended)},
                           {"kind", "source.fixAll"},
                           {"edit", {{"changes", {{document.uri, all}}}}}});
    return actions;
}

// params: { textDocument, model? }; the answer: { html, places, uses }.
void Server::graph_page(const json& id, const json& params)
{
    Document& document = workspace_.document(params);
    const std::string model = params.value("model", std::string());
    const auto work = [this, &document, model] {
        SourceSet sources;
        Diagnostics diagnostics;
        ShownRows shown;
        CheckRequest request = check_request(document);
        request.network = [&](const Network& network, const std::vector<double>&) { shown = shown_rows(network); };
        const auto page = tools_.page(request, model, sources, diagnostics);
        json result;
        if (page) {
            const Snapshot& snapshot = workspace_.snapshot(document);
            json places = locations_json(shown, sources, snapshot, workspace_);
            json uses = uses_json(places, snapshot, workspace_);
            result = {{"html", *page}, {"places", std::move(places)}, {"uses", std::move(uses)}};
        }
        for (const Diagnostic& d : diagnostics.list())
            if (!page && d.severity == Severity::error) result["message"] = d.message;
        return text_of(result);
    };
    begin(id, {}, work, [this, id](const std::optional<std::string>& text) {
        json result = text ? json::parse(*text, nullptr, false) : json();
        if (result.is_object() && result.contains("html")) return reply(id, std::move(result));
        fail(id, error_code::request_failed,
             result.is_object() && result.contains("message") ? result["message"].get<std::string>()
                                                              : "the page takes too long or too much memory");
    });
}

}  // namespace anml::lsp
