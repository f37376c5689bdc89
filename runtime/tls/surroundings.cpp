#include "tls/surroundings.h"

#define OPENSSL_SUPPRESS_DEPRECATED  // RAND_METHOD: a provider of random numbers would be ten times as long
#include <openssl/rand.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <mutex>

#include "common/mix.h"

namespace anml::rt::tls {

namespace {

thread_local Stream* drawing = nullptr;
thread_local std::int64_t told_time = 0;

int random_bytes(unsigned char* out, int count)
{
    if (!drawing) return RAND_OpenSSL()->bytes(out, count);
    for (auto left = static_cast<std::size_t>(std::max(count, 0)); left > 0;) {
        const std::uint64_t word = drawing->next();
        const std::size_t some = std::min(left, sizeof word);
        std::memcpy(out, &word, some);
        out += some;
        left -= some;
    }
    return 1;
}

int is_seeded() { return 1; }

}  // namespace

std::uint64_t Stream::next() { return mix(seed ^ mix(++drawn)); }

Drawing::Drawing(Stream& stream) : before_(drawing) { drawing = &stream; }
Drawing::~Drawing() { drawing = before_; }

void set_time(std::int64_t seconds) { told_time = seconds; }

void take_over()
{
    static std::once_flag once;
    std::call_once(once, [] {
        static const RAND_METHOD method{nullptr, random_bytes, nullptr, nullptr, random_bytes, is_seeded};
        RAND_set_rand_method(&method);
    });
}

}  // namespace anml::rt::tls

// What the library in libanmltls.a calls instead of time(): runtime/CMakeLists.txt renames it there.
extern "C" std::time_t anml_tls_time(std::time_t* out);
std::time_t anml_tls_time(std::time_t* out)
{
    const auto now = static_cast<std::time_t>(anml::rt::tls::told_time);
    if (out) *out = now;
    return now;
}
