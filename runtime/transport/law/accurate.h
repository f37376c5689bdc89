// What both halves of a connection keep for accurate ECN feedback (RFC 9768): how much came marked, and how much the
// peer has said came marked at its side. transport/options/accurate_ecn.cpp has the rules.
#pragma once

#include <cstdint>

namespace anml::rt::tcp::law {

struct Accurate {
    // Packets marked CE, and bytes of payload by the codepoint that they came with: r.cep, r.ceb, r.e0b and r.e1b of
    // section 3.2, or s.cep and so on. They begin as 3.2.1 says.
    struct Counts {
        std::uint32_t packets = 5;
        std::uint32_t ce = 0, ect0 = 1, ect1 = 1;
    };
    Counts received, delivered;
    std::uint32_t guessed = 0;          // of delivered.ce, bytes that no option has told yet
    bool agreed = false;                // accurate feedback, where Connection::ecn says that there is any
    bool labels = true;                 // what is sent may be marked
    bool heeds = true;                  // marks that the peer tells of count
    bool untold = false;                // a counter of bytes has grown since the last option
    bool was_marked = false;            // the packet that came last was marked
    bool marks_begin = false;           // it was, and the one before was not
    bool acknowledges_opening = false;  // the next acknowledgment says how the SYN/ACK came
    std::uint8_t opening = 0;           // the codepoint of the peer's SYN or SYN/ACK
    std::uint8_t unsaid = 0;            // marks that came since the last acknowledgment left
};

}  // namespace anml::rt::tcp::law
