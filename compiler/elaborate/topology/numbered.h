// Arrays as values, and what they are made of: nodes, instances, workloads and links one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "elaborate/value.h"

namespace anml {

std::uint64_t count_of(const Value& value);       // of its elements
std::vector<Value> elements(const Value& value);  // one by one
Value flat(const Value& value);                   // all elements of all dimensions
// Chosen ones as one value; arrays stay apart, so that what is chosen next is chosen in each.
Value together(std::vector<Value> values, bool arrays);

// How many elements such counts make; nothing: more than `most`.
std::optional<std::uint64_t> product(std::span<const std::int64_t> counts, std::uint64_t most);
// Puts the numbers of the i-th of them behind the others.
void place_at(std::uint64_t i, std::span<const std::int64_t> counts, std::vector<std::int64_t>& numbers);
// False: there is an element of this number. `whole`: what is added is an array itself.
bool add_element(Value& array, std::span<const std::int64_t> numbers, Value element, bool whole);
// The array in it in which the last of the numbers is; nullptr: there is none yet.
const Value* innermost(const Value& array, std::span<const std::int64_t> numbers);
std::size_t length_of(const NumberedArray& array);  // in its first dimension; of chosen ones all elements

}  // namespace anml
