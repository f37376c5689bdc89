// Calls of gRPC in files of requests: the definitions that they need, their lines, and their messages.
#include <fmt/format.h>

#include <algorithm>

#include "base/files/grpc_body.h"
#include "base/files/request_file.h"
#include "base/files/request_slots.h"
#include "common/ascii.h"
#include "common/protobuf.h"

namespace anml {

namespace slots = request_slots;
namespace script = abi::request_script;

// "proto < shop.proto"
LineError RequestFileReader::take_proto(std::string_view line)
{
    const std::string_view named = stripped(line.substr(line.find('<') + 1));
    const std::string problem = named.empty() ? "`proto < shop.proto` names a file" : protos_.add(named);
    return problem.empty() ? LineError{} : wrong_part(line, named.empty() ? line : named, problem);
}

// "host/package.Service/Method"
LineError RequestFileReader::take_method(std::string_view line, std::string_view target)
{
    for (const std::string_view scheme : {"http://", "https://"})
        if (lower_case(target.substr(0, scheme.size())) == scheme) target.remove_prefix(scheme.size());
    const std::size_t slash = std::min(target.find('/'), target.size());
    if (slots::has_slots(target))
        return wrong_part(line, line, "a call's host and method are the same each time: no run makes them");
    std::string problem;
    method_ = protos_.method(target.substr(slash), problem);
    if (!method_) {
        const std::string_view name = target.substr(std::min(slash + 1, target.size()));
        const std::size_t written = name.empty() ? line.npos : line.find(name);
        return wrong_part(line, written == line.npos ? line : line.substr(written, name.size()), problem);
    }
    now_.method = *abi::method_named("POST");
    now_.request->authority = target.substr(0, slash);
    now_.request->grpc = true;
    return add_path(line, target.substr(slash));
}

LineError RequestFileReader::take_messages(std::string_view line)
{
    const std::size_t at = messages_.size();
    if (line.starts_with("< ")) {
        std::string text;
        const std::string_view named = stripped(line.substr(2));
        if (const std::string problem = read_beside(named, text); !problem.empty())
            return wrong_part(line, named, problem);
        if (text.find_first_of(script::kMarks) != text.npos)
            return wrong_part(line, named, "a message has no control characters");
        messages_ += text;
    } else {
        messages_ += line;
    }
    messages_ += '\n';
    pieces_.push_back({at, offset_, offset_ + line.size(), line.starts_with("< ")});
    return {};
}

LineError RequestFileReader::make_call()
{
    std::string& fields = now_.request->fields;
    fields += fmt::format("{}Content-Type: application/grpc\nTE: trailers", fields.empty() ? "" : "\n");
    const GrpcBody body = grpc_body(messages_, *method_, [this](std::string& piece) {
        const std::string whole = piece;
        return fill_in(whole, piece, true).message;
    });
    if (!body.problem.empty()) {
        const auto place = [this](std::size_t at) {
            for (std::size_t i = pieces_.size(); i-- > 0;)
                if (const Piece& piece = pieces_[i]; piece.at <= at)
                    return piece.included ? piece.begin : std::min(piece.begin + (at - piece.at), piece.end);
            return offset_;
        };
        const std::size_t begin = place(body.begin);
        std::size_t end = place(body.end);
        if (end <= begin && !pieces_.empty()) end = std::min(begin + 1, pieces_.back().end);
        return {body.problem, begin, std::max(begin, end)};
    }
    std::string room;
    const auto typical = [this](std::string_view text, std::string& out) { out += slots::typical(text, first_row_); };
    protobuf::add_written(body.written, room, typical, now_.request->body);
    std::vector<bool> added(made_.size());
    add_made(body.written, added);
    script_ += fmt::format("g{}{}", body.slots ? body.written : "", script::kItem);
    if (body.slots) now_.request->rows = rows_;
    return {};
}

}  // namespace anml
