#include "processes/rendezvous.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "io/device/clock.h"

namespace anml::rt::processes {

namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;
constexpr Time kForAnswer = 5 * kSecond;  // of one that is there
constexpr int kLook = 50;                 // ms
constexpr std::size_t kMostShown = 200;   // of two values that differ
constexpr std::size_t kMostComing = 64;   // who have not said who they are

Time now() { return io::read_clock(CLOCK_MONOTONIC); }

Json to_json(const Introduction& own)
{
    return {{"endpoints", own.endpoints}, {"nodes", own.nodes}, {"subnets", own.subnets}};
}

// What a stranger says goes to a terminal.
std::string printable(std::string text)
{
    std::ranges::replace_if(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    return text;
}

std::string random_text()
{
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) bytes.fill(0);
    return fmt::format("{:02x}", fmt::join(bytes, ""));
}

template <class T>
bool read(const Json& json, const char* key, T& value)
{
    const auto at = json.find(key);
    if (at == json.end()) return false;
    try {
        at->get_to(value);
    } catch (const Json::exception&) {
        return false;
    }
    return true;
}

bool read(const Json& json, Introduction& introduction)
{
    return json.is_object() && read(json, "endpoints", introduction.endpoints) &&
           read(json, "nodes", introduction.nodes) && read(json, "subnets", introduction.subnets);
}

void tell(Connection& connection, const Json& json)
{
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    connection.send(Connection::Kind::rendezvous, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

// What a connection has said by now; null: nothing yet, or no JSON, and then it is closed.
Json heard(Connection& connection)
{
    connection.push();
    std::optional<Connection::Frame> frame = connection.next();
    if (!frame && connection.pull()) frame = connection.next();
    if (!frame) return nullptr;
    Json json = Json::parse(frame->bytes.begin(), frame->bytes.end(), nullptr, false);
    if (frame->kind == Connection::Kind::rendezvous && json.is_object()) return json;
    connection = {};
    return nullptr;
}

void look_again(const std::vector<int>& descriptors)
{
    std::vector<pollfd> waits;
    for (const int fd : descriptors) waits.push_back({fd, POLLIN, 0});
    poll(waits.data(), waits.size(), kLook);
}

// As long as it is open, and no longer than until `end`.
Json wait_for(Connection& connection, Time end, const std::atomic<bool>& stop)
{
    while (connection.open() && !stop && now() < end) {
        if (Json said = heard(connection); !said.is_null()) return said;
        if (connection.open()) look_again({connection.descriptor()});
    }
    return nullptr;
}

// One frame of each of those from `first` on, while all are open. False: one is not, or the time is over.
bool hear_all(std::vector<Connection>& connections, std::size_t first, Time end, const std::atomic<bool>& stop)
{
    std::vector<bool> heard_of(connections.size());
    for (;;) {
        bool all = true;
        std::vector<int> descriptors;
        for (std::size_t rank = first; rank < connections.size(); ++rank) {
            if (!heard_of[rank]) heard_of[rank] = !heard(connections[rank]).is_null();
            if (!heard_of[rank] && !connections[rank].open()) return false;
            all &= heard_of[rank];
            descriptors.push_back(connections[rank].descriptor());
        }
        if (all) return true;
        if (stop || now() >= end) return false;
        look_again(descriptors);
    }
}

// Why one that joins does not fit to those that are there; "": it does.
std::string misfit(const std::vector<Introduction>& all, const Introduction& other, const RendezvousOptions& options)
{
    const Introduction& own = all.front();
    for (std::size_t i = 0; i < own.alike.size(); ++i) {
        const auto& [what, value] = own.alike[i];
        if (i >= other.alike.size() || other.alike[i].first != what) return "it is another emulator than process 0";
        const std::string& theirs = other.alike[i].second;
        if (theirs == value) continue;
        if (value.size() + theirs.size() > kMostShown) return fmt::format("{} is not that of process 0", what);
        return fmt::format("{} is `{}`, and `{}` at process 0", what, printable(theirs), value);
    }
    if (other.alike.size() != own.alike.size()) return "it is another emulator than process 0";
    for (const Introduction& there : all)
        for (const std::uint32_t endpoint : there.endpoints)
            if (std::ranges::find(other.endpoints, endpoint) != other.endpoints.end())
                return fmt::format("endpoint `{}` is attached at process {} already", options.endpoint_name(endpoint),
                                   &there - all.data());
    return "";
}

struct Coming {
    Connection connection;
    Time since;
};

std::optional<Rendezvous> refuse(std::string& error, std::string text)
{
    error = std::move(text);
    return std::nullopt;
}

}  // namespace

std::optional<Rendezvous> host_rendezvous(const SocketAddress& address, const Introduction& own,
                                          const RendezvousOptions& options, std::string& error)
{
    const io::Descriptor listener = listen_at(address, error);
    if (!listener.valid()) return refuse(error, "--listen: " + error);
    const Time end = now() + options.patience;
    std::vector<Introduction> all{own};
    std::vector<Connection> connections(1);
    std::vector<SocketAddress> addresses(1);  // where each rank can be reached
    std::vector<Coming> coming;
    const bool any = address.host == "0.0.0.0" || address.host == "::";
    const SocketAddress here = any ? SocketAddress{"THIS-MACHINE", address.port} : address;
    options.say(fmt::format("waits for {} more: EMULATOR live --join {} ...", options.processes - 1, here.shown()));
    while (all.size() < options.processes) {
        if (options.stop) return refuse(error, "stopped before all processes had come");
        if (now() >= end)
            return refuse(error, fmt::format("{} of {} processes came to {} within {:g} s (--wait)", all.size(),
                                             options.processes, address.shown(),
                                             static_cast<double>(options.patience) / kSecond));
        for (io::Descriptor next = accept_from(listener); next.valid(); next = accept_from(listener))
            if (coming.size() < kMostComing) coming.push_back({Connection(std::move(next)), now()});
        for (Coming& one : coming) {
            const Json said = heard(one.connection);
            if (said.is_null()) continue;
            Introduction other;
            std::string port, why;
            const std::string from = one.connection.peer();
            int version = 0;
            if (!read(said, "anml", version) || version != kVersion)
                why = "it is of another version than process 0";
            else if (!read(said, other) || !read(said, "alike", other.alike) || !read(said, "port", port))
                why = "it makes no sense";
            else
                why = misfit(all, other, options);
            if (why.empty() && all.size() == options.processes) why = "all processes are there";
            if (!why.empty()) {
                options.say(fmt::format("a process at {} was refused: {}", from, why));
                tell(one.connection, {{"refused", why}});
                one.since = 0;
                continue;
            }
            options.say(fmt::format("process {} is {}", all.size(), from));
            addresses.push_back({from, port});
            all.push_back(std::move(other));
            connections.push_back(std::move(one.connection));
            one.connection = {};
        }
        std::erase_if(coming, [](const Coming& c) { return !c.connection.open() || now() - c.since > kForAnswer; });
        for (std::size_t rank = 1; rank < connections.size(); ++rank)
            if (connections[rank].pull(); !connections[rank].open())
                return refuse(error, fmt::format("process {} ({}) has gone", rank, addresses[rank].host));
        std::vector<int> descriptors{listener.get()};
        for (const Coming& one : coming) descriptors.push_back(one.connection.descriptor());
        look_again(descriptors);
    }
    Json introductions = Json::array(), places = Json::array();
    for (const Introduction& one : all) introductions.push_back(to_json(one));
    for (const SocketAddress& one : addresses) places.push_back({one.host, one.port});
    const std::string token = random_text();
    for (std::size_t rank = 1; rank < all.size(); ++rank)
        tell(connections[rank], {{"rank", rank}, {"all", introductions}, {"places", places}, {"token", token}});
    // They say when they are connected with each other.
    if (!hear_all(connections, 1, now() + 3 * kForAnswer, options.stop))
        return refuse(error, "the other processes do not connect with each other, or one has gone");
    for (std::size_t rank = 1; rank < all.size(); ++rank) tell(connections[rank], {{"begin", true}});
    return Rendezvous{std::make_unique<TcpRanks>(0, std::move(connections)), std::move(all)};
}

std::optional<Rendezvous> join_rendezvous(const SocketAddress& address, const Introduction& own,
                                          const RendezvousOptions& options, std::string& error)
{
    const Time end = now() + options.patience;
    Connection first;
    for (bool said = false;;) {
        error.clear();
        io::Descriptor connected = connect_to(address, kForAnswer, error);
        if (connected.valid()) {
            first = Connection(std::move(connected));
            break;
        }
        if (options.stop) return refuse(error, "stopped before it had joined");
        if (now() >= end) return refuse(error, "--join: " + error);
        if (!said)
            options.say(fmt::format("{}; tries again for {:g} s (--wait)", error,
                                    static_cast<double>(options.patience) / kSecond));
        said = true;
        poll(nullptr, 0, 4 * kLook);
    }
    const io::Descriptor listener = listen_at({first.local(), "0"}, error);
    if (!listener.valid()) return std::nullopt;
    Json hello = to_json(own);
    hello["alike"] = own.alike;
    hello["anml"] = kVersion;
    hello["port"] = port_of(listener);
    tell(first, hello);
    // As long as process 0 waits for others.
    const Json welcome = wait_for(first, kNever, options.stop);
    std::string refused;
    if (!welcome.is_null() && read(welcome, "refused", refused))
        return refuse(error, fmt::format("--join: {} refuses this process: {}", address.shown(), printable(refused)));
    unsigned rank = 0;
    std::string token;
    std::vector<std::pair<std::string, std::string>> places;
    Rendezvous result;
    const bool whole = !welcome.is_null() && read(welcome, "rank", rank) && read(welcome, "places", places) &&
                       read(welcome, "token", token) && welcome.contains("all") &&
                       welcome["all"].size() == places.size() && rank < places.size() && rank > 0;
    if (!whole)
        return refuse(error, options.stop ? "stopped before it had joined"
                                          : fmt::format("--join: {} has gone before all had come", address.shown()));
    for (const Json& one : welcome["all"])
        if (!read(one, result.all.emplace_back()))
            return refuse(error, fmt::format("--join: what {} says makes no sense", address.shown()));
    std::vector<Connection> connections(places.size());
    connections[0] = std::move(first);
    for (unsigned other = 1; other < rank; ++other) {
        io::Descriptor connected = connect_to({places[other].first, places[other].second}, kForAnswer, error);
        if (!connected.valid()) return refuse(error, fmt::format("process {}: {}", other, error));
        connections[other] = Connection(std::move(connected));
        tell(connections[other], {{"rank", rank}, {"token", token}});
    }
    const Time until = now() + 2 * kForAnswer;
    std::vector<Connection> coming;
    for (std::size_t missing = places.size() - rank - 1; missing != 0 && now() < until && !options.stop;) {
        for (io::Descriptor next = accept_from(listener); next.valid(); next = accept_from(listener))
            if (coming.size() < kMostComing) coming.emplace_back(std::move(next));
        std::vector<int> descriptors{listener.get()};
        for (Connection& connection : coming) {
            const Json said = heard(connection);
            unsigned other = 0;
            std::string theirs;
            if (!said.is_null() && read(said, "rank", other) && read(said, "token", theirs) && theirs == token &&
                other > rank && other < places.size() && !connections[other].open())
            {
                connections[other] = std::exchange(connection, {});
                --missing;
            }
            if (connection.open()) descriptors.push_back(connection.descriptor());
        }
        std::erase_if(coming, [](const Connection& c) { return !c.open(); });
        if (missing != 0) look_again(descriptors);
    }
    for (unsigned other = 0; other < places.size(); ++other)
        if (other != rank && !connections[other].open())
            return refuse(error, fmt::format("process {} ({}) does not connect", other, places[other].first));
    tell(connections[0], {{"connected", true}});
    if (wait_for(connections[0], now() + 2 * kForAnswer, options.stop).is_null())
        return refuse(error, "process 0 has gone");
    result.ranks = std::make_unique<TcpRanks>(rank, std::move(connections));
    return result;
}

}  // namespace anml::rt::processes
