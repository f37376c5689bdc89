// Values as expressions of the language: what is read back makes the same operations on the same numbers.
//
// Every expression is asked for in a dimension. Where the operands' dimensions don't say how it came about, it is
// written in plain numbers, quantities divided by their canonical unit, and multiplied by that unit at last.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "elaborate/network.h"

namespace anml {

inline constexpr const char* kNestedTooDeep = "its expressions are nested too deep once everything is written out";

// Unlike each other and what was taken before; made of letters, digits and `_`.
class FreshNames {
  public:
    void take(std::string name) { taken_.insert(std::move(name)); }
    std::string make(std::string_view wanted);

  private:
    std::set<std::string, std::less<>> taken_;
};

class Expressions {
  public:
    // `folder`: where the text will stand, so that files can be named from there. `defaults`: tunables are written as
    // the numbers that they are by default, and nodes and links are those of a graph: each link is declared by itself.
    Expressions(const Network& network, FreshNames& names, std::string folder, bool defaults = false)
        : network_(network), pool_(network.values), names_(names), folder_(std::move(folder)), defaults_(defaults)
    {
    }

    std::string number(ValueExprId id, Dimension wanted) { return write(id, wanted).text; }
    std::string condition(ValueExprId id) { return truth(id).text; }
    std::string drawn(const DistributionValue& value, Dimension wanted);
    bool is_truth(ValueExprId id);

    // Of the processes that were written, after all else.
    std::string declarations();
    // What could not be written: "" or why.
    const std::string& failure() const { return failure_; }

    std::string near(const std::string& path) const;  // as seen from the folder
    std::string file(const std::string& path) const;  // in quotes
    // "net[3].client[7]" as a name and an index. See names.h.
    std::string node(std::uint32_t id) const;

  private:
    // How tightly the outermost operator binds.
    enum Level { conditional, either, both, equality, relation, sum, product, unary, primary };
    struct Text {
        std::string text;
        Level level = primary;
    };
    struct Known {
        bool known = false;
        Dimension dim;
    };
    struct ProcessText {
        std::string name;
        std::vector<std::uint32_t> tunables;  // its parameters
    };

    Text write(ValueExprId id, Dimension wanted);
    Text written(ValueExprId id, Dimension wanted);
    Text leaf(Dimension has, Text text, Dimension wanted);
    Text plain(ValueExprId id, Dimension wanted);
    Text truth(ValueExprId id);
    Text written_truth(ValueExprId id);
    bool work_out_truth(ValueExprId id) const;
    Text infix(const char* sign, Level level, const Text& a, const Text& b) const;
    static std::string within(const Text& text, Level least);
    std::string call(const char* name, std::initializer_list<std::string> arguments) const;
    Text tunable(std::uint32_t index, Dimension wanted);
    Text query(const PathQuery& query, Dimension wanted);
    std::string link_of(const PathQuery& query) const;
    std::optional<Text> product_of(const ValueNode& node, Dimension wanted);
    std::optional<Text> quotient_of(const ValueNode& node, Dimension wanted);
    bool fits(ValueExprId id, Dimension wanted);
    Known dimension_of(ValueExprId id);
    Known work_out_dimension(ValueExprId id) const;
    bool too_long();

    // draws.cpp
    std::optional<Text> draw(ValueExprId id, Dimension wanted);
    std::optional<Text> product_draw(std::optional<ValueExprId> factor, ValueExprId of, Dimension wanted);
    std::optional<Text> sum_draw(const ValueNode& node, Dimension wanted);
    std::optional<std::string> shape_of(ValueExprId exponent, double sign);
    std::string empirical(const EmpiricalTable& table, Dimension wanted) const;
    bool is_constant(ValueExprId id, double value) const { return pool_.as_constant(id) == value; }
    bool is_log_of_rest(ValueExprId id) const;  // log(1 - unit)

    // processes.cpp
    Text process(std::uint32_t index, Dimension wanted);
    std::string state_name(const std::string& name) const;
    const ProcessText& process_text(std::uint32_t index);
    void tunables_of(ValueExprId id, std::set<std::uint32_t>& found, std::set<ValueExprId>& seen) const;

    const Network& network_;
    const ValuePool& pool_;
    FreshNames& names_;
    std::string folder_;
    const bool defaults_;
    std::string failure_;
    std::size_t parts_ = 0;  // written so far, of all expressions
    std::size_t depth_ = 0;  // of what is being written
    std::unordered_map<ValueExprId, bool> truths_;
    std::unordered_map<ValueExprId, Known> dimensions_;
    std::map<std::uint32_t, ProcessText> processes_;
    std::string declared_;  // text of the processes
};

}  // namespace anml
