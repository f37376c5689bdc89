// The figures of results.json that objects of one kind have: each stands here once. A further one is a line here and
// the place that counts it. These lists make the fields of what clusters count (runtime/app/statistics.h) and of what
// results show (runtime/report/figures.h), sums over clusters and ranks and differences of batches
// (runtime/base/fields.h), the keys of results.json, and the rows of tables of reports (reporting/make_table.cpp).
// tests/file/results_page.py --write makes their schema and their lines in docs/results.md.
//
//     COUNT(key, unit, better, shown, label, meaning)  a number of things, or of bytes, that is counted
//     OPEN(...)                                        the same, taken from elsewhere
//     VALUE(...)                                       what is computed of them; absent where nothing is known
//
// `unit` and `better` are those of reporting/table.h. `shown` in tables of reports: `always`; `rare`, where it is not 0
// in some run; `never`. `label` is what it is called there, `meaning` what docs/results.md says of it.
#pragma once

#include <cstdint>
#include <optional>

#define ANML_NOTHING(...)
#define ANML_COUNT_FIELD(key, ...) std::uint64_t key = 0;
#define ANML_VALUE_FIELD(key, ...) std::optional<double> key{};
#define ANML_FIELD_NAME(key, ...) key,
// In a struct, in the place of its fields.
#define ANML_COUNTED(LIST) LIST(ANML_COUNT_FIELD, ANML_NOTHING, ANML_NOTHING)
#define ANML_SHOWN(LIST) LIST(ANML_COUNT_FIELD, ANML_COUNT_FIELD, ANML_VALUE_FIELD)
// In ANML_FIELDS, before the others.
#define ANML_COUNTED_NAMES(LIST) LIST(ANML_FIELD_NAME, ANML_NOTHING, ANML_NOTHING)
// The counted ones of one object to another.
#define ANML_COPY_COUNTED(LIST, to, from) \
    do { \
        auto& anml_to = to; \
        const auto& anml_from = from; \
        LIST(ANML_COPY_FIELD, ANML_NOTHING, ANML_NOTHING) \
    } while (false)
#define ANML_COPY_FIELD(key, ...) anml_to.key = anml_from.key;

// Of web workloads, besides what transactions have.
#define ANML_WEB_FIGURES(COUNT, OPEN, VALUE) \
    COUNT(connections, count, neither, always, "connections", \
          "TCP connections that were established in the measured time") \
    COUNT(requests, count, neither, always, "requests sent", \
          "those that were sent in it, on connections from before it too: more may complete than were sent, those " \
          "that were sent during the warm-up") \
    COUNT(retried, count, lower, rare, "requests sent again", \
          "requests that were left without a byte of a response because their connection ended, and sent again on " \
          "another one ([`requests`](stdlib/web.md#schema-closedloop)); a transaction among them is one, from its " \
          "first request on") \
    COUNT(redirected, count, neither, rare, "redirections followed", \
          "responses that sent their client on to another path, which it followed: they are in `by_status`, and " \
          "their bytes in those of the transaction") \
    COUNT(not_modified, count, neither, rare, "documents not modified", \
          "responses with 304 to requests of clients that have the document already (`revalidate`); they are " \
          "completed transactions") \
    COUNT(unexpected_status, count, lower, rare, "of unexpected status", \
          "requests of an [access log](language/web.md#webreplay) that were answered with another status than the " \
          "log has") \
    COUNT(unexpected_size, count, lower, rare, "of unexpected size", \
          "completed transactions with a status of 2xx whose body is not as long as the model's document") \
    COUNT(received, count, neither, rare, "messages received", \
          "messages of `web.Socket`, events of `web.Events` and messages of gRPC that came, those that nobody waited " \
          "for too") \
    COUNT(broken, count, lower, rare, "connections broken", \
          "connections of `web.Socket` and `web.Events` that could not be opened, or ended before their client ended " \
          "them") \
    COUNT(compressed, count, neither, rare, "connections compressed", \
          "connections of `web.Socket` on which permessage-deflate was agreed on (RFC 7692)")

