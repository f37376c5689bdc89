// Window laws for ns-3.37, and a recovery, that do what their RFC says where ns-3's own do not. Each says what is
// different, and why. Compiled without access control: what they mend is private.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "ns3/internet-module.h"

namespace laws {

using namespace ns3;

// FlightSize of RFC 5681 (section 3.2) and RFC 6675 (section 5, 4.2): all that is not acknowledged, without limited
// transmit. ns-3 hands laws its pipe instead: what is left of it behind the segments that have arrived or are lost.
inline std::uint32_t flight(Ptr<const TcpSocketState> state)
{
    const std::uint32_t sent = state->m_highTxMark.Get() - state->m_lastAckedSeq;
    return std::min(sent, state->m_cWnd.Get());
}

// Segments that have arrived, of those that an acknowledgment is for: what was sacked before is no news. ns-3's lets
// windows grow for it (TcpSocketBase::ProcessAck), which behind a time-out are some hundred segments at once, where
// RFC 3465 (section 2.3) lets an acknowledgment count for one: by that a flow takes several times its share, and loses
// it.
inline std::uint32_t news(Ptr<const TcpSocketState> state, std::uint32_t segments)
{
    return std::min(segments, (state->m_lastAckedSackedBytes + state->m_segmentSize - 1) / state->m_segmentSize);
}

// Whether the acknowledgment that an increase is for ended a recovery. It sets the window (RFC 6675, section 5, A),
// where ns-3 lets laws that count segments add to that for all of the recovery's segments (TcpSocketBase::ProcessAck).
class RecoveryEnd {
  public:
    void Note(const TcpSocketState::TcpCongState_t now)
    {
        ended = state == TcpSocketState::CA_RECOVERY && now == TcpSocketState::CA_OPEN;
        state = now;
    }
    bool Take() { return std::exchange(ended, false); }

  private:
    TcpSocketState::TcpCongState_t state = TcpSocketState::CA_OPEN;
    bool ended = false;
};

// Proportional rate reduction of RFC 6937 (section 3.1, with its slow start), in numbers that hold its products. ns-3's
// multiplies bytes in 32 bits (TcpPrrRecovery::DoRecovery), which hold windows of up to 45 segments; below ssthresh it
// sends no more than what has arrived, until something that was sent again has. A mark is no loss, and sets the window
// (RFC 3168, 6.1.2; RFC 8257, 3.3, step 9), which ns-3 spreads over a round trip, too; and where segments are lost the
// recovery goes on beside it, where ns-3 gives that up (TcpSocketBase::EnterCwr).
class RfcRecovery : public TcpClassicRecovery {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("RfcRecovery").SetParent<TcpClassicRecovery>().AddConstructor<RfcRecovery>();
        return id;
    }
    void EnterRecovery(Ptr<TcpSocketState> state, std::uint32_t, std::uint32_t unacknowledged,
                       std::uint32_t arrived) override
    {
        if (recovering && state->m_congState == TcpSocketState::CA_CWR) {
            state->m_congState = TcpSocketState::CA_RECOVERY;
            return;
        }
        recovering = state->m_congState == TcpSocketState::CA_RECOVERY;
        delivered = sent = 0;
        flight = std::max(unacknowledged, 1u);
        DoRecovery(state, arrived);
    }
    void DoRecovery(Ptr<TcpSocketState> state, std::uint32_t arrived) override
    {
        const std::int64_t pipe = state->m_bytesInFlight, ssthresh = state->m_ssThresh, segment = state->m_segmentSize;
        if (!recovering) {
            state->m_cWnd = state->m_cWndInfl = state->m_ssThresh;
            return;
        }
        delivered += arrived;
        std::int64_t more = 0;
        if (pipe > ssthresh)
            more = (delivered * ssthresh + flight - 1) / flight - sent;
        else
            more = std::min(std::max<std::int64_t>(delivered - sent, arrived) + segment, ssthresh - pipe);
        more = std::max(more, sent > 0 ? std::int64_t{0} : segment);
        state->m_cWnd = state->m_cWndInfl = static_cast<std::uint32_t>(pipe + more);
    }
    void ExitRecovery(Ptr<TcpSocketState> state) override
    {
        recovering = false;
        TcpClassicRecovery::ExitRecovery(state);
    }
    void UpdateBytesSent(std::uint32_t bytes) override { sent += bytes; }
    std::string GetName() const override { return "RfcRecovery"; }
    Ptr<TcpRecoveryOps> Fork() override { return CopyObject<RfcRecovery>(this); }

