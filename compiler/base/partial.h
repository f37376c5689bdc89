// What a stage returns that goes on after an error: what it understood, beside the errors it reported.
#pragma once

#include <optional>
#include <utility>

namespace anml {

template <class Output>
struct Partial {
    Output output;
    bool whole = true;  // no error was reported; otherwise the output has holes, or less than the text says

    // For those that go on only without errors.
    std::optional<Output> if_whole() &&
    {
        if (!whole) return std::nullopt;
        return std::move(output);
    }
};

}  // namespace anml
