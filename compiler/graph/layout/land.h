// Coastlines of the world at 1 : 110 000 000, for the background of maps.
#pragma once

#include <vector>

#include "graph/picture.h"

namespace anml {

std::vector<std::vector<GeoPosition>> land_rings();  // closed outlines, the last point being the first

}  // namespace anml