  private:
    bool recovering = false;
    std::int64_t delivered = 0, sent = 0, flight = 1;  // bytes
};

// NewReno that halves the flight.
class FlightReno : public TcpNewReno {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("FlightReno").SetParent<TcpNewReno>().AddConstructor<FlightReno>();
        return id;
    }
    std::uint32_t GetSsThresh(Ptr<const TcpSocketState> state, std::uint32_t) override
    {
        return std::max(2 * state->m_segmentSize, flight(state) / 2);
    }
    Ptr<TcpCongestionOps> Fork() override { return CopyObject<FlightReno>(this); }
};

// Scalable TCP (Kelly, 2003) in real numbers: seven eighths of the flight are kept, and the window grows by a hundredth
// of a segment for each that has arrived. ns-3's rounds seven eighths down to whole segments, where Linux rounds them
// up (tcp_scalable_ssthresh); at each increase it takes the window for whole segments, and forgets what it had counted
// beyond that (TcpScalable::CongestionAvoidance). Slow start counts what has arrived (RFC 3465), as Linux's does.
class FlightScalable : public TcpScalable {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("FlightScalable").SetParent<TcpScalable>().AddConstructor<FlightScalable>();
        return id;
    }
    std::uint32_t GetSsThresh(Ptr<const TcpSocketState> state, std::uint32_t) override
    {
        return std::max(2 * state->m_segmentSize, flight(state) - flight(state) / 8);
    }
    void CongestionStateSet(Ptr<TcpSocketState> state, const TcpSocketState::TcpCongState_t now) override
    {
        end.Note(now);
        TcpScalable::CongestionStateSet(state, now);
    }
    void IncreaseWindow(Ptr<TcpSocketState> state, std::uint32_t segments) override
    {
        if (!end.Take()) TcpScalable::IncreaseWindow(state, news(state, segments));
    }
    Ptr<TcpCongestionOps> Fork() override { return CopyObject<FlightScalable>(this); }

  protected:
    std::uint32_t SlowStart(Ptr<TcpSocketState> state, std::uint32_t segments) override
    {
        const std::uint32_t before = state->m_cWnd, segment = state->m_segmentSize;
        state->m_cWnd = std::min(before + segments * segment, std::max(before, state->m_ssThresh.Get()));
        return segments - (state->m_cWnd - before) / segment;
    }
    void CongestionAvoidance(Ptr<TcpSocketState> state, std::uint32_t segments) override
    {
        const double window = static_cast<double>(state->m_cWnd.Get()) / state->m_segmentSize;
        const double more = segments / std::min<double>(window, m_aiFactor);
        state->m_cWnd += static_cast<std::uint32_t>(more * state->m_segmentSize);
    }

  private:
    RecoveryEnd end;
};

