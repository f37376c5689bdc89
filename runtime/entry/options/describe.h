// What a model is, from its image: the emulator's --help, and `info`.
#pragma once

#include <span>
#include <string>

#include "abi/image.h"

namespace anml::rt {
class Model;
namespace io {
struct Attachment;
}

namespace entry {

// --help: the model's documentation, tunables, endpoints, workloads, and the commands. `program`: how to call it.
std::string describe_model(const abi::Image& image, const std::string& program);

// The examples of --help: command lines that work with this model.
std::string describe_examples(const Model& model, const std::string& program);

// --version: the model, and what compiled and what runs it.
std::string describe_versions(const abi::Image& image);

// `info`: the nodes and links by declaration; arrays as a count with their first address.
std::string info_text(const Model& model);
std::string info_json(const Model& model);

// "web server on port 80, service constant 1.8 ms", "" where nothing stands in for the endpoint
std::string describe_stand_in(const Model& model, const abi::EndpointRow& endpoint);

// A workload whose server neither is simulated nor one of `attached`, with what may be done; "" if there is none.
std::string unserved_workload(const Model& model, std::span<const io::Attachment> attached);

// "192.168.7.0/24 (on-link), 10.9.0.0/16 (routed)": of the real hosts at an endpoint; "" where it is one host.
std::string describe_prefixes(const abi::Image& image, const abi::EndpointRow& endpoint);

}  // namespace entry
}  // namespace anml::rt
