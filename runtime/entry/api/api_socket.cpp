#include "entry/api/api_socket.h"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace anml::rt::entry {

namespace {

constexpr const char* kVariable = "ANML_API_TOKEN";
constexpr std::size_t kShortestToken = 16, kLongestToken = 1024;

bool is_good_token(std::string_view token)
{
    return token.size() >= kShortestToken && token.size() <= kLongestToken &&
           std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c <= '~'; });
}

std::string random_token(std::string& error)
{
    std::array<unsigned char, 16> bytes;
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        error = "--api: the system has no random bytes for a token";
        return {};
    }
    std::string token;
    for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
    return token;
}

}  // namespace

ApiListener listen_for_api(const ListenAddress& address, std::string& error)
{
    ApiListener listener;
    char* const given = std::getenv(kVariable);
    listener.token = given ? given : random_token(error);
    if (given && !is_good_token(listener.token))
        error = fmt::format("{}: a token has from {} to {} printable characters, and no blank", kVariable,
                            kShortestToken, kLongestToken);
    if (given) explicit_bzero(given, std::strlen(given));  // /proc/PID/environ shows it to commands of sandboxes
    unsetenv(kVariable);
    if (error.empty()) listener.socket = listen_at_address("--api", address, error);
    if (!listener.socket.valid()) return listener;
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    std::array<char, 64> host{}, port{};
    getsockname(listener.socket.get(), reinterpret_cast<sockaddr*>(&own), &size);
    getnameinfo(reinterpret_cast<const sockaddr*>(&own), size, host.data(), host.size(), port.data(), port.size(),
                NI_NUMERICHOST | NI_NUMERICSERV);
    const std::string_view name = host.data();
    const bool ipv6 = name.find(':') != name.npos;
    listener.told = fmt::format("control API at http://{}{}{}:{}/v1{}\n", ipv6 ? "[" : "", name, ipv6 ? "]" : "",
                                port.data(), given ? "" : ", token " + listener.token);
    if (!name.starts_with("127.") && name != "::1")
        listener.told += "warning: whoever reaches that address reads along: bytes and token are in the clear\n";
    return listener;
}

}  // namespace anml::rt::entry
