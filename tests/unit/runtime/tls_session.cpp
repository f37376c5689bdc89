// TLS between two sessions of ours, without a network between them.
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tls/tls.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;
using tls::State;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes copy(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

tls::ClientSettings client_of(tls::Version version)
{
    tls::ClientSettings settings;
    settings.version = version;
    settings.name = "anml";
    settings.protocols = "h2,http/1.1";
    return settings;
}

tls::ServerSettings server_of(tls::Version version, std::uint64_t seed)
{
    tls::ServerSettings settings;
    settings.version = version;
    settings.protocols = "http/1.1";
    settings.seed = seed;
    return settings;
}

struct Ends {
    Ends(const tls::ClientSettings& c, const tls::ServerSettings& s)
    {
        std::string error;
        client_side = anml_tls_library()->client(c, error);
        REQUIRE(client_side);
        server_side = anml_tls_library()->server(s, error);
        REQUIRE(server_side);
    }
    // One more connection, as far as it goes.
    void connect(std::uint64_t seed)
    {
        flights.clear();
        client = client_side->open(seed, ticket.get());
        server = server_side->open(seed + 1, nullptr);
        exchange();
        if (auto got = client->ticket()) ticket = std::move(got);
    }
    void exchange()
    {
        for (bool more = true; more;) {
            more = false;
            for (auto [from, to] : {std::pair(client.get(), server.get()), std::pair(server.get(), client.get())}) {
                const Bytes records = copy(from->records());
                if (records.empty()) continue;
                more = true;
                flights.push_back(records);
                to->take(records);
                Bytes& said = to == client.get() ? to_client : to_server;
                for (;;) {
                    const auto plain = to->plain();
                    if (plain.empty()) break;
                    said.insert(said.end(), plain.begin(), plain.end());
                }
            }
        }
    }

    std::unique_ptr<tls::Context> client_side, server_side;
    std::unique_ptr<tls::Session> client, server;
    std::unique_ptr<tls::Ticket> ticket;
    std::vector<Bytes> flights;
    Bytes to_client, to_server;
};

}  // namespace

TEST_CASE("two sessions shake hands, talk and resume", "[tls]")
{
    const auto version = GENERATE(tls::Version::tls12, tls::Version::tls13, tls::Version::any);
    anml_tls_library()->set_time(1000000);
    Ends ends(client_of(version), server_of(version, 7));
    ends.connect(1);
    REQUIRE(ends.client->state() == State::open);
    REQUIRE(ends.server->state() == State::open);
    CHECK(ends.client->protocol() == "http/1.1");
    CHECK(ends.server->protocol() == "http/1.1");
    CHECK_FALSE(ends.client->resumed());
    CHECK(ends.ticket);
    const Bytes text(100'000, 42);
    ends.client->write(text);
    ends.exchange();
    CHECK(ends.to_server == text);
    ends.server->write(Bytes(5, 1));
    const Bytes first = copy(ends.server->records());
    ends.client->take(std::span(first).first(3));  // in pieces
    CHECK(ends.client->plain().empty());
    ends.client->take(std::span(first).subspan(3));
    CHECK(copy(ends.client->plain()) == Bytes(5, 1));
    CHECK(ends.client->plain().empty());
    ends.client->close();
    ends.exchange();
    CHECK(ends.server->state() == State::ended);
    ends.connect(11);
    CHECK(ends.client->resumed());
    CHECK(ends.server->resumed());
    // A ticket of two hours ago is none.
    anml_tls_library()->set_time(1000000 + 3 * 3600);
    ends.connect(21);
    CHECK(ends.client->state() == State::open);
    CHECK_FALSE(ends.server->resumed());
}

TEST_CASE("the same seeds make the same records, others do not", "[tls]")
{
    const auto run = [](std::uint64_t seed) {
        anml_tls_library()->set_time(1000000);
        Ends ends(client_of(tls::Version::any), server_of(tls::Version::any, seed));
        ends.connect(seed);
        auto all = ends.flights;
        ends.connect(seed + 5);
        all.insert(all.end(), ends.flights.begin(), ends.flights.end());
        return all;
    };
    CHECK(run(1) == run(1));
    const auto one = run(1), other = run(2);
    CHECK(one != other);
    REQUIRE(one.size() == other.size());
    for (std::size_t i = 0; i < 2; ++i) CHECK(one[i].size() == other[i].size());  // signatures have one length
}

TEST_CASE("what is no TLS fails, and says why", "[tls]")
{
    Ends ends({}, {});
    ends.client = ends.client_side->open(1, nullptr);
    const std::string text = "HTTP/1.1 200 OK\r\n\r\n";
    ends.client->take({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    CHECK(ends.client->state() == State::failed);
    CHECK(std::string(ends.client->why()) == "wrong version number");
    // A bit that flips on the way.
    ends.connect(2);
    ends.server->write(Bytes(100, 3));
    Bytes records = copy(ends.server->records());
    records[50] ^= 1;
    ends.client->take(records);
    CHECK(ends.client->plain().empty());
    CHECK(ends.client->state() == State::failed);
    CHECK_FALSE(ends.client->records().empty());  // an alert
    std::string error;
    tls::ClientSettings settings;
    settings.trust_anchors = "/nonexistent";
    CHECK_FALSE(anml_tls_library()->client(settings, error));
    CHECK_FALSE(error.empty());
}

}  // namespace ANML_UNIT_FILE
