// How far an experiment is, and how long it may still take: on standard error, a line that changes on a terminal, and
// elsewhere a line for each run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiment/run_folder.h"

namespace anml {

std::string duration_text(double seconds);  // "40 s", "12 min", "2.5 h"

class Progress {
  public:
    // `beside`: so many runs at a time. `usual`: s that a run takes, if that is known beforehand.
    Progress(std::string name, unsigned beside, std::optional<double> usual, bool quiet);

    void expect(std::size_t runs) { expected_ = runs; }  // in all, as far as that is known; 0: it is not
    // A run has ended; without `seconds`: it had before.
    void ended(const Settings& settings, std::optional<double> seconds);
    // What is there besides: those that run, with the seconds that they do, and those that will be begun next.
    struct Under {
        const Settings* settings;
        double seconds;
    };
    void set_under_way(std::vector<Under> running, std::vector<const Settings*> next);

    void show(const std::string& instead = "");  // on a terminal
    void tell(const std::string& instead = "");  // elsewhere
    void clear() const;

    std::string line() const;                    // "3 of 12 runs, 2 in progress, 40 s left"
    std::optional<double> seconds_left() const;  // of wall time

  private:
    std::optional<double> expected_of(const Settings& settings) const;

    struct Took {
        double seconds = 0;
        std::size_t runs = 0;
    };
    std::string name_;
    unsigned beside_;
    std::optional<double> usual_;
    bool quiet_, terminal_;
    std::size_t expected_ = 0, ended_ = 0;
    Took all_;
    std::map<Settings, Took> by_settings_;
    std::vector<Under> running_;
    std::vector<const Settings*> next_;
};

}  // namespace anml
