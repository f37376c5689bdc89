// The dimension of a field of a record (runtime/abi/records.h).
#pragma once

#include "base/quantity.h"
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

}  // namespace anml
