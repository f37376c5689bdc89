// Where the library's time and random numbers come from, of this thread.
#pragma once

#include <cstdint>

namespace anml::rt::tls {

// Random bytes are drawn from the stream of the session that is at work: a counter behind its seed.
struct Stream {
    std::uint64_t seed = 0, drawn = 0;

    std::uint64_t next();
};

// While it lives, the library draws from `stream`.
class Drawing {
  public:
    explicit Drawing(Stream& stream);
    ~Drawing();
    Drawing(const Drawing&) = delete;
    Drawing& operator=(const Drawing&) = delete;

  private:
    Stream* before_;
};

void set_time(std::int64_t seconds);
void take_over();  // from the library's own; once for all threads

}  // namespace anml::rt::tls
