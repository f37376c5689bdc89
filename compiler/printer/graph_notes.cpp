// The parts of a program that are neither nodes nor links.
#include "printer/graph_notes.h"

#include <fmt/format.h>

#include <utility>

#include "format/format.h"
#include "printer/program_writer.h"

namespace anml {

// What nodes and links will refer to.
void ProgramWriter::prepare_rest()
{
    general();
    addresses();
    std::string body = std::move(out_);
    out_.clear();
    tcp_profiles();  // at the top of the file, as a component of a graph has no other place for them
    declarations_ = std::move(out_);
    out_ = std::move(body);
}

std::string ProgramWriter::queue_profile(const LinkArray& link, int direction)
{
    std::string body = std::exchange(out_, "");
    std::string name = queue(link.queue[direction], link.queue_packets[direction], link.discipline[direction]);
    declarations_ += std::exchange(out_, std::move(body));
    return name;
}

std::string ProgramWriter::record_profile(const RecordInfo& record)
{
    std::string body = std::exchange(out_, "");
    std::string name = profile_of(record, AttributeList());
    declarations_ += std::exchange(out_, std::move(body));
    return name;
}

std::string ProgramWriter::rest()
{
    regions();
    static_routes();
    segment_routes();
    for (const WorkloadInfo& info : network_.workloads)
        if (!info.targets.empty()) workload(info);
    requirements(false);
    run_statement();
    return fmt::format("{}{}{}\nmodel {} {{\n{}}}\n", imports(), values_.declarations() + schema_declarations_,
                       declarations_, network_.model_name, out_);
}

GraphNotes::GraphNotes(const CheckedProgram& program, const Network& network, const std::string& folder)
    : writer_(std::make_unique<ProgramWriter>(program, network, folder, true))
{
    writer_->prepare_rest();
}

GraphNotes::~GraphNotes() = default;

std::string GraphNotes::drawn(const DistributionValue& value, Dimension wanted)
{
    return writer_->values().drawn(value, wanted);
}

std::string GraphNotes::file(const std::string& path) const { return writer_->values().near(path); }

std::string GraphNotes::tcp(const NodeArray& row) const
{
    return row.tcp == abi::kNone ? "" : writer_->tcp_name(row.tcp);
}

std::string GraphNotes::record(const RecordInfo& record) { return writer_->record_profile(record); }

std::string GraphNotes::queue(const LinkArray& link, int direction) { return writer_->queue_profile(link, direction); }

std::optional<double> GraphNotes::default_number(std::string_view schema, std::string_view attribute,
                                                 const RecordInfo* record) const
{
    return writer_->default_number(schema, attribute, record);
}

std::optional<std::string> GraphNotes::default_text(std::string_view schema, std::string_view attribute) const
{
    return writer_->default_text(schema, attribute);
}

bool GraphNotes::sets_address(std::uint32_t row) const { return writer_->sets_address(row); }

std::string GraphNotes::program()
{
    std::string text = writer_->rest();
    if (!failure().empty()) return "";
    auto formatted = formatted_program(std::move(text));
    if (!formatted) writer_->fail(kNestedTooDeep);
    return formatted.value_or("");
}

const std::string& GraphNotes::failure() const { return writer_->failure(); }

}  // namespace anml
