// What a graph has no attributes for, in the language: files of graphs carry it as text, so that `anmlc import` makes
// the same network of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "elaborate/network.h"

namespace anml {

struct ProgramWriter;

// Tunables have their defaults. Nodes and links are named as in the network; those of links are not used.
class GraphNotes {
  public:
    // `folder`: where the text will stand, for the names of files that it reads.
    GraphNotes(const CheckedProgram& program, const Network& network, const std::string& folder);
    ~GraphNotes();

    std::string drawn(const DistributionValue& value, Dimension wanted);  // may name processes of program()
    std::string file(const std::string& path) const;                      // as seen from the folder
    std::string tcp(const NodeArray& row) const;              // the profile in program(); "" for the defaults
    std::string record(const RecordInfo& record);             // the same of what else a node has
    std::string queue(const LinkArray& link, int direction);  // the profile in program() of one with a discipline
    std::optional<double> default_number(std::string_view schema, std::string_view attribute,
                                         const RecordInfo* record = nullptr) const;
    std::optional<std::string> default_text(std::string_view schema, std::string_view attribute) const;
    bool sets_address(std::uint32_t row) const;  // whether it would not come about by itself
    // All but nodes, links and the timeline: processes, and profiles of TCP and queues; a model with its addressing,
    // routing, static routes, workloads, requirements and run. To be asked for last.
    std::string program();
    const std::string& failure() const;  // what could not be said; "" if there is nothing

  private:
    std::unique_ptr<ProgramWriter> writer_;
};

}  // namespace anml
