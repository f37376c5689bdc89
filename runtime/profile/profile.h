// What `simulate --profile` shows: how a parallel run spent its time, and what more processors would bring.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace anml::rt {

struct Profile {
    struct Task {  // by number, as --emit=tasks lists them
        std::uint64_t events = 0, rounds = 0;
        std::uint64_t wakes = 0;  // another task, or the beginning of a step, made it ready
        double busy = 0;          // s, running rounds
        double ready = 0;         // s, could have run, waited for a thread
        double blocked = 0;       // s, waited for a neighbour
    };
    struct Channel {
        std::uint32_t from = 0, to = 0;
        std::uint64_t messages = 0;
        std::uint64_t null_messages = 0;  // the clock moved without a message
    };
    struct SpeedUp {
        unsigned processors = 0;
        double factor = 1;  // against one
    };

    unsigned threads = 1;
    std::vector<Task> tasks;
    std::vector<Channel> channels;
    double event_seconds = 0;  // mean of an event
    double round_seconds = 0;  // mean of a round, its events left out
    double work = 0;           // s, every round at those means
    double critical_path = 0;  // s, the longest chain of rounds that had to wait for each other
    std::vector<SpeedUp> speed_ups;

    // The least number of processors with which the run is within 5 % of the fastest.
    unsigned enough() const;
};

// The lines of the summary, indented like its others.
std::string describe_profile(const Profile& profile);

}  // namespace anml::rt
