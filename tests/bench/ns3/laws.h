// Window laws for ns-3.37, and a queue discipline, that do what their RFC says where ns-3's own do not. Each says what
// is different, and why. Compiled without access control: what they mend is private.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "ns3/internet-module.h"
#include "ns3/traffic-control-module.h"

namespace laws {

using namespace ns3;

// FlightSize of RFC 5681 (section 3.2) and RFC 6675 (section 5, 4.2): all that is not acknowledged, without limited
// transmit. ns-3 hands laws its pipe instead: what is left of it behind the segments that have arrived or are lost.
inline std::uint32_t flight(Ptr<const TcpSocketState> state)
{
    const std::uint32_t sent = state->m_highTxMark.Get() - state->m_lastAckedSeq;
    return std::min(sent, state->m_cWnd.Get());
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

// Scalable TCP that keeps seven eighths of the flight. ns-3's rounds them down to whole segments, where Linux rounds
// them up (tcp_scalable_ssthresh): of 73 segments to 63, and not to 64.
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
        if (!end.Take()) TcpScalable::IncreaseWindow(state, segments);
    }
    Ptr<TcpCongestionOps> Fork() override { return CopyObject<FlightScalable>(this); }

  private:
    RecoveryEnd end;
};

// DCTCP that takes a loss for a loss (RFC 8257, section 3.5), where ns-3's reduces its window by the share of marks
// then, too: by nothing, where nothing is marked.
class LossyDctcp : public TcpDctcp {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("LossyDctcp").SetParent<TcpDctcp>().AddConstructor<LossyDctcp>();
        return id;
    }
    std::uint32_t GetSsThresh(Ptr<const TcpSocketState> state, std::uint32_t pipe) override
    {
        if (!lost) return TcpDctcp::GetSsThresh(state, pipe);
        return std::max(2 * state->m_segmentSize, flight(state) / 2);
    }
    void CongestionStateSet(Ptr<TcpSocketState> state, const TcpSocketState::TcpCongState_t now) override
    {
        lost = now == TcpSocketState::CA_RECOVERY || now == TcpSocketState::CA_LOSS;
        TcpDctcp::CongestionStateSet(state, now);
    }
    Ptr<TcpCongestionOps> Fork() override { return CopyObject<LossyDctcp>(this); }

  private:
    bool lost = false;
};

// BBR whose bursts are of two segments, as its description says from 1.2 to 24 Mbps
// (draft-cardwell-iccrg-bbr-congestion- control-00, 4.2.2.2), and Linux (bbr_min_tso_segs): three of them are allowed
// for beyond what the path holds. ns-3's are of one segment (TcpBbr::SetSendQuantum).
class BurstBbr : public TcpBbr {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("BurstBbr").SetParent<TcpBbr>().AddConstructor<BurstBbr>();
        return id;
    }
    void CongControl(Ptr<TcpSocketState> state, const TcpRateOps::TcpRateConnection& rc,
                     const TcpRateOps::TcpRateSample& rs) override
    {
        m_delivered = rc.m_delivered;
        m_txItemDelivered = rc.m_txItemDelivered;
        UpdateModelAndState(state, rs);
        SetPacingRate(state, m_pacingGain);
        m_sendQuantum = 2 * state->m_segmentSize;
        SetCwnd(state, rs);
    }
    Ptr<TcpCongestionOps> Fork() override { return CopyObject<BurstBbr>(this); }
};

