#include "entry/control/control_server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "entry/api/api_routes.h"
#include "entry/control/control_list.h"
#include "entry/tools/interrupt.h"
#include "entry/tools/suggestion.h"
#include "report/quantity.h"
#include "simulator/new_timeline.h"
#include "simulator/simulator.h"

namespace anml::rt::entry {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostClients = 16;
constexpr int kTurn = 50;  // ms
constexpr Time kFirstLook = 200 * kMillisecond;
constexpr std::size_t kListedLinks = 10, kMostWatched = 1000;
// Of captures: each packet of the run is compared with each such link; a client has so much at a time, in a turn of ms;
// and what begins by so long ago is not moved any more by what the loop does behind.
constexpr std::size_t kMostCaptured = 64, kPortion = std::size_t{1} << 20, kNoLimit = ~std::size_t{0};
constexpr int kShortTurn = 10;
constexpr Time kFinalAfter = 100 * kMillisecond;

// Of HTTP, of what a client asks for.
constexpr int kWrong = 400, kUnknown = 404, kNotNow = 409, kTooMany = 503;

struct EnterOrder : io::LiveOrder {
    explicit EnterOrder(NewTimeline& t) : timeline(t) {}
    void carry_out(Simulator& simulator) override { entered = simulator.enter(timeline); }
    NewTimeline& timeline;
    bool entered = false;
};

Json rate_json(const Model& model, const LinkRate& rate)
{
    return {{"name", model.link_name(rate.link)},
            {"bits_per_second", rate.bits_per_second},
            {"utilisation", rate.utilisation ? Json(*rate.utilisation) : Json(nullptr)},
            {"waiting_bytes", rate.waiting},
            {"dropped_per_second", rate.dropped_per_second},
            {"lost_per_second", rate.lost_per_second},
            {"up", !rate.down}};
}

}  // namespace

ControlServer::ControlServer(Run& run, ControlListener listener, ApiListener api, const io::Clock& clock,
                             io::LiveMailbox& mailbox, const LiveViews& views, LinkViews& links,
                             const BufferPool& buffers)
    : run_(run),
      model_(run.model()),
      listener_(std::move(listener)),
      api_(std::move(api)),
      clock_(clock),
      mailbox_(mailbox),
      views_(views),
      rates_(run.model(), links),
      buffers_(buffers),
      entered_(run.entered()),
      worded_(run.changes())
{
}

ControlServer::~ControlServer() { finish(); }

void ControlServer::start(const std::vector<io::SandboxProcess>& sandboxes)
{
    sandboxes_ = sandboxes;
    if (!listener_.valid() && !api_.socket.valid()) return;
    thread_.start([this](const std::stop_token& stop) { serve(stop); });
}

std::vector<WordedChange> ControlServer::finish()
{
    thread_.stop();
    return worded_;
}

void ControlServer::serve(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        std::vector<pollfd> waits{{listener_.get(), POLLIN, 0}, {api_.socket.get(), POLLIN, 0}};  // below 0: ignored
        for (const ControlClient& client : clients_) waits.push_back({client.descriptor(), client.events(), 0});
        const bool captures = std::any_of(clients_.begin(), clients_.end(), [](const auto& c) { return !!c.capture; });
        if (poll(waits.data(), waits.size(), captures ? kShortTurn : kTurn) > 0) {
            for (std::size_t i = 0; i < clients_.size(); ++i) {
                if (waits[i + 2].revents & POLLOUT) clients_[i].flush();
                if (waits[i + 2].revents & (POLLIN | POLLHUP | POLLERR)) answer(clients_[i]);
            }
            if (waits[0].revents != 0) let_in(listener_.get(), false);
            if (waits[1].revents != 0) let_in(api_.socket.get(), true);
        }
        tell_watchers();
        send_captures(false);
        remove_clients();
    }
    send_captures(true);
    for (ControlClient& client : clients_) {
        if (client.watches) client.finish(clock_.now());
        for (int i = 0; i < kTurn && client.unsent() != 0 && !client.over(clock_.now()); ++i) {
            pollfd waits{client.descriptor(), POLLOUT, 0};
            poll(&waits, 1, kShortTurn);
            client.flush();
        }
    }
}

