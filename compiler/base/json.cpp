// JSON text: quoting, and numbers that survive a round trip.
#include "base/json.h"

#include <fmt/format.h>

#include <cmath>

namespace anml {

std::string json_string(std::string_view text)
{
    std::string quoted = "\"";
    for (const char c : text) {
        switch (c) {
            case '"':
                quoted += "\\\"";
                break;
            case '\\':
                quoted += "\\\\";
                break;
            case '\n':
                quoted += "\\n";
                break;
            default:
                if (static_cast<unsigned char>(c) < 0x20) {
                    quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
                } else {
                    quoted += c;
                }
        }
    }
    return quoted + '"';
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

}  // namespace anml
