// Units and quantities: values of the language after evaluation, in canonical units.
//
// Canonical units: time ns, size bytes, rate bit/s, length m; ratios, probabilities and counts plain. A dimension is a
// vector of exponents; products and quotients combine dimensions and rescale, so that rate * time is a size.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace anml {

struct Dimension {
    std::int8_t time = 0, size = 0, length = 0;
    // Of quantities whose dimension is not known: in functions that take any.
    std::array<std::int8_t, 3> open{};
    friend constexpr bool operator==(const Dimension&, const Dimension&) = default;
};

namespace dimension {
inline constexpr Dimension none{}, time{1, 0, 0}, size{0, 1, 0}, rate{-1, 1, 0}, length{0, 0, 1};
}

Dimension operator*(Dimension a, Dimension b);
Dimension operator/(Dimension a, Dimension b);
// Factor by which canonical(a) op canonical(b) must be multiplied to be canonical(result).
double product_scale(Dimension a, Dimension b);
double quotient_scale(Dimension a, Dimension b);
std::string dimension_name(Dimension d);                     // "time", "rate", "size / time^2", "number"
std::string format_quantity(double canonical, Dimension d);  // "1 ms", "1 Gbps", "1.5 KB": the language's own units
// With as many digits as it takes for parse_quantity to read exactly this value.
std::string exact_quantity(double canonical, Dimension d);
// As a name: 2.5 Gbps is "gbps_2_5".
std::string rate_name(double rate);
// Rounded to so many significant digits, in the largest unit of which it has one.
std::string approximate_quantity(double canonical, Dimension d, int digits);

struct UnitEntry {
    std::string_view name;  // "ms"
    Dimension dim;
    double scale;                                  // canonical = number * scale
    std::uint64_t numerator = 1, denominator = 1;  // the scale, exactly; the denominator is a power of ten
};
// The closed table of units (units.def); nullopt: not a unit.
std::optional<UnitEntry> find_unit(std::string_view name);
// For `kB`, `kb`, `Mb`, `MBps`: both meanings, "KB (1024 bytes) or Kbps (1000 bit/s)"; "" if it isn't a known
// confusion.
std::string ambiguous_unit_help(std::string_view name);

// A number, or a number and a unit ("10 ms", "4ms", "5 %", "1e6"), as the language writes it. The result is the double
// nearest to the exact decimal value: "0.1 ms" is 100000 ns. nullopt: not a number, or not a unit.
struct Quantity {
    double value = 0;  // canonical
    Dimension dim;
    bool integer = false;  // digits only, no unit
};
std::optional<Quantity> parse_quantity(std::string_view text);
// Where the unit begins in such a text (its size where there is none).
std::size_t unit_position(std::string_view text);

// Residual expressions: what stays symbolic until the emulator starts, over the tunables, and what is drawn anew each
// time that the emulator needs it, over random numbers. A pool of nodes; children come before parents. Values are
// canonical doubles; booleans are 0 and 1.
//
// Equal nodes are one, so a random node stands for a distribution, not for a number: each of its mentions draws for
// itself (base/values/sample_tree.h).
using ValueExprId = std::uint32_t;
enum class ValueOp : std::uint8_t {
    constant,
    tunable,  // constant: value; tunable: a = tunable index
    add,
    sub,
    mul,
    div,
    rem,
    neg,  // plain double arithmetic (scales are explicit mul nodes); rem: fmod
    min,
    max,
    floor,
    ceil,
    round,
    lt,
    le,
    gt,
    ge,
    eq,
    ne,
    and_,
    or_,
    not_,
    select,  // a ? b : c
    abs,
    // Functions: runtime/base/sampling.h.
    log,
    exp,
    pow,    // a to the power of b, a >= 0, by logarithms: what distributions are made of
    power,  // any a to the power of b; exact where b is a whole number and the result has the digits
    sqrt,
    sin,
    cos,
    // What only samplers compute.
    normal,     // the quantile a of the normal distribution
    unit,       // a draw from [0, 1)
    zipf,       // a draw of one of a ranks, with the exponent b
    empirical,  // a draw from the table a
    truncate,   // draws of a until one is in b .. c
    state,      // of a process that is being drawn: its variable. value: 1 where it is a truth value
    process     // a draw of the process a, which has a state
};
struct ValueNode {
    ValueOp op = ValueOp::constant;
    ValueExprId a = 0, b = 0, c = 0;
    double value = 0;
};
int operand_count(ValueOp op);  // how many of a, b, c are operands: 0 to 3
// Of an operation that draws nothing and keeps nothing, on its operands.
double apply_operation(ValueOp op, double a, double b = 0, double c = 0);