void ControlServer::remove_clients()
{
    const Time now = clock_.now();
    for (ControlClient& client : clients_) {
        // It gets a line, however short it watches.
        if (client.watches && now >= client.until && client.lines != 0) {
            client.watches = false;
            client.finish(now);
        }
        if (client.capture && client.over(now)) client.capture->end(mailbox_);
    }
    std::erase_if(clients_, [&](const ControlClient& client) { return client.over(now); });
}

void ControlServer::let_in(int listener, bool http)
{
    io::Descriptor connection(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!connection.valid()) {
        poll(nullptr, 0, kTurn);  // out of descriptors, say
        return;
    }
    std::size_t others = 0;
    for (const ControlClient& client : clients_) others += client.http() == http;
    clients_.emplace_back(std::move(connection), clock_.now(), http);
    if (others < kMostClients) return;
    clients_.back().refuse(kTooMany, fmt::format("{} others are connected already", kMostClients));
    clients_.pop_back();
}

Json ControlServer::sandboxes() const
{
    Json all = Json::array();
    for (const io::SandboxProcess& sandbox : sandboxes_)
        all.push_back({{"endpoint", model_.text(model_.image().endpoints[sandbox.endpoint].name)},
                       {"pid", sandbox.first_process}});
    return all;
}

// Where `shell` and `exec` find it; without a name the only one.
void ControlServer::sandbox(ControlClient& client, std::string_view name) const
{
    std::vector<std::string> known;
    for (const Json& place : sandboxes()) {
        known.emplace_back(place["endpoint"]);
        if (known.back() == name || (name.empty() && sandboxes_.size() == 1)) return client.answer(place);
    }
    if (known.empty()) return client.refuse(kUnknown, "this run has no sandbox: live --sandbox NAME -- COMMAND");
    if (name.empty())
        return client.refuse(kUnknown,
                             fmt::format("this run has {} sandboxes{}", known.size(), suggestion(name, known)));
    client.refuse(kUnknown, fmt::format("no sandbox is called `{}`{}", excerpt(name), suggestion(name, known)));
}

void ControlServer::answer(ControlClient& client)
{
    const bool whole = client.read();
    if (client.ended() && !client.capture) client.finish(clock_.now());
    if (!whole) return;
    if (client.http())
        answer_api(client);
    else if (client.request().size() > ControlClient::kLongestRequest)
        client.refuse(kWrong, "the request is too long");
    else
        answer(client, client.request());
    if (!client.watches && !client.capture) client.finish(clock_.now());
}

void ControlServer::answer(ControlClient& client, std::string_view request)
{
    const std::string_view verb = request.substr(0, request.find(' '));
    const bool alone = verb.size() == request.size();
    if (verb == "list" && alone) return client.answer(list());
    const std::string_view rest = alone ? "" : request.substr(verb.size() + 1);
    if (verb == "sandbox") return sandbox(client, rest);
    if (verb == "watch") return watch(client, rest);
    if (verb == "capture") return capture(client, rest);
    if (verb == "link" || verb == "workload" || verb == "set") return change(client, request);
    if (verb == "stop" && alone) return end_run(client);
    const std::vector<std::string> known{"list", "watch", "capture", "link", "workload", "set", "stop"};
    client.refuse(kWrong, fmt::format("there is no `{}`{}", excerpt(verb), suggestion(verb, known)));
}

void ControlServer::answer_api(ControlClient& client)
{
    if (client.status() != 200) return client.refuse(client.status(), client.request());
    const ApiRequest& request = client.api_request();
    if (!is_address_or_localhost(request.host))
        return client.refuse(421, "Host is neither a number nor localhost: whoever wrote it may mean another server");
    if (request.foreign) return client.refuse(403, "pages of other origins have no access");
    if (!has_token(request.authorization, api_.token))
        return client.refuse(401, "`Authorization: Bearer TOKEN` is missing, or the token is another");
    const ApiCall call = api_call(request);
    if (call.status != 200) return client.refuse(call.status, call.why, call.allow);
    if (call.seconds != 0) client.until = clock_.now() + static_cast<Time>(call.seconds * kSecond);
    if (call.words == "openapi") return client.answer(openapi());
    if (call.words == "sandboxes") return client.answer(sandboxes());
    if (call.words.starts_with("show ")) return show(client, std::string_view(call.words).substr(5));
    if (call.words != "list") return answer(client, call.words);
    const Json all = list();
    if (call.name.empty()) return client.answer(call.part.empty() ? all : all[call.part]);
    std::vector<std::string> known;
    for (const Json& one : all[call.part]) {
        known.emplace_back(one["name"]);
        if (known.back() == call.name) return client.answer(one);
    }
    client.refuse(kUnknown, fmt::format("none of {} is called `{}`{}", call.part, excerpt(call.name),
                                        suggestion(call.name, known)));
}

