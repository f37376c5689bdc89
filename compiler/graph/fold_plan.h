// What is shown as one: for every row of nodes how its elements are shown, for every instance whether it is folded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/network_marks.h"
#include "analysis/tasks/task_graph.h"
#include "elaborate/network.h"

namespace anml {

// An instance ("net[3]") or an array of instances ("net"), as the names of rows tell them.
struct InstanceGroup {
    std::string name;
    bool array = false;
    std::uint32_t parent = abi::kNone;
    std::uint32_t depth = 0;      // parts of its path, 1 for those of the model
    std::uint32_t instances = 0;  // of an array
};

// Elements that links (and tasks) treat alike.
struct Run {
    std::uint32_t first = 0, count = 1;
};

// What is to be folded. Names may hold `*`, which stands for anything but a dot; `all` is everything.
struct FoldRequest {
    std::vector<std::string> fold, unfold;
    bool automatic = true;          // fold what is too much for a picture besides
    std::size_t most_nodes = 1000;  // beyond which instances are folded
    bool calls = false;             // elements of which workloads say different things are told apart
    bool alike = false;             // fold arrays of twelve instances or more that are alike
};

enum class RowFold : std::uint8_t { elements, runs, whole };

class FoldPlan {
  public:
    // Elements that tasks or marks tell apart are runs of their own.
    FoldPlan(const Network& network, const TaskGraph* tasks, const NetworkMarks* marks = nullptr);

    // Whether `pattern` matched something. Unfolding opens what it lies in too.
    bool fold(std::string_view pattern);
    bool unfold(std::string_view pattern);

    std::size_t shown_nodes() const;
    void show_elements_up_to(std::uint32_t count);  // of runs no longer than that, the others as stacks
    bool fold_more();                               // the deepest instances that are not folded yet; false: all are
    bool fold_wider();                              // arrays that are shown in full, else as fold_more
    void tell_apart_by_workloads();
    void fold_alike(std::uint32_t least);           // arrays of so many instances that are alike, or more

    // The outermost folded instance or array of instances around a row; kNone: none.
    std::uint32_t folded_around(std::size_t row) const;
    std::uint32_t folded_outside(std::uint32_t group) const;  // the same for a group, itself included

    const std::vector<InstanceGroup>& groups() const { return groups_; }
    std::uint32_t group_of(std::size_t row) const { return group_of_row_[row]; }
    const std::vector<Run>& runs(std::size_t row) const { return runs_[row]; }
    RowFold row_fold(std::size_t row) const { return row_fold_[row]; }
    bool stacks(std::size_t row, const Run& run) const
    {
        return run.count > 1 && (row_fold_[row] == RowFold::runs && (pinned_row_[row] || run.count > elements_up_to_));
    }
    bool folded(std::uint32_t group) const { return folded_[group] != 0; }
    std::vector<std::string_view> names() const;  // what patterns can match

  private:
    template <typename OfGroup, typename OfRow>
    bool each_match(std::string_view pattern, OfGroup of_group, OfRow of_row);
    void cut(const NetworkMarks& marks);
    void cut(const std::vector<std::vector<std::uint32_t>>& borders);  // by row, sorted
    void open(std::uint32_t group);

    const Network* network_;
    std::vector<InstanceGroup> groups_;
    std::vector<char> folded_, pinned_;  // by group; pinned: the user said so
    std::vector<std::uint32_t> group_of_row_;
    std::vector<std::vector<Run>> runs_;
    std::vector<RowFold> row_fold_;
    std::vector<char> pinned_row_;
    std::uint32_t elements_up_to_ = 8;
};

// Nothing, and a diagnostic, if a name matches nothing.
std::optional<FoldPlan> plan_folds(const Network& network, const TaskGraph* tasks, const FoldRequest& request,
                                   Diagnostics& diagnostics, const NetworkMarks* marks = nullptr);

// Whether a name fits a pattern in which `*` stands for anything but a dot.
bool matches(std::string_view pattern, std::string_view name);

// "net[3].client": "client"; "net[3]": "net[3]".
std::string_view last_part(std::string_view path);

}  // namespace anml
