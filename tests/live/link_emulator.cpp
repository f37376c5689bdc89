// A link between two real hosts, in real time: the yardstick against_linux.py lays beside our models. It shares no code
// with them.
//
//     link_emulator NAME_A NAME_B A_TO_B B_TO_A
//
// makes two TUN devices, one for each host, and carries IP packets between them. A direction is a list KEY=VALUE,...:
//     rate=BITS/S  delay=NS                    0 bits/s: no transmission time
//     packets=N  bytes=N                       drop-tail queue: so many wait; so many wait or are in transmission
//     mark=BYTES                               packets that find more are marked, if their senders know of ECN
//     fair=1                                   FQ-CoDel instead (fair_queue.h), without bounds
//     period=N  length=N  phase=N              the last `length` of every `period` packets are lost; it begins with
//                                              number `phase` of these, counted from 0
//     lose=N:N:...                             the packets with these numbers are lost, counted from 1
//     largest=BYTES                            longer packets are lost, and nobody is told: a black hole
//     loss=SHARE  jitter=NS  seed=N            drawn by numbers(), which a model can have too
//     from=NS  until=NS                        when there is jitter, from the measurement's begin
//     pass=1                                   packets that jitter lets pass do so
// A line on its standard input ends a measurement: what both directions did is written as a line of JSON, and they
// begin anew. It ends with its input.
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <queue>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "fair_queue.h"

namespace {

using Time = std::int64_t;  // ns
constexpr Time kSecond = 1'000'000'000;

Time now()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * kSecond + t.tv_nsec;
}

[[noreturn]] void die(const std::string& what)
{
    std::perror(("link_emulator: " + what).c_str());
    std::exit(1);
}

// Two TUN devices carry what is written to them as it is: no segments are joined or split.
int open_device(const char* name)
{
    int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    ifreq request{};
    std::strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    request.ifr_flags = IFF_TUN | IFF_NO_PI;
    if (device < 0 || ioctl(device, TUNSETIFF, &request) < 0) die(name);
    return device;
}

struct Settings {
    std::map<std::string, double> numbers;  // by key; exact for all that is counted
    std::set<std::uint64_t> lose;

    explicit Settings(const std::string& text)
    {
        const std::set<std::string> known = {"rate",  "delay", "packets", "bytes", "period", "length",
                                             "phase", "loss",  "jitter",  "seed",  "pass",   "lose",
                                             "mark",  "fair",  "from",    "until", "largest"};
        std::istringstream list(text);
        for (std::string item; std::getline(list, item, ',');) {
            const std::size_t equals = item.find('=');
            const std::string key = item.substr(0, equals);
            std::istringstream value(equals == std::string::npos ? "" : item.substr(equals + 1));
            if (!known.contains(key)) {
                std::fprintf(stderr, "link_emulator: unknown key %s\n", key.c_str());
                std::exit(2);
            }
            if (key == "lose")
                for (std::string one; std::getline(value, one, ':');) lose.insert(std::stoull(one));
            else
                value >> numbers[key];
        }
    }

    double number(const char* key, double otherwise = 0) const
    {
        const auto found = numbers.find(key);
        return found == numbers.end() ? otherwise : found->second;
    }
    std::uint64_t whole(const char* key, double otherwise = 0) const
    {
        return static_cast<std::uint64_t>(number(key, otherwise));
    }
};

// Park and Miller's generator: exact in 53 bits, so that a process of a model can compute the same numbers.
struct Numbers {
    std::uint64_t state = 1;
    double next()
    {
        state = state * 16807 % 2147483647;
        return static_cast<double>(state) / 2147483647;
    }
};

struct Packet {
    Time due;
    std::uint64_t number;
    std::vector<char> content;
    bool operator<(const Packet& other) const  // of a queue whose top is the next to arrive
    {
        return due != other.due ? due > other.due : number > other.number;
    }
};

// Sets the two bits of ECN of an IPv4 packet, if one of them is set (RFC 3168), and makes its header's checksum right.
bool mark(std::vector<char>& content)
{
    auto* const header = reinterpret_cast<unsigned char*>(content.data());
    if (content.size() < 20 || header[0] >> 4 != 4 || (header[1] & 3) == 0) return false;
    header[1] |= 3;
    header[10] = header[11] = 0;
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < (header[0] & 15u) * 4u; i += 2) sum += header[i] << 8 | header[i + 1];
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    header[10] = static_cast<unsigned char>(~sum >> 8);
    header[11] = static_cast<unsigned char>(~sum);
    return true;
}

