// Figures and tables, as the command shows them.
#pragma once

#include <string>
#include <vector>

#include "elaborate/network.h"

namespace anml {

// As results have them, in seconds, bit/s or plain; not negative.
std::string shown_figure(double value, Dimension d);
std::string shown_variance(double share);  // "8 %", of what is left
// Columns as wide as their widest entry, numbers of characters as terminals count them.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

}  // namespace anml
