// Cells of IEEE 802.11 with its distributed coordination function (802.11-2020, 10.3 and 10.22.2; Bianchi, IEEE Journal
// on Selected Areas in Communications 18(3), 2000).
//
// Who has packets waits until the air has been idle for a space of `sifs` and `aifsn` slots, and then for as many slots
// more as its backoff says, which only counts down while the air is idle. Who begins alone is received, unless `error`
// says otherwise, and answered; who begins in the same slot as somebody else is not, and draws from twice as many
// slots. A transmission has as many of the port's packets as the aggregate's bounds allow, and none that is a window of
// block acknowledgment (10.25.6) or more behind the first one that was not received. Behind it the air is taken for the
// answer in any case, which after a collision is the time that others wait (EIFS).
//
// A contender is a station, or the access point with all of its ports, which it serves in turn.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "net/radio/air.h"

namespace anml::rt {

class WifiCell : public AirCell {
  public:
    WifiCell(const Model& model, NodeId access_point, std::uint32_t record);
    ~WifiCell() override;

    AirPort& begin(LinkId link, bool down) override;
    void offered(Net& k, AirPort& port) override;
    // Somebody begins to transmit, if it is still to be now.
    void act(Net& k) override;
    void clear(Net& k, AirPort& port) override;

  private:
    struct Contender;
    struct Port;
    struct Sent {                  // in a transmission
        std::uint32_t frames = 0;  // of the port's, from the first one on, those that were received among them
        Time duration = 0;
    };

    Time start_of(const Contender& contender) const;
    void contend(Net& k, Contender& contender);
    void expect(Net& k);
    void draw_backoff(const Net& k, Contender& contender) const;
    Port* choose(Net& k, Contender& contender);
    bool fetch(Net& k, Port& port);
    bool has_any(Net& k, const Port& port) const;
    Sent gather(Net& k, Port& port);
    bool receive(Net& k, Port& port, const Sent& sent, bool alone);
    void deliver_frames(Net& k, Port& port);

    const std::uint32_t own_stream_;
    Time slot_ = 0, sifs_ = 0, preamble_ = 0, answer_ = 0, airtime_ = 0;
    std::uint64_t aifsn_ = 0, frames_ = 0, window_ = 0, aggregate_ = 0, retries_ = 0;
    std::uint32_t cw_min_ = 0, cw_max_ = 0;
    double error_ = 0;
    std::map<std::uint32_t, Contender> contenders_;  // by stream
    Time idle_ = 0;                                  // from when on slots count
    Time expected_ = kNever;                         // when somebody begins, for which an event is pending
    std::uint64_t errors_ = 0;                       // random numbers for them
};

}  // namespace anml::rt