// A random process: variables that its user keeps, what they become after each draw, all at once, and the draw.
struct RandomProcess {
    struct Variable {
        ValueExprId initial = 0, next = 0;
        std::string name;
        Dimension dim;
        bool truth = false;
    };
    std::vector<Variable> variables;  // ValueOp::state with a = the process, b = the variable
    ValueExprId yield = 0;
    std::string name;
    Dimension dim;  // of what it yields
    bool truth = false;
};

// Values with weights that sum to 1. `linear`: points of a cumulative distribution, between which it is linear: what is
// drawn lies between the values, and the first one's weight is that of the value itself.
struct EmpiricalTable {
    std::vector<double> values, cumulated;
    std::string file;  // that they were read from; "": they stand in the text
    double unit = 1;   // of one of its numbers, canonical
    Dimension dim;
    bool linear = false;
    double mean() const;  // exact, but for rounding
    friend bool operator==(const EmpiricalTable&, const EmpiricalTable&) = default;
};

class ValuePool {
  public:
    ValueExprId constant(double v);            // interned
    ValueExprId tunable(std::uint32_t index);  // interned
    // Folds constants; interns equal nodes.
    ValueExprId make(ValueOp op, ValueExprId a, ValueExprId b = 0, ValueExprId c = 0);
    const ValueNode& node(ValueExprId id) const { return nodes_[id]; }
    const std::vector<ValueNode>& nodes() const { return nodes_; }
    std::optional<double> as_constant(ValueExprId id) const;

    ValueExprId unit() { return intern({ValueOp::unit, 0, 0, 0, 0}); }
    ValueExprId empirical(EmpiricalTable table);
    // A process is declared, so that its variables can be named, then defined.
    std::uint32_t declare_process();
    ValueExprId state(std::uint32_t process, std::uint32_t variable, bool truth);
    ValueExprId define_process(std::uint32_t process, RandomProcess definition);
    const RandomProcess& process(std::uint32_t index) const { return processes_[index]; }
    const std::vector<RandomProcess>& processes() const { return processes_; }
    const std::vector<EmpiricalTable>& tables() const { return tables_; }
    // Whether samplers compute it, each time anew, and not `bind`, once.
    bool is_random(ValueExprId id) const { return random_[id]; }

    // Of what is not random.
    double evaluate(ValueExprId id, const std::vector<double>& tunables) const;
    // Bounds of the value over the tunables' ranges (interval arithmetic; conservative).
    struct Interval {
        double low = 0, high = 0;
    };
    Interval bounds(ValueExprId id, const std::vector<Interval>& tunables) const;

  private:
    ValueExprId intern(const ValueNode& node);
    void grow_index();
    template <class Result, class Leaf>
    Result compute(ValueExprId root, const Leaf& leaf) const;

    std::vector<ValueNode> nodes_;
    std::vector<bool> random_;  // by node
    std::vector<RandomProcess> processes_;
    std::vector<EmpiricalTable> tables_;
    // Of the nodes by what they are: open addressing, a power of two of ids + 1, half of which at most are not 0.
    // Models with functions make millions, mostly constants that are needed once.
    std::vector<std::uint32_t> index_;
};

}  // namespace anml
