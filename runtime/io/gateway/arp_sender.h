// Messages of ARP (RFC 826) from the emulator on a device.
#pragma once

#include <cstdint>

#include "io/device/device.h"
#include "wire/arp.h"

namespace anml::rt::io {

struct ArpSender {
    Device& device;
    wire::MacAddress mac;  // the emulator's

    void send(std::uint16_t operation, Address sender, const wire::MacAddress& to, Address target) const
    {
        send_of(mac, operation, sender, to, target);
    }
    // In the name of another station.
    void send_of(const wire::MacAddress& sender_mac, std::uint16_t operation, Address sender,
                 const wire::MacAddress& to, Address target) const
    {
        constexpr std::size_t kHeader = wire::EthernetView::kHeader;
        const auto slot = device.slot();
        wire::write_ethernet(slot.data(), to, mac, wire::ether_type::arp);
        const wire::MacAddress target_mac = operation == wire::arp_operation::reply ? to : wire::MacAddress{};
        wire::write_arp(slot.data() + kHeader, {operation, sender_mac, sender, target_mac, target});
        device.commit(kHeader + wire::Arp::kLength, kNever);
    }
};

}  // namespace anml::rt::io
