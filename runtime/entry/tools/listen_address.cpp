#include "entry/tools/listen_address.h"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace anml::rt::entry {

bool parse_listen_address(std::string_view option, const std::string& text, ListenAddress& address, std::string& error)
{
    const std::size_t colon = text.rfind(':');
    if (colon != std::string::npos) {
        address = {text.substr(0, colon), text.substr(colon + 1)};
        if (address.host.starts_with('[') && address.host.ends_with(']'))
            address.host = address.host.substr(1, address.host.size() - 2);
        if (address.host.empty()) address.host = "127.0.0.1";
    }
    const bool digits = address.port.find_first_not_of("0123456789") == std::string::npos;
    if (!address.port.empty() && digits && address.port.size() <= 5 && std::stoi(address.port) <= 65535) return true;
    error = fmt::format("{} `{}`: write it as ADDRESS:PORT, like 127.0.0.1:9100", option, text);
    return false;
}

io::Descriptor listen_at_address(std::string_view option, const ListenAddress& address, std::string& error)
{
    io::Descriptor listener;
    addrinfo wanted{}, *found = nullptr;
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
    if (const int wrong = getaddrinfo(address.host.c_str(), address.port.c_str(), &wanted, &found); wrong != 0) {
        error = fmt::format("{}: `{}` is no address of an interface: {}", option, address.host, gai_strerror(wrong));
        return listener;
    }
    listener.reset(socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int on = 1;
    if (listener.valid()) setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (!listener.valid() || bind(listener.get(), found->ai_addr, found->ai_addrlen) != 0 ||
        listen(listener.get(), 8) != 0)
    {
        error = fmt::format("{}: cannot listen on {} port {}: {}", option, address.host, address.port,
                            std::strerror(errno));
        listener.reset();
    }
    freeaddrinfo(found);
    return listener;
}

}  // namespace anml::rt::entry