class Direction {
  public:
    Direction(const Settings& settings, int to)
        : rate_(settings.number("rate")),
          loss_(settings.number("loss")),
          delay_(static_cast<Time>(settings.whole("delay"))),
          jitter_(settings.number("jitter")),
          from_(static_cast<Time>(settings.whole("from"))),
          until_(static_cast<Time>(settings.whole("until", 1e18))),
          packets_(settings.whole("packets")),
          bytes_(settings.whole("bytes")),
          mark_(settings.whole("mark")),
          largest_(settings.whole("largest", 65535)),
          period_(settings.whole("period")),
          length_(settings.whole("length", 1)),
          phase_(settings.whole("phase")),
          seed_(settings.whole("seed", 1)),
          pass_(settings.whole("pass") != 0),
          is_fair_(settings.whole("fair") != 0),
          lose_(settings.lose),
          to_(to)
    {
        reset();
    }

    void take(const char* content, std::size_t size, Time at)
    {
        if (is_fair_) {
            advance(at);
            ++taken_;
            if (fair_.waiting == 0) busy_since_ = at;
            fair_.take({content, content + size}, at);
            advance(at);
            return;
        }
        while (!leaving_.empty() && leaving_.front().first <= at) {
            held_ -= leaving_.front().second;
            leaving_.pop_front();
        }
        ++taken_;
        const bool busy = !leaving_.empty();
        const std::size_t waiting = busy ? leaving_.size() - 1 : 0;
        if (busy && ((packets_ > 0 && waiting >= packets_) || (bytes_ > 0 && held_ + size > bytes_))) {
            ++dropped_;
            return;
        }
        queued_ += waiting;
        const bool marks = mark_ > 0 && held_ > mark_;
        const Time begin = busy ? leaving_.back().first : at;
        const Time sent = begin + transmission(size);
        leaving_.emplace_back(sent, size);
        held_ += size;
        carry({content, content + size}, sent, marks);
    }

    Time next() const
    {
        return std::min(under_way_.empty() ? INT64_MAX : under_way_.top().due, fair_.waiting > 0 ? free_ : INT64_MAX);
    }

    void deliver(Time at)
    {
        advance(at);
        while (!under_way_.empty() && under_way_.top().due <= at) {
            const Packet& packet = under_way_.top();
            if (write(to_, packet.content.data(), packet.content.size()) < 0) ++refused_;
            slips_.push_back(now() - packet.due);
            under_way_.pop();
        }
    }

    void report()
    {
        std::sort(slips_.begin(), slips_.end());
        const std::size_t last = slips_.empty() ? 0 : slips_.size() - 1;
        if (slips_.empty()) slips_.push_back(0);
        const double mean = number_ > 0 ? static_cast<double>(queued_) / static_cast<double>(number_) : 0;
        std::printf("{\"packets\": %" PRIu64 ", \"dropped\": %" PRIu64 ", \"lost\": %" PRIu64, taken_,
                    dropped_ + fair_.dropped, lost_);
        std::printf(", \"marked\": %" PRIu64, marked_);
        std::printf(", \"refused\": %" PRIu64 ", \"mean_queue\": %.3f", refused_, mean);
        std::printf(", \"slip_median_ns\": %" PRId64 ", \"slip_p99_ns\": %" PRId64 ", \"slip_max_ns\": %" PRId64 "}",
                    slips_[last / 2], slips_[last * 99 / 100], slips_[last]);
    }

    void reset()
    {
        taken_ = dropped_ = lost_ = marked_ = refused_ = queued_ = number_ = 0;
        slips_.clear();
        fair_.dropped = 0;
        begun_ = now();
        losses_ = {seed_};
        jitters_ = {seed_ + 1000};
    }

  private:
    Time transmission(std::size_t size) const
    {
        return rate_ > 0 ? static_cast<Time>(static_cast<double>(size) * 8e9 / rate_) : 0;
    }

