// The server's loop: messages in, the stages behind them, messages out.
#pragma once

#include <deque>
#include <set>

#include "lsp/background.h"
#include "lsp/documents/diagnostics.h"
#include "lsp/documents/snapshot_maker.h"
#include "lsp/documents/workspace.h"
#include "lsp/tools.h"

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
    bool wait();      // for messages or a snapshot; false: nothing will come any more
    bool read_all();  // those that are there; the same
    bool later_stages_wait() const;
    void take(MessageReader::Result result);
    void handle(const json& message);
    void request(const json& id, const std::string& method, const json& params);
    void notification(const std::string& method, const json& params);
    std::optional<json> answer(const json& id, const std::string& method, const json& params);  // nothing: later

    // Requests that look at whole files or at all of them: in a process of their own, while others are answered.
    struct Pending {
        Background::Number number = 0;
        std::string uri;     // a change of its text ends it; "": no change does
        bool edits = false;  // so does one of any other: its edits would go to other places
    };
    static constexpr std::size_t kMostBeside = 4;  // at a time
    static bool works_beside(const std::string& method);
    void answer_beside(const json& id, const std::string& method, const json& params);
    void begin(const json& id, Pending pending, const std::function<std::string()>& work,
               std::function<void(const std::optional<std::string>&)> done);
    void ask_again();  // what waits

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
    bool check_one();           // a document whose text was not looked at yet; false: there is none, or it is being made
    void make(const Document& document);  // its snapshot, beside the loop
    void made();                          // takes it, and what waits for it is asked again
    // Whether the request can be answered now: its document is as it was understood, or nobody waits for that.
    bool ready(const std::string& method, const json& params);
    void outdated(const Document& document);  // requests that wait for it are of the text before
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

    void send_text(std::string_view message);
    void send(const json& message) { send_text(text_of(message)); }
    void reply(const json& id, json result);
    void fail(const json& id, int code, const std::string& message);
    void notify(const std::string& method, json params);

    const Tools& tools_;
    Workspace workspace_;
    Background background_;
    SnapshotMaker maker_;
    std::string making_;             // the URI of its document
    std::uint64_t making_of_ = 0;    // which of its texts
    std::deque<json> waiting_;       // requests, for snapshots
    State state_ = State::started;
    int status_ = 1;  // where input ends without `exit`
    MessageReader reader_;
    std::string block_;  // of input
    std::deque<json> queue_;
    std::set<json> cancelled_;                    // ids
    std::map<std::string, Checked> checks_;       // by URI
    std::map<std::string, json> published_;       // by URI
    std::map<json, Pending> pending_;             // requests that a process works on
    std::uint64_t requests_ = 0;                  // of ours
    bool tidy_ = false;                           // nothing was done since memory was given back
    long parent_ = 0;                             // process whose end is ours; 0: none was said
};

}  // namespace anml::lsp
