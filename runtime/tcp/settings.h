// TCP's settings on a class of hosts (the language's schema Tcp), as the engine uses them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel/model.h"

namespace anml::rt::tcp {

struct Settings {
    Settings(const Model& model, const abi::TcpRow& row)
        : minimum_rto(model.time(row.minimum_rto)),
          delayed_ack(model.time(row.delayed_ack)),
          receive_buffer(static_cast<std::uint32_t>(model.integer(row.receive_buffer))),
          initial_window(static_cast<std::uint32_t>(model.integer(row.initial_window))),
          window_scaling(model.value(row.window_scaling) != 0),
          sack(model.value(row.sack) != 0),
          timestamps(model.value(row.timestamps) != 0)
    {
        if (row.segment != kNone)
            segment = static_cast<std::uint16_t>(std::min<std::uint64_t>(model.integer(row.segment), segment));
        while (receive_buffer >> shift > 0xffff) ++shift;
    }

    Time minimum_rto;
    Time delayed_ack;                // 0: none is delayed
    std::uint32_t receive_buffer;    // bytes
    std::uint32_t initial_window;    // segments
    std::uint16_t segment = 0xffff;  // bytes, as the MSS option counts: the most that a segment may have
    std::uint8_t shift = 0;          // of its window field, where scaling is agreed on
    bool window_scaling, sack, timestamps;
};

}  // namespace anml::rt::tcp
