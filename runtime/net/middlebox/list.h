// Which middleboxes there are.
#pragma once

#include "abi/records.h"
#include "net/facts.h"

namespace anml::rt {

#define ANML_MIDDLEBOX(name) | bit_of(abi::RecordSchema::name)
inline constexpr RecordSet kMiddleboxes = 0
#include "middleboxes.def"
    ;
#undef ANML_MIDDLEBOX

}  // namespace anml::rt
