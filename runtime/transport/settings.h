// TCP's settings on a class of hosts (the language's schema Tcp), as the engine uses them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "abi/records.h"
#include "net/model.h"
#include "transport/options/tcp_options.h"

namespace anml::rt::tcp {

struct Settings {
    Settings() = default;
    static std::uint32_t microseconds(const Model& model, abi::ValueId time)
    {
        return static_cast<std::uint32_t>(model.time(time) / kMicrosecond);
    }
    Settings(const Model& model, const abi::record::tcp& row)
        : read_rate(model.value(row.read_rate) / 8e9),
          delayed_ack(model.time(row.delayed_ack)),
          syn_timeout(model.time(row.syn_timeout)),
          syn_limit(model.time(row.syn_limit)),
          time_wait(model.time(row.time_wait)),
          keep_alive(model.time(row.keep_alive)),
          keep_alive_interval(model.time(row.keep_alive_interval)),
          minimum_rto(microseconds(model, row.minimum_rto)),
          minimum_variation(microseconds(model, row.minimum_variation)),
          maximum_rto(microseconds(model, row.maximum_rto)),
          receive_buffer(static_cast<std::uint32_t>(model.integer(row.receive_buffer))),
          send_buffer(static_cast<std::uint32_t>(model.integer(row.send_buffer))),
          initial_window(static_cast<std::uint32_t>(model.integer(row.initial_window))),
          first_port(static_cast<std::uint16_t>(model.integer(row.first_port))),
          last_port(static_cast<std::uint16_t>(model.integer(row.last_port))),
          quick_acks(static_cast<std::uint8_t>(model.integer(row.quick_acks))),
          retries(static_cast<std::uint8_t>(model.integer(row.retries))),
          syn_retries(static_cast<std::uint8_t>(model.integer(row.syn_retries))),
          syn_backoff(static_cast<std::uint8_t>(model.integer(row.syn_backoff))),
          keep_alive_probes(static_cast<std::uint8_t>(model.integer(row.keep_alive_probes))),
          congestion(row.congestion),
          ecn(row.ecn),
          probing(static_cast<std::uint8_t>(row.mtu_probing)),
          window_scaling(model.value(row.window_scaling) != 0),
          sack(model.value(row.sack) != 0),
          timestamps(model.value(row.timestamps) != 0),
          byte_counting(model.value(row.byte_counting) != 0),
          pacing(model.value(row.pacing) != 0),
          adaptive(model.value(row.adaptive) != 0),
          frto(model.value(row.frto) != 0),
          nagle(model.value(row.nagle) != 0),
          fast_open(model.value(row.fast_open) != 0),
          time_wait_reuse(model.value(row.time_wait_reuse) != 0)
    {
        if (row.segment != kNone)
            segment = static_cast<std::uint16_t>(std::min<std::uint64_t>(model.integer(row.segment), segment));
        while (receive_buffer >> shift > 0xffff && shift < tcp_options::kLargestShift) ++shift;
        receive_buffer = std::min(receive_buffer, 0xffffu << shift);
    }

    double read_rate;  // bytes/ns; 0: applications read what comes at once
    Time delayed_ack;  // 0: none is delayed
    Time syn_timeout;
    Time syn_limit;  // from the first SYN to the end of the last wait; 0: as long as it takes
    Time time_wait;
    Time keep_alive;                  // idle, before the first probe; 0: there is none
    Time keep_alive_interval;         // between probes
    std::uint32_t minimum_rto;        // microseconds
    std::uint32_t minimum_variation;  // of the time-out's part above the mean, microseconds; 0: RFC 6298's estimate
    std::uint32_t maximum_rto;        // microseconds
    std::uint32_t receive_buffer;     // bytes, what the window grows to
    std::uint32_t send_buffer;        // bytes, what may be unacknowledged
    std::uint32_t initial_window;     // segments
    std::uint16_t segment = 0xffff;   // bytes, as the MSS option counts: the most that a segment may have
    std::uint16_t first_port, last_port;
    std::uint8_t quick_acks;
    std::uint8_t retries, syn_retries, syn_backoff;
    std::uint8_t keep_alive_probes;
    abi::Congestion congestion;
    abi::Ecn ecn;
    std::uint8_t shift = 0;    // of its window field, where scaling is agreed on
    std::uint8_t probing = 0;  // abi::MtuProbing
    abi::MtuProbing mtu_probing() const { return static_cast<abi::MtuProbing>(probing); }
    bool window_scaling, sack, timestamps, byte_counting, pacing, adaptive, frto, nagle, fast_open, time_wait_reuse;
};

}  // namespace anml::rt::tcp