LiveView ControlServer::view() const
{
    LiveView view = views_.run.read();
    if (view.began != kNever) view.elapsed = clock_.now() - view.began;
    return view;
}

Json ControlServer::list() const { return control_list(run_, view(), entered_, worded_); }

void ControlServer::show(ControlClient& client, std::string_view name) const
{
    std::vector<LinkId> links;
    std::string error;
    if (!links_of(name, links, error)) return client.refuse(kUnknown, error);
    if (links.size() > kMostWatched)
        return client.refuse(kWrong, fmt::format("at most {} directions can be shown", kMostWatched));
    client.answer(links_now(model_, view(), entered_, links));
}

bool ControlServer::links_of(std::string_view names, std::vector<LinkId>& links, std::string& error) const
{
    while (!names.empty()) {
        const std::string_view name = names.substr(0, names.find(' '));
        names.remove_prefix(std::min(name.size() + 1, names.size()));
        const std::vector<LinkId> found = model_.links_named(name);
        if (found.empty()) {
            error = fmt::format("no such link `{}`{}", excerpt(name), link_hint(model_, name));
            return false;
        }
        for (const LinkId link : found)
            if (std::find(links.begin(), links.end(), link) == links.end() || links.size() > kMostWatched)
                links.push_back(link);
    }
    return true;
}

void ControlServer::watch(ControlClient& client, std::string_view names)
{
    std::string error;
    if (!links_of(names, client.watched, error)) return client.refuse(kUnknown, error);
    if (client.watched.size() > kMostWatched)
        return client.refuse(kWrong, fmt::format("at most {} links can be watched", kMostWatched));
    client.begin_stream("application/x-ndjson", "");
    client.watches = true;
    if (looks_) return;
    // A first look, from which the next one counts: the loop shows each link a few times a second, if somebody asks.
    rates_.look();
    next_look_ = clock_.now() + kFirstLook;
    looks_ = true;
    counts_ = false;
}

void ControlServer::tell_watchers()
{
    const Time now = clock_.now();
    if (!looks_ || now < next_look_) return;
    next_look_ = now + kSecond;
    looks_ = std::any_of(clients_.begin(), clients_.end(), [](const ControlClient& c) { return c.watches; });
    if (!looks_) return;
    rates_.look();
    if (!std::exchange(counts_, true)) return;
    Json json = watch_json(views_.run.read(), run_.warmup());
    for (ControlClient& client : clients_) {
        if (!client.watches) continue;
        json["links"] = Json::array();
        if (client.watched.empty())
            for (const LinkRate& rate : rates_.busiest(kListedLinks)) json["links"].push_back(rate_json(model_, rate));
        for (const LinkId link : client.watched) {
            LinkRate rate = rates_[link];
            rate.link = link;
            json["links"].push_back(rate_json(model_, rate));
        }
        client.stream(line_of(json));
        ++client.lines;
    }
}

void ControlServer::capture(ControlClient& client, std::string_view names)
{
    std::vector<LinkId> links;
    std::string error;
    if (!links_of(names, links, error)) return client.refuse(kUnknown, error);
    if (links.empty()) return client.refuse(kWrong, "capture needs a link");
    if (const Senders senders = run_.senders(links); !senders.here)
        return client.refuse(kNotNow, senders.why_not_here());
    const auto frames = [&](LinkId link) { return model_.is_transparent(link); };
    if (std::ranges::any_of(links, frames) && !std::ranges::all_of(links, frames))
        return client.refuse(kWrong,
                             "transparent links have frames, and others packets: capture them one after the other");
    std::size_t all = links.size();
    for (const ControlClient& other : clients_)
        if (other.capture) all += other.capture->links();
    if (all > kMostCaptured)
        return client.refuse(
            kTooMany, fmt::format("at most {} directions of links can be captured at a time, and this makes {}",
                                  kMostCaptured, all));
    auto capture = std::make_unique<ControlCapture>(model_, buffers_, std::move(links), run_.info().epoch);
    if (!capture->begin(mailbox_)) return client.refuse(kNotNow, "the run has ended");
    client.begin_stream("application/x-pcapng", line_of({{"capture", "pcapng"}}));
    client.stream(capture->head());
    client.capture = std::move(capture);
}

