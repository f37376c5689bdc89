// Access logs of web servers in the Common and the Combined format:
//   client identity user [10/Oct/2000:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326 "referrer" "agent"
// Apache's vhost_combined has the server, "www.example.org:443", before the client; it is not looked at, and neither is
// what stands behind the length. Any other column before the time is an error. Requests within a second are spread
// evenly over it, in their order.
#pragma once

#include <unordered_map>

#include "base/files/data_file.h"

namespace anml {

inline constexpr std::size_t kLargestLog = std::size_t{8} << 30;  // bytes of a file

class AccessLogReader {
  public:
    // A line that says a request which no client here can make has an error, and is left out.
    LineError take(std::string_view line);
    std::string finish();  // "", or what is wrong with the log as a whole
    // Each method, path, status and length is a document of its own, by first appearance; its weight is how often.
    std::vector<FileDocument> documents;
    std::vector<FileArrival> arrivals;
    std::uint32_t clients = 0;  // numbered by first appearance

  private:
    std::uint32_t client(std::string_view name);
    std::uint32_t document(FileDocument wanted);

    std::unordered_map<std::string, std::uint32_t> clients_, documents_;
    std::string key_;
};

}  // namespace anml
