// Sessions as browsers have them: pages one after the other, each a document and then its parts, which are fetched over
// several connections at a time; at the session's end the connections are closed, and what was remembered is forgotten.
//
// A page belongs to the site, not to who looks at it: how many parts it has, and which, follows from the seed of the
// documents alone. So a second visit asks for the same ones. A page has failed where its document or a part has; its
// time is from the beginning of its document's transaction to the end of the last part.
//
// Over HTTP/2 a session's parts are streams of its connections (http2_client.h); it has clients for as many as were
// fetched at a time.
//
// A host of std.web.Browser is one user, who begins a session when a pause has gone by. On one of std.web.Sessions
// sessions begin at intervals, however many are under way. Each is a user, whose connections are clients
// (closed_loop.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "app/statistics.h"
#include "base/ids.h"
#include "base/time.h"

namespace anml::rt::app {

struct PageHost {
    Time due = kNever;  // its next session, while that is waited for
    NodeId node = 0;
    std::uint32_t workload = 0;  // row
    std::uint32_t sessions = 0;  // begun
    std::uint32_t pages = 0;     // the same
    // Words in Cluster::sampler_states: of what passes between sessions, think times, pages of a session, documents.
    std::uint32_t between = 0, think = 0, count = 0, choices = 0;
    std::uint32_t idle = kNone;  // users without a session, by PageUser::next
    bool dormant = false;        // its next session waits until the workload is switched on
};

struct PageUser {
    Time due = kNever;           // the next page, while that is waited for
    Time began = 0;              // the page
    std::uint32_t host = 0;      // index
    std::uint32_t next = kNone;  // behind it among those that are idle
    std::vector<std::uint32_t> clients;
    std::uint32_t session = 0, page = 0;       // numbers, of its host's sessions and the session's pages
    std::uint32_t pages_left = 0;              // behind this one
    std::uint32_t document = 0;                // of the page
    std::uint32_t parts = 0, asked_for = 0;    // of the page
    std::uint32_t under_way = 0;               // transactions
    std::uint32_t refusals = 0;                // of documents, in a row (outcome.h)
    bool in_document = false, failed = false;  // of the page
    bool dormant = false;                      // its next page waits until the workload is switched on
};

struct Browsers {
    std::vector<PageHost> hosts;
    std::vector<PageUser> users;
};

namespace browser {

using namespace otherwise;
using Row = abi::record::browser;
using State = Browsers;
inline constexpr FigureKind kFigureKind = FigureKind::transactions;
inline constexpr RecordSet kActsFor = bit_of(abi::RecordSchema::sessions);
inline Rhythm rhythm(const Row& row) { return {&row.think}; }

void start(Cluster& k, NodeId node, NodeId server, std::uint32_t workload, Time first);
// A host's session begins; a user's page begins, or the session is over; a client asks for what it wants.
void timer(Cluster& k, std::uint32_t which, std::uint32_t host_user_or_client, Time at);
void finished(Cluster& k, std::uint32_t client, std::optional<FailureCause> failure);  // its transaction has ended
void resume(Cluster& k, const Hosts& hosts);  // it is switched on: what waits goes on
void collect(const Cluster& k, AppStatistics& all, Time now);

}  // namespace browser
}  // namespace anml::rt::app
