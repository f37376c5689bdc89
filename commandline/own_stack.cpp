#include "commandline/own_stack.h"

#include <pthread.h>

#include <cstddef>

namespace anml::commandline {
namespace {

struct Work {
    const std::function<int()>& work;
    int result;
};

void* run(void* given)
{
    auto* work = static_cast<Work*>(given);
    work->result = work->work();
    return nullptr;
}

}  // namespace

int on_own_stack(const std::function<int()>& work)
{
    constexpr std::size_t kStack = std::size_t{16} << 20;  // only what is touched takes memory
    Work one{work, 0};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStack);
    const bool started = pthread_create(&thread, &attributes, run, &one) == 0;
    pthread_attr_destroy(&attributes);
    if (!started) return work();  // no thread is to be had: the stack there is will have to do
    pthread_join(thread, nullptr);
    return one.result;
}

}  // namespace anml::commandline
