// Packets that a Linux 6.18 kernel sent over a veth pair with its offloads off (IPv4, headers first), and helpers.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace wire_test {

using Bytes = std::vector<std::uint8_t>;

inline Bytes from_hex(std::string_view hex)
{
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    Bytes bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes.push_back(static_cast<std::uint8_t>(digit(hex[i]) << 4 | digit(hex[i + 1])));
    }
    return bytes;
}

// ping -s 8, and its reply
inline const Bytes kEchoRequest = from_hex("45000024954e4000400191760a0900010a0900020800ad4e3ea000010001020304050607");
inline const Bytes kEchoReply = from_hex("45000024eb5b000040017b690a0900020a0900010000b54e3ea000010001020304050607");
// SYN with MSS 1460, SACK permitted, timestamps, window scale; an ACK; 5 bytes of UDP; the port unreachable for it
inline const Bytes kSyn = from_hex(
    "4500003cead2400040063bd50a0900010a0900029fb01f90005e9ebf00000000a002faf0bded0000020405b40402080a7e0c9e9f0000000001"
    "03"
    "030a");
inline const Bytes kAck = from_hex(
    "45000034ead3400040063bdc0a0900010a0900029fb01f90005e9ec0cb5573ee8010003f650800000101080a7e0c9e9f2a3b18d7");
inline const Bytes kRequest = from_hex(
    "45000085ead4400040063b8a0a0900010a0900029fb01f90005e9ec0cb5573ee8018003f02a900000101080a7e0c9ea02a3b18d7474554202f"
    "6e"
    "6f6e6520485454502f312e300d0a486f73743a2031302e392e302e323a383038300d0a557365722d4167656e743a206375726c2f372e38382e"
    "31"
    "0d0a4163636570743a202a2f2a0d0a0d0a");
inline const Bytes kDatagram = from_hex("45000021e0554000401146620a0900010a090002dd32270f000da3ab68656c6c6f");
inline const Bytes kPortUnreachable = from_hex(
    "45c0003deb61000040017a8a0a0900020a090001030311300000000045000021e0554000401146620a0900010a090002dd32270f000da3ab68"
    "65"
    "6c6c6f");

inline const Bytes* const kAll[] = {&kEchoRequest, &kEchoReply, &kSyn, &kAck, &kRequest, &kDatagram, &kPortUnreachable};

}  // namespace wire_test
