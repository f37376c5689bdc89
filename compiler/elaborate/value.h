// What expressions are worth while a model is elaborated. Numbers stay expressions over the tunables.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "check/checked_program.h"
#include "elaborate/network.h"

namespace anml {

struct Value;
struct Frame;  // report_once.h
struct NumberedArray;

struct Absent {};  // an optional attribute left out; a node that an `if` did not make
struct Failed {};  // an error was reported
struct Number {
    ValueExprId id = 0;
};
struct AddressValue {
    AddressBits bits = 0;
    bool ipv6 = false;
};
struct PrefixValue {
    AddressBits bits = 0;
    std::uint32_t length = 0;
    bool ipv6 = false;
};
struct EnumValue {
    std::uint32_t ordinal = 0;
};
// A link's rate that a trace says; in computations its mean counts.
struct TraceValue {
    std::uint32_t index = 0;  // of Network::traces
    ValueExprId mean = 0;
};
struct FileValue {
    std::uint32_t index = 0;  // of CheckedProgram::files
};
// Ranges of node rows, one per array that was selected from (or one per node).
class NodeSet : public std::vector<TargetRange> {
  public:
    using std::vector<TargetRange>::vector;
    // `[]` as it is written: it names nobody, other than a selection in which there is none.
    bool unnamed = false;
    // Of a selection whose type has keys: of its elements, in order, and perhaps of more behind them.
    std::shared_ptr<const KeySet> keys{};

    NodeSet() = default;
    NodeSet(const NodeSet& other) : std::vector<TargetRange>(other), unnamed(other.unnamed), keys(other.keys) {}
    NodeSet(NodeSet&&) = default;
    NodeSet& operator=(const NodeSet& other)
    {
        std::vector<TargetRange>::operator=(other);
        unnamed = other.unnamed;
        keys = other.keys;
        before_.clear();
        return *this;
    }
    NodeSet& operator=(NodeSet&&) = default;
    ~NodeSet() = default;
    // How many nodes lie before each range, and behind the last one: of a set that is not changed any more, to choose
    // from it by numbers again and again.
    const std::vector<std::uint64_t>& before() const;

  private:
    mutable std::vector<std::uint64_t> before_;  // as far as somebody asked
};
inline std::uint64_t size_of(const std::vector<TargetRange>& nodes)
{
    std::uint64_t count = 0;
    for (const TargetRange& range : nodes) count += range.count;
    return count;
}
// Groups of instances (by index of their frame), one per array that is not indexed yet, or of one element each.
struct InstanceSet {
    std::vector<std::vector<std::uint32_t>> groups;
    std::shared_ptr<const KeySet> keys{};  // as of NodeSet
};
// Links by name. A part is a run of elements of one row; its name's indices that are still to be given, besides the
// element's, are `indices`. Of a run that a loop made the last of them is the first element's, and the others follow.
// Parts of one group are of one declared name in one instance.
struct LinkPart {
    LinkSlice links;
    std::vector<std::int64_t> indices;
    std::uint32_t group = 0;
    bool run = false;
    std::int64_t last() const { return indices.front() + (run ? links.count - std::int64_t{1} : 0); }
    friend bool operator==(const LinkPart&, const LinkPart&) = default;
};
struct LinkSet {
    std::vector<LinkPart> parts;
    bool ascending = false;  // by their first indices, which all have; of one group
    void add(LinkPart part)
    {
        const bool indexed = !part.indices.empty();
        ascending = indexed && (parts.empty() || (ascending && parts.back().group == part.group &&
                                                  parts.back().last() <= part.indices.front()));
        parts.push_back(std::move(part));
    }
    void extend_last()
    {
        ++parts.back().links.count;
        parts.back().run = true;
    }
};
using WorkloadSet = std::vector<std::uint32_t>;  // indices into the network's workloads
struct PassedComponent;
// What attributes were given by, where one of them is computed from others: `self.rate`. What overrides the others
// makes it be computed again.
struct Definition {
    const std::vector<AttributeValue>* given = nullptr;
    Frame* frame = nullptr;                                   // of those
    std::shared_ptr<Frame> own;                               // keeps it, where it is the frame of a profile
    std::vector<std::pair<std::uint32_t, Value>> parameters;  // a profile's, where its frame is a component's
    std::shared_ptr<const Definition> base;                   // of what was overridden
};
struct SchemaValue {
    SchemaId schema;
    std::vector<Value> attributes;  // of a link: upwards, from its left end to its right end
    Span span;
    std::shared_ptr<Definition> definition;   // null: no attribute asks for another
    std::shared_ptr<const SchemaValue> down;  // of a link whose directions were given apart: the other one
    const SchemaValue& downwards() const { return down ? *down : *this; }
};
using ListValue = std::vector<Value>;

struct Value {
    std::variant<Absent, Failed, Number, std::string, AddressValue, PrefixValue, EnumValue, DistributionValue,
                 TraceValue, FileValue, std::shared_ptr<const SchemaValue>, std::shared_ptr<const ListValue>, NodeSet,
                 InstanceSet, LinkSet, WorkloadSet, std::shared_ptr<const PassedComponent>,
                 std::shared_ptr<NumberedArray>>
        form;

    template <class T>
    const T* as() const
    { return std::get_if<T>(&form); }
    const SchemaValue* schema() const
    {
        const auto* pointer = as<std::shared_ptr<const SchemaValue>>();
        return pointer ? pointer->get() : nullptr;
    }
    bool failed() const { return as<Failed>() != nullptr; }
    bool absent() const { return as<Absent>() != nullptr; }
};

// An array of nodes, instances or workloads whose elements were made one by one and are no ordinary array, which has
// numbers from 0 on and is a NodeSet of one range, an InstanceSet of one group or a WorkloadSet; or an array of arrays.
struct NumberedArray {
    // By number; of elements, several may follow it in the same value. Of chosen ones in their order.
    using Entries = std::map<std::int64_t, Value>;
    bool of_elements = false;  // not of arrays
    bool chosen = false;       // by `*` or a slice: what is chosen next is chosen in each entry
    Entries entries;
    std::size_t elements = 0;                                 // in all entries, where they are of elements
    Entries::const_iterator find(std::int64_t number) const;  // the last one that does not begin behind it, or the end
};

// A component as a value, and what it was given where it was passed, by parameter.
struct PassedComponent {
    ComponentId component;
    std::vector<std::optional<Value>> arguments;
};

// Whether two values are one, whatever the tunables are.
bool same_value(const Value& a, const Value& b);

}  // namespace anml
