// Which ports of a range are free: the runs of them, so that neither a full range nor a nearly full one is searched.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace anml::rt {

class FreePorts {
  public:
    // Those from `first` to `last`, which is no less.
    FreePorts(std::uint32_t first, std::uint32_t last) : runs_{{first, last}} {}

    bool has(std::uint32_t port) const
    {
        const auto behind = runs_.upper_bound(port);
        return behind != runs_.begin() && port <= std::prev(behind)->second;
    }
    bool none() const { return runs_.empty(); }
    // The first one from `wanted` on, else from the beginning; 0: none is free.
    std::uint32_t next(std::uint32_t wanted) const
    {
        if (runs_.empty()) return 0;
        if (has(wanted)) return wanted;
        const auto behind = runs_.upper_bound(wanted);
        return behind != runs_.end() ? behind->first : runs_.begin()->first;
    }
    // One that is free.
    void take(std::uint32_t port)
    {
        const auto run = std::prev(runs_.upper_bound(port));
        const std::uint32_t last = run->second;
        if (run->first == port)
            runs_.erase(run);
        else
            run->second = port - 1;
        if (port != last) runs_.emplace(port + 1, last);
    }
    // One that is not.
    void give_back(std::uint32_t port)
    {
        std::uint32_t last = port;
        const auto behind = runs_.upper_bound(port);
        if (behind != runs_.end() && behind->first == port + 1) last = behind->second;
        const bool joins = behind != runs_.begin() && std::prev(behind)->second + 1 == port;
        if (joins)
            std::prev(behind)->second = last;
        else
            runs_.emplace_hint(behind, port, last);
        if (last != port) runs_.erase(behind);
    }

  private:
    std::map<std::uint32_t, std::uint32_t> runs_;  // their last ports by their first; never two that touch
};

}  // namespace anml::rt
