#include "app/messages/websocket_deflate.h"

#include <algorithm>
#include <utility>

#include "common/ascii.h"

namespace anml::rt::app::websocket {

namespace {

constexpr std::string_view kBlank = " \t";
constexpr std::string_view kName = "permessage-deflate";
constexpr std::string_view kServerTakeover = "server_no_context_takeover";
constexpr std::string_view kClientTakeover = "client_no_context_takeover";
constexpr std::string_view kServerBits = "server_max_window_bits", kClientBits = "client_max_window_bits";

// What is before the first of these, which is cut off.
std::string_view cut(std::string_view& text, char at)
{
    const std::size_t end = std::min(text.find(at), text.size());
    const std::string_view first = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return trimmed(first, kBlank);
}

struct Said {  // of one extension
    Deflate deflate;
    bool server_bits = false, client_bits = false;  // are said
};

// A number from 8 to 15, in quotes too; 0: it is none.
std::uint8_t bits_of(std::string_view text)
{
    if (text.size() > 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    if (text == "8" || text == "9") return static_cast<std::uint8_t>(text[0] - '0');
    return text.size() == 2 && text[0] == '1' && text[1] >= '0' && text[1] <= '5'
               ? static_cast<std::uint8_t>(10 + text[1] - '0')
               : std::uint8_t{0};
}

// Nothing: another extension, or what RFC 7692 does not allow. `bare`: client_max_window_bits needs no value.
std::optional<Said> said_by(std::string_view extension, bool bare)
{
    if (cut(extension, ';') != kName) return std::nullopt;
    Said said;
    bool server_takeover = false, client_takeover = false;
    while (!extension.empty()) {
        std::string_view value = cut(extension, ';');
        const bool valued = value.find('=') != std::string_view::npos;
        const std::string_view name = cut(value, '=');
        value = trimmed(value, kBlank);
        bool& seen = name == kServerTakeover   ? server_takeover
                     : name == kClientTakeover ? client_takeover
                     : name == kServerBits     ? said.server_bits
                                               : said.client_bits;
        if (std::exchange(seen, true)) return std::nullopt;
        if (name == kServerTakeover || name == kClientTakeover) {
            if (valued) return std::nullopt;
            (name == kServerTakeover ? said.deflate.server : said.deflate.client).takeover = false;
        } else if (name == kServerBits || name == kClientBits) {
            if (!valued && bare && name == kClientBits) continue;
            const std::uint8_t bits = bits_of(value);
            if (bits == 0) return std::nullopt;
            (name == kServerBits ? said.deflate.server : said.deflate.client).bits = bits;
        } else {
            return std::nullopt;
        }
    }
    return said;
}

std::string text_of(const Deflate& deflate, bool bits_of_client)
{
    std::string text(kName);
    const auto add = [&](std::string_view name, std::uint8_t bits) {
        text.append("; ").append(name);
        if (bits != 0) text.append("=").append(std::to_string(bits));
    };
    if (!deflate.server.takeover) add(kServerTakeover, 0);
    if (!deflate.client.takeover) add(kClientTakeover, 0);
    if (deflate.server.bits < kMostBits) add(kServerBits, deflate.server.bits);
    if (deflate.client.bits < kMostBits)
        add(kClientBits, deflate.client.bits);
    else if (bits_of_client)
        add(kClientBits, 0);
    return text;
}

}  // namespace

// Any server may say what window it wants of the client.
std::string offer_of(const Deflate& offered) { return text_of(offered, true); }

std::string answer_of(const Deflate& taken) { return text_of(taken, false); }

std::optional<Deflate> accepted(std::string_view offers)
{
    while (!offers.empty())
        if (const std::optional<Said> said = said_by(cut(offers, ','), true)) return said->deflate;
    return std::nullopt;
}

std::optional<Deflate> agreed(std::string_view answer, const Deflate& offered)
{
    std::optional<Said> said = said_by(answer, false);
    if (!said) return std::nullopt;
    Deflate& taken = said->deflate;
    if (!offered.server.takeover && taken.server.takeover) return std::nullopt;
    if (taken.server.bits > offered.server.bits) return std::nullopt;
    taken.client.takeover = taken.client.takeover && offered.client.takeover;
    taken.client.bits = std::min(taken.client.bits, offered.client.bits);
    return taken;
}

}  // namespace anml::rt::app::websocket
