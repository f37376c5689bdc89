#include "lsp/server.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "lsp/capabilities.h"
#include "lsp/memory.h"

namespace anml::lsp {

namespace {

using Handler = json (*)(Workspace&, const json&);

const std::map<std::string, Handler, std::less<>>& handlers()
{
    static const std::map<std::string, Handler, std::less<>> kHandlers = {
        {"textDocument/definition", definition},
        {"textDocument/references", references},
        {"textDocument/documentHighlight", document_highlight},
        {"textDocument/prepareRename", prepare_rename},
        {"textDocument/rename", rename},
        {"textDocument/hover", hover},
        {"textDocument/documentSymbol", document_symbols},
        {"workspace/symbol", workspace_symbols},
        {"textDocument/completion", completion},
        {"textDocument/signatureHelp", signature_help},
        {"textDocument/formatting", formatting},
        {"textDocument/rangeFormatting", range_formatting},
        {"textDocument/onTypeFormatting", on_type_formatting},
        {"textDocument/semanticTokens/full", semantic_tokens},
        {"textDocument/semanticTokens/range", semantic_tokens_of_range},
        {"textDocument/foldingRange", folding_ranges},
        {"textDocument/selectionRange", selection_ranges},
        {"textDocument/inlayHint", inlay_hints},
        {"textDocument/codeLens", code_lenses},
        {"textDocument/prepareCallHierarchy", prepare_call_hierarchy},
        {"callHierarchy/incomingCalls", incoming_calls},
        {"callHierarchy/outgoingCalls", outgoing_calls},
    };
    return kHandlers;
}

// So long nothing has to come in before the later stages begin, since a key may be followed by another one; and before
// memory is given back.
constexpr int kQuiet = 20;     // ms
constexpr int kTidy = 100;     // ms
constexpr int kLooks = 5'000;  // ms: how often is looked whether the client lives, and whether work takes too long

bool is_id(const json& id) { return id.is_string() || id.is_number_integer(); }

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
        if (!read_all() && queue_.empty()) break;
        if (!queue_.empty()) {
            const json message = std::move(queue_.front());
            queue_.pop_front();
            handle(message);
            continue;
        }
        cancelled_.clear();
        if (!check_one() && !wait()) break;
    }
    return status_;
}

bool Server::later_stages_wait() const
{
    if (!background_.idle()) return false;
    return std::any_of(checks_.begin(), checks_.end(), [](const auto& one) { return one.second.waiting; });
}

bool Server::wait()
{
    for (;;) {
        std::vector<pollfd> all{{0, POLLIN, 0}};
        for (const int descriptor : background_.descriptors()) all.push_back({descriptor, POLLIN, 0});
        const bool quiet = later_stages_wait();
        const int ready = ::poll(all.data(), all.size(), quiet ? kQuiet : !tidy_ ? kTidy : kLooks);
        if (ready < 0 && errno != EINTR) return false;
        if (ready != 0) tidy_ = false;
        background_.attend();
        if (ready > 0 && all[0].revents != 0) return true;
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
            background_.stop(found->second);
            pending_.erase(found);
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
    if (message.contains("id"))
        request(message["id"], method, params);
    else
        notification(method, params);
}

void Server::request(const json& id, const std::string& method, const json& params)
{
    if (cancelled_.erase(id) != 0) return fail(id, error_code::request_cancelled, "cancelled");
    if (state_ == State::started && method != "initialize")
        return fail(id, error_code::not_initialized, "`initialize` comes first");
    if (state_ == State::shut_down) return fail(id, error_code::invalid_request, "the server was shut down");
    try {
        if (auto result = answer(id, method, params)) reply(id, std::move(*result));
    } catch (const RequestError& error) {
        fail(id, error.code, error.message);
    } catch (const json::exception&) {
        fail(id, error_code::invalid_params, fmt::format("the parameters are not what `{}` takes", method));
    } catch (const std::exception& error) {
        fail(id, error_code::internal_error, error.what());
    }
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
    return found->second(workspace_, params);
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
            workspace_.change(document, field(params, "contentChanges"),
                              params.at("textDocument").value("version", document.version + 1));
            changed(document);
        } else if (method == "textDocument/didClose") {
            Document& document = workspace_.document(params);
            const std::string uri = document.uri;
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

void Server::send(const json& message)
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
    send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

void Server::notify(const std::string& method, json params)
{
    send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

}  // namespace anml::lsp
