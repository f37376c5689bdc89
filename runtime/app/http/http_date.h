// Dates as cookies have them, in any of the forms that servers write (RFC 6265, 5.1.1).
#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"

namespace anml::rt::app::http {

// ns since 1970; what lies before is 0, and what is too late for that the latest there is.
std::optional<Time> read_date(std::string_view text);

}  // namespace anml::rt::app::http
