// Capture files: nanosecond pcap of the packets of a link, in the order in which their transmission begins. Link type
// RAW, or Ethernet of transparent links.
#pragma once

#include <memory>
#include <string>

#include "net/edge.h"

namespace anml::rt {

class Model;
class BufferPool;

namespace io {

class CaptureFile : public LinkTap {
  public:
    // Opens `path` for writing; null: `error`. Time stamps are `epoch_ns` + simulated time (0 when simulating, wall
    // time live). Written through libpcap; flushed and closed by the destructor.
    // `frames`: of transparent links.
    static std::unique_ptr<CaptureFile> open(const std::string& path, const Model& model, const BufferPool& buffers,
                                             Time epoch_ns, std::string& error, bool frames = false);

    // Writes out what has begun before `end`. False: the file is incomplete (disk full), `error` says so. Nothing may
    // follow it.
    virtual bool finish(Time end, std::string& error) = 0;
};

}  // namespace io
}  // namespace anml::rt
