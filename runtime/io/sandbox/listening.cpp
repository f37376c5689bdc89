#include "io/sandbox/listening.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace anml::rt::io {

namespace {

// Of each socket its address, in words of the machine's order, and its state, of which 0A is listening.
void read_file(const std::string& path, bool ipv6, std::vector<Listening>& all)
{
    std::FILE* file = std::fopen(path.c_str(), "re");
    if (!file) return;
    char line[512], address[33];
    unsigned port, state;
    while (std::fgets(line, sizeof line, file)) {
        if (std::sscanf(line, " %*u: %32[0-9A-F]:%x %*[0-9A-F]:%*x %x", address, &port, &state) != 3 || state != 0x0A)
            continue;
        const std::string_view at = address;
        const bool any = at.find_first_not_of('0') == at.npos;
        const bool mapped = at.ends_with("0100007F");  // 127.0.0.1 and ::ffff:127.0.0.1
        const bool loopback = mapped || at == "00000000000000000000000001000000";
        all.push_back({static_cast<std::uint16_t>(port),
                       any        ? Listening::On::any
                       : loopback ? Listening::On::loopback
                                  : Listening::On::other,
                       ipv6 && !mapped});
    }
    std::fclose(file);
}

}  // namespace

std::vector<Listening> read_listening(const std::string& folder)
{
    std::vector<Listening> all;
    read_file(folder + "/tcp", false, all);
    read_file(folder + "/tcp6", true, all);
    return all;
}

bool on_loopback_alone(const std::vector<Listening>& all, std::uint16_t port)
{
    const auto is = [&](Listening::On on) {
        return std::ranges::any_of(all, [&](const Listening& l) { return l.port == port && l.on == on; });
    };
    return is(Listening::On::loopback) && !is(Listening::On::any) && !is(Listening::On::other);
}

}  // namespace anml::rt::io
