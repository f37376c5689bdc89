// A load that changes over time: stages, each of so many times the load of its workload's intervals, which changes
// evenly from its beginning to its end.
//
// Time that passes under the load is work: the integral of the load over time. Intervals between transactions are
// intervals of work, so those of a constant interval divide the integral evenly, and exponential ones make a Poisson
// process whose rate follows the stages. A transaction's time is found from all the work before it, by inverting the
// integral, so that nothing is added up but whole nanoseconds. Behind its last stage the schedule begins again, or
// stays at the load with which that ends.
#pragma once

#include "abi/image.h"
#include "base/time.h"

namespace anml::rt {

class Model;

namespace app::schedule {

// The work of the first `passed` ns.
Time work_until(const Model& model, abi::Slice stages, bool repeat, Time passed);
// When that much has been done, in ns from the schedule's beginning: the first time at which more will be. kNever:
// there is not so much.
Time time_of(const Model& model, abi::Slice stages, bool repeat, double work);

}  // namespace app::schedule
}  // namespace anml::rt
