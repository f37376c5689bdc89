// The file of --connections: CSV (RFC 4180), a line for each TCP connection of a workload (docs/results.md).
//
// A thread writes it, behind a ring that bounds what waits. A run that has no clock waits for room in it; the loop of a
// live run waits for nobody: what has no room is dropped, and counted.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/connection_records.h"
#include "io/background_thread.h"
#include "io/device/descriptor.h"

namespace anml::rt {

class Model;

namespace io {

// Of one record, with its end of line.
void append_connection(const Model& model, const ConnectionRecord& record, std::string& text);
extern const char* const kConnectionColumns;  // the first line

class ConnectionFile {
  public:
    // Null: `error`. What `path` has stays until there is a record. `waits`: take() waits for room.
    static std::unique_ptr<ConnectionFile> open(const std::string& path, const Model& model, bool waits,
                                                std::string& error, std::size_t room = std::size_t{1} << 16);
    ~ConnectionFile();  // where nothing was written it leaves nothing behind

    void begin();  // from now on there is a thread
    void take(std::span<const ConnectionRecord> records);
    // Writes what waits; nothing may follow it. `failed`: so has the run, and without a record there is to be no file.
    // False: the file is incomplete, `error` says why.
    bool finish(bool failed, std::string& error);

    std::uint64_t written() const { return written_; }  // behind finish()
    std::uint64_t dropped() const { return dropped_; }

  private:
    ConnectionFile(Descriptor file, bool made, std::string path, const Model& model, bool waits, std::size_t room);
    void write_columns();
    void write_taken();  // those that there are
    void flush();

    Descriptor file_;
    const bool made_;  // it was not there before
    const std::string path_;
    const Model& model_;
    const bool waits_;
    bool begun_ = false;
    std::vector<ConnectionRecord> ring_;
    std::atomic<std::size_t> left_{0}, taken_{0};  // records, ever
    std::uint64_t dropped_ = 0, written_ = 0;
    int failure_ = 0;  // errno
    std::string text_;
    BackgroundThread thread_;
};

}  // namespace io
}  // namespace anml::rt