// DCTCP that takes a loss for a loss (RFC 8257, section 3.5), where ns-3's reduces its window by the share of marks
// then, too: by nothing, where nothing is marked. A window of observation ends behind what was sent as it began
// (section 3.3, step 4: no acknowledgment up to WindowEnd), not with it; no less than two segments are left (RFC 5681,
// section 3.1); and duplicates in a round trip that a mark reduces tell of a loss, which ns-3's do not hear
// (TcpSocketBase::DupAck), until there is a time-out. With RfcRecovery.
class LossyDctcp : public TcpDctcp {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("LossyDctcp").SetParent<TcpDctcp>().AddConstructor<LossyDctcp>();
        return id;
    }
    std::uint32_t GetSsThresh(Ptr<const TcpSocketState> state, std::uint32_t pipe) override
    {
        const bool loss = std::exchange(lost, false), marked = state->m_ecnState == TcpSocketState::ECN_ECE_RCVD;
        if (!loss && marked && state->m_congState >= TcpSocketState::CA_RECOVERY) return state->m_ssThresh;
        const std::uint32_t left = loss || !marked ? flight(state) / 2 : TcpDctcp::GetSsThresh(state, pipe);
        return std::max(2 * state->m_segmentSize, left);
    }
    void PktsAcked(Ptr<TcpSocketState> state, std::uint32_t segments, const Time& rtt) override
    {
        const bool again = std::exchange(acknowledged, state->m_lastAckedSeq) == state->m_lastAckedSeq;
        if (again && state->m_congState == TcpSocketState::CA_CWR) state->m_congState = TcpSocketState::CA_DISORDER;
        if (m_nextSeqFlag && state->m_lastAckedSeq == m_nextSeq) {
            m_ackedBytesTotal += segments * state->m_segmentSize;
            if (state->m_ecnState == TcpSocketState::ECN_ECE_RCVD) m_ackedBytesEcn += segments * state->m_segmentSize;
            return;
        }
        TcpDctcp::PktsAcked(state, segments, rtt);
    }
    void CongestionStateSet(Ptr<TcpSocketState> state, const TcpSocketState::TcpCongState_t now) override
    {
        end.Note(now);
        lost = now == TcpSocketState::CA_RECOVERY;
        TcpDctcp::CongestionStateSet(state, now);
    }
    void IncreaseWindow(Ptr<TcpSocketState> state, std::uint32_t segments) override
    {
        if (!end.Take()) TcpDctcp::IncreaseWindow(state, news(state, segments));
    }
    Ptr<TcpCongestionOps> Fork() override { return CopyObject<LossyDctcp>(this); }

  private:
    RecoveryEnd end;
    bool lost = false;
    SequenceNumber32 acknowledged;
};

// Vegas as Linux has it (tcp_vegas.c), which counts what lies in queues in round trips of an empty path, and rounds
// down; ns-3's rounds up, so that it is content with one to four segments of the two to four that it is given (Brakmo
// and Peterson, 1995). A loss leaves a half (Linux's tcp_reno_ssthresh), where ns-3's leaves all but a segment, and
// goes on as before it; a round ends behind what was sent as it began.
class LinuxVegas : public TcpVegas {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("LinuxVegas").SetParent<TcpVegas>().AddConstructor<LinuxVegas>();
        return id;
    }
    std::uint32_t GetSsThresh(Ptr<const TcpSocketState> state, std::uint32_t) override
    {
        return std::max(2 * state->m_segmentSize, flight(state) / 2);
    }
    void PktsAcked(Ptr<TcpSocketState> state, std::uint32_t segments, const Time& rtt) override
    {
        if (std::exchange(acknowledged, state->m_lastAckedSeq) != state->m_lastAckedSeq)
            TcpVegas::PktsAcked(state, segments, rtt);
    }
    void CongestionStateSet(Ptr<TcpSocketState>, const TcpSocketState::TcpCongState_t now) override { end.Note(now); }
    void IncreaseWindow(Ptr<TcpSocketState> state, std::uint32_t segments) override
    {
        if (begin == SequenceNumber32(0)) begin = state->m_nextTxSequence;
        const bool ended = end.Take();
        if (state->m_lastAckedSeq > begin) {
            few = m_cntRtt <= 2;
            if (!few) Adjust(state);
            begin = state->m_nextTxSequence;
            m_cntRtt = 0;
            m_minRtt = Time::Max();
        }
        if (ended || segments == 0) return;
        if (state->m_cWnd < state->m_ssThresh)
            SlowStart(state, segments);
        else if (few)
            CongestionAvoidance(state, segments);
    }
    Ptr<TcpCongestionOps> Fork() override { return CopyObject<LinuxVegas>(this); }

  private:
    void Adjust(Ptr<TcpSocketState> state)
    {
        const std::uint32_t segment = state->m_segmentSize, window = state->m_cWnd / segment;
        const std::int64_t rtt = m_minRtt.GetMicroSeconds() + 1, base = m_baseRtt.GetMicroSeconds() + 1;
        const std::int64_t waiting = window * (rtt - base) / base;
        if (state->m_cWnd < state->m_ssThresh) {
            if (waiting <= m_gamma) return;
            const auto fits = static_cast<std::uint32_t>(window * base / rtt + 1);
            state->m_cWnd = std::min(state->m_cWnd.Get(), fits * segment);
            state->m_ssThresh = std::min(state->m_ssThresh.Get(), state->m_cWnd.Get() - segment);
        } else if (waiting > m_beta) {
            state->m_cWnd -= segment;
            state->m_ssThresh = std::min(state->m_ssThresh.Get(), state->m_cWnd.Get() - segment);
        } else if (waiting < m_alpha) {
            state->m_cWnd += segment;
        }
        state->m_cWnd = std::max(state->m_cWnd.Get(), 2 * segment);
        state->m_ssThresh = std::max({state->m_ssThresh.Get(), 2 * segment, state->m_cWnd.Get() / 4 * 3});
    }

    RecoveryEnd end;
    bool few = true;
    SequenceNumber32 acknowledged, begin;
};