#define ANML_PAGE_FIGURES(COUNT, OPEN, VALUE) \
    COUNT(completed, count, neither, always, "pages completed", "pages with all of their parts") \
    COUNT(failed, count, lower, always, "pages failed", "pages whose document failed, or one of their parts") \
    COUNT(in_progress, count, neither, always, "pages open at the end", "pages that are open at the end") \
    COUNT(sessions, count, neither, always, "sessions ended", "sessions that have ended")

#define ANML_CALL_FIGURES(COUNT, OPEN, VALUE) \
    COUNT(completed, count, neither, always, "calls completed", "calls that were answered") \
    COUNT(failed, count, lower, always, "calls failed", "calls that were not, after all tries") \
    COUNT(hits, count, neither, rare, "calls answered by the cache", "calls that the cache answered, besides") \
    COUNT(retried, count, lower, rare, "tries again", "further tries") \
    COUNT(over_budget, count, lower, rare, "not tried again for the budget", \
          "failures that were not tried again because of the budget") \
    COUNT(refused, count, lower, rare, "refused by open circuits", \
          "calls and retries for which too few circuits were closed") \
    COUNT(circuits_opened, count, lower, rare, "circuits opened", "how often a circuit was opened") \
    COUNT(left, count, neither, rare, "calls left", "calls that nobody waited for: their stage was over") \
    COUNT(unread, count, neither, rare, "answers unread", "answers that came when their call was over") \
    COUNT(in_progress, count, neither, never, "", "calls that are open at the end")

#define ANML_OFFERED_FIGURES(COUNT, OPEN, VALUE) \
    COUNT(due, count, neither, always, "transactions due", "transactions that were due") \
    COUNT(late, count, lower, rare, "begun late", \
          "those that began late, because all [`connections`](language/web.md#webopenloop) of their client were " \
          "taken") \
    COUNT(waiting, count, lower, rare, "waiting at the end", "those still waiting at the end, of the whole run")

#define ANML_ARRIVAL_FIGURES(COUNT, OPEN, VALUE) \
    OPEN(due, count, neither, always, "flows due", "flows that were due") \
    OPEN(late, count, lower, rare, "begun late", \
         "those that began late, because all [`connections`](language/traffic.md#trafficflows) of their host were " \
         "taken") \
    OPEN(waiting, count, lower, rare, "waiting at the end", "those still waiting at the end") \
    OPEN(most_at_once, count, neither, always, "most at a time, of a host", "the most that a host had under way")

#define ANML_DATAGRAM_FIGURES(COUNT, OPEN, VALUE) \
    COUNT(sent, count, neither, always, "datagrams sent", "datagrams that were sent") \
    COUNT(received, count, neither, always, "datagrams received", "by a virtual host, or handed to a real one") \
    COUNT(lost, count, lower, always, "datagrams lost", "dropped on the way") \
    VALUE(lost_share, share, lower, always, "lost, of those received or lost", "of those that were received or lost") \
    COUNT(refused, count, lower, rare, "refused", "a real host said that nobody listens") \
    COUNT(duplicates, count, lower, rare, "duplicates", \
          "second ones that arrived of datagrams that a link doubled; they count neither as received nor as lost")

#define ANML_ECHO_FIGURES(COUNT, OPEN, VALUE) \
    COUNT(sent, count, neither, always, "requests sent", "requests that were sent") \
    COUNT(received, count, neither, always, "replies received", "replies in time") \
    COUNT(lost, count, lower, always, "unanswered", "requests without an answer in time") \
    VALUE(lost_share, share, lower, always, "lost, of those that ended", "of those that ended, what was not received") \
    COUNT(unreachable, count, lower, rare, "unreachable", \
          "ICMP destination unreachable, fragmentation needed and, of IPv6, packet too big among it, or no way there") \
    COUNT(time_exceeded, count, lower, rare, "time exceeded", "ICMP time exceeded") \
    COUNT(late, count, lower, rare, "late replies", "the first reply to a lost one") \
    COUNT(duplicates, count, lower, rare, "duplicates", "any further reply") \
    OPEN(in_progress, count, neither, always, "open at the end", "requests that are open at the end")

