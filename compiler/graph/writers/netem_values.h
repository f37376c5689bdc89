// What netem can do of what a link does.
#pragma once

#include <map>
#include <string>

namespace anml {

struct NetemValues {
    double delay = 0;                             // ms
    double loss = 0, corrupt = 0, duplicate = 0;  // percent
    double rate = 0;                              // kbit/s
};

// `values`: of an edge, by the keys of the exchange formats. What is drawn is left out.
inline NetemValues netem_values(const std::map<std::string, std::string>& values, bool back)
{
    const auto number = [&](const std::string& key) {
        const auto own = values.find(key + "_back"), same = values.find(key);
        const auto found = back && own != values.end() ? own : same;
        return found == values.end() ? 0.0 : std::strtod(found->second.c_str(), nullptr);
    };
    constexpr double kPercent = 100, kKilobit = 1000;
    // Jitter that is not drawn is one more delay; netem's is around it.
    return {number("delay") + number("jitter"), kPercent * number("loss"), kPercent * number("corrupt"),
            kPercent * number("duplicate"), number("rate") / kKilobit};
}

}  // namespace anml
