#include "entry/control_server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "entry/control_list.h"
#include "entry/similar.h"
#include "report/quantity.h"
#include "simulator/new_timeline.h"
#include "simulator/simulator.h"

namespace anml::rt::entry {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostClients = 16;
constexpr int kTurn = 50;  // ms
constexpr Time kFirstLook = 200 * kMillisecond;
constexpr std::size_t kBusiest = 10, kMostWatched = 1000;
// Of captures: each packet of the run is compared with each such link; a client has so much at a time, in a turn of ms;
// and what begins by so long ago is not moved any more by what the loop does behind.
constexpr std::size_t kMostCaptured = 64, kPortion = std::size_t{1} << 20, kNoLimit = ~std::size_t{0};
constexpr int kShortTurn = 10;
constexpr Time kSettled = 100 * kMillisecond;

std::string line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }
std::string refusal(const std::string& why) { return line({{"error", why}}); }

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

ControlServer::ControlServer(Run& run, ControlListener listener, const io::Clock& clock, io::LiveMailbox& mailbox,
                             const LiveViews& views, LinkViews& links, const BufferPool& buffers)
    : run_(run),
      model_(run.model()),
      listener_(std::move(listener)),
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

void ControlServer::start(const std::vector<io::SandboxPlace>& sandboxes)
{
    sandboxes_ = sandboxes;
    if (!listener_.valid()) return;
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
        std::vector<pollfd> waits{{listener_.get(), POLLIN, 0}};
        for (const ControlClient& client : clients_) waits.push_back({client.descriptor(), client.events(), 0});
        const bool captures = std::any_of(clients_.begin(), clients_.end(), [](const auto& c) { return !!c.capture; });
        if (poll(waits.data(), waits.size(), captures ? kShortTurn : kTurn) > 0) {
            for (std::size_t i = 0; i < clients_.size(); ++i) {
                if (waits[i + 1].revents & POLLOUT) clients_[i].flush();
                if (waits[i + 1].revents & (POLLIN | POLLHUP | POLLERR)) answer(clients_[i]);
            }
            if (waits[0].revents != 0) let_in();
        }
        tell_watchers();
        send_captures(false);
        remove_clients();
    }
    send_captures(true);
    for (ControlClient& client : clients_)
        for (int i = 0; i < kTurn && client.unsent() != 0 && !client.over(clock_.now()); ++i) {
            pollfd waits{client.descriptor(), POLLOUT, 0};
            poll(&waits, 1, kShortTurn);
            client.flush();
        }
}

void ControlServer::remove_clients()
{
    const Time now = clock_.now();
    for (ControlClient& client : clients_)
        if (client.capture && client.over(now)) client.capture->end(mailbox_);
    std::erase_if(clients_, [&](const ControlClient& client) { return client.over(now); });
}

void ControlServer::let_in()
{
    io::Descriptor connection(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!connection.valid()) {
        poll(nullptr, 0, kTurn);  // out of descriptors, say
        return;
    }
    clients_.emplace_back(std::move(connection), clock_.now());
    if (clients_.size() <= kMostClients) return;
    clients_.back().say(refusal(fmt::format("{} others are connected already", kMostClients)));
    clients_.pop_back();
}

// Where `shell` and `exec` find it; without a name the only one.
std::string ControlServer::sandbox(std::string_view name) const
{
    std::vector<std::string> known;
    for (const io::SandboxPlace& place : sandboxes_) {
        known.emplace_back(model_.text(model_.image().endpoints[place.endpoint].name));
        if (known.back() == name || (name.empty() && sandboxes_.size() == 1))
            return line({{"endpoint", known.back()}, {"pid", place.first_process}});
    }
    if (known.empty()) return refusal("this run has no sandbox: live --sandbox NAME -- COMMAND");
    if (name.empty())
        return refusal(fmt::format("this run has {} sandboxes{}", known.size(), similar_hint(name, known)));
    return refusal(fmt::format("no sandbox is called `{}`{}", excerpt(name), similar_hint(name, known)));
}

void ControlServer::answer(ControlClient& client)
{
    const bool whole = client.read();
    if (client.ended() && !client.capture) client.finish(clock_.now());
    if (!whole) return;
    if (client.request().size() > ControlClient::kLongestRequest)
        client.say(refusal("the request is too long"));
    else
        answer(client, client.request());
    if (!client.watches && !client.capture) client.finish(clock_.now());
}

