#include "io/capture/pcapng.h"

#include <cstring>

namespace anml::rt::io::pcapng {

namespace {

constexpr std::uint32_t kSectionHeader = 0x0a0d0d0a, kInterfaceDescription = 1;
constexpr std::uint32_t kByteOrder = 0x1a2b3c4d;
// IPv4: its readers look at the version, and show IPv6 too. RAW (101) libpcap refuses in the second interface of a
// file, since it compares it with its own number for the first one's.
constexpr std::uint16_t kLinkType = 228, kEthernet = 1;
constexpr std::uint16_t kEndOfOptions = 0, kIfName = 2, kUserApplication = 4, kIfReceived = 4, kIfDropped = 5,
                        kIfResolution = 9;

template <class Number>
void put(std::string& out, Number number)
{
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    out.append(bytes, sizeof bytes);
}

void put_padded(std::string& out, std::string_view bytes)
{
    out += bytes;
    out.append(-bytes.size() & 3, '\0');
}

void put_option(std::string& out, std::uint16_t code, std::string_view value)
{
    put(out, code);
    put(out, static_cast<std::uint16_t>(value.size()));
    put_padded(out, value);
}

void put_option(std::string& out, std::uint16_t code, std::uint64_t value)
{
    std::string bytes;
    put(bytes, value);
    put_option(out, code, bytes);
}

// The higher half first.
void put_time(std::string& out, Time at)
{
    put(out, static_cast<std::uint32_t>(static_cast<std::uint64_t>(at) >> 32));
    put(out, static_cast<std::uint32_t>(at));
}

std::string block(std::uint32_t type, std::string_view body)
{
    const auto length = static_cast<std::uint32_t>(body.size() + 12);
    std::string out;
    put(out, type);
    put(out, length);
    out += body;
    put(out, length);
    return out;
}

template <class Number>
Number read(std::string_view from, std::size_t at)
{
    Number number;
    std::memcpy(&number, from.data() + at, sizeof number);
    return number;
}

}  // namespace

std::string section(std::string_view application)
{
    std::string body;
    put(body, kByteOrder);
    put(body, std::uint16_t{1});  // version 1.0
    put(body, std::uint16_t{0});
    put(body, std::uint64_t{0xffffffffffffffff});  // of no known length
    put_option(body, kUserApplication, application);
    put_option(body, kEndOfOptions, "");
    return block(kSectionHeader, body);
}

std::string interface(std::string_view name, bool ethernet)
{
    std::string body;
    put(body, ethernet ? kEthernet : kLinkType);
    put(body, std::uint16_t{0});
    put(body, std::uint32_t{0});  // packets are whole
    put_option(body, kIfName, name);
    put_option(body, kIfResolution, std::string_view("\x09", 1));
    put_option(body, kEndOfOptions, "");
    return block(kInterfaceDescription, body);
}

std::string packet(std::uint32_t interface, Time at, std::span<const std::uint8_t> bytes)
{
    const auto length = static_cast<std::uint32_t>(bytes.size());
    std::string body;
    put(body, interface);
    put_time(body, at);
    put(body, length);
    put(body, length);
    put_padded(body, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return block(kEnhancedPacket, body);
}

std::string statistics(std::uint32_t interface, Time at, std::uint64_t received, std::uint64_t dropped)
{
    std::string body;
    put(body, interface);
    put_time(body, at);
    put_option(body, kIfReceived, received);
    put_option(body, kIfDropped, dropped);
    put_option(body, kEndOfOptions, "");
    return block(kInterfaceStatistics, body);
}

std::uint64_t dropped_in(std::string_view block)
{
    constexpr std::size_t kOptions = 20;  // behind type, length, interface and time
    if (block.size() < kOptions || read<std::uint32_t>(block, 0) != kInterfaceStatistics) return 0;
    for (std::size_t at = kOptions; at + 4 <= block.size() - 4;) {
        const auto code = read<std::uint16_t>(block, at), length = read<std::uint16_t>(block, at + 2);
        if (code == kIfDropped && length == 8 && at + 12 <= block.size()) return read<std::uint64_t>(block, at + 4);
        if (code == kEndOfOptions) break;
        at += 4 + ((length + 3u) & ~3u);
    }
    return 0;
}

}  // namespace anml::rt::io::pcapng
