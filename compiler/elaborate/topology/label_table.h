// What labels say of each thing of a network: its own, else that of the innermost instance around it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "elaborate/network.h"

namespace anml {

// Elements [first, first + count) of a row that have the same label of a key.
struct LabelRun {
    std::uint32_t first = 0, count = 0;
    std::string_view value;   // "": they have none
    bool taken_away = false;  // by a label of their own that says ""
};

// Of one key. Views stay valid as long as the network does.
class Labels {
  public:
    Labels(const Network& network, std::string_view key);

    std::vector<LabelRun> of_nodes(std::size_t row) const;  // of the whole row, in order
    std::vector<LabelRun> of_links(std::size_t row) const;
    std::string_view of_workload(std::size_t workload) const;
    std::string_view of_instance(std::string_view path) const;  // its own, or of one around it
    // Only what is said of it by itself.
    std::string_view own_of_link(std::size_t row, std::uint32_t element) const;
    std::string_view own_of_instance(std::string_view path) const;
    std::vector<LabelRun> runs_of_nodes(std::size_t row) const { return own_runs(nodes_, row); }  // those with one
    std::vector<LabelRun> runs_of_links(std::size_t row) const { return own_runs(links_, row); }
    bool empty() const { return nodes_.empty() && links_.empty() && workloads_.empty() && instances_.empty(); }

  private:
    using Own = std::map<std::uint32_t, LabelRun>;  // by the first
    static std::vector<LabelRun> runs(const Own* own, std::uint32_t count, std::string_view around);
    static std::vector<LabelRun> own_runs(const std::map<std::size_t, Own>& rows, std::size_t row);
    static std::string_view at(const std::map<std::size_t, Own>& rows, std::size_t row, std::uint32_t element);
    std::string_view around(std::string_view name) const;

    const Network& network_;
    std::map<std::size_t, Own> nodes_, links_;  // by row
    std::map<std::uint32_t, std::string_view> workloads_;
    std::map<std::string_view, std::string_view> instances_;
};

std::vector<std::string_view> label_keys(const Network& network);  // each once, by name

}  // namespace anml
