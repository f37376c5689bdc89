// Values of a network as texts that can be compared with those of another one.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diff/difference.h"
#include "printer/expressions.h"

namespace anml {

using Attributes = std::vector<std::pair<std::string, std::string>>;  // name, value; names are distinct

class NetworkTexts {
  public:
    explicit NetworkTexts(const BuiltNetwork& built);
    NetworkTexts(const NetworkTexts&) = delete;

    const Network& network() const { return network_; }
    std::string number(ValueExprId id, Dimension dim);
    std::string truth(ValueExprId id);
    std::string drawn(const DistributionValue& value, Dimension dim);
    std::string drawn(const DistributionValue& value, abi::FieldKind kind);  // shares in percent
    // The schema under the name "", then its attributes; those of records in it with their path: "classes[0].rate".
    const Attributes& record(std::uint32_t index);
    std::string record_line(std::uint32_t index);  // "queue.Codel { target = 5 ms, ... }"; "none" of abi::kNone
    std::string trace(std::uint32_t index);
    std::string node(std::uint32_t id) const;
    std::string nodes(const std::vector<TargetRange>& ranges) const;
    std::string links(const std::vector<LinkSlice>& slices) const;
    std::string addresses(const RecordRanges& ranges) const;
    std::string processes();  // of those that were mentioned, to be asked last
    const std::string& failure() const { return expressions_.failure(); }

  private:
    std::string data(ValueExprId id);  // what distributions from files depend on besides their text
    void flatten(std::uint32_t index, const std::string& prefix, Attributes& out);
    std::string file(std::uint32_t index);

    const Network& network_;
    FreshNames names_;
    Expressions expressions_;
    std::map<std::pair<ValueExprId, std::array<std::int8_t, 3>>, std::string> numbers_;
    std::unordered_map<std::uint32_t, Attributes> records_;
    std::unordered_map<std::uint32_t, std::string> files_;
};

// "pc[*]", "pc[3]", "pc[4 .. 9]"; of what is no array its name.
std::string run_name(const std::string& name, bool is_array, std::uint32_t of, std::uint32_t first,
                     std::uint32_t count, const KeySet* keys = nullptr);
template <class Row>
std::string run_name(const Row& row, std::uint32_t first, std::uint32_t count)
{
    return run_name(row.name, row.is_array, row.count, first, count, row.keys.get());
}

// What differs, in the order of the names.
std::vector<AttributeChange> attribute_changes(const Attributes& before, const Attributes& after);

// Both networks' texts, and what distinguishes records, which many rows share.
struct ComparedTexts {
    ComparedTexts(const BuiltNetwork& first, const BuiltNetwork& second) : before(first), after(second) {}
    NetworkTexts before, after;
    // Of abi::kNone: there is none.
    const std::vector<AttributeChange>& record_changes(const std::string& name, std::uint32_t b, std::uint32_t a);

  private:
    std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::vector<AttributeChange>> known_;
};

}  // namespace anml
