// The server's loop: messages in, the stages behind them, messages out.
#pragma once

#include <deque>
#include <set>

#include "lsp/background.h"
#include "lsp/diagnostics.h"
#include "lsp/tools.h"
#include "lsp/workspace.h"

namespace anml::lsp {

class Server {
  public:
    Server(const Tools& tools, std::vector<std::string> include_dirs) : tools_(tools)
    {
        workspace_.client.include_dirs = std::move(include_dirs);
    }
    int run();

  private:
    enum class State : std::uint8_t { started, initialized, shut_down, ended };

    // server.cpp: what comes in
    bool wait();      // for messages; false: nothing will come any more
    bool read_all();  // those that are there; the same
    bool later_stages_wait() const;
    void take(MessageReader::Result result);
    void handle(const json& message);
    void request(const json& id, const std::string& method, const json& params);
    void notification(const std::string& method, const json& params);
    std::optional<json> answer(const json& id, const std::string& method, const json& params);  // nothing: later

    // lifecycle.cpp
    json initialize(const json& params);
    json capabilities() const;
    void watch_files();

    // checking.cpp: what is said unasked
    struct Checked {                  // of one document
        DiagnosticsByUri said;        // as it was published last, for its part
        DiagnosticsByUri front_said;  // what the stages up to `check` said of it
        json front;                   // the same, messages alone
        json network;                 // those of all stages but the linter, as far as they are published
        std::int64_t version = -1;    // that they are of
        bool good = false;            // none of them was an error
        std::uint64_t of = 0;         // snapshot, by Document::snapshots; 0: of none
        bool waiting = false;         // the later stages have not had their say
        std::optional<Background::Number> task;
    };
    void changed(Document& document);
    bool check_one();           // a document whose text was not looked at yet; false: there is none
    void start_later_stages();  // of those that have no errors so far
    void later_stages_said(const std::string& uri, std::int64_t version, const std::optional<std::string>& text);
    // Then facts about places, and what the linter says.
    void start_rest(const std::string& uri, std::int64_t version, bool lint, const DiagnosticsByUri& found);
    void rest_said(const std::string& uri, std::int64_t version, DiagnosticsByUri found,
                   const std::optional<std::string>& text);
    void given_up(const std::string& uri);  // says so in the client's log
    void say(const std::string& uri, DiagnosticsByUri diagnostics);
    void publish(const std::string& uri);
    void checked(const std::string& uri, std::int64_t version);
    void forget(const std::string& uri);
    CheckRequest check_request(const Document& document) const;

    // actions.cpp
    json code_actions(const json& params);
    void graph_page(const json& id, const json& params);

    void send(const json& message);
    void reply(const json& id, json result);
    void fail(const json& id, int code, const std::string& message);
    void notify(const std::string& method, json params);

    const Tools& tools_;
    Workspace workspace_;
    Background background_;
    State state_ = State::started;
    int status_ = 1;  // where input ends without `exit`
    MessageReader reader_;
    std::string block_;  // of input
    std::deque<json> queue_;
    std::set<json> cancelled_;                    // ids
    std::map<std::string, Checked> checks_;       // by URI
    std::map<std::string, json> published_;       // by URI
    std::map<json, Background::Number> pending_;  // requests that a process works on
    std::uint64_t requests_ = 0;                  // of ours
    bool tidy_ = false;                           // nothing was done since memory was given back
    long parent_ = 0;                             // process whose end is ours; 0: none was said
};

}  // namespace anml::lsp
