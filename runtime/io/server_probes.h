// Waiting for real servers: whether each that a workload asks accepts connections, and if not, why.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/gateway/probe.h"
#include "io/live_setup.h"

namespace anml::rt::io {

class ServerProbes {
  public:
    ServerProbes(const Model& model, const LiveOptions& options, const LiveParts& parts)
        : model_(model), options_(options), parts_(parts)
    {
    }

    void make();
    // Asks those that have not accepted yet. True: all have.
    bool ask(Time now);
    // False: one will not, after `waited`: `error`.
    bool may_accept(Time now, Time waited, std::string& error);

  private:
    bool commands_go_on(std::string& error) const;
    bool can_be_reached(Time now, std::string& error);
    bool listens_to_itself(const Probe& probe) const;
    std::string unanswered(const Probe& probe) const;

    const Model& model_;
    const LiveOptions& options_;
    const LiveParts& parts_;
    std::vector<std::unique_ptr<Probe>> probes_;
    Time next_look_ = 0;             // at who listens
    const Probe* hidden_ = nullptr;  // whose server was on the loopback at the last look
};

}  // namespace anml::rt::io