    // Sends what the fair queue has for each moment until now that the link is free. The delay is much longer than this
    // is late.
    void advance(Time at)
    {
        while (fair_.waiting > 0 && free_ <= at) {
            const Time begin = std::max(free_, busy_since_);
            std::vector<char> content = fair_.next(begin);
            if (content.empty()) break;
            free_ = begin + transmission(content.size());
            carry(std::move(content), free_, false);
        }
    }

    // Over the link, once its transmission has ended.
    void carry(std::vector<char> content, Time sent, bool marks)
    {
        ++number_;
        Time due = sent + delay_;
        if (jitter_ > 0 && sent - begun_ >= from_ && sent - begun_ < until_)
            due += static_cast<Time>(jitters_.next() * jitter_);
        if (lost() || content.size() > largest_) {
            ++lost_;
            return;
        }
        if (!pass_) due = last_due_ = std::max(due, last_due_);
        if (marks) marked_ += mark(content);
        under_way_.push({due, number_, std::move(content)});
    }

    // Whether the packet that has number_ is lost.
    bool lost()
    {
        bool lost = lose_.contains(number_);
        if (period_ > 0) lost |= (number_ - 1 + phase_) % period_ >= period_ - length_;
        if (loss_ > 0) lost |= losses_.next() < loss_;
        return lost;
    }

    const double rate_, loss_;
    const Time delay_;
    const double jitter_;
    const Time from_, until_;
    const std::uint64_t packets_, bytes_, mark_, largest_, period_, length_, phase_, seed_;
    const bool pass_, is_fair_;
    const std::set<std::uint64_t> lose_;
    const int to_;

    std::deque<std::pair<Time, std::size_t>> leaving_;  // end of transmission and size of what waits or is in it
    std::size_t held_ = 0;                              // bytes of these
    FairQueue fair_;
    Time free_ = 0, busy_since_ = 0;  // when its transmissions end, and since when it is not empty
    std::priority_queue<Packet> under_way_;
    Time last_due_ = 0;

    // Of this measurement.
    Time begun_;
    std::uint64_t taken_, dropped_, lost_, marked_, refused_;
    std::uint64_t number_;  // of the last packet that was transmitted
    std::uint64_t queued_;  // sum over these of how many waited before them
    Numbers losses_, jitters_;
    std::vector<Time> slips_;  // how late packets were delivered
};

}  // namespace

int main(int count, char** arguments)
{
    if (count != 5) {
        std::fprintf(stderr, "usage: link_emulator NAME_A NAME_B A_TO_B B_TO_A\n");
        return 2;
    }
    const int devices[2] = {open_device(arguments[1]), open_device(arguments[2])};
    Direction directions[2] = {{Settings(arguments[3]), devices[1]}, {Settings(arguments[4]), devices[0]}};
    const sched_param priority{50};
    if (sched_setscheduler(0, SCHED_FIFO, &priority) < 0) std::perror("link_emulator: SCHED_FIFO");
    mlockall(MCL_CURRENT | MCL_FUTURE);
    std::puts("ready");
    std::fflush(stdout);

    static char buffer[65536];
    for (;;) {
        const Time next = std::min(directions[0].next(), directions[1].next());
        const Time wait = std::clamp<Time>(next - now(), 0, kSecond);
        const timespec limit{wait / kSecond, wait % kSecond};
        pollfd ready[3] = {{devices[0], POLLIN, 0}, {devices[1], POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
        if (ppoll(ready, 3, &limit, nullptr) < 0) die("poll");
        for (int side = 0; side < 2; ++side) {
            // What is due goes first: an answer to it is read in the next turn.
            directions[0].deliver(now());
            directions[1].deliver(now());
            for (int batch = 0; batch < 64; ++batch) {
                const ssize_t size = read(devices[side], buffer, sizeof buffer);
                if (size <= 0) break;
                directions[side].take(buffer, static_cast<std::size_t>(size), now());
            }
        }
        if (ready[2].revents != 0) {
            if (read(STDIN_FILENO, buffer, sizeof buffer) <= 0) return 0;
            std::printf("[");
            directions[0].report();
            std::printf(", ");
            directions[1].report();
            std::printf("]\n");
            std::fflush(stdout);
            directions[0].reset();
            directions[1].reset();
        }
    }
}
