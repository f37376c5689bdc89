// Fluid background traffic: hosts that send no packets. What their flows come to on the links is net/fluid/fluid.h's.
#pragma once

#include <cstdint>

#include "abi/records.h"
#include "app/application.h"

namespace anml::rt::app::background {

using namespace otherwise;
using Row = abi::record::background;
inline constexpr FigureKind kFigureKind = FigureKind::fluid;

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first);
void collect(const Cluster& k, AppStatistics& all, Time now);

}  // namespace anml::rt::app::background
