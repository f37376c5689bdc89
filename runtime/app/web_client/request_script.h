// What a run makes of requests that a file has written out: values in their paths, fields and bodies, taken from
// tables, from responses, or drawn; and checks of responses (abi/request_script.h). Only real servers are asked so:
// simulated ones, whose responses have sizes alone, are sent typical values, and are not checked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abi/request_script.h"
#include "app/failure_cause.h"
#include "app/groups.h"
#include "app/http/body_taker.h"
#include "app/http/grpc_messages.h"
#include "common/regular_expression.h"
#include "net/model.h"
#include "tls/hash.h"

namespace anml::rt {

struct Cluster;

namespace app {

struct Client;

struct RequestScript {
    using Source = abi::request_script::Source;
    struct Take {
        std::size_t value;
        Source source;
        std::string_view where;
        RegularExpression expression;  // of what is there, unless `part` says no
        bool part = false;
        bool optional = false;  // a condition asks for it: it may not be there
    };
    struct Check {
        Source source;
        std::string_view where;
        abi::request_script::Operator is;
        std::string_view operand;
        std::string_view written;  // in the file
        RegularExpression expression;  // of Operator::matches
    };
    struct Condition {
        std::string_view left;  // with slots, as `right`
        abi::request_script::Operator is{};
        std::string_view right;
        RegularExpression expression;
    };
    // What is made of texts, once for each request.
    struct Made {
        std::size_t number;
        char function, written;
        std::string_view key, text;
        std::string value, room;
        bool known;
    };
    RequestScript() = default;
    explicit RequestScript(std::string_view text);

    bool has_body() const { return body || (grpc && !grpc->empty()); }

    std::optional<std::string_view> path, fields, body;  // those that have slots
    std::optional<std::string_view> grpc;                // of a call: its messages (common/protobuf.h), if they have
    std::vector<Take> takes;
    std::vector<Check> checks;
    std::vector<Made> made;
    std::vector<Condition> skips;     // it is not sent where one of them holds
    std::vector<Condition> repeats;   // it is sent again while all hold
    std::uint32_t times = 1;          // that it is sent, one behind the other
    bool hashes = false;
    std::vector<std::string_view> headers;  // that it looks at
    bool reads_body = false;
    bool judges_status = false;
};

// How a take or a check is called: those of `takes` come behind those of `checks`.
std::string name_of(const RequestScript& script, std::uint32_t check);

// The rows of a table.
struct RequestRows {
    enum class Order : char { own = 'o', in_turn = 'i', random = 'a' };
    RequestRows() = default;
    explicit RequestRows(std::string_view text);

    Order order{};
    std::vector<std::string_view> rows;
};

struct RequestScripts {
    explicit RequestScripts(const Model& model);
    bool any() const { return !all.empty(); }
    bool act_in(std::uint32_t workload) const { return any() && acting[workload]; }

    std::vector<RequestScript> all;  // by row of requests; empty: none has one
    std::map<abi::StringRef, RequestRows> tables;  // by WrittenRequest::rows
    std::vector<bool> first;         // of its file, by row of requests
    std::vector<bool> acting;        // by workload: some of its requests have one
    bool steer = false;              // some say whether they are sent, or how often
    std::unique_ptr<tls::Hash> hash;  // null: nothing needs one
    std::string room;                // for what is being looked at or made, so that nothing is allocated for each
};

// What clients keep of it from request to request.
struct ScriptMemory {
    std::vector<std::string> values;
    std::uint64_t iteration = 0;  // how often the first of the requests has come
    std::uint64_t turn = 0;       // of the requests that come, those that are not sent counted
    std::uint32_t step = kNone, sent = 0;  // the document that came last, and how often it was sent since
};

// A request that is made, and what is kept of its response.
struct ScriptedRequest {
    RequestScript* script = nullptr;
    std::string fields, body;  // of those that have slots
    std::string response;      // its body, as much as BodyTaker keeps; of a call its last message
    std::optional<GrpcResponse> grpc;  // of a call, whoever makes it
};

namespace request_scripts {

// What the client asks for next, where requests say whether they are sent.
std::uint32_t next_step(Cluster& k, const Client& client);
// The client's transaction begins: what it asks with.
void begin(Cluster& k, Client& client);
// The client's current request, where a script has made it; else null.
ScriptedRequest* of(Cluster& k, const Client& client);
inline bool reads_body(Cluster& k, const Client& client)
{
    const ScriptedRequest* const made = of(k, client);
    return made && made->script->reads_body;
}
// How the body of its response began, where something looks at it; else zeros.
std::array<char, FirstFailure::kMostSeen> body_begins(Cluster& k, const Client& client);
// Its response has come to its end, or not: takes values out of it, and says how the transaction ends.
std::optional<FailureCause> judge(Cluster& k, Client& client, std::optional<FailureCause> failure);

}  // namespace request_scripts
}  // namespace app
}  // namespace anml::rt
