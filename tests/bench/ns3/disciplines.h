// Queue disciplines for ns-3.37 that do what their RFC says, or their paper, where ns-3's own do not. Each says what is
// different, and why. Compiled without access control: what they mend is private.
#pragma once

#include <cstdint>

#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

namespace disciplines {

using namespace ns3;

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
// (PieQueueDisc::DoEnqueue), so that from the first marks on each packet is told until one is dropped. And what it
// takes for the delay is what the queue has before it (RFC 8033, 4.2: queue length by rate), what is in transmission
// included: ns-3's is how long the last packet that left has waited, which is as old as that, and makes the probability
// swing.
class PresentPie : public PieQueueDisc {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("PresentPie").SetParent<PieQueueDisc>().AddConstructor<PresentPie>();
        return id;
    }

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override
    {
        const std::uint32_t before = GetStats().nTotalMarkedPackets;
        const bool accepted = PieQueueDisc::DoEnqueue(item);
        if (GetStats().nTotalMarkedPackets != before) m_accuProb = 0;
        Measure();
        return accepted;
    }
    Ptr<QueueDiscItem> DoDequeue() override
    {
        const Ptr<QueueDiscItem> item = PieQueueDisc::DoDequeue();
        going = item ? item->GetSize() : 0;
        Measure();
        return item;
    }
    // Of what is in transmission half is left, on average.
    void Measure()
    {
        if (rate == 0) {
            const auto device = GetNetDeviceQueueInterface()->GetObject<NetDevice>();
            rate = static_cast<double>(DynamicCast<PointToPointNetDevice>(device)->m_bps.GetBitRate());
        }
        m_qDelay = Seconds((GetInternalQueue(0)->GetNBytes() + going / 2.0) * 8 / rate);
    }

    double rate = 0;  // bit/s
    std::uint32_t going = 0;
};

// CoDel of RFC 8289 (section 5): behind a mark, too, the next one is due at a time from where this one was due (Linux's
// codel_dequeue), where ns-3's counts from now on; and a backlog as long as the longest packet does not count as one.
// That ns-3's does (MinBytes), where packets have 1500 bytes; of a queue that lost its last packet it asks for the
// time.
class RfcCoDel : public CoDelQueueDisc {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("RfcCoDel").SetParent<CoDelQueueDisc>().AddConstructor<RfcCoDel>();
        return id;
    }
    RfcCoDel() { m_minBytes = 1501; }

  private:
    Ptr<QueueDiscItem> DoDequeue() override
    {
        const std::uint32_t now = static_cast<std::uint32_t>(Simulator::Now().GetNanoSeconds() >> CODEL_SHIFT),
                            interval = Time2CoDel(m_interval);
        Ptr<QueueDiscItem> item = GetInternalQueue(0)->Dequeue();
        bool above = OkToDrop(item, now);
        m_dropping = m_dropping && above;
        // True: it is marked, and goes.
        const auto tell = [&] {
            if (m_useEcn && Mark(item, TARGET_EXCEEDED_MARK)) return true;
            DropAfterDequeue(item, TARGET_EXCEEDED_DROP);
            item = GetInternalQueue(0)->Dequeue();
            above = OkToDrop(item, now);
            return false;
        };
        if (m_dropping) {
            while (m_dropping && CoDelTimeAfterEq(now, m_dropNext)) {
                m_recInvSqrt = NewtonStep(m_recInvSqrt, ++m_count);
                const bool marked = tell();
                m_dropping = marked || above;
                if (m_dropping) m_dropNext = ControlLaw(m_dropNext, interval, m_recInvSqrt);
                if (marked) break;
            }
        } else if (above) {
            tell();
            m_dropping = true;
            const int more = static_cast<int>(m_count - m_lastCount);
            const bool soon = more > 1 && CoDelTimeBefore(now - m_dropNext, 16 * interval);
            m_count = soon ? more : 1;
            m_recInvSqrt = soon ? NewtonStep(m_recInvSqrt, m_count) : ~0U >> REC_INV_SQRT_SHIFT;
            m_lastCount = m_count;
            m_dropNext = ControlLaw(now, interval, m_recInvSqrt);
        }
        return item;
    }
};

// FQ-CoDel whose exception for a backlog of one packet looks at all that waits for the link, as Linux's does
// (codel_should_drop gets the backlog of sch_fq_codel). ns-3's looks at the flow's own queue, so that each of twenty
// flows may let a packet wait behind the one that is served, for as long as it takes.
class LinkFqCoDel : public FqCoDelQueueDisc {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("LinkFqCoDel").SetParent<FqCoDelQueueDisc>().AddConstructor<LinkFqCoDel>();
        return id;
    }

  private:
    void InitializeParams() override
    {
        FqCoDelQueueDisc::InitializeParams();
        m_queueDiscFactory.SetTypeId("RfcCoDel");
    }
    Ptr<QueueDiscItem> DoDequeue() override
    {
        const bool few = GetNPackets() <= 2;  // one behind the packet that goes
        for (std::size_t i = 0; i < GetNQueueDiscClasses(); ++i)
            DynamicCast<CoDelQueueDisc>(GetQueueDiscClass(i)->GetQueueDisc())->m_minBytes = few ? 1u << 31 : 0;
        return FqCoDelQueueDisc::DoDequeue();
    }
};

NS_OBJECT_ENSURE_REGISTERED(RfcCoDel);
NS_OBJECT_ENSURE_REGISTERED(LinkFqCoDel);
NS_OBJECT_ENSURE_REGISTERED(PresentPie);
NS_OBJECT_ENSURE_REGISTERED(PaperRed);

}  // namespace disciplines
