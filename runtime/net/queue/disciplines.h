// All queue disciplines, and what a link has of its own.
#pragma once

#include <cstdint>
#include <type_traits>

#include "abi/records.h"
#include "discipline_headers.h"
#include "net/facts.h"
#include "net/queue/discipline.h"
#include "net/queue/parameters.h"

namespace anml::rt {

enum class Discipline : std::uint32_t {
#define ANML_DISCIPLINE(name, service) name,
#include "disciplines.def"
#undef ANML_DISCIPLINE
};

// They stand in constructs.txt before whatever else has a record, so that a record's schema tells its discipline.
#define ANML_DISCIPLINE(name, service) \
    static_assert(static_cast<std::uint32_t>(Discipline::name) == static_cast<std::uint32_t>(abi::RecordSchema::name));
#include "disciplines.def"
#undef ANML_DISCIPLINE

enum class Service { admission, dequeue };
template <Service service>
using OfService = std::integral_constant<Service, service>;

// What a link's discipline knows of it.
template <class Parameters, class State>
struct Disciplined {
    Parameters parameters;
    State state;
};

#define ANML_DISCIPLINE(name, service) | bit_of(abi::RecordSchema::name)
inline constexpr RecordSet kDisciplines = 0
#include "disciplines.def"
    ;
#undef ANML_DISCIPLINE

// What links share without one of their own (net/link/shared_buffers.h, net/radio/air.h).
inline constexpr RecordSet kRadios = bit_of(abi::RecordSchema::wifi) | bit_of(abi::RecordSchema::cellular);
inline constexpr RecordSet kShared = bit_of(abi::RecordSchema::buffer) | kRadios;

}  // namespace anml::rt
