#include "lsp/documents/snapshot_maker.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace anml::lsp {

SnapshotMaker::~SnapshotMaker()
{
    if (thread_.joinable()) take();
}

void SnapshotMaker::start(std::string path, ReadOptions options, UnsavedTexts texts)
{
    since_ = Clock::now();
    if (::pipe2(ended_, O_CLOEXEC) != 0) ended_[0] = ended_[1] = -1;
    thread_ = std::thread([this, path = std::move(path), options = std::move(options), texts = std::move(texts)] {
        try {
            made_ = std::make_shared<Snapshot>(path, options, texts);
        } catch (...) {
            made_ = nullptr;
        }
        ::close(ended_[1]);
    });
}

bool SnapshotMaker::wait(Clock::time_point until) const
{
    if (ended_[0] < 0) return true;  // `take` waits
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
        pollfd end{ended_[0], POLLIN, 0};
        const int ready = ::poll(&end, 1, static_cast<int>(std::clamp<long>(left, 0, 1'000'000)));
        if (ready > 0) return true;
        if (ready == 0 && left <= 0) return false;
        if (ready < 0 && errno != EINTR) return true;
    }
}

std::shared_ptr<const Snapshot> SnapshotMaker::take()
{
    thread_.join();
    if (ended_[0] >= 0) ::close(ended_[0]);
    ended_[0] = ended_[1] = -1;
    return std::exchange(made_, nullptr);
}

}  // namespace anml::lsp
