// What the fields of records are in the language.
#pragma once

#include <string>
#include <string_view>

#include "base/values/quantity.h"
#include "runtime/abi/records.h"

namespace anml {

constexpr Dimension dimension_of(abi::FieldKind kind)
{
    const abi::Unit unit = abi::unit_of(kind);
    return unit == abi::Unit::size   ? dimension::size
           : unit == abi::Unit::time ? dimension::time
           : unit == abi::Unit::rate ? dimension::rate
                                     : dimension::none;
}

// The profile that takes the attributes of a schema of the library under their names: "web.server" of "web.Server" or
// "std.web.Server". Every server has one (check/schemas/record_agreement.h).
std::string profile_name(std::string_view schema);

// Of `Link`: what a link has one of, whichever way its packets go.
bool is_of_both_directions(std::string_view attribute);

}  // namespace anml
