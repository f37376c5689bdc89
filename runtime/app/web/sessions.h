// Sessions that begin at intervals, however many are under way: browser.h has them.
#pragma once

#include <cstdint>

#include "abi/records.h"
#include "app/application.h"
#include "app/web/browser.h"
#include "base/time.h"

namespace anml::rt::app::sessions {

using namespace otherwise;
using Row = abi::record::sessions;
inline constexpr FigureKind kFigureKind = FigureKind::transactions;
inline Rhythm rhythm(const Row& row) { return {&row.interval, abi::kNone, false}; }

inline void start(Cluster& k, NodeId node, NodeId server, std::uint32_t workload, Time first)
{
    browser::start(k, node, server, workload, first);
}
inline void resume(Cluster& k, const Hosts& hosts) { browser::resume(k, hosts); }

}  // namespace anml::rt::app::sessions