// BBR as its description has it (draft-cardwell-iccrg-bbr-congestion-control-00), and Linux (tcp_bbr.c). ns-3's
// - has bursts of one segment (TcpBbr::SetSendQuantum), where two are meant from 1.2 to 24 Mbps (4.2.2.2), and paces
// with
//   all of the bandwidth, where Linux leaves a hundredth;
// - measures rates over the time since a segment earlier than the one that has arrived (m_ackElapsed in
//   TcpRateLinux::SkbDelivered), by which they are a segment in a window too low
//   (draft-cheng-iccrg-delivery-rate-estimation-00, 3.3);
// - takes for lost what is lost no longer, too (`lost` in TcpSocketBase::ReceivedAck), and takes it off the window;
// - takes the rate of an earlier sample where there is none, or one over the time since the simulation began, and
// counts
//   a round for it (TcpRateLinux::GenerateSample, TcpBbr::UpdateBtlBw). Behind a time-out what is sent again in vain
//   arrives at once: ten rounds pass within milliseconds, and the bandwidth is forgotten. Linux's bbr_update_bw counts
//   no round without a rate;
// - leaves a recovery with the window of the end of start-up (m_ssThresh in TcpSocketBase::ProcessAck), where the one
//   before the recovery comes back (4.2.3.4), behind a time-out, too;
// - ends a time-out's back-off with the next acknowledgment (TcpSocketBase::NewAck), where a round trip has to be
//   measured for that (RFC 6298, section 5);
// - counts the time in which acknowledgments gather in whole seconds (TcpBbr::UpdateAckAggregation).
class LinuxBbr : public TcpBbr {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("LinuxBbr").SetParent<TcpBbr>().AddConstructor<LinuxBbr>();
        return id;
    }
    void CongControl(Ptr<TcpSocketState> state, const TcpRateOps::TcpRateConnection& rc,
                     const TcpRateOps::TcpRateSample& told) override
    {
        TcpRateOps::TcpRateSample rs = told;
        Correct(state, rs);
        KeepTimeOut();
        m_delivered = rc.m_delivered;
        m_txItemDelivered = rc.m_txItemDelivered;
        const auto now = state->m_congState.Get();
        if (now == TcpSocketState::CA_RECOVERY && before != now) m_nextRoundDelivered = m_delivered;
        if (now == TcpSocketState::CA_OPEN && before >= TcpSocketState::CA_RECOVERY) RestoreCwnd(state);
        before = now == TcpSocketState::CA_DISORDER ? TcpSocketState::CA_OPEN : now;
        UpdateBtlBw(state, rs);
        Gather(state, rs);
        CheckCyclePhase(state, rs);
        CheckFullPipe(rs);
        CheckDrain(state);
        UpdateRTprop(state);
        CheckProbeRTT(state, rs);
        SetPacingRate(state, 0.99 * m_pacingGain);
        // Three of them. Linux's windows are rounded up to an even number of segments besides, by one on average.
        m_sendQuantum = 2 * state->m_segmentSize + state->m_segmentSize / 3;
        SetCwnd(state, rs);
    }
    void CwndEvent(Ptr<TcpSocketState> state, const TcpSocketState::TcpCAEvent_t event) override
    {
        TcpBbr::CwndEvent(state, event);
        if (event != TcpSocketState::CA_EVENT_LOSS) return;
        if (socket == nullptr) socket = Find(state);
        backed_off = socket->m_rto;
        samples = socket->m_rtt->GetNSamples();
    }
    Ptr<TcpCongestionOps> Fork() override { return CopyObject<LinuxBbr>(this); }

  private:
    void KeepTimeOut()
    {
        if (backed_off.IsZero()) return;
        if (socket->m_rtt->GetNSamples() != samples) {
            backed_off = Time();
        } else if (socket->m_rto != backed_off) {
            socket->m_rto = backed_off;
            socket->m_retxEvent.Cancel();
            socket->m_retxEvent = Simulator::Schedule(backed_off, &TcpSocketBase::ReTxTimeout, socket);
        }
    }
    void Correct(Ptr<TcpSocketState> state, TcpRateOps::TcpRateSample& rs)
    {
        if (rs.m_delivered > 0 && rs.m_priorTime != Seconds(0)) {
            rs.m_interval = std::max(rs.m_sendElapsed, Simulator::Now() - rs.m_priorTime);
            const bool sound = rs.m_interval >= state->m_minRtt;
            rs.m_deliveryRate = DataRate(sound ? rs.m_delivered * 8.0 / rs.m_interval.GetSeconds() : 0);
        } else {
            rs.m_deliveryRate = DataRate(0);
        }
        if (socket == nullptr) socket = Find(state);
        const std::uint32_t now = socket->m_txBuffer->GetLost();
        rs.m_bytesLoss = now > lost ? now - lost : 0;
        lost = now;
    }
    void Gather(Ptr<TcpSocketState> state, const TcpRateOps::TcpRateSample& rs)
    {
        if (rs.m_ackedSacked == 0 || rs.m_delivered <= 0) return;
        if (m_roundStart && ++m_extraAckedWinRtt >= m_extraAckedWinRttLength) {
            m_extraAckedWinRtt = 0;
            m_extraAckedIdx = m_extraAckedIdx ? 0 : 1;
            m_extraAcked[m_extraAckedIdx] = 0;
        }
        const double rate = m_maxBwFilter.GetBest().GetBitRate() / 8.0;
        double expected = rate * (Simulator::Now() - m_ackEpochTime).GetSeconds();
        if (m_ackEpochAcked <= expected) {
            m_ackEpochAcked = 0;
            m_ackEpochTime = Simulator::Now();
            expected = 0;
        }
        m_ackEpochAcked += rs.m_ackedSacked;
        const auto extra = static_cast<std::uint32_t>(std::min<double>(m_ackEpochAcked - expected, state->m_cWnd));
        m_extraAcked[m_extraAckedIdx] = std::max(m_extraAcked[m_extraAckedIdx], extra);
    }
    static TcpSocketBase* Find(Ptr<TcpSocketState> state)
    {
        for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
            if (const auto tcp = (*node)->GetObject<TcpL4Protocol>())
                for (const auto& socket : tcp->m_sockets)
                    if (socket->m_tcb == state) return PeekPointer(socket);
        return nullptr;
    }

    TcpSocketBase* socket = nullptr;
    std::uint32_t lost = 0, samples = 0;
    Time backed_off;  // what a time-out has made of the next one, while nothing has been measured since
    TcpSocketState::TcpCongState_t before = TcpSocketState::CA_OPEN;
};

