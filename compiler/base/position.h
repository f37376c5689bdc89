// Places of nodes, and distances on the earth.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace anml {

// Where a node is: in degrees on the earth, or on a plane whose unit only pictures know.
struct NodePosition {
    bool geographic = false;
    double x = 0, y = 0;  // geographic: longitude and latitude
    friend bool operator==(const NodePosition&, const NodePosition&) = default;
};

inline constexpr double kEarthRadius = 6371008.8;  // m, mean (IUGG)

// Metres along the great circle between two places in degrees, on a sphere of the mean radius (haversine formula). The
// ellipsoid differs by 0.5 % at most.
inline double great_circle(double latitude_a, double longitude_a, double latitude_b, double longitude_b)
{
    constexpr double kDegree = std::numbers::pi / 180;
    const auto haversine = [](double angle) { return std::pow(std::sin(angle / 2), 2); };
    const double h = haversine((latitude_b - latitude_a) * kDegree) +
                     std::cos(latitude_a * kDegree) * std::cos(latitude_b * kDegree) *
                         haversine((longitude_b - longitude_a) * kDegree);
    return 2 * kEarthRadius * std::asin(std::sqrt(std::min(1.0, h)));
}

}  // namespace anml
