// What the elaboration reports: once per place, with the instance, the loops and the calls that led there.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "elaborate/value.h"

namespace anml {

// An instance of a component (the model is one), or the arguments of a profile.
struct Frame {
    std::string path;  // "net[3]"; "" for the model
    std::vector<Value> slots;
};

struct Round {
    Span loop;
    const ForStatement* statement;
    const Frame* frame;
    std::int64_t number;  // of a list's element
};

struct ReportOnce {
    const CheckedProgram& program;
    const Network& network;
    Diagnostics& diagnostics;
    Diagnostics muted{};  // takes what was reported before from the same place
    std::set<std::pair<Diag, std::pair<std::uint32_t, std::uint32_t>>> reported{};
    std::string path{};  // of the instance being elaborated
    // The loops that are running, the innermost last, whose indices are reported once, whatever they are used for.
    std::vector<Round> rounds{};
    std::vector<Span> calls{};     // of functions, the innermost last
    Span led_from{};               // the innermost use of a function, process, profile or component in the user's text
    const Table* table = nullptr;  // whose rows are being made
    std::size_t table_row = 0;     // ... and which

    Diagnostics::Builder operator()(Diag diag, Span span, std::string message);
    std::size_t errors() const { return diagnostics.errors() + muted.errors(); }
    std::string path_of(std::string_view name) const;  // of a name in the current instance
    // Of a place in the standard library, the place in the user's text that led there.
    Span users_place(Span span) const { return led_from.valid() && of_library(span) ? led_from : span; }
    Span leading_from(Span use) { return std::exchange(led_from, of_library(use) ? led_from : use); }
    bool of_library(Span declared) const;
    Span cell_place(Span span) const;
    std::string round_text(const Round& round) const;
};

// What could not be computed, as was reported.
inline Value failed(const Diagnostics::Builder&) { return {Failed{}}; }

}  // namespace anml
