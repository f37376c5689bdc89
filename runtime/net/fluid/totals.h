// What the fluid flows of a workload came to.
#pragma once

namespace anml::rt::fluid {

// Measured: bytes that they sent, and that reached their ends; their number, times ns.
struct Totals {
    double offered = 0, carried = 0, flows = 0;

    void add(const Totals& other, double sign = 1)
    {
        offered += sign * other.offered;
        carried += sign * other.carried;
        flows += sign * other.flows;
    }
};

}  // namespace anml::rt::fluid
