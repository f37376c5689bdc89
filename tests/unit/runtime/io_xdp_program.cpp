// Which frames the XDP program takes, as the kernel runs it (BPF_PROG_TEST_RUN): of those it takes it leaves a note.
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "io/xdp/xdp_program.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

namespace {

constexpr wire::MacAddress kOurs{0x02, 'A', 0x12, 0x34, 0x56, 0x78};

std::vector<std::uint8_t> frame(const wire::MacAddress& to, std::uint16_t type, std::size_t length)
{
    std::vector<std::uint8_t> bytes(length, 0xab);
    std::copy(to.begin(), to.end(), bytes.begin());
    wire::store16(bytes.data() + 12, type);
    return bytes;
}

// The note before the frame behind the program; nothing: it took the frame for none of ours.
std::optional<io::XdpNote> note_of(const io::XdpProgram& program, const std::vector<std::uint8_t>& frame)
{
    xdp_md before{}, after{};
    before.data_end = static_cast<std::uint32_t>(frame.size());
    std::vector<std::uint8_t> out(frame.size() + 256);
    bpf_attr attributes{};
    attributes.test.prog_fd = static_cast<std::uint32_t>(program.descriptor());
    attributes.test.data_in = reinterpret_cast<std::uintptr_t>(frame.data());
    attributes.test.data_size_in = static_cast<std::uint32_t>(frame.size());
    attributes.test.data_out = reinterpret_cast<std::uintptr_t>(out.data());
    attributes.test.data_size_out = static_cast<std::uint32_t>(out.size());
    attributes.test.ctx_in = reinterpret_cast<std::uintptr_t>(&before);
    attributes.test.ctx_out = reinterpret_cast<std::uintptr_t>(&after);
    attributes.test.ctx_size_in = attributes.test.ctx_size_out = sizeof before;
    REQUIRE(syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attributes, sizeof attributes) == 0);
    CHECK(attributes.test.retval == XDP_PASS);  // no queue has a socket
    if (after.data == after.data_meta) return std::nullopt;
    REQUIRE(after.data - after.data_meta == sizeof(io::XdpNote));
    io::XdpNote note;
    std::memcpy(&note, out.data(), sizeof note);
    CHECK(std::equal(frame.begin(), frame.end(), out.begin() + sizeof note));
    return note;
}

}  // namespace

TEST_CASE("the XDP program takes IP to one address, and counts what is too long", "[io]")
{
    constexpr std::uint32_t kLongest = 1792;
    io::XdpProgram program;
    const int failure = program.load(kOurs, kLongest);
    if (failure == EPERM || failure == ENOSYS) {
        WARN("no permission for XDP programs");
        return;
    }
    REQUIRE(failure == 0);
    wire::MacAddress other = kOurs, group = kOurs;
    ++other[5];
    group[0] |= 1;
    CHECK_FALSE(note_of(program, frame(kOurs, wire::ether_type::arp, 60)));
    CHECK_FALSE(note_of(program, frame(kOurs, wire::ether_type::vlan, 60)));
    CHECK_FALSE(note_of(program, frame(other, wire::ether_type::ipv4, 60)));
    CHECK_FALSE(note_of(program, frame(group, wire::ether_type::ipv4, 60)));
    CHECK_FALSE(note_of(program, frame(kOurs, wire::ether_type::ipv4, kLongest + 1)));
    CHECK_FALSE(note_of(program, frame(other, wire::ether_type::ipv4, kLongest + 1)));

    const auto first = note_of(program, frame(kOurs, wire::ether_type::ipv4, kLongest));
    REQUIRE(first);
    CHECK(first->mark == io::XdpNote::kMark);
    CHECK(first->passed == 1);
    CHECK_FALSE(note_of(program, frame(kOurs, wire::ether_type::ipv6, kLongest + 1)));
    const auto second = note_of(program, frame(kOurs, wire::ether_type::ipv6, 60));
    REQUIRE(second);
    CHECK(second->passed == 2);
    CHECK(second->arrived > first->arrived);
}

}  // namespace ANML_UNIT_FILE
