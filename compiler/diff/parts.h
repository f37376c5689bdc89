// What the files of this folder share while two networks are compared.
#pragma once

#include <vector>

#include "diff/rows.h"

namespace anml {

struct Comparison {
    Comparison(const BuiltNetwork& first, const BuiltNetwork& second, const std::vector<std::string>& old)
        : before(first), after(second), texts(first, second), old_names(old)
    {
    }
    const BuiltNetwork& before;  // with rows already renamed
    const BuiltNetwork& after;
    ComparedTexts texts;
    const std::vector<std::string>& old_names;  // by row of `before`
    std::vector<std::uint32_t> before_row{};    // by row of the second network
    NetworkDifference result{};
    std::vector<std::uint32_t> after_link{};  // by directed link of the first network; kNone: it is gone

    DifferenceEntry& add(Part part, Change change, std::string name)
    {
        result.part(part).push_back({change, std::move(name), "", "", 1, 0, 1, {}, abi::kNone, 0});
        return result.part(part).back();
    }
    // Each name that differs, as an entry of its own.
    void add_all(Part part, const Attributes& before_values, const Attributes& after_values);
};

// "delay: 5 ms -> 8 ms", a line each.
std::string changes_text(const std::vector<AttributeChange>& changes);

// What labels say of elements, beside what rows say: cuts a stretch of elements, of which element `b` of the first row
// is element `a` of the second one, where they begin to say something else.
struct Stretch {
    std::uint32_t b = 0, a = 0, count = 0;
    std::vector<AttributeChange> changes;
};
enum class Labelled : std::uint8_t { nodes, links };

class LabelComparison {
  public:
    explicit LabelComparison(const Comparison& comparison);
    std::vector<Stretch> split(Labelled kind, std::uint32_t before_row, std::uint32_t after_row, Stretch whole) const;
    Attributes of_workload(bool after, std::size_t workload) const;

  private:
    struct Key;
    std::vector<std::shared_ptr<const Key>> keys_;
};

void compare_nodes(Comparison& comparison, const LabelComparison& labels);
void compare_links(Comparison& comparison, const LabelComparison& labels);
void compare_settings(Comparison& comparison);
void compare_workloads(Comparison& comparison, const LabelComparison& labels);
void compare_timelines(Comparison& comparison);
void compare_requirements(Comparison& comparison);
void compare_stated_routes(Comparison& comparison);
void compare_routes(Comparison& comparison);

}  // namespace anml