#define ANML_FLUID_FIGURES(COUNT, OPEN, VALUE) \
    VALUE(flows, plain, neither, always, "flows, mean", "flows under way, on average") \
    VALUE(offered_bps, rate, neither, always, "offered", "what they sent") \
    VALUE(carried_bps, rate, higher, always, "carried, but for queues", "what reached their ends") \
    VALUE(lost_share, share, lower, always, "lost, but for queues", \
          "as the fluid alone has it, by rates, as if links had no queues: what comes too much while a burst lasts " \
          "is lost in these figures, also where a queue has room for it. What links really carried and lost, with " \
          "their queues and packets, says `fluid_links`, and the summary's line `fluid on links`")

#define ANML_FLOW_FIGURES(COUNT, OPEN, VALUE) \
    OPEN(count, count, neither, always, "flows", "hosts that send") \
    VALUE(mean_bps, rate, higher, always, "goodput of a flow, mean", "goodput per host, the mean") \
    VALUE(min_bps, rate, higher, always, "goodput of a flow, min", "the lowest") \
    VALUE(median_bps, rate, higher, always, "goodput of a flow, median", \
          "the median, of an even number the mean of the two in the middle") \
    VALUE(max_bps, rate, higher, always, "goodput of a flow, max", "the highest") \
    VALUE(fairness, plain, higher, always, "fairness (Jain)", \
          "Jain's index, 1 where all have the same, 1/n where one has everything; `null`: nothing was delivered")

#define ANML_SERVER_FIGURES(COUNT, OPEN, VALUE) \
    COUNT(requests, count, neither, always, "requests", "requests whose service began") \
    COUNT(dropped_connections, count, lower, always, "dropped connections", "SYNs, the backlog was full") \
    COUNT(failed, count, lower, rare, "answered by 502, 503 or 504", \
          "requests that were answered by 502, 503 or 504, because a call failed") \
    VALUE(mean_busy, plain, neither, always, "busy, mean", \
          "workers, also while calls are made; without a limit, requests in service: the mean over the window") \
    VALUE(mean_waiting, plain, lower, always, "waiting, mean", \
          "requests or connections that waited for one: the mean over the window")

// Of a directed link that does something to packets.
#define ANML_IMPAIRMENT_FIGURES(COUNT, OPEN, VALUE) \
    COUNT(lost, count, lower, rare, "lost", "packets of `packets` that it lost") \
    COUNT(corrupted, count, lower, rare, "corrupted", "packets with bits that it turned") \
    COUNT(duplicated, count, lower, rare, "duplicated", "packets that arrived twice") \
    COUNT(reordered, count, lower, rare, "reordered", "packets that arrived before one that was sent earlier")

#define ANML_BUFFER_FIGURES(COUNT, OPEN, VALUE) \
    COUNT(capacity_bytes, bytes, neither, never, "", "what there is room for") \
    COUNT(highest_bytes, bytes, lower, always, "most in it", "the most that was in it") \
    COUNT(dropped, count, lower, always, "dropped", \
          "packets for which it had no room, or more of their port than its threshold. They are in " \
          "`packets.dropped.queue` and the link's `dropped`, too")

// Packets that were dropped, by cause.
#define ANML_DROP_FIGURES(COUNT, OPEN, VALUE) \
    COUNT(queue, count, lower, rare, "packets dropped: queue", "the link's queue was full") \
    COUNT(ttl, count, lower, rare, "packets dropped: ttl", "expired") \
    COUNT(mtu, count, lower, rare, "packets dropped: mtu", "above the next link's MTU") \
    COUNT(no_route, count, lower, rare, "packets dropped: no route", "no route led to their destination") \
    COUNT(malformed, count, lower, rare, "packets dropped: malformed", "not understood where they arrived") \
    COUNT(link, count, lower, rare, "packets dropped: link", "on a link that went down, or that was down") \
    COUNT(lost, count, lower, rare, "packets dropped: lost", "by an impaired link") \
    COUNT(corrupted, count, lower, rare, "packets dropped: corrupted", \
          "a wrong checksum where they arrived") \
    COUNT(processing, count, lower, rare, "packets dropped: processing", \
          "too many waited for the [processor](language/routers.md#processing) of a router or switch") \
    COUNT(middlebox, count, lower, rare, "packets dropped: middlebox", \
          "stopped by a [middlebox](language/routers.md#middleboxes)")
