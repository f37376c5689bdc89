// The parameters of a queue discipline, as a link's record says them: a number for each line
//
//   ANML_FIELD(kind, name)
//   ANML_CHOICE(Enumeration, name, value, ...)
//
// of net/queue/NAME.def (abi/records.h), in that order and in canonical units; of a list of records where it lies.
// `capacity` and `packets` are not among them: every queue has those, and LinkState holds them. NAME::Parameters is the
// struct with these fields.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/time.h"

namespace anml::rt {

// What a field of each kind is.
namespace field {
using size = std::uint64_t;   // bytes
using time = Time;            // ns
using rate = double;          // bit/s
using ratio = double;         // plain
using count = std::uint64_t;  // plain
using truth = bool;
struct records {  // of the image: a slice of record_words
    std::uint32_t first = 0, count = 0;
};
}  // namespace field

// Reads a record, field after field, each by its kind.
class FieldReader {
  public:
    explicit FieldReader(std::span<const double> fields) : fields_(fields) {}

    field::size size() { return whole(); }
    field::time time() { return static_cast<Time>(whole()); }
    field::rate rate() { return next(); }
    field::ratio ratio() { return next(); }
    field::count count() { return whole(); }
    field::truth truth() { return next() != 0; }
    field::records records()
    {
        const auto first = static_cast<std::uint32_t>(whole());
        return {first, static_cast<std::uint32_t>(whole())};
    }
    template <class Enumeration>
    Enumeration choice()
    {
        return static_cast<Enumeration>(whole());
    }

  private:
    double next()
    {
        assert(at_ < fields_.size());
        return fields_[at_++];
    }
    std::uint64_t whole()
    {
        constexpr double kMost = 1e18;  // what any of them can hold
        return static_cast<std::uint64_t>(std::llround(std::clamp(next(), 0.0, kMost)));
    }

    std::span<const double> fields_;
    std::size_t at_ = 0;
};

#define ANML_RECORD(name, schema)
#include "discipline_parameters.h"
#undef ANML_RECORD

}  // namespace anml::rt
