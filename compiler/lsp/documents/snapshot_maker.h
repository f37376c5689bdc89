// Makes a snapshot beside the server's loop, which goes on answering. It sees the texts as they were when it began.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "lsp/documents/snapshot.h"

namespace anml::lsp {

class SnapshotMaker {
  public:
    using Clock = std::chrono::steady_clock;

    SnapshotMaker() = default;
    SnapshotMaker(const SnapshotMaker&) = delete;
    SnapshotMaker& operator=(const SnapshotMaker&) = delete;
    ~SnapshotMaker();

    void start(std::string path, ReadOptions options, UnsavedTexts texts);  // not while it is busy
    bool busy() const { return thread_.joinable(); }
    Clock::time_point since() const { return since_; }
    int descriptor() const { return ended_[0]; }  // becomes readable when it is there
    bool wait(Clock::time_point until) const;     // whether it is there
    std::shared_ptr<const Snapshot> take();       // waits for it; null: an exception ended it

  private:
    std::thread thread_;
    std::shared_ptr<const Snapshot> made_;
    Clock::time_point since_;
    int ended_[2] = {-1, -1};
};

}  // namespace anml::lsp
