// Diagnostics: first those up to `check`, at once; then, in a process of its own, those of the later stages.
#include <fmt/format.h>

#include <algorithm>

#include "lsp/features/facts.h"
#include "lsp/server.h"
#include "source/expected_errors.h"

namespace anml::lsp {

namespace {

// Without their places, which every line that is added moves.
json messages_of(const DiagnosticsByUri& all)
{
    json out = json::object();
    for (const auto& [uri, list] : all)
        for (const json& d : list) out[uri].push_back(d["message"]);
    return out;
}

void add_new(json& list, const json& more)
{
    const auto same = [](const json& a, const json& b) {
        return a["code"] == b["code"] && a["range"] == b["range"] && a["message"] == b["message"];
    };
    const std::size_t before = list.size();
    for (const json& one : more) {
        const auto end = list.begin() + static_cast<std::ptrdiff_t>(before);
        if (std::none_of(list.begin(), end, [&](const json& other) { return same(one, other); })) list.push_back(one);
    }
}

DiagnosticsByUri by_uri(const json& object)
{
    DiagnosticsByUri all;
    for (const auto& [where, list] : object.items()) all[where] = list;
    return all;
}

}  // namespace

void Server::changed(Document& document)
{
    Checked& check = checks_[document.uri];
    check.waiting = false;
    if (check.task) background_.stop(*check.task);
    check.task.reset();
}

bool Server::check_one()
{
    for (auto& [uri, document] : workspace_.documents()) {
        Checked& check = checks_[uri];
        if (document->library || (!document->stale && check.of != 0 && check.of == document->snapshots)) continue;
        changed(*document);
        if (!document->fresh()) {
            if (!maker_.busy()) make(*document);
            continue;
        }
        const Snapshot& snapshot = workspace_.snapshot(*document);
        Diagnostics front_found = snapshot.diagnostics;
        hold_against_expectations(snapshot.sources, !snapshot.good, front_found);
        DiagnosticsByUri said = diagnostics_json(front_found, snapshot.sources, workspace_);
        const json front = messages_of(said);
        // What the later stages said before stays as long as nothing else is new: the client moves it along.
        const bool again = snapshot.good && check.good && front == check.front;
        check.of = document->snapshots;
        document->facts_of = -1;
        check.version = document->version;
        check.good = snapshot.good;
        check.front = front;
        check.waiting = snapshot.good;
        check.front_said = said;
        if (!again) {
            check.network = nullptr;
            say(uri, std::move(said));
        }
        if (!snapshot.good) checked(uri, document->version);
        return true;
    }
    return false;
}

void Server::make(const Document& document)
{
    making_ = document.uri;
    making_of_ = document.texts;
    maker_.start(document.path, {workspace_.client.include_dirs, workspace_.client.encoding}, workspace_.texts());
}

void Server::made()
{
    auto snapshot = maker_.take();
    Document* document = workspace_.find(making_);
    if (document && document->texts == making_of_ && !document->fresh()) {
        if (snapshot)
            workspace_.understood(*document, std::move(snapshot));
        else
            workspace_.snapshot(*document);  // says what is wrong
    }
    ask_again();
}

void Server::ask_again()
{
    queue_.insert(queue_.begin(), waiting_.begin(), waiting_.end());
    waiting_.clear();
}

bool Server::ready(const std::string& method, const json& params)
{
    // So long a check may take before others are answered without it; and where nothing is known yet.
    constexpr std::chrono::milliseconds kSoon{250}, kFirst{1000};
    // No process begins while a thread works: what it holds at that time nobody would let go there.
    const bool beside = works_beside(method);
    if (beside && pending_.size() >= kMostBeside) return false;
    const auto can_begin = [&] { return !beside || !maker_.busy(); };
    if (method == "anml/graph" || !params.is_object()) return can_begin();
    const json of = params.value("textDocument", params.value("item", json()));
    Document* document = of.is_object() && of.contains("uri") && of["uri"].is_string()
                             ? workspace_.find(of["uri"].get_ref<const std::string&>())
                             : nullptr;
    if (!document || document->fresh()) return can_begin();
    const bool by_the_last = method == "textDocument/completion" || method == "textDocument/signatureHelp";
    if (by_the_last && document->snapshot) return true;
    const auto in_time = [&] { return maker_.wait(maker_.since() + (document->snapshot ? kSoon : kFirst)); };
    if (maker_.busy() && (making_ != document->uri || making_of_ != document->texts) && in_time()) made();
    if (!maker_.busy()) make(*document);
    if (making_ == document->uri && in_time()) made();
    if (document->fresh()) return can_begin();
    if (method != "textDocument/hover" && !by_the_last) return false;
    workspace_.hurry = true;
    return true;
}

void Server::outdated(const Document& document)
{
    constexpr const char* kChanged = "the text was changed meanwhile";
    std::erase_if(waiting_, [&](const json& request) {
        const json params = request.value("params", json());
        const json of = params.value("textDocument", params.value("item", json()));
        if (of.value("uri", json()) != document.uri) return false;
        fail(request["id"], error_code::content_modified, kChanged);
        return true;
    });
    std::erase_if(pending_, [&](const auto& one) {
        if (one.second.uri != document.uri && !one.second.edits) return false;
        background_.stop(one.second.number);
        fail(one.first, error_code::content_modified, kChanged);
        return true;
    });
    ask_again();
}

CheckRequest Server::check_request(const Document& document) const
{
    CheckRequest request;
    request.path = document.path;
    request.include_dirs = workspace_.client.include_dirs;
    request.unsaved = &workspace_.texts();
    return request;
}

void Server::start_later_stages()
{
    for (auto& [uri, check] : checks_) {
        const Document* document = workspace_.find(uri);
        if (!document || !check.waiting || check.task) continue;
        const auto work = [this, document] {
            CheckRequest request = check_request(*document);
            request.snapshot = document->snapshot.get();
            SourceSet sources;
            Diagnostics diagnostics;
            tools_.check(request, sources, diagnostics);
            const bool of_errors = hold_against_expectations(sources, true, diagnostics);
            const DiagnosticsByUri all = diagnostics_json(diagnostics, sources, workspace_);
            const bool lint = workspace_.client.lint && !of_errors && !diagnostics.has_errors();
            return text_of({{"diagnostics", all}, {"lint", lint}});
        };
        check.waiting = false;
        const auto version = check.version;
        check.task = background_.start(
            work, [this, uri = uri, version](const auto& text) { later_stages_said(uri, version, text); });
        return;
    }
}

void Server::later_stages_said(const std::string& uri, std::int64_t version, const std::optional<std::string>& text)
{
    const Document* document = workspace_.find(uri);
    Checked& check = checks_[uri];
    check.task.reset();
    if (!document || document->stale || check.version != version) return;
    const json result = text ? json::parse(*text, nullptr, false) : json();
    if (!result.is_object()) {
        given_up(uri);
        say(uri, check.front_said);
        return checked(uri, version);
    }
    DiagnosticsByUri all = by_uri(result["diagnostics"]);
    // The rest takes as long again. Where nothing else is new, what it said before stays until then.
    json network = messages_of(all);
    const bool again = network == check.network;
    check.network = std::move(network);
    const bool lint = result["lint"].get<bool>();
    if (!lint || !again) say(uri, all);
    start_rest(uri, version, lint, all);
}

void Server::start_rest(const std::string& uri, std::int64_t version, bool lint, const DiagnosticsByUri& found)
{
    const Document* document = workspace_.find(uri);
    const auto work = [this, document, lint] {
        CheckRequest request = check_request(*document);
        request.lint = lint;
        request.snapshot = document->snapshot.get();
        Facts facts;
        request.network = [&](const Network& network, const std::vector<double>& answers) {
            find_facts(network, answers, facts);
        };
        SourceSet sources;
        Diagnostics diagnostics;
        tools_.check(request, sources, diagnostics);
        if (!lint) diagnostics = {};  // were said
        return text_of(
            {{"diagnostics", diagnostics_json(diagnostics, sources, workspace_)}, {"facts", facts_json(facts)}});
    };
    checks_[uri].task = background_.start(
        work, [this, uri, version, found](const auto& text) { rest_said(uri, version, found, text); });
}

void Server::rest_said(const std::string& uri, std::int64_t version, DiagnosticsByUri found,
                       const std::optional<std::string>& text)
{
    Document* document = workspace_.find(uri);
    Checked& check = checks_[uri];
    check.task.reset();
    if (!document || document->stale || check.version != version) return;
    const json result = text ? json::parse(*text, nullptr, false) : json();
    if (result.is_object()) {
        document->facts = facts_of_json(result["facts"]);
        document->facts_of = version;
        for (const auto& [where, list] : by_uri(result["diagnostics"])) {
            if (found[where].is_null()) found[where] = json::array();
            add_new(found[where], list);
        }
        if (workspace_.client.refresh_hints)
            send({{"jsonrpc", "2.0"},
                  {"id", fmt::format("hints-{}", ++requests_)},
                  {"method", "workspace/inlayHint/refresh"}});
    } else {
        given_up(uri);
    }
    say(uri, std::move(found));
    checked(uri, version);
}

void Server::given_up(const std::string& uri)
{
    notify("window/logMessage",
           {{"type", 2}, {"message", fmt::format("{}: the network takes too long or too much memory", uri)}});
}

void Server::say(const std::string& uri, DiagnosticsByUri diagnostics)
{
    std::set<std::string> affected{uri};
    DiagnosticsByUri& said = checks_[uri].said;
    for (const auto& [where, list] : said) affected.insert(where);
    for (const auto& [where, list] : diagnostics) affected.insert(where);
    said = std::move(diagnostics);
    for (const std::string& where : affected) publish(where);
}

// What all open documents say of one.
void Server::publish(const std::string& uri)
{
    json list = json::array();
    for (const auto& [by, check] : checks_)
        if (const auto found = check.said.find(uri); found != check.said.end()) add_new(list, found->second);
    json params = {{"uri", uri}, {"diagnostics", std::move(list)}};
    if (const Document* document = workspace_.find(uri)) params["version"] = document->version;
    json& before = published_[uri];
    if (before != params) notify("textDocument/publishDiagnostics", params);
    if (params["diagnostics"].empty() && !params.contains("version"))
        published_.erase(uri);
    else
        before = std::move(params);
}

void Server::checked(const std::string& uri, std::int64_t version)
{
    if (workspace_.client.checked) notify("anml/checked", {{"uri", uri}, {"version", version}});
}

void Server::forget(const std::string& uri)
{
    Checked over = std::move(checks_[uri]);
    if (over.task) background_.stop(*over.task);
    checks_.erase(uri);
    publish(uri);
    for (const auto& [where, list] : over.said) publish(where);
}

}  // namespace anml::lsp
