#include "io/capture/connection_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <iterator>
#include <thread>
#include <utility>

#include "common/csv.h"
#include "net/model.h"

namespace anml::rt::io {

namespace {

constexpr std::size_t kBlock = std::size_t{64} << 10;  // bytes that are written at a time
constexpr std::size_t kTurn = 1024;                    // records, behind which there is room again
constexpr std::chrono::milliseconds kRest{5};

// "12.000000345"; "": it is none.
void append_seconds(Time time, std::string& text)
{
    if (time == kNever) return;
    fmt::format_to(std::back_inserter(text), "{}.{:09}", time / kSecond, time % kSecond);
}

}  // namespace

const char* const kConnectionColumns =
    "workload,host,local_address,local_port,server,remote_address,remote_port,outcome,start_seconds,end_seconds,"
    "connect_seconds,tls_seconds,first_byte_seconds,finished_seconds,sent_bytes,received_bytes,requests,completed,"
    "failed,request_bytes,response_bytes\r\n";

void append_connection(const Model& model, const ConnectionRecord& r, std::string& text)
{
    const auto out = std::back_inserter(text);
    const std::optional<NodeId> server = model.node_with(r.remote);
    fmt::format_to(out, "{},{},{},{},{},{},{},{},", csv_field(model.text(model.image().workloads[r.workload].name)),
                   csv_field(model.node_name(r.node)), model.address_text(r.local), r.local_port,
                   server ? csv_field(model.node_name(*server)) : "", model.address_text(r.remote), r.remote_port,
                   connection_outcome(r));
    for (const Time time : {r.start, r.end, r.connect, r.tls, r.first_byte, r.finished}) {
        append_seconds(time, text);
        text += ',';
    }
    fmt::format_to(out, "{},{},{},{},{},{},{}\r\n", r.sent, r.received, r.requests, r.completed, r.failed,
                   r.request_bytes, r.response_bytes);
}

std::unique_ptr<ConnectionFile> ConnectionFile::open(const std::string& path, const Model& model, bool waits,
                                                     std::string& error, std::size_t room)
{
    constexpr int kHow = O_WRONLY | O_CREAT | O_CLOEXEC;
    Descriptor file(::open(path.c_str(), kHow | O_EXCL, 0666));
    const bool made = file.valid();
    if (!made) file = Descriptor(::open(path.c_str(), kHow, 0666));
    if (!file.valid()) {
        error = fmt::format("cannot write {}: {}", path, std::strerror(errno));
        return nullptr;
    }
    return std::unique_ptr<ConnectionFile>(new ConnectionFile(std::move(file), made, path, model, waits, room));
}

ConnectionFile::ConnectionFile(Descriptor file, bool made, std::string path, const Model& model, bool waits,
                               std::size_t room)
    : file_(std::move(file)), made_(made), path_(std::move(path)), model_(model), waits_(waits), ring_(room)
{
}

ConnectionFile::~ConnectionFile()
{
    thread_.stop();
    if (!begun_ && made_) unlink(path_.c_str());
}

void ConnectionFile::begin()
{
    thread_.start([this](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            write_taken();
            flush();
            std::this_thread::sleep_for(kRest);
        }
    });
}

void ConnectionFile::write_columns()
{
    begun_ = true;
    struct stat status{};
    if (fstat(file_.get(), &status) == 0 && S_ISREG(status.st_mode) && ftruncate(file_.get(), 0) != 0) failure_ = errno;
    text_ = kConnectionColumns;
}

void ConnectionFile::take(std::span<const ConnectionRecord> records)
{
    while (!records.empty()) {
        const std::size_t at = left_.load(std::memory_order_relaxed);
        const std::size_t room = ring_.size() - (at - taken_.load(std::memory_order_acquire));
        const std::size_t count = std::min(room, records.size());
        for (std::size_t i = 0; i < count; ++i) ring_[(at + i) % ring_.size()] = records[i];
        left_.store(at + count, std::memory_order_release);
        records = records.subspan(count);
        if (!records.empty() && !waits_) {
            dropped_ += records.size();
            return;
        }
        if (!records.empty()) std::this_thread::sleep_for(kRest / 10);
    }
}

void ConnectionFile::write_taken()
{
    std::size_t at = taken_.load(std::memory_order_relaxed);
    const std::size_t end = left_.load(std::memory_order_acquire);
    if (at != end && !begun_) write_columns();
    while (at != end) {
        append_connection(model_, ring_[at++ % ring_.size()], text_);
        ++written_;
        if (at % kTurn == 0) taken_.store(at, std::memory_order_release);
        if (text_.size() >= kBlock) flush();
    }
    taken_.store(at, std::memory_order_release);
}

void ConnectionFile::flush()
{
    std::string_view rest = text_;
    while (!rest.empty() && failure_ == 0) {
        const ssize_t count = ::write(file_.get(), rest.data(), rest.size());
        if (count >= 0)
            rest.remove_prefix(static_cast<std::size_t>(count));
        else if (errno != EINTR)
            failure_ = errno;
    }
    text_.clear();
}

bool ConnectionFile::finish(bool failed, std::string& error)
{
    thread_.stop();
    write_taken();
    if (!begun_ && failed) return true;
    if (!begun_) write_columns();
    flush();
    if (::close(file_.release()) != 0 && failure_ == 0) failure_ = errno;
    if (failure_ != 0)
        error = fmt::format("connections in {} are incomplete: {}", path_, std::strerror(failure_));
    else if (dropped_ != 0)
        error = fmt::format("connections in {} are incomplete: {} of {} had no room to wait in, the disk was too slow",
                            path_, dropped_, dropped_ + written_);
    return error.empty();
}

}  // namespace anml::rt::io
