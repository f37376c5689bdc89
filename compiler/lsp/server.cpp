#include "lsp/server.h"

#include <fmt/format.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "lsp/capabilities.h"

namespace anml::lsp {

namespace {

// Once, before anything is read: blocks of megabytes are mapped for themselves, and unmapped when they are freed.
//
// Each key makes all that is known of a text anew: of 10 000 lines tens of megabytes, a few blocks of which are large
// and the rest small. Left to itself, glibc maps large blocks only until the first of them is freed: from then on they
// lie in the heap, too, among small ones, and what is free there stays (mallopt(3), M_MMAP_THRESHOLD). Then the words
// of a long text with an error, 8 MB for the parser, fit into no gap some day, and the heap is larger for good.
void map_large_blocks()
{
#ifdef __GLIBC__
    // They stay as they are once they are set. At 4 MiB a key in 10 000 lines takes as long as without, at 1 MiB 3 ms
    // more, at 256 KiB 7 ms.
    ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
    ::mallopt(M_TRIM_THRESHOLD, 8 << 20);
    ::mallopt(M_ARENA_MAX, 1);  // snapshots are made by a thread of their own, and freed by another
#endif
}

// Pages in which nothing is used are given back. It takes a millisecond or two, and they are zeroed when they are
// needed again: 3 ms for the next key in 10 000 lines.
void give_back_free_pages()
{
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
}

struct Handler {
    json (*answer)(Workspace&, const json&);
    bool beside = false;
};

const std::map<std::string, Handler, std::less<>>& handlers()
{
    static const std::map<std::string, Handler, std::less<>> kHandlers = {
        {"textDocument/definition", {definition}},
        {"textDocument/references", {references, true}},
        {"textDocument/documentHighlight", {document_highlight}},
        {"textDocument/prepareRename", {prepare_rename}},
        {"textDocument/rename", {rename, true}},
        {"textDocument/hover", {hover}},
        {"textDocument/documentSymbol", {document_symbols, true}},
        {"workspace/symbol", {workspace_symbols, true}},
        {"textDocument/completion", {completion}},
        {"textDocument/signatureHelp", {signature_help}},
        {"textDocument/formatting", {formatting, true}},
        {"textDocument/rangeFormatting", {range_formatting, true}},
        {"textDocument/onTypeFormatting", {on_type_formatting, true}},
        {"textDocument/semanticTokens/full", {semantic_tokens, true}},
        {"textDocument/semanticTokens/range", {semantic_tokens_of_range}},
        {"textDocument/foldingRange", {folding_ranges}},
        {"textDocument/selectionRange", {selection_ranges}},
        {"textDocument/inlayHint", {inlay_hints}},
        {"textDocument/codeLens", {code_lenses}},
        {"textDocument/prepareCallHierarchy", {prepare_call_hierarchy}},
        {"callHierarchy/incomingCalls", {incoming_calls, true}},
        {"callHierarchy/outgoingCalls", {outgoing_calls, true}},
    };
    return kHandlers;
}

// So long nothing has to come in before the later stages begin, since a key may be followed by another one; and before
// memory is given back.
constexpr int kQuiet = 20;     // ms
constexpr int kTidy = 100;     // ms
constexpr int kLooks = 5'000;  // ms: how often is looked whether the client lives, and whether work takes too long

bool is_id(const json& id) { return id.is_string() || id.is_number_integer(); }

json failure(const json& id, int code, const std::string& message)
{
    return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

// The message that answers the request: with what is returned, or with why there is nothing.
json response(const json& id, const std::string& method, const std::function<json()>& answer)
{
    json result;
    try {
        result = answer();
    } catch (const NothingKnown&) {
    } catch (const RequestError& error) {
        return failure(id, error.code, error.message);
    } catch (const json::exception&) {
        return failure(id, error_code::invalid_params, fmt::format("the parameters are not what `{}` takes", method));
    } catch (const std::exception& error) {
        return failure(id, error_code::internal_error, error.what());
    }
    return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

}  // namespace

int serve(const Tools& tools, std::vector<std::string> include_dirs)
{
    map_large_blocks();
    return Server(tools, std::move(include_dirs)).run();
}

int Server::run()
{
    while (state_ != State::ended) {
        // All that has come is read before any of it is answered: changes add up, and what was cancelled costs nothing.
        if (!read_all() && queue_.empty()) {
            if (waiting_.empty()) break;
            if (maker_.busy()) made();
        }
        if (!queue_.empty()) {
            const json message = std::move(queue_.front());
            queue_.pop_front();
            handle(message);
            continue;
        }
        cancelled_.clear();
        if (!maker_.busy()) background_.attend();
        if (queue_.empty() && !check_one() && !wait()) break;
    }
    background_.stop_all();
    if (maker_.busy()) std::_Exit(status_);  // nobody waits for that check any more
    return status_;
}

bool Server::later_stages_wait() const
{
    if (maker_.busy()) return false;
    bool waits = false;
    for (const auto& [uri, check] : checks_) {
        if (check.task) return false;
        waits = waits || check.waiting;
    }
    return waits;
}

bool Server::wait()
{
    for (;;) {
        std::vector<pollfd> all{{0, POLLIN, 0}};
        const bool making = maker_.busy();  // nothing begins that a process that ended would have begun
        if (making) all.push_back({maker_.descriptor(), POLLIN, 0});
        if (!making)
            for (const int descriptor : background_.descriptors()) all.push_back({descriptor, POLLIN, 0});
        const bool quiet = later_stages_wait();
        const int ready = ::poll(all.data(), all.size(), quiet ? kQuiet : !tidy_ ? kTidy : kLooks);
        if (ready < 0 && errno != EINTR) return false;
        if (ready != 0) tidy_ = false;
        if (!making) background_.attend();
        if ((ready > 0 && all[0].revents != 0) || !queue_.empty()) return true;
        if (making && (ready > 0 || maker_.descriptor() < 0)) return made(), true;
        if (ready == 0 && quiet) {
            start_later_stages();
        } else if (ready == 0 && !tidy_) {
            give_back_free_pages();
            tidy_ = true;
        }
        if (parent_ > 0 && ::kill(static_cast<pid_t>(parent_), 0) != 0 && errno == ESRCH) return false;
    }
}

bool Server::read_all()
{
    static constexpr std::size_t kMost = 1000;  // messages; a client that never stops is answered too
    while (queue_.size() < kMost && !reader_.lost()) {
        pollfd input{0, POLLIN, 0};
        const int ready = ::poll(&input, 1, 0);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return ready == 0;
        block_.resize(std::size_t{1} << 16);
        const ssize_t got = ::read(0, block_.data(), block_.size());
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got <= 0) return false;
        reader_.add({block_.data(), static_cast<std::size_t>(got)});
        while (auto result = reader_.next()) take(std::move(*result));
        if (reader_.lost()) fail(nullptr, error_code::parse_error, "the header does not end");
    }
    return !reader_.lost();
}

void Server::take(MessageReader::Result result)
{
    if (!result.problem.empty()) return fail(nullptr, error_code::parse_error, result.problem);
    json& message = result.message;
    const bool object = message.is_object() && message.value("jsonrpc", json()) == "2.0";
    const bool has_id = object && message.contains("id");
    if (object && !message.contains("method") && has_id) return;  // an answer, to what needs none
    if (!object || !message.contains("method") || !message["method"].is_string() ||
        (has_id && !is_id(message["id"]) && !message["id"].is_null()) ||
        (message.contains("params") && !message["params"].is_structured() && !message["params"].is_null()))
        return fail(has_id && is_id(message["id"]) ? message["id"] : json(), error_code::invalid_request,
                    "the message is no request and no notification of JSON-RPC 2.0");
    if (message["method"] == "$/cancelRequest") {
        const json params = message.value("params", json());
        const json id = params.is_object() ? params.value("id", json()) : json();
        if (const auto found = pending_.find(id); found != pending_.end()) {
            background_.stop(found->second.number);
            pending_.erase(found);
            ask_again();
            return fail(id, error_code::request_cancelled, "cancelled");
        }
        const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                        [&](const json& request) { return request["id"] == id; });
        if (found != waiting_.end()) {
            waiting_.erase(found);
            return fail(id, error_code::request_cancelled, "cancelled");
        }
        if (is_id(id)) cancelled_.insert(id);
        return;
    }
    queue_.push_back(std::move(message));
}

void Server::handle(const json& message)
{
    const std::string& method = message["method"].get_ref<const std::string&>();
    const json params = message.value("params", json());
    if (message.contains("id") && state_ == State::initialized && !cancelled_.contains(message["id"]) &&
        !ready(method, params))
        waiting_.push_back(message);
    else if (message.contains("id"))
        request(message["id"], method, params), workspace_.hurry = false;
    else
        notification(method, params);
}

void Server::request(const json& id, const std::string& method, const json& params)
{
    if (cancelled_.erase(id) != 0) return fail(id, error_code::request_cancelled, "cancelled");
    if (state_ == State::started && method != "initialize")
        return fail(id, error_code::not_initialized, "`initialize` comes first");
    if (state_ == State::shut_down) return fail(id, error_code::invalid_request, "the server was shut down");
    bool later = false;
    const json message = response(id, method, [&] {
        auto result = answer(id, method, params);
        later = !result;
        return later ? json() : std::move(*result);
    });
    if (!later) send(message);
}

std::optional<json> Server::answer(const json& id, const std::string& method, const json& params)
{
    if (method == "initialize") {
        if (state_ != State::started) throw RequestError{error_code::invalid_request, "`initialize` comes once"};
        return initialize(params);
    }
    if (method == "shutdown") {
        state_ = State::shut_down;
        return json();
    }
    if (method == "textDocument/codeAction") return code_actions(params);
    if (method == "anml/graph") return graph_page(id, params), std::nullopt;
    const auto found = handlers().find(method);
    if (found == handlers().end())
        throw RequestError{error_code::method_not_found, fmt::format("there is no method `{}`", method)};
    if (found->second.beside) return answer_beside(id, method, params), std::nullopt;
    return found->second.answer(workspace_, params);
}

bool Server::works_beside(const std::string& method)
{
    const auto found = handlers().find(method);
    return method == "anml/graph" || (found != handlers().end() && found->second.beside);
}

void Server::answer_beside(const json& id, const std::string& method, const json& params)
{
    const auto work = [this, id, method, params] {
        const auto& handler = handlers().find(method)->second;
        const std::string text = text_of(response(id, method, [&] { return handler.answer(workspace_, params); }));
        return text + '\n' + workspace_.learned();  // which is no part of a JSON text
    };
    const auto done = [this, id](const std::optional<std::string>& text) {
        if (!text) return fail(id, error_code::request_failed, "it takes too long or too much memory");
        const std::size_t end = text->find('\n');
        send_text(std::string_view(*text).substr(0, end));
        workspace_.learn(std::string_view(*text).substr(end + 1));
    };
    const json of = params.is_object() ? params.value("textDocument", params.value("item", json())) : json();
    const json uri = of.is_object() ? of.value("uri", json()) : json();
    begin(id, {0, uri.is_string() ? uri.get<std::string>() : "", method == "textDocument/rename"}, work, done);
}

void Server::begin(const json& id, Pending pending, const std::function<std::string()>& work,
                   std::function<void(const std::optional<std::string>&)> done)
{
    pending_[id] = std::move(pending);
    const Background::Number number = background_.start(work, [this, id, done = std::move(done)](const auto& text) {
        pending_.erase(id);
        done(text);
        ask_again();
    });
    if (const auto found = pending_.find(id); found != pending_.end()) found->second.number = number;
}

void Server::notification(const std::string& method, const json& params)
{
    if (method == "exit") {
        status_ = state_ == State::shut_down ? 0 : 1;
        state_ = State::ended;
        return;
    }
    if (state_ != State::initialized) return;
    if (method == "initialized") return watch_files();
    try {
        if (method == "textDocument/didOpen") {
            const json& opened = field(params, "textDocument");
            changed(workspace_.open(text_field(opened, "uri"), text_field(opened, "text"),
                                    opened.value("version", std::int64_t{0})));
        } else if (method == "textDocument/didChange") {
            Document& document = workspace_.document(params);
            outdated(document);
            workspace_.change(document, field(params, "contentChanges"),
                              params.at("textDocument").value("version", document.version + 1));
            changed(document);
        } else if (method == "textDocument/didClose") {
            Document& document = workspace_.document(params);
            const std::string uri = document.uri;
            outdated(document);
            workspace_.close(document);
            forget(uri);
        } else if (method == "workspace/didChangeWatchedFiles" || method == "textDocument/didSave") {
            workspace_.forget_files();
        }
    } catch (const RequestError& error) {  // nobody waits for an answer, but the editor has a log
        notify("window/logMessage", {{"type", 2}, {"message", fmt::format("{}: {}", method, error.message)}});
    } catch (const json::exception&) {
        notify("window/logMessage",
               {{"type", 2}, {"message", fmt::format("{}: the parameters are not what it takes", method)}});
    }
}

void Server::send_text(std::string_view message)
{
    const std::string text = framed(message);
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t written = ::write(1, text.data() + at, text.size() - at);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            state_ = State::ended;
            return;
        }
        at += static_cast<std::size_t>(written);
    }
}

void Server::reply(const json& id, json result)
{
    send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Server::fail(const json& id, int code, const std::string& message)
{
    send(failure(id, code, message));
}

void Server::notify(const std::string& method, json params)
{
    send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

}  // namespace anml::lsp
