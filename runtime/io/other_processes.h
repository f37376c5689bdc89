// A live run that is one of several processes: what its loop (live_run.h) needs of the others. Times are of the run,
// which all have alike as far as their clocks agree.
#pragma once

#include <poll.h>

#include <string>
#include <vector>

#include "base/time.h"

namespace anml::rt::io {

class OtherProcesses {
  public:
    virtual ~OtherProcesses() = default;

    // Takes in what has come, before the simulator runs.
    virtual void take_in(Time now) = 0;
    // Hands over what it has sent, and how far the others may run.
    virtual void send_off(Time now) = 0;
    // When send_off() is to be called again, whether anything happens or not.
    virtual Time due() const = 0;
    // The simulator is at `end`, the run's. True: so are all others. Until then they may wait for room here.
    virtual bool over(Time end) = 0;
    virtual std::vector<pollfd> waits() const = 0;  // what comes wakes the loop

    // Sets this process's clock a little nearer to that of process 0. By how much: ns.
    virtual Time adjust(Time now) = 0;
    // The simulator is so far behind the clock because others let it go on up to the horizon only; 0: it is not.
    virtual void lags(Time by, Time horizon, Time now) = 0;

    // Servers that are attached here accept. Once all processes have said so they agree on a time to start at.
    virtual void ready() = 0;
    virtual Time start() const = 0;  // kNever: not yet
    // The run is to end here, and so everywhere: soon, at a time that they agree on.
    virtual void stop() = 0;
    virtual Time end() const = 0;  // kNever: not before its time
    // Why it cannot go on: another process has gone, or failed. "": it can.
    virtual const std::string& problem() const = 0;
};

}  // namespace anml::rt::io
