// The parts of a program that are neither nodes nor links.
#include "printer/graph_notes.h"

#include <fmt/format.h>

#include <utility>

#include "format/format.h"
#include "printer/program_writer.h"

namespace anml {

namespace {

// What `name_of` declares stands at the top of the file, as a component of a graph has no other place for it.
template <class NameOf>
auto declared_above(ProgramWriter& in, NameOf name_of)
{
    std::string body = std::exchange(in.out, "");
    const auto name = name_of();
    in.declarations += std::exchange(in.out, std::move(body));
    return name;
}

}  // namespace

GraphNotes::GraphNotes(const CheckedProgram& program, const Network& network, const std::string& folder)
    : writer_(std::make_unique<ProgramWriter>(program, network, folder, true))
{
    general(*writer_);
    addresses(*writer_);
    declared_above(*writer_, [&] { return tcp_profiles(*writer_), 0; });
}

GraphNotes::~GraphNotes() = default;

std::string GraphNotes::drawn(const DistributionValue& value, Dimension wanted)
{
    return writer_->values.drawn(value, wanted);
}

std::string GraphNotes::file(const std::string& path) const { return writer_->values.near(path); }

std::string GraphNotes::tcp(const NodeArray& row) const
{
    return row.tcp == abi::kNone ? "" : writer_->tcp_names[row.tcp];
}

std::string GraphNotes::record(const RecordInfo& record)
{
    return declared_above(*writer_, [&] { return profile_of(*writer_, record, AttributeList()); });
}

std::string GraphNotes::queue(const LinkArray& link, int d)
{
    return declared_above(
        *writer_, [&] { return anml::queue(*writer_, link.queue[d], link.queue_packets[d], link.discipline[d]); });
}

std::optional<double> GraphNotes::default_number(std::string_view schema, std::string_view attribute,
                                                 const RecordInfo* record) const
{
    return anml::default_number(writer_->program, schema, attribute, record);
}

std::optional<std::string> GraphNotes::default_text(std::string_view schema, std::string_view attribute) const
{
    return anml::default_text(writer_->program, schema, attribute);
}

bool GraphNotes::sets_address(std::uint32_t row) const { return writer_->set_addresses[row]; }

std::string GraphNotes::program()
{
    ProgramWriter& in = *writer_;
    regions(in);
    static_routes(in);
    segment_routes(in);
    for (const WorkloadInfo& info : in.network.workloads)
        if (!info.targets.empty()) workload(in, info);
    requirements(in, false);
    run_statement(in);
    std::string text =
        fmt::format("{}{}{}\nmodel {} {{\n{}}}\n", imports(in), in.values.declarations() + in.schema_declarations,
                    in.declarations, in.network.model_name, in.out);
    if (!failure().empty()) return "";
    auto formatted = formatted_program(std::move(text));
    if (!formatted) in.fail(kNestedTooDeep);
    return formatted.value_or("");
}

const std::string& GraphNotes::failure() const { return writer_->failure(); }

}  // namespace anml