void ControlServer::send_captures(bool last)
{
    for (ControlClient& client : clients_) {
        if (!client.capture) continue;
        const Time now = clock_.now();
        if (client.unsent() < kPortion) client.stream(client.capture->more(now - kFinalAfter, kPortion));
        if (last || client.ended() || now >= client.until) end_capture(client);
    }
}

void ControlServer::end_capture(ControlClient& client)
{
    client.capture->end(mailbox_);
    const Time now = clock_.now();
    client.stream(client.capture->more(now, kNoLimit) + client.capture->tail(now));
    client.capture.reset();
    client.finish(now);
}

// The timeline with the change is made here, for an instant that the loop has not reached by then; how far ahead that
// has to be depends on how large the timeline is, and on who else has the processor.
void ControlServer::change(ControlClient& client, std::string_view words)
{
    if (run_.options().several())
        return client.refuse(kNotNow, "a run of several processes is changed by what --changes gives to all of them");
    const LiveView view = views_.run.read();
    if (view.began == kNever)
        return client.refuse(kNotNow, "the workloads have not begun: a server has not accepted yet");
    if (words.starts_with("workload") && !run_.info().workload)
        return client.refuse(kNotNow, "this run was started with --no-workload");
    for (Time ahead = 20 * kMillisecond; ahead <= 10 * kSecond; ahead *= 4) {
        const Time at = ((clock_.now() - view.began + ahead) / kMillisecond + 1) * kMillisecond;
        if (at >= run_.duration()) return client.refuse(kNotNow, "the run ends before it could be changed");
        std::string error;
        const auto changes = run_.reader().read(words, at, error);
        if (!changes) return client.refuse(knows(words) ? kWrong : kUnknown, error);
        std::vector<EnteredChange> all = entered_;
        all.insert(all.end(), changes->begin(), changes->end());
        NewTimeline timeline(model_, all, at);
        EnterOrder order(timeline);
        error = timeline.error();
        if (error.empty() && !mailbox_.give(order)) error = "the run has ended";
        if (order.entered) {
            entered_ = std::move(all);
            const auto behind = std::upper_bound(worded_.begin(), worded_.end(), at,
                                                 [](Time t, const WordedChange& change) { return t < change.time; });
            worded_.insert(behind, {at, std::string(words)});
            // Who is told finds it done.
            while (clock_.now() <= view.began + at) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            const bool cuts = words.ends_with(" up") || words.ends_with(" down");
            return client.answer({{"seconds", static_cast<double>(at) / kSecond},
                                  {"what", words},
                                  {"note", cuts ? Json("routes stay as they are") : Json(nullptr)}});
        }
        run_.reader().forget_last();
        if (!error.empty()) return client.refuse(kNotNow, error);
    }
    client.refuse(kNotNow, "the run is too far behind to be changed");
}

// As at the first Ctrl-C. Who asks is answered before the run knows.
void ControlServer::end_run(ControlClient& client)
{
    const LiveView now = view();
    client.answer({{"seconds", now.began == kNever ? 0 : static_cast<double>(now.elapsed) / kSecond},
                   {"what", "stop"},
                   {"note", "the run ends, with its results, as if it were interrupted"}});
    interrupted_elsewhere(SIGINT);
}

// Whether there is what they would change.
bool ControlServer::knows(std::string_view words) const
{
    const std::string_view verb = words.substr(0, words.find(' '));
    const std::string_view rest = words.substr(std::min(verb.size() + 1, words.size()));
    const std::string_view name = rest.substr(0, rest.find_first_of(verb == "set" ? "=" : " "));
    if (verb == "link") return !model_.links_named(name).empty();
    const Json all = list()[verb == "set" ? "tunables" : "workloads"];
    return std::any_of(all.begin(), all.end(), [&](const Json& one) { return one["name"] == name; });
}

}  // namespace anml::rt::entry
