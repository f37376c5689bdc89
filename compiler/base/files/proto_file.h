// Definitions of messages and services (`.proto`), as calls of gRPC in a file of requests name them. libprotobuf reads
// them (docs/decisions/0125-grpc.md); its types appear in proto_file.cpp and grpc_body.cpp alone.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace google::protobuf {
class Descriptor;
class MethodDescriptor;
}  // namespace google::protobuf

namespace anml {

class ProtoFiles {
  public:
    // Reads a file beside the one that names it: "", or why that cannot be done.
    using Read = std::function<std::string(const std::string& path, std::string& text)>;

    explicit ProtoFiles(Read read);
    ~ProtoFiles();

    // What the file and those that it imports define is known from now on. "", or what is wrong.
    std::string add(std::string_view named);
    // Of "/package.Service/Method"; null: `problem` says why.
    const google::protobuf::MethodDescriptor* method(std::string_view path, std::string& problem) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace anml
