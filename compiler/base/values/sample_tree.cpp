#include "base/values/sample_tree.h"

#include <algorithm>
#include <unordered_map>

#include "base/values/value_walk.h"
#include "common/mix.h"
#include "common/sampling.h"

namespace anml {
namespace {

constexpr int kSamplesOfMean = 500;

class TreeMaker {
  public:
    explicit TreeMaker(const ValuePool& pool) : pool_(pool) {}

    SampleTree run(ValueExprId root)
    {
        tree_.root = visit(root);
        return std::move(tree_);
    }

  private:
    std::uint32_t visit(ValueExprId id)
    {
        const ValueNode& node = pool_.node(id);
        if (node.op == ValueOp::constant) return add({node.op, 0, 0, 0, node.value});
        if (!pool_.is_random(id)) return add({ValueOp::tunable, id, 0, 0, 0});
        switch (node.op) {
            case ValueOp::empirical:
                return add({node.op, node.a, 0, 0, 0});
            case ValueOp::state:
                return add({node.op, first_word_.at(node.a) + 1 + node.b, 0, 0, 0});
            case ValueOp::process:
                return process(node.a);
            default:
                break;
        }
        SampleNode made{node.op, 0, 0, 0, 0};
        const int operands = operand_count(node.op);
        if (operands > 0) made.a = visit(node.a);
        if (operands > 1) made.b = visit(node.b);
        if (operands > 2) made.c = visit(node.c);
        return add(made);
    }

    // A process mentioned twice has two states. Within itself it cannot be mentioned.
    std::uint32_t process(std::uint32_t index)
    {
        const RandomProcess& definition = pool_.process(index);
        const auto made = static_cast<std::uint32_t>(tree_.processes.size());
        tree_.processes.emplace_back();
        const std::uint32_t first = tree_.words;
        tree_.words += 1 + static_cast<std::uint32_t>(definition.variables.size());
        first_word_[index] = first;
        SampleTree::Process process{first, {}, {}};
        for (const RandomProcess::Variable& v : definition.variables) {
            process.initial.push_back(visit(v.initial));
            process.next.push_back(visit(v.next));
        }
        const std::uint32_t yield = visit(definition.yield);
        tree_.processes[made] = std::move(process);
        return add({ValueOp::process, yield, made, 0, 0});
    }

    std::uint32_t add(SampleNode node)
    {
        tree_.nodes.push_back(node);
        return static_cast<std::uint32_t>(tree_.nodes.size() - 1);
    }

    const ValuePool& pool_;
    SampleTree tree_;
    std::unordered_map<std::uint32_t, std::uint32_t> first_word_;  // of the mention of a process that is being made
};

class Sampling {
  public:
    Sampling(const SampleTree& tree, const ValuePool& pool, const std::function<double(ValueExprId)>& value,
             const std::function<double()>& unit, std::vector<double>& state)
        : tree_(tree), pool_(pool), value_(value), unit_(unit), state_(state)
    {
    }

    double draw(std::uint32_t id)
    {
        const SampleNode& node = tree_.nodes[id];
        switch (node.op) {
            case ValueOp::constant:
                return node.value;
            case ValueOp::tunable:
                return value_(node.a);
            case ValueOp::unit:
                return unit_();
            case ValueOp::empirical: {
                const EmpiricalTable& table = pool_.tables()[node.a];
                const double *shares = table.cumulated.data(), *values = table.values.data();
                const std::size_t count = table.values.size();
                if (table.linear) return rt::between_points(shares, values, count, unit_());
                return values[rt::empirical_index(shares, count, unit_())];
            }
            case ValueOp::zipf: {
                const double count = draw(node.a), exponent = draw(node.b);
                return rt::zipf(count, exponent, unit_);
            }
            case ValueOp::truncate:
                return truncated(node);
            case ValueOp::select:  // the other branch draws nothing
                return draw(draw(node.a) != 0 ? node.b : node.c);
            case ValueOp::state:
                return state_[node.a];
            case ValueOp::process:
                return process(node);
            default:
                break;
        }
        const int operands = operand_count(node.op);
        const double a = draw(node.a), b = operands > 1 ? draw(node.b) : 0;
        return apply_operation(node.op, a, b);
    }

  private:
    double truncated(const SampleNode& node)
    {
        const double low = draw(node.b), high = draw(node.c);
        double sample = 0;
        for (int i = 0; i < rt::kTruncatedDraws; ++i) {
            sample = draw(node.a);
            if (sample >= low && sample <= high) return sample;
        }
        return sample < low ? low : high;
    }

    double process(const SampleNode& node)
    {
        const SampleTree::Process& process = tree_.processes[node.b];
        double* const words = state_.data() + process.first_word;
        if (words[0] == 0) {
            for (std::size_t i = 0; i < process.initial.size(); ++i) words[1 + i] = draw(process.initial[i]);
            words[0] = 1;
        }
        const double yielded = draw(node.a);
        std::vector<double> next;
        for (const std::uint32_t id : process.next) next.push_back(draw(id));
        std::copy(next.begin(), next.end(), words + 1);
        return yielded;
    }

    const SampleTree& tree_;
    const ValuePool& pool_;
    const std::function<double(ValueExprId)>& value_;
    const std::function<double()>& unit_;
    std::vector<double>& state_;
};

}  // namespace

std::size_t mentions(const ValuePool& pool, ValueExprId root)
{
    std::unordered_map<ValueExprId, std::size_t> counts;
    const auto parts = [&](ValueExprId id, const auto& each) {
        if (pool.is_random(id)) each_part(pool, id, each);
    };
    const auto known = [&](ValueExprId id) { return counts.contains(id); };
    visit_parts_first(root, parts, known, [&](ValueExprId id) {
        std::size_t sum = 1;
        parts(id, [&](ValueExprId part) { sum += counts.at(part); });
        counts.emplace(id, std::min(sum, kTooManyMentions));
    });
    return counts.at(root);
}

SampleTree make_sample_tree(const ValuePool& pool, ValueExprId root) { return TreeMaker(pool).run(root); }

double draw_sample(const SampleTree& tree, const ValuePool& pool, const std::function<double(ValueExprId)>& value,
                   const std::function<double()>& unit, std::vector<double>& state)
{
    return Sampling(tree, pool, value, unit, state).draw(tree.root);
}

double estimate_mean(const ValuePool& pool, ValueExprId root, const std::vector<double>& tunables)
{
    const SampleTree tree = make_sample_tree(pool, root);
    std::vector<double> state(tree.words);
    std::unordered_map<ValueExprId, double> known;
    const std::function<double(ValueExprId)> value = [&](ValueExprId id) {
        const auto [at, fresh] = known.try_emplace(id);
        if (fresh) at->second = pool.evaluate(id, tunables);
        return at->second;
    };
    std::uint64_t draws = 0;
    const std::function<double()> unit = [&] {
        return static_cast<double>(rt::mix(++draws * 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
    };
    double sum = 0;
    for (int i = 0; i < kSamplesOfMean; ++i) sum += draw_sample(tree, pool, value, unit, state);
    return sum / kSamplesOfMean;
}

}  // namespace anml
