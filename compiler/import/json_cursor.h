// Goes through a JSON text and tells how far its reader has come, for the places of messages.
#pragma once

#include <cstddef>
#include <iterator>

namespace anml {

struct JsonCursor {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    const char* at = nullptr;
    const char** shared = nullptr;

    reference operator*() const { return *at; }
    JsonCursor& operator++()
    {
        *shared = at++;
        return *this;
    }
    JsonCursor operator++(int)
    {
        JsonCursor old = *this;
        ++*this;
        return old;
    }
    friend bool operator!=(const JsonCursor& a, const JsonCursor& b) { return a.at != b.at; }
};

}  // namespace anml
