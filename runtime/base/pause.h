// What a thread does that looks at a variable again and again: a hint to the processor, some tens of nanoseconds, so
// that a thread that shares it gets on and the next look doesn't hurry.
#pragma once

namespace anml::rt {

inline void pause_briefly()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb" ::: "memory");  // most have nothing to do for `yield`
#elif defined(__arm__)
    asm volatile("yield" ::: "memory");
#elif defined(__powerpc__)
    asm volatile("or 27, 27, 27" ::: "memory");
#else
    asm volatile("" ::: "memory");
#endif
}

}  // namespace anml::rt
