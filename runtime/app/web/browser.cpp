#include "app/web/browser.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/cluster.h"
#include "app/outcome.h"
#include "app/phase.h"
#include "app/web_client/transaction.h"
#include "app/web_client/web_connection.h"
#include "app/web_client/web_exchange.h"
#include "app/web_client/web_stream.h"
#include "net/samples.h"
#include "net/web_clients.h"

namespace anml::rt::app::browser {

namespace {

enum Timer : std::uint32_t { kSession, kPage, kOver, kFetch };

using Values = transaction::PageValues;

const abi::WorkloadRow& row_of(const Cluster& k, const PageHost& host) { return k.image.workloads[host.workload]; }
const Values& values_of(const Cluster& k, const PageHost& host)
{
    return abi::row_of<Values>(k.image, row_of(k, host).record);
}
PageHost& host_of(Cluster& k, const PageUser& user) { return k.browser.hosts[user.host]; }
std::uint32_t connections_of(const Cluster& k, const PageHost& host)
{
    return static_cast<std::uint32_t>(k.model.integer(values_of(k, host).connections));
}

// Its sessions begin whatever becomes of others.
bool independent(const Cluster& k, const PageHost& host)
{
    return abi::schema_of(k.image, row_of(k, host).record) == abi::RecordSchema::sessions;
}

std::uint32_t whole(const Cluster& k, const abi::Distribution& distribution, Draws& draws, double* state)
{
    return static_cast<std::uint32_t>(std::llround(sample(k.model, distribution, draws, state)));
}

std::uint64_t number_of(const PageUser& user) { return std::uint64_t{user.session} << 16 | user.page; }

Time think(Cluster& k, const PageUser& user)
{
    const PageHost& host = host_of(k, user);
    return draw_time(k.model, values_of(k, host).think, k.seed, host.node, Purpose::think, host.workload,
                     number_of(user), k.sampler_states.data() + host.think);
}

Time between(Cluster& k, const PageHost& host)
{
    return draw_time(k.model, values_of(k, host).between, k.seed, host.node, Purpose::pause, host.workload,
                     host.sessions, k.sampler_states.data() + host.between);
}

// --- what a page has

Draws draws_of_page(const Cluster& k, const PageHost& host, const PageUser& user, std::uint32_t index)
{
    const std::uint32_t seed = k.image.documents[row_of(k, host).documents.first].seed;
    return {seed, user.document, Purpose::parts, 0, index};
}

std::uint32_t parts_of_page(const Cluster& k, const PageHost& host, const PageUser& user)
{
    const abi::Distribution& distribution = values_of(k, host).parts_per_page;
    std::vector<double> state(state_words(distribution));
    Draws draws = draws_of_page(k, host, user, 0);
    return whole(k, distribution, draws, state.data());
}

std::uint32_t part_of_page(const Cluster& k, const PageHost& host, const PageUser& user, std::uint32_t number)
{
    const abi::WorkloadRow& workload = row_of(k, host);
    const std::uint32_t row =
        workload.documents.first + workload.documents.count - workload.parts + number % workload.parts;
    Draws draws = draws_of_page(k, host, user, number + 1);
    std::vector<double> state(state_words(k.image.documents[row].choice));
    return transaction::draw_document(k, row, draws, state.data());
}

// --- users

void add_client(Cluster& k, std::uint32_t number)
{
    PageUser& user = k.browser.users[number];
    const PageHost& host = host_of(k, user);
    const auto index = static_cast<std::uint32_t>(k.closed_loop.clients.size());
    Client& client = k.closed_loop.clients.emplace_back();
    client.node = host.node;
    client.workload = host.workload;
    client.state = number;
    if (user.clients.empty()) {
        client.first = index;
        client.memory = web_exchange::make_memory(k, host.workload);
        if (http2_client::speaks(k.model, host.workload))
            client.home = http2_client::make(k, host.node, host.workload, connections_of(k, host));
    } else {
        const Client& first = k.closed_loop.clients[user.clients.front()];
        client.first = first.first;
        client.memory = first.memory;
        client.home = first.home;
    }
    if (client.home == kNone && k.model.integer(values_of(k, host).each.requests) > 1)
        client.connection = web_connection::make(k, index);
    user.clients.push_back(index);
}

// It has clients for so many parts at a time, if so many may be fetched. Those of HTTP/1 have a connection each, and
// are there from the beginning.
void have_clients(Cluster& k, std::uint32_t number, std::uint64_t wanted)
{
    const PageUser& user = k.browser.users[number];
    const PageHost& host = host_of(k, user);
    const std::uint64_t most = connections_of(k, host) * k.model.integer(values_of(k, host).each.streams);
    wanted = http2_client::speaks(k.model, host.workload) ? std::min(wanted, most) : most;
    while (user.clients.size() < wanted) add_client(k, number);
}

std::uint32_t make_user(Cluster& k, std::uint32_t index)
{
    const auto number = static_cast<std::uint32_t>(k.browser.users.size());
    k.browser.users.emplace_back().host = index;
    have_clients(k, number, 1);
    return number;
}

std::uint32_t take_user(Cluster& k, std::uint32_t index)
{
    PageHost& host = k.browser.hosts[index];
    if (host.idle == kNone) return make_user(k, index);
    return std::exchange(host.idle, k.browser.users[host.idle].next);
}

void want(Cluster& k, std::uint32_t client, std::uint32_t document)
{
    ++k.browser.users[k.closed_loop.clients[client].state].under_way;
    k.closed_loop.clients[client].wanted = document;
}

// The next part of the page, in an event of its own; false: nothing is left to ask for.
bool ask_for_part(Cluster& k, std::uint32_t client)
{
    PageUser& user = k.browser.users[k.closed_loop.clients[client].state];
    if (user.asked_for == user.parts) return false;
    const PageHost& host = host_of(k, user);
    want(k, client, part_of_page(k, host, user, user.asked_for++));
    k.schedule(host.node, k.now, timer_of(Number::browser, kFetch), client);
    return true;
}

void wait_for_session(Cluster& k, std::uint32_t index, Time due)
{
    PageHost& host = k.browser.hosts[index];
    host.due = due;
    k.schedule(host.node, due, timer_of(Number::browser, kSession), index);
}

void wait_for_page(Cluster& k, std::uint32_t number, Time due)
{
    PageUser& user = k.browser.users[number];
    user.due = due;
    k.schedule(host_of(k, user).node, due, timer_of(Number::browser, kPage), number);
}

void begin_page(Cluster& k, std::uint32_t number)
{
    PageUser& user = k.browser.users[number];
    PageHost& host = host_of(k, user);
    if (!k.active(host.workload, host.node)) {
        user.dormant = true;
        return;
    }
    const abi::WorkloadRow& row = row_of(k, host);
    const abi::Slice pages{row.documents.first, row.documents.count - row.parts};
    ++user.page;
    --user.pages_left;
    user.document = transaction::choose_document(k, {host.node, host.workload, pages, host.pages++, host.choices});
    user.parts = user.asked_for = 0;
    user.began = k.now;
    user.in_document = true;
    user.failed = false;
    ++k.statistics.workloads[host.workload].pages.in_progress;
    const std::uint32_t client = user.clients.front();
    want(k, client, user.document);
    closed_loop::begin(k, client);
}

void begin_session(Cluster& k, std::uint32_t index)
{
    PageHost& host = k.browser.hosts[index];
    if (!k.active(host.workload, host.node)) {
        host.dormant = true;
        return;
    }
    const std::uint32_t number = take_user(k, index);
    PageUser& user = k.browser.users[number];
    user.session = host.sessions++;
    user.page = 0;
    Draws draws(k.seed, host.node, Purpose::pages, host.workload, user.session);
    user.pages_left = std::max(1u, whole(k, values_of(k, host).pages, draws, k.sampler_states.data() + host.count));
    if (independent(k, host)) wait_for_session(k, index, k.now + between(k, host));
    begin_page(k, number);
}

void end_page(Cluster& k, std::uint32_t number)
{
    const PageUser& user = k.browser.users[number];
    const PageHost& host = host_of(k, user);
    WorkloadStatistics& statistics = k.statistics.workloads[host.workload];
    --statistics.pages.in_progress;
    if (k.measuring() && user.failed) {
        ++statistics.pages.failed;
    } else if (k.measuring()) {
        ++statistics.pages.completed;
        statistics.pages.time.record(k.now - user.began, k.now - k.counters.begin);
    }
    if (user.pages_left == 0) {
        k.schedule(host.node, k.now, timer_of(Number::browser, kOver), number);
        return;
    }
    wait_for_page(k, number, after_refusals(k.now + think(k, user), user.began, user.refusals));
}

void end_session(Cluster& k, std::uint32_t number)
{
    PageUser& user = k.browser.users[number];
    PageHost& host = host_of(k, user);
    k.statistics.workloads[host.workload].pages.sessions += k.measuring();
    for (const std::uint32_t client : user.clients)
        if (const std::uint32_t kept = k.closed_loop.clients[client].connection; kept != kNone)
            web_connection::hang_up(k, kept);
    const Client& first = k.closed_loop.clients[user.clients.front()];
    if (facts.http2 && first.home != kNone) http2_client::hang_up(k, first.home);
    if (first.memory != kNone) web_exchange::forget(k, first.memory);
    web_stream::forget(k, first);
    user.next = std::exchange(host.idle, number);
    if (independent(k, host)) return;
    wait_for_session(k, user.host, after_refusals(k.now + between(k, host), user.began, user.refusals));
}

}  // namespace

void start(Cluster& k, NodeId node, NodeId, std::uint32_t workload, Time first)
{
    const auto index = static_cast<std::uint32_t>(k.browser.hosts.size());
    PageHost& host = k.browser.hosts.emplace_back();
    host.node = node;
    host.workload = workload;
    const Values& values = values_of(k, host);
    host.between = k.sampler_state(values.between);
    host.think = k.sampler_state(values.think);
    host.count = k.sampler_state(values.pages);
    host.choices = k.take_sampler_words(closed_loop::choice_words(k, row_of(k, host)));
    wait_for_session(k, index, first);
}

void timer(Cluster& k, std::uint32_t which, std::uint32_t index, Time at)
{
    switch (which) {
        case kSession:
            if (overtaken(at, k.browser.hosts[index].due)) return;
            k.browser.hosts[index].due = kNever;
            return begin_session(k, index);
        case kPage:
            if (overtaken(at, k.browser.users[index].due)) return;
            k.browser.users[index].due = kNever;
            return begin_page(k, index);
        case kOver:
            return end_session(k, index);
        default:
            return closed_loop::begin(k, index);
    }
}

void finished(Cluster& k, std::uint32_t index, std::optional<FailureCause> failure)
{
    const std::uint32_t number = k.closed_loop.clients[index].state;
    PageUser& user = k.browser.users[number];
    --user.under_way;
    user.failed |= failure.has_value();
    if (!std::exchange(user.in_document, false)) {
        ask_for_part(k, index);
    } else {
        const PageHost& host = host_of(k, user);
        user.refusals = refusals(user.refusals, failure);
        user.parts = failure ? 0 : parts_of_page(k, host, user);
        have_clients(k, number, user.parts);
        for (const std::uint32_t client : user.clients)
            if (!ask_for_part(k, client)) break;
    }
    if (const std::uint32_t kept = k.closed_loop.clients[index].connection; kept != kNone)
        web_connection::rests(k, kept, kNever);
    if (user.under_way == 0) end_page(k, number);
}

void resume(Cluster& k, const Hosts& hosts)
{
    const std::uint32_t workload = hosts.workload;
    for (std::uint32_t i = 0; i < k.browser.hosts.size(); ++i) {
        PageHost& host = k.browser.hosts[i];
        if (host.workload != workload || !hosts.have(k.model, host.node)) continue;
        if (!std::exchange(host.dormant, false) && host.due == kNever) continue;  // a session is under way
        wait_for_session(k, i, k.now + wait_to_begin(k.model, k.seed, workload, host.node, host.sessions, k.passed()));
    }
    for (std::uint32_t i = 0; i < k.browser.users.size(); ++i) {
        PageUser& user = k.browser.users[i];
        const PageHost& host = host_of(k, user);
        if (host.workload != workload || !hosts.have(k.model, host.node)) continue;
        if (std::exchange(user.dormant, false) || user.due != kNever)
            wait_for_page(k, i,
                          k.now + wait_to_begin(k.model, k.seed, workload, host.node, number_of(user), k.passed()));
        // What waited for a connection goes on at once.
        for (const std::uint32_t c : user.clients)
            if (std::exchange(k.closed_loop.clients[c].dormant, false))
                k.schedule(host.node, k.now, timer_of(Number::browser, kFetch), c);
    }
}

void collect(const Cluster& k, AppStatistics& all, Time now)
{
    for (const PageUser& user : k.browser.users)
        if (user.under_way != 0)
            all.workloads[k.browser.hosts[user.host].workload].pages.ages.push_back(now - user.began);
}

}  // namespace anml::rt::app::browser
