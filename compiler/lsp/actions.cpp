// Code actions: the fixes of diagnostics; and the page of the network.
#include <fmt/format.h>

#include "lsp/places.h"
#include "lsp/server.h"
#include "lsp/uses.h"

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
    json actions = json::array(), all = json::object();
    const auto found = published_.find(document.uri);
    if (found == published_.end() || found->second.value("version", json()) != document.version) return actions;
    json last = nullptr;  // end of the last edit of all
    for (const json& d : found->second["diagnostics"]) {
        if (!d.contains("data")) continue;
        const json& fixes = d["data"]["fixes"];
        json shown = d;
        shown.erase("data");
        for (const json& fix : fixes) {
            const json edit = {{"range", fix["range"]}, {"newText", fix["newText"]}};
            if (meet(d["range"], asked) && wanted(only, "quickfix"))
                actions.push_back({{"title", fix["title"]},
                                   {"kind", "quickfix"},
                                   {"diagnostics", {shown}},
                                   {"isPreferred", fixes.size() == 1},
                                   {"edit", {{"changes", {{fix["uri"], {edit}}}}}}});
        }
        // Where there are several nobody knows which one is meant.
        if (fixes.size() != 1 || fixes[0]["uri"] != document.uri) continue;
        json& edits = all[document.uri];
        const bool apart = last.is_null() || !before(fixes[0]["range"]["start"], last);
        if (!apart) continue;
        last = fixes[0]["range"]["end"];
        edits.push_back({{"range", fixes[0]["range"]}, {"newText", fixes[0]["newText"]}});
    }
    if (!all.empty() && all[document.uri].size() > 1 && wanted(only, "source.fixAll"))
        actions.push_back({{"title", fmt::format("mend all {} places that have one remedy", all[document.uri].size())},
                           {"kind", "source.fixAll"},
                           {"edit", {{"changes", all}}}});
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
            json places = places_json(shown, sources, snapshot, workspace_);
            json uses = uses_json(places, snapshot, workspace_);
            result = {{"html", *page}, {"places", std::move(places)}, {"uses", std::move(uses)}};
        }
        for (const Diagnostic& d : diagnostics.list())
            if (!page && d.severity == Severity::error) result["message"] = d.message;
        return result.dump(-1, ' ', false, json::error_handler_t::replace);
    };
    const auto done = [this, id](const std::optional<std::string>& text) {
        pending_.erase(id);
        json result = text ? json::parse(*text, nullptr, false) : json();
        if (result.is_object() && result.contains("html")) return reply(id, std::move(result));
        fail(id, error_code::request_failed,
             result.is_object() && result.contains("message") ? result["message"].get<std::string>()
                                                              : "the page takes too long or too much memory");
    };
    pending_[id] = 0;
    const Background::Number number = background_.start(work, done);
    if (pending_.contains(id)) pending_[id] = number;
}

}  // namespace anml::lsp
