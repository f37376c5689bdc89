// Cells of LTE and NR, as an approximation: a scheduler of the base station shares out slots (3GPP TS 36.321, 38.321),
// those to the stations and those from them each for themselves, as with frequency division.
//
// A slot has so many resource blocks, which carry for a port, all together, what its link's rate is in a slot. First go
// the transmissions that are repeated in this slot, then, in the scheduler's order, those ports that have something to
// send, each as many blocks as it needs or are left. The order is that of round robin by blocks, whoever had least of
// them (start-time fair queueing, Goyal, Vin and Cheng, SIGCOMM 1996), or that of proportional fairness, by the rate of
// a link over the mean of what it was given (Jalali, Padovani and Pankaj, VTC 2000, eq. 1 and 2).
//
// What a port sends in a slot is one transport block: a stretch of the bits of its packets, which are segmented. It is
// received at the end of the slot as a whole or not at all, and then repeated `harq` later with the same blocks; new
// ones are sent meanwhile, so that nobody waits for a free process. Packets arrive in order, at the end of the slot
// with which all bits up to their last one are there (RLC in acknowledged mode).
//
// A station that had nothing to send asks for a grant at its next opportunity, one in `request`, and may send from
// `grant` later on until it has nothing.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "abi/records.h"
#include "net/radio/air.h"

namespace anml::rt {

class CellularCell : public AirCell {
  public:
    CellularCell(const Model& model, NodeId access_point, std::uint32_t record);
    ~CellularCell() override;

    AirPort& begin(LinkId link, bool down) override;
    void offered(Net& k, AirPort& port) override;
    // A slot begins, if it is still to be now.
    void act(Net& k) override;
    void clear(Net& k, AirPort& port) override;

  private:
    struct Port;
    struct Repeat {
        std::uint64_t slot = 0;
        Port* port = nullptr;
        std::uint64_t block = 0;
    };
    struct Direction {
        std::vector<Port*> active;   // with something that was not sent, or that may have
        std::deque<Repeat> repeats;  // by slot
        std::uint64_t had = 0;       // blocks that the port had had which was last served
    };

    Time boundary(Time time) const;  // the first slot that begins then or later
    Time may_send(const Port& port, Time now) const;
    void expect(Net& k, Time at);
    void serve(Net& k, Direction& direction, Time& taken);
    void rank(const Net& k, Direction& direction, std::uint64_t slot);
    std::uint64_t send(Net& k, Direction& direction, Port& port, std::uint64_t left);
    bool fill(Net& k, Port& port, std::uint64_t bits);
    void transmit(Net& k, Direction& direction, Port& port, std::uint64_t block);
    void deliver_frames(Net& k, Port& port);

    Time slot_ = 0, request_ = 0, grant_ = 0;
    std::uint64_t blocks_ = 0, harq_ = 0, retries_ = 0;  // harq in slots
    abi::record::cellular::Scheduler scheduler_{};
    double gain_ = 0;  // of a slot in the mean of what a port was given
    double error_ = 0;
    std::map<LinkId, std::unique_ptr<Port>> ports_;
    std::array<Direction, 2> directions_;  // down, up
    Time next_ = 0;                        // slots before it are over
    Time expected_ = kNever;               // a slot for which an event is pending
    std::uint64_t errors_ = 0;             // random numbers for them
};

}  // namespace anml::rt