// CUBIC of RFC 9438 in real numbers. ns-3.37's rounds the distance from the plateau down to whole segments (`delta` in
// TcpCubic::Update), so that its window is there C^(-1/3) = 1.36 s early; and it has no region in which the window
// grows as Reno's (section 4.3). Without HyStart.
class RfcCubic : public TcpLinuxReno {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("RfcCubic").SetParent<TcpLinuxReno>().AddConstructor<RfcCubic>();
        return id;
    }
    void IncreaseWindow(Ptr<TcpSocketState> state, std::uint32_t segments) override
    {
        if (end.Take()) return;
        if (state->m_cWnd < state->m_ssThresh) segments = SlowStart(state, segments);
        if (segments == 0 || state->m_cWnd < state->m_ssThresh) return;
        const double window = std::max(1.0, static_cast<double>(state->m_cWnd.Get()) / state->m_segmentSize);
        if (epoch.IsNegative()) {
            epoch = Simulator::Now();
            plateau = std::max(most, window);
            k = std::cbrt((plateau - window) / kC);
            estimate = window;
        }
        const double t = (Simulator::Now() - epoch + state->m_minRtt).GetSeconds();
        const double target = std::clamp(kC * std::pow(t - k, 3) + plateau, window, 1.5 * window);
        estimate += 9.0 / 17 * segments / window;
        const double more = std::min(std::max(target, estimate) / window - 1, 0.5) * segments;
        state->m_cWnd += static_cast<std::uint32_t>(more * state->m_segmentSize);
    }
    std::uint32_t GetSsThresh(Ptr<const TcpSocketState> state, std::uint32_t) override
    {
        const double window = static_cast<double>(flight(state)) / state->m_segmentSize;
        most = window < most ? window * (1 + kBeta) / 2 : window;
        epoch = Seconds(-1);
        return std::max(2 * state->m_segmentSize, static_cast<std::uint32_t>(kBeta * flight(state)));
    }
    void CongestionStateSet(Ptr<TcpSocketState>, const TcpSocketState::TcpCongState_t now) override
    {
        end.Note(now);
        if (now == TcpSocketState::CA_LOSS) most = 0;
    }
    Ptr<TcpCongestionOps> Fork() override { return CopyObject<RfcCubic>(this); }

  private:
    static constexpr double kC = 0.4, kBeta = 0.7;
    RecoveryEnd end;
    Time epoch = Seconds(-1);
    double most = 0, plateau = 0, k = 0, estimate = 0;  // W_max, of this epoch; K; W_est: segments
};

// RED of the paper, which drops by the average alone, as Linux's does. ns-3's, as ns-2's, drops nothing and begins to
// count anew while no more than one packet waits (RedQueueDisc::DoEnqueue), which is after each loss of few flows.
class PaperRed : public RedQueueDisc {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("PaperRed").SetParent<RedQueueDisc>().AddConstructor<PaperRed>();
        return id;
    }

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override
    {
        const std::uint32_t waiting = GetInternalQueue(0)->GetCurrentSize().GetValue();
        const Time away = m_idle == 1 ? Simulator::Now() - m_idleTime : Seconds(0);
        m_idle = 0;
        m_qAvg = Estimator(waiting, static_cast<std::uint32_t>(m_ptc * away.GetSeconds()) + 1, m_qAvg, m_qW);
        if (m_qAvg < m_minTh) {
            m_count = 0;
            return GetInternalQueue(0)->Enqueue(item);
        }
        ++m_count;
        const bool all = m_qAvg >= (m_isGentle ? 2 : 1) * m_maxTh;
        const bool told = all || DropEarly(item, waiting) != 0;
        if (told) m_count = 0;
        if (!told || (m_useEcn && !(all && m_useHardDrop) && Mark(item, UNFORCED_MARK)))
            return GetInternalQueue(0)->Enqueue(item);
        DropBeforeEnqueue(item, UNFORCED_DROP);
        return false;
    }
};

// PIE that begins to count anew behind a mark as behind a drop (RFC 8033, 5.4; Linux's pie_drop_early). ns-3's goes on
// (PieQueueDisc::DoEnqueue), so that from the first marks on each packet is told until one is dropped.
class ResettingPie : public PieQueueDisc {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("ResettingPie").SetParent<PieQueueDisc>().AddConstructor<ResettingPie>();
        return id;
    }

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override
    {
        const std::uint32_t before = GetStats().nTotalMarkedPackets;
        const bool accepted = PieQueueDisc::DoEnqueue(item);
        if (GetStats().nTotalMarkedPackets != before) m_accuProb = 0;
        return accepted;
    }
};

NS_OBJECT_ENSURE_REGISTERED(FlightReno);
NS_OBJECT_ENSURE_REGISTERED(RfcCubic);
NS_OBJECT_ENSURE_REGISTERED(LossyDctcp);
NS_OBJECT_ENSURE_REGISTERED(BurstBbr);
NS_OBJECT_ENSURE_REGISTERED(ResettingPie);
NS_OBJECT_ENSURE_REGISTERED(PaperRed);
NS_OBJECT_ENSURE_REGISTERED(FlightScalable);

}  // namespace laws
