// Draws from a random expression of the language, as the compiler's own sampler does.
#pragma once

#include <random>

#include "base/values/sample_tree.h"
#include "elaborate_text.h"

namespace anml::test {

// A model whose clients think for such a time; `before` stands in the model, above it.
inline std::string thinking(const std::string& think, const std::string& before = "", const std::string& top = "",
                            const std::string& parameters = "")
{
    return "import std.ether\nimport std.web\n" + top + "\nmodel M" + parameters + " {\n" + before +
           R"(
  endpoint server { simulated = web.server() }
  host pc
  link pc -- server : ether.fast
  workload w : web.ClosedLoop on pc { server = server, documents = web.fixed(1 KB), think = )" +
           think + " }\n  run { duration = 1 s }\n}\n";
}

class Thinking {
  public:
    explicit Thinking(const std::string& text, Defines defines = {}) : model_(elaborate_text(text, std::move(defines)))
    {
        INFO(model_.first_error());
        REQUIRE(model_.network);
        for (const TunableInfo& t : model_.network->tunables) tunables_.push_back(t.value);
        const DistributionValue think = drawn_of(*model_.network, 0, "think");
        REQUIRE(think.kind == abi::DistributionKind::computed);
        tree_ = make_sample_tree(model_.network->values, think.a);
        state_.resize(tree_.words);
    }

    double draw()
    {
        return draw_sample(
            tree_, model_.network->values,
            [&](ValueExprId id) { return model_.network->values.evaluate(id, tunables_); },
            [&] { return static_cast<double>(bits_() >> 11) * 0x1p-53; }, state_);
    }
    std::vector<double> draws(std::size_t count)
    {
        std::vector<double> result(count);
        for (double& x : result) x = draw();
        return result;
    }
    double estimated_mean() const { return mean_of(*model_.network, drawn_of(*model_.network, 0, "think"), tunables_); }
    const SampleTree& tree() const { return tree_; }

  private:
    Elaborated model_;
    std::vector<double> tunables_;
    SampleTree tree_;
    std::vector<double> state_;
    std::mt19937_64 bits_{20261120};
};

}  // namespace anml::test
