// Records field by field (abi/records.h), for what shows them.
#pragma once

#include <cstdint>

#include "abi/records.h"

namespace anml::rt {

// Calls visit(field, its words) for each field of a record.
template <class Visit>
void each_field(const abi::Image& image, std::uint32_t record, Visit&& visit)
{
    const abi::RecordRow& row = image.records[record];
    const std::uint32_t* words = image.record_words + row.words.first;
    for (const abi::RecordField& field : abi::record_layout(row.schema).fields) {
        visit(field, words);
        words += abi::words_of(field.kind);
    }
}

}  // namespace anml::rt
