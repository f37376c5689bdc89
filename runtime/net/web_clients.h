// What the rows of web clients have in common, and what tells them apart.
#pragma once

#include "abi/records.h"
#include "net/facts.h"

namespace anml::rt::web_clients {

using Loop = abi::record::closed_loop;  // others whose requests are of one kind begin alike

inline constexpr RecordSet kPages = bit_of(abi::RecordSchema::browser) | bit_of(abi::RecordSchema::sessions);
inline constexpr RecordSet kLoops = bit_of(abi::RecordSchema::closed_loop) | bit_of(abi::RecordSchema::open_loop) |
                                    bit_of(abi::RecordSchema::s_client) | bit_of(abi::RecordSchema::replay) |
                                    bit_of(abi::RecordSchema::calls);

inline bool is_one(const abi::Image& image, const abi::WorkloadRow& row, RecordSet of)
{
    return present(of) && (bit_of(abi::schema_of(image, row.record)) & of) != 0;
}
inline bool has_pages(const abi::Image& image, const abi::WorkloadRow& row) { return is_one(image, row, kPages); }
// Of a web client: pages are got.
inline Loop::Method method(const abi::Image& image, const abi::WorkloadRow& row)
{
    return has_pages(image, row) ? Loop::Method::GET : abi::row_of<Loop>(image, row.record).method;
}

}  // namespace anml::rt::web_clients
