// What window laws, and pacing, keep of a connection beyond its own variables. Only connections whose law asks for it,
// or that pace, have one, from a pool (Stack::law_states).
#pragma once

#include "base/pool.h"
#include "transport/law/cubic.h"
#include "transport/law/pacing.h"
#include "transport/law/sent_records.h"

namespace anml::rt::tcp::law {

struct State {
    Cubic cubic;
    SentRecords sent;
    Pacing pacing;
};
using States = Pool<State, 6>;

}  // namespace anml::rt::tcp::law
