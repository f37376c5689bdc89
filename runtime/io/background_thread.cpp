#include "io/background_thread.h"

#include <pthread.h>

#include <csignal>

namespace anml::rt::io {

BackgroundThread::BackgroundThread()
{
    cpu_set_t now;
    if (sched_getaffinity(0, sizeof now, &now) == 0) processors_ = now;
}

void BackgroundThread::start(std::function<void(const std::stop_token&)> work)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::jthread(std::move(work));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (processors_) pthread_setaffinity_np(thread_.native_handle(), sizeof *processors_, &*processors_);
    const sched_param ordinary{};
    pthread_setschedparam(thread_.native_handle(), SCHED_OTHER, &ordinary);
}

void BackgroundThread::stop()
{
    if (!thread_.joinable()) return;
    thread_.request_stop();
    thread_.join();
}

}  // namespace anml::rt::io
