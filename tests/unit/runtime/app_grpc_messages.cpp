// Messages of a response of gRPC, in pieces of any size.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "app/http/grpc_messages.h"

using namespace anml::rt::app;

namespace {

struct ReadMessages {
    std::vector<std::string> all;
    http::GrpcMessages reader;
};

ReadMessages read_messages(std::string_view stream, std::size_t step)
{
    ReadMessages read;
    for (; !stream.empty(); stream.remove_prefix(std::min(step, stream.size())))
        read.reader.read({reinterpret_cast<const std::uint8_t*>(stream.data()), std::min(step, stream.size())},
                         [&] { read.all.emplace_back(); },
                         [&](std::span<const std::uint8_t> bytes) { read.all.back().append(bytes.begin(), bytes.end()); });
    return read;
}

}  // namespace

TEST_CASE("messages of gRPC, however they are cut", "[app_grpc_messages]")
{
    const std::string stream = std::string("\0\0\0\0\2hi\0\0\0\0\0\0\0\0\1\0", 17) + std::string(256, 'x');
    for (const std::size_t step : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}, stream.size()}) {
        const ReadMessages read = read_messages(stream, step);
        CHECK(read.all == std::vector<std::string>{"hi", "", std::string(256, 'x')});
        CHECK(read.reader.count() == 3);
        CHECK(read.reader.whole());
        CHECK_FALSE(read.reader.compressed());
    }
    for (const std::size_t size : {std::size_t{1}, std::size_t{4}, std::size_t{5}, std::size_t{6}, stream.size() - 1})
        CHECK_FALSE(read_messages(std::string_view(stream).substr(0, size), 3).reader.whole());
    CHECK(read_messages(std::string_view("\1\0\0\0\0", 5), 2).reader.compressed());
    const ReadMessages huge = read_messages(std::string_view("\0\xff\xff\xff\xffxyz", 8), 8);
    CHECK(huge.all == std::vector<std::string>{"xyz"});
    CHECK_FALSE(huge.reader.whole());
}