// CUBIC (RFC 9438) of whole segments, as Linux has it (tcp_cubic.c) and ours. ns-3.37's has no region in which the
// window grows as Reno's (section 4.3), and takes the pipe for the flight. Without HyStart, which waits for a whole
// round trip more there (HystartDelayThresh), and for an eighth in Linux.
class LinuxCubic : public TcpLinuxReno {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("LinuxCubic").SetParent<TcpLinuxReno>().AddConstructor<LinuxCubic>();
        return id;
    }
    void IncreaseWindow(Ptr<TcpSocketState> state, std::uint32_t segments) override
    {
        if (end.Take()) return;
        segments = news(state, segments);
        if (state->m_cWnd < state->m_ssThresh) segments = SlowStart(state, segments);
        if (segments == 0 || state->m_cWnd < state->m_ssThresh) return;
        const std::uint32_t window = std::max(1u, state->m_cWnd.Get() / state->m_segmentSize);
        if (epoch.IsNegative()) {
            epoch = Simulator::Now();
            plateau = std::max(most, window);
            k = std::cbrt((plateau - window) / kC);
            friendly = window;
            credit = friendly_credit = counted_for = 0;
        }
        friendly_credit += segments;
        if (window != counted_for || Simulator::Now() - counted_at > Seconds(1.0 / 32)) {
            count = Count(state, window);
            counted_for = window;
            counted_at = Simulator::Now();
        }
        std::uint32_t more = 0;
        if (credit >= count) {
            credit = 0;
            more = 1;
        }
        credit += segments;
        more += credit / count;
        credit %= count;
        state->m_cWnd += more * state->m_segmentSize;
    }
    std::uint32_t GetSsThresh(Ptr<const TcpSocketState> state, std::uint32_t) override
    {
        const std::uint32_t window = flight(state) / state->m_segmentSize;
        most = window < most ? window * 17 / 20 : window;
        epoch = Seconds(-1);
        return std::max(window * 7 / 10, 2u) * state->m_segmentSize;
    }
    void CongestionStateSet(Ptr<TcpSocketState>, const TcpSocketState::TcpCongState_t now) override
    {
        end.Note(now);
        if (now == TcpSocketState::CA_LOSS) most = 0;
    }
    Ptr<TcpCongestionOps> Fork() override { return CopyObject<LinuxCubic>(this); }

  private:
    // How many segments have to arrive for the window to grow by one.
    std::uint32_t Count(Ptr<const TcpSocketState> state, std::uint32_t window)
    {
        const double t = (Simulator::Now() - epoch + state->m_minRtt).GetSeconds() - k, way = kC * std::abs(t * t * t);
        const auto whole = static_cast<std::uint32_t>(way);
        const std::uint32_t target = t < 0 ? plateau - std::min(whole, plateau) : plateau + whole;
        std::uint32_t found = target > window ? window / (target - window) : 100 * window;
        if (most == 0) found = std::min(found, 20u);
        const std::uint32_t each = std::max(1u, window * 15 >> 3);
        friendly += friendly_credit / each;
        friendly_credit %= each;
        if (friendly > window) found = std::min(found, window / (friendly - window));
        return std::max(found, 2u);
    }

    static constexpr double kC = 0.4;
    RecoveryEnd end;
    Time epoch = Seconds(-1), counted_at;
    std::uint32_t most = 0, plateau = 0, friendly = 0;  // W_max, of this epoch; W_est: segments
    std::uint32_t credit = 0, friendly_credit = 0, count = 2, counted_for = 0;
    double k = 0;
};

NS_OBJECT_ENSURE_REGISTERED(LinuxVegas);
NS_OBJECT_ENSURE_REGISTERED(RfcRecovery);
NS_OBJECT_ENSURE_REGISTERED(FlightReno);
NS_OBJECT_ENSURE_REGISTERED(LinuxCubic);
NS_OBJECT_ENSURE_REGISTERED(LossyDctcp);
NS_OBJECT_ENSURE_REGISTERED(LinuxBbr);
NS_OBJECT_ENSURE_REGISTERED(FlightScalable);

}  // namespace laws
