// A web client's transaction: one request with its response. What a connection is for is closed_loop.cpp's, where each
// transaction has one, and web_connection.cpp's, where it has several.
#pragma once

#include <cstdint>
#include <optional>

#include "abi/records.h"
#include "app/content.h"
#include "app/http/http_words.h"
#include "app/statistics.h"
#include "app/web/closed_loop.h"
#include "kernel/random.h"

namespace anml::rt::app::transaction {

#define ANML_FIELD(kind, name) abi::field::kind name;
#define ANML_CHOICE(Enumeration, name, ...) closed_loop::Row::Enumeration name;
// What the records of web clients begin with.
struct Values {
#include "app/web/web_client.def"
};
// What they have of connections for several requests.
struct ConnectionValues {
#include "app/web/web_connections.def"
#include "app/web/web_streams.def"
};
// Those of loops; an S-Client's have no connections for several.
struct LoopValues {
    // clang-format off: this order is that of their rows
#include "app/web/web_client.def"
#include "app/web/web_asks.def"
    // clang-format on
    ConnectionValues each;
};
// Those that fetch pages.
struct PageValues {
#include "app/web/web_client.def"
    ConnectionValues each;
#include "app/web/web_pages.def"
    abi::field::random_time between;  // sessions of a host: from the end of one, or from its beginning
};
#undef ANML_CHOICE
#undef ANML_FIELD
const abi::WorkloadRow& workload(const Cluster& k, const Client& client);
const Values& values(const Cluster& k, const Client& client);
NodeId server(const Cluster& k, const Client& client);  // whom it asks
const ConnectionValues& connection_values(const abi::Image& image, std::uint32_t workload);
bool until_close(const Cluster& k, const Client& client);        // its transactions last until the server's FIN
std::uint64_t requests(const Cluster& k, const Client& client);  // per connection
// Model's numbers of what it asks for, and of its group: kNone where they are not measured.
struct MeasuredRequest {
    std::uint32_t request = kNone, group = kNone;
};
MeasuredRequest measured_request(const Cluster& k, const Client& client);
Time idle(const Cluster& k, const Client& client);               // that a connection may be; 0: any time
http::Method method(const Cluster& k, const Client& client);
// The content of what the client asks for its document with.
std::uint32_t request(const Cluster& k, const Client& client, content::Persistence persistence);

// What a host asks for next: the rows in turn, from its own place on; of a set, one that is drawn, or that its sequence
// says. `state`: of the host's choices, in Cluster::sampler_states.
struct Choice {
    NodeId node;
    std::uint32_t workload;
    abi::Slice rows;
    std::uint64_t turn;  // those before it
    std::uint32_t state;
};
std::uint32_t choose_document(Cluster& k, const Choice& choice);
// Of a set, by the draws and the set's state alone.
std::uint32_t draw_document(const Cluster& k, std::uint32_t row, Draws& draws, double* state);

// The client's next transaction begins now.
void begin(Cluster& k, Client& client);
// A SYN leaves for the client's server. The connection is given up at a time-out.
tcp::Opened connect(Cluster& k, Client& client, std::uint32_t owner, Number as = Number::closed_loop);
// Its connection's timer has expired before its deadline, for the time to connect is over: it runs on.
bool has_time(Cluster& k, std::uint32_t slot, const Client& client);
// Why it has none: nobody has answered the SYN, which left at `opened`, for as long as it may take.
FailureCause late(const Cluster& k, std::uint32_t slot, const Client& client, Time opened);
Time deadline(const Cluster& k, const Client& client);  // when it is abandoned, and no earlier than now; kNever: never
// How a response ends that will have no more: what has come of it.
// `cut`: the end may not be the server's.
std::optional<FailureCause> outcome(const http::Response& response, bool cut = false);
// Its stream is open; or TLS has failed.
void note_opened(Cluster& k, Client& client, std::uint32_t slot);
void note_broken(Cluster& k, const Client& client, const char* why);
// The head of what a simulated server sends.
void expect(const Cluster& k, Client& client, std::uint32_t content);
// It has ended, after a request of so many bytes: counts it and has the next one begin.
void finish(Cluster& k, std::uint32_t client, std::optional<FailureCause> failure, std::uint64_t requested);

}  // namespace anml::rt::app::transaction
