// Runs of one emulator that it makes in one go, so that what they have in common is simulated once
// (`simulate --points`, runtime/entry/points/run_points.cpp).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiment/run_folder.h"

namespace anml {

// Those of the runs, by number, that one process makes: alone, or with others that differ in tunables only.
std::vector<std::vector<std::size_t>> runs_together(const std::vector<RunSpec>& specs,
                                                    const std::vector<std::size_t>& runs);

// Such runs under way.
class SharedRuns {
  public:
    // `folder`: for its own files, which go with it.
    SharedRuns(std::string folder, std::size_t number, std::vector<std::size_t> runs);
    ~SharedRuns();
    SharedRuns(const SharedRuns&) = delete;
    SharedRuns& operator=(const SharedRuns&) = delete;

    struct Point {
        std::vector<std::string> command;  // of its own run
        std::string log;
    };
    // Writes the points, in the order of the runs. "" or why not.
    std::string write(const std::vector<Point>& points) const;
    // What runs them, so many beside each other, and where it says what came of them.
    std::vector<std::string> command(const std::string& emulator, unsigned jobs) const;
    std::string said() const { return path_ + ".said"; }

    struct Ended {
        std::size_t run = 0;
        int status = 0;
        double seconds = 0;
    };
    // Those that have ended since it was asked last.
    std::vector<Ended> ended();
    const std::vector<std::size_t>& left() const { return left_; }  // without those

  private:
    std::string path_;  // that its files' names begin with
    std::vector<std::size_t> runs_, left_;
    std::size_t read_ = 0;  // bytes of what was said
};

}  // namespace anml
