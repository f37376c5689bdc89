// Goes through a JSON text and tells how far its reader has come, for the places of messages.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>

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

// Of what nlohmann's parser says: "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ..."
inline std::string json_problem(std::string what)
{
    if (const std::size_t begin = what.find(": "); begin != std::string::npos) what = what.substr(begin + 2);
    what = what.substr(0, 200);
    for (char& c : what)  // it may show half a character
        if (static_cast<unsigned char>(c) >= 0x80) c = '?';
    return "this is not well-formed JSON: " + what;
}

}  // namespace anml
