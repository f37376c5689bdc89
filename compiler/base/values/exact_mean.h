// The mean of what a random expression draws, where arithmetic tells it.
#pragma once

#include <optional>

#include "base/values/quantity.h"

namespace anml {

// An expression that draws nothing; nothing where only samples would tell, or where there is no mean.
std::optional<ValueExprId> exact_mean(ValuePool& pool, ValueExprId root);

}  // namespace anml
