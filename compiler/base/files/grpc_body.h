// Messages of a call of gRPC: their JSON (https://protobuf.dev/programming-guides/json) becomes what common/protobuf.h
// writes, with the slots of a run in values.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace google::protobuf {
class Descriptor;
class MethodDescriptor;
}  // namespace google::protobuf

namespace anml {

struct GrpcBody {
    std::string written;  // its parts
    bool slots = false;   // some values have them
    // What is wrong, and where in the text; "": nothing.
    std::string problem;
    std::size_t begin = 0, end = 0;
};
// `fill` puts what variables stand for in their places in a piece of the text: "", or what is wrong. Messages of a
// method that takes several are separated by lines of `===`.
using FillIn = std::function<std::string(std::string& piece)>;
GrpcBody grpc_body(std::string_view text, const google::protobuf::MethodDescriptor& method, const FillIn& fill);

// Where a pointer (RFC 6901) leads in the method's responses, as common/protobuf.h has it; "": `problem` says why it
// leads nowhere.
std::string grpc_place(const google::protobuf::MethodDescriptor& method, std::string_view pointer,
                       std::string& problem);

}  // namespace anml
