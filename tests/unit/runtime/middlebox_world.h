// A middlebox by itself, for the tests: what it says of packets that reach it, at times that they choose. The router is
// net[0].gateway of ChainModel; its address is 10.1.255.254.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "image_builder.h"
#include "net/middlebox/middlebox.h"
#include "net/net.h"
#include "net/network_state.h"
#include "net/node/icmp_messages.h"
#include "net/timeline/timeline.h"
#include "wire/packet_codec.h"

// What unique_ptr's of NetworkState hold.
#include "net/middlebox/middleboxes.h"
#include "net/node/icmp_limits.h"
#include "net/processing.h"

namespace anml::test {

// An image with further records.
struct RecordImage {
    explicit RecordImage(const Chain& chain = {})
        : built(chain),
          values(values_of(built)),
          records(built.image().records, built.image().records + built.image().record_count),
          words(built.image().record_words, built.image().record_words + built.image().record_word_count)
    {
    }

    static std::vector<double> values_of(const ChainModel& built)
    {
        const rt::Model model = built.model();
        return {model.tunables().begin(), model.tunables().end()};
    }
    // A value that no other has, in the place of one that nothing uses.
    abi::ValueId value(double v)
    {
        values[--next] = v;
        return next;
    }
    abi::Slice addresses(const std::vector<abi::AddressRange>& ranges)
    {
        const abi::Slice list{static_cast<std::uint32_t>(words.size()), static_cast<std::uint32_t>(2 * ranges.size())};
        for (const abi::AddressRange& range : ranges) words.insert(words.end(), {range.first, range.last});
        return list;
    }
    template <class Row>
    std::uint32_t record(const Row& row)
    {
        const auto first = static_cast<std::uint32_t>(words.size());
        words.resize(first + sizeof(Row) / sizeof(std::uint32_t));
        std::memcpy(words.data() + first, &row, sizeof row);
        records.push_back({static_cast<std::uint32_t>(Row::kSchema), {first, sizeof(Row) / sizeof(std::uint32_t)}});
        return static_cast<std::uint32_t>(records.size() - 1);
    }
    abi::Slice list(const std::vector<std::uint32_t>& of)
    {
        const abi::Slice made{static_cast<std::uint32_t>(words.size()), static_cast<std::uint32_t>(of.size())};
        words.insert(words.end(), of.begin(), of.end());
        return made;
    }
    const abi::Image& done()
    {
        image = built.image();
        image.records = records.data();
        image.record_count = static_cast<std::uint32_t>(records.size());
        image.record_words = words.data();
        image.record_word_count = static_cast<std::uint32_t>(words.size());
        return image;
    }

    ChainModel built;
    std::vector<double> values;
    std::vector<abi::RecordRow> records;
    std::vector<std::uint32_t> words;
    abi::ValueId next = static_cast<abi::ValueId>(values.size());
    abi::Image image{};
};

// Of a node, between what it is asked.
struct BoxWorld {
    explicit BoxWorld(RecordImage& records)
        : model(records.done(), records.values),
          timeline(model),
          network(model, timeline),
          net(model, 1, 0, network),
          self(rt::node::self(net, records.built.gateway(0)))
    {
        net.counters.end = rt::kNever;
    }
    rt::Decision see(rt::Middlebox& box, const rt::Packet& packet, rt::Time at)
    {
        net.now = at;
        return box.see(net, self, packet);
    }
    static std::uint64_t figure(rt::Middlebox& box, std::string_view name, rt::Time now)
    {
        for (const auto& [known, value] : box.figures(now))
            if (known == name) return value;
        return ~std::uint64_t{0};
    }
    // The error that somebody sends about the packet.
    rt::Packet error(rt::Address from, const rt::Packet& about, std::uint8_t code = rt::node::icmp::port)
    {
        rt::Packet made;
        rt::wire::make_icmp_error(about, from, rt::node::icmp::unreachable, code, 0, model, net.buffers, made);
        return made;
    }

    rt::Model model;
    rt::Timeline timeline;
    rt::NetworkState network;
    rt::Net net;
    rt::node::Self self;
};

inline rt::Packet packet_of(std::uint8_t protocol, rt::Address from, std::uint16_t port, rt::Address to,
                            std::uint16_t at, std::uint8_t flags = 0)
{
    rt::Packet packet;
    packet.protocol = protocol;
    packet.source = from;
    packet.destination = to;
    if (protocol == rt::protocol::icmp) {
        packet.length = 84;
        packet.payload = 56;
        packet.icmp().type = port != 0 ? 8 : 0;
        packet.icmp().rest = std::uint32_t{port != 0 ? port : at} << 16 | 1;
        return packet;
    }
    packet.source_port = port;
    packet.destination_port = at;
    packet.length = protocol == rt::protocol::tcp ? 40 : 28;
    if (protocol == rt::protocol::tcp) packet.tcp().flags = flags;
    return packet;
}

}  // namespace anml::test