void ControlServer::answer(ControlClient& client, std::string_view request)
{
    const std::string_view verb = request.substr(0, request.find(' '));
    const bool alone = verb.size() == request.size();
    if (verb == "list" && alone) return client.say(list());
    const std::string_view rest = alone ? "" : request.substr(verb.size() + 1);
    if (verb == "sandbox") return client.say(sandbox(rest));
    if (verb == "watch") return watch(client, rest);
    if (verb == "capture") return capture(client, rest);
    if (verb == "link" || verb == "workload" || verb == "set") return client.say(change(request));
    const std::vector<std::string> known{"list", "watch", "capture", "link", "workload", "set"};
    client.say(refusal(fmt::format("there is no `{}`{}", excerpt(verb), similar_hint(verb, known))));
}

std::string ControlServer::list() const
{
    LiveView view = views_.run.read();
    if (view.began != kNever) view.elapsed = clock_.now() - view.began;
    return line(control_list(run_, view, entered_, worded_));
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
    if (!links_of(names, client.watched, error)) return client.say(refusal(error));
    if (client.watched.size() > kMostWatched)
        return client.say(refusal(fmt::format("at most {} links can be watched", kMostWatched)));
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
            for (const LinkRate& rate : rates_.busiest(kBusiest)) json["links"].push_back(rate_json(model_, rate));
        for (const LinkId link : client.watched) {
            LinkRate rate = rates_[link];
            rate.link = link;
            json["links"].push_back(rate_json(model_, rate));
        }
        client.say(line(json));
    }
}

void ControlServer::capture(ControlClient& client, std::string_view names)
{
    std::vector<LinkId> links;
    std::string error;
    if (!links_of(names, links, error)) return client.say(refusal(error));
    if (links.empty()) return client.say(refusal("capture needs a link"));
    if (const Senders senders = run_.senders(links); !senders.here) return client.say(refusal(senders.why_not_here()));
    const auto frames = [&](LinkId link) { return model_.is_transparent(link); };
    if (std::ranges::any_of(links, frames) && !std::ranges::all_of(links, frames))
        return client.say(refusal("transparent links have frames, and others packets: capture them one after the other"));
    std::size_t all = links.size();
    for (const ControlClient& other : clients_)
        if (other.capture) all += other.capture->links();
    if (all > kMostCaptured)
        return client.say(refusal(fmt::format(
            "at most {} directions of links can be captured at a time, and this makes {}", kMostCaptured, all)));
    auto capture = std::make_unique<ControlCapture>(model_, buffers_, std::move(links), run_.info().epoch);
    if (!capture->begin(mailbox_)) return client.say(refusal("the run has ended"));
    client.say(line({{"capture", "pcapng"}}) + capture->head());
    client.capture = std::move(capture);
}

void ControlServer::send_captures(bool last)
{
    for (ControlClient& client : clients_) {
        if (!client.capture) continue;
        if (client.unsent() < kPortion) client.say(client.capture->more(clock_.now() - kSettled, kPortion));
        if (last || client.ended()) end_capture(client);
    }
}

void ControlServer::end_capture(ControlClient& client)
{
    client.capture->end(mailbox_);
    const Time now = clock_.now();
    client.say(client.capture->more(now, kNoLimit) + client.capture->tail(now));
    client.capture.reset();
    client.finish(now);
}

// The timeline with the change is made here, for an instant that the loop has not reached by then; how far ahead that
// has to be depends on how large the timeline is, and on who else has the processor.
std::string ControlServer::change(std::string_view words)
{
    if (run_.options().several())
        return refusal("a run of several processes is changed by what --changes gives to all of them");
    const LiveView view = views_.run.read();
    if (view.began == kNever) return refusal("the workloads have not begun: a server has not accepted yet");
    if (words.starts_with("workload") && !run_.info().workload)
        return refusal("this run was started with --no-workload");
    for (Time ahead = 20 * kMillisecond; ahead <= 10 * kSecond; ahead *= 4) {
        const Time at = ((clock_.now() - view.began + ahead) / kMillisecond + 1) * kMillisecond;
        if (at >= run_.duration()) return refusal("the run ends before it could be changed");
        std::string error;
        const auto changes = run_.reader().read(words, at, error);
        if (!changes) return refusal(error);
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
            return line({{"seconds", static_cast<double>(at) / kSecond},
                         {"what", words},
                         {"note", cuts ? Json("routes stay as they are") : Json(nullptr)}});
        }
        run_.reader().forget_last();
        if (!error.empty()) return refusal(error);
    }
    return refusal("the run is too far behind to be changed");
}

}  // namespace anml::rt::entry
