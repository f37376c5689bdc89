// The file of --connections.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "common/csv.h"
#include "image_builder.h"
#include "io/capture/connection_file.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;

struct TemporaryFile {
    std::string path = fmt::format("/tmp/anml-connections-{}.csv", getpid());
    TemporaryFile() { std::remove(path.c_str()); }
    ~TemporaryFile() { std::remove(path.c_str()); }
    bool exists() const { return std::filesystem::exists(path); }
    std::string content() const
    {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
};

std::vector<ConnectionRecord> some(std::size_t count)
{
    std::vector<ConnectionRecord> records(count);
    for (std::size_t i = 0; i < count; ++i) records[i].end = static_cast<Time>(i);
    return records;
}

std::size_t lines(const std::string& text)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST_CASE("a connection is a line of CSV", "[io]")
{
    test::ChainModel chain{test::Chain{}};
    const Model model = chain.model();
    ConnectionRecord record;
    record.start = 1;
    record.end = 12 * kSecond + 345;
    record.local = model.address(0);
    record.local_port = 32768;
    record.remote = model.address(1);
    record.remote_port = 80;
    record.sent = std::uint64_t{5} << 32;
    record.requests = 2;
    std::string text;
    const auto line = [&] {
        text.clear();
        io::append_connection(model, record, text);
        return text;
    };
    const std::string ends = fmt::format("{},{},32768,{},{},80,", model.node_name(0), model.address_text(record.local),
                                         model.node_name(1), model.address_text(record.remote));
    const std::string workload(model.text(model.image().workloads[0].name));
    CHECK(line() == workload + "," + ends + "closed,0.000000001,12.000000345,,,,,21474836480,0,2,0,0,0,0\r\n");
    record.open = true;
    CHECK(line().find(",open,") != std::string::npos);
    record.failure = FailureCause::timeout;
    record.connect = 20 * kMillisecond;
    CHECK(line().find(",timeout,0.000000001,12.000000345,0.020000000,,,,") != std::string::npos);
    const std::string columns = io::kConnectionColumns;
    CHECK(csv_field("plain") == "plain");
    CHECK(csv_field("a,\"b\"") == "\"a,\"\"b\"\"\"");
    CHECK(csv_field("a\nb") == "\"a\nb\"");
    CHECK(std::count(columns.begin(), columns.end(), ',') == std::count(text.begin(), text.end(), ','));
}

TEST_CASE("connections are written in the order in which they are taken, more than wait at a time", "[io]")
{
    test::ChainModel chain{test::Chain{}};
    const Model model = chain.model();
    const TemporaryFile file;
    std::string error, expected = io::kConnectionColumns;
    const std::vector<ConnectionRecord> records = some(5000);
    for (const ConnectionRecord& record : records) io::append_connection(model, record, expected);
    auto connections = io::ConnectionFile::open(file.path, model, true, error, 64);
    REQUIRE(connections);
    connections->begin();
    connections->take(std::span(records).first(1));
    connections->take(std::span(records).subspan(1));
    REQUIRE(connections->finish(false, error));
    CHECK(connections->written() == records.size());
    CHECK(connections->dropped() == 0);
    CHECK(file.content() == expected);
}

TEST_CASE("a loop that waits for nobody drops connections, and the file says that it is incomplete", "[io]")
{
    test::ChainModel chain{test::Chain{}};
    const Model model = chain.model();
    const TemporaryFile file;
    std::string error;
    auto connections = io::ConnectionFile::open(file.path, model, false, error, 64);
    REQUIRE(connections);
    connections->take(some(60));  // nobody writes yet
    connections->take(some(10));
    connections->take(some(3));
    CHECK_FALSE(connections->finish(false, error));
    CHECK(connections->written() == 64);
    CHECK(connections->dropped() == 9);
    CHECK(error.find("9 of 73 had no room to wait in") != std::string::npos);
    CHECK(lines(file.content()) == 65);
}

TEST_CASE("a run that did not begin leaves no file of connections, and none changed", "[io]")
{
    test::ChainModel chain{test::Chain{}};
    const Model model = chain.model();
    const TemporaryFile file;
    std::string error;
    REQUIRE(io::ConnectionFile::open(file.path, model, true, error));
    CHECK_FALSE(file.exists());
    {
        auto connections = io::ConnectionFile::open(file.path, model, true, error);
        REQUIRE(connections);
        connections->begin();
        CHECK(connections->finish(true, error));
    }
    CHECK_FALSE(file.exists());
    file.write("old");
    {
        auto connections = io::ConnectionFile::open(file.path, model, true, error);
        REQUIRE(connections);
        connections->begin();
        CHECK(connections->finish(true, error));
    }
    CHECK(file.content() == "old");
    {
        auto connections = io::ConnectionFile::open(file.path, model, true, error);
        REQUIRE(connections);
        connections->begin();
        CHECK(connections->finish(false, error));
    }
    CHECK(file.content() == io::kConnectionColumns);
    CHECK_FALSE(io::ConnectionFile::open("/nowhere/file", model, true, error));
    CHECK(error == "cannot write /nowhere/file: No such file or directory");
}

TEST_CASE("connections that end at one time are in the order of workload, host and port", "[io]")
{
    ConnectionRecord a, b;
    a.end = b.end = 5;
    CHECK_FALSE(comes_before(a, b));
    b.local_port = 2;
    CHECK(comes_before(a, b));
    a.node = 1;
    CHECK(comes_before(b, a));
    b.workload = 1;
    CHECK(comes_before(a, b));
    b.end = 4;
    CHECK(comes_before(b, a));
}

}  // namespace ANML_UNIT_FILE
