// Capture files in the place of a device: what one holds arrives at its times, and what leaves is written to another.
//
// A host that is replayed sends what it sent, whatever the network does to it: it neither answers nor slows down.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/capture/pcap_files.h"
#include "io/capture/pcap_reader.h"
#include "io/capture/pcap_writer.h"
#include "io/device/device.h"
#include "report/live/replay_report.h"
#include "wire/ethernet.h"

namespace anml::rt::io {

class Gateway;

class PcapDevice final : public Device {
  public:
    // What stands for the host where the file says no Ethernet address of it.
    static constexpr wire::MacAddress kHost{0x02, 'P', 'C', 'A', 'P', 1};

    // `model`: to whom its frames go. `mtu`: of the first link, bytes of an IP packet: TCP that a kernel had left to
    // its device in larger pieces is cut. `times`: where packets that leave get theirs from; null: when they were due.
    // Null: `error`.
    static std::unique_ptr<PcapDevice> open(const PcapFiles& files, const wire::MacAddress& model, std::size_t mtu,
                                            const Clock& clock, const Clock* times, LiveReport& report,
                                            std::string& error);

    // When the first packet was captured; none: there is none, or nothing is read.
    std::optional<Time> first() const;
    // When the latest that was taken arrived; none: none was.
    std::optional<Time> latest() const { return latest_; }
    // From now on: what was captured at `origin`, ns since 1970, arrives at `begin`, and what leaves then is written
    // with that time.
    void start(Time origin, Time begin);

    Time next_arrival() const override { return next_; }
    // As receive(), but up to a time of the run. What the file has of no use to the network is counted and left out.
    std::size_t take(Time until, std::span<io::Frame> frames);
    std::size_t receive(std::span<io::Frame> frames) override;
    bool stamps() const override { return true; }
    int descriptor() const override { return -1; }
    bool present() override { return error_.empty(); }
    std::string gone() const override { return error_; }
    DeviceReport facts() override { return {"pcap", std::nullopt}; }
    std::uint64_t kernel_drops() override { return 0; }
    std::optional<wire::MacAddress> peer() const override { return kHost; }

    // Gives the `i`th frame of the latest call to the endpoint's gateway, and counts what becomes of it.
    void hand_over(Gateway& gateway, std::size_t i, const io::Frame& frame, Time at, Time late = 0);

    ReplayReport::Endpoint report(std::uint32_t row);
    // False: something could not be read or written, `error` says what. Nothing may follow it.
    bool finish(std::string& error);

  private:
    PcapDevice(const PcapFiles& files, std::size_t mtu, const Clock& clock, const Clock* times, LiveReport& report);
    bool read_ahead();
    void describe(const PcapReader::Frame& held, io::Frame& frame) const;
    void ignore(ReplayReport::Ignored why) { ++counted_.ignored[static_cast<std::size_t>(why)]; }
    std::size_t transmit(std::size_t count) override;

    std::unique_ptr<PcapReader> reader_;
    std::unique_ptr<PcapWriter> writer_;
    PcapFiles files_;
    std::size_t mtu_;
    const Clock& clock_;
    const Clock* times_;
    const LiveReport& gateways_;  // what gateways count
    PcapReader::Frame ahead_;                // the next one
    std::vector<PcapReader::Frame> handed_;  // those of the latest call
    bool holds_ = false;                     // `ahead_`
    Time next_ = kNever;                     // when that arrives
    std::optional<Time> latest_;
    Time captured_ = 0;  // when that was captured
    Time origin_ = 0, begin_ = 0;
    ReplayReport::Files counted_;
    std::string error_;
};

// Starts all of them at `begin`, by one origin: their earliest packet, or `epoch` where there is none.
void start_together(std::span<PcapDevice* const> devices, Time begin, Time epoch);

}  // namespace anml::rt::io
