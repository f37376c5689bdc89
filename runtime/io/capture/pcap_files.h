// `--attach server=pcap:IN`, `pcap:IN,OUT`, `pcap:,OUT`.
#pragma once

#include <string>

namespace anml::rt::io {

struct PcapFiles {
    std::string in, out;  // "": there is none
};

}  // namespace anml::rt::io
