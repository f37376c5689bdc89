// What an experiment says besides its model: which values its factors take, and how often it is run.
#include <fmt/format.h>

#include <algorithm>

#include "elaborate/model.h"
#include "elaborate/topology/topology.h"

namespace anml {
namespace {

// As -D reads it, and --set where it is a number; "" where an error was reported.
std::string level(Elaboration& in, const Value& value, ExprId written, const FactorInfo& factor)
{
    if (const auto* text = value.as<std::string>()) return *text;
    const Span span = in.program.expr(written).span;
    if (const auto* number = value.as<Number>()) {
        const auto constant = in.network.values.as_constant(number->id);
        if (constant && factor.boolean) return *constant != 0 ? "true" : "false";
        if (constant) return exact_quantity(*constant, factor.dim);
        report_shape(in, number->id, span, "a level");
        return "";
    }
    return "";  // as it is written
}

// Whether the parameter may be this. In its own range, as for -D.
bool is_possible(Elaboration& in, const Value& value, ExprId written, const FactorStatement& s, Frame& frame)
{
    if (value.failed()) return false;
    if (s.parameter == abi::kNone) return true;
    const Parameter& p = in.program.component(in.experiment).parameters[s.parameter];
    return check_range(in, value, p.range, p.type, p.name, in.program.expr(written).span, p.span, frame);
}

}  // namespace

// Repetitions, where a precision is asked for and nothing is said of their number.
constexpr std::uint32_t kMostForPrecision = 100;

void experiment_run(Elaboration& in, const RunStatement& s, const Statement& at, Frame& frame)
{
    if (!once(in.report, in.experiment_run_at, at, "run")) return;
    const auto value = schema_value(in, in.program.experiment, s.attributes, frame, nullptr, at.span, "`run`");
    if (!value) return;
    const auto whole = [&](std::string_view name) {
        return in.network.values.as_constant(number_of(in.program, *value, name)).value_or(1);
    };
    ExperimentInfo& experiment = *in.network.experiment;
    const auto given = [&](std::string_view name) { return !attribute_of(in.program, *value, name).absent(); };
    if (given("batches")) experiment.batches = static_cast<std::uint32_t>(whole("batches"));
    if (given("repetitions"))
        experiment.repetitions = static_cast<std::uint32_t>(whole("repetitions"));
    else if (given("precision"))
        experiment.repetitions = kMostForPrecision;
    else if (experiment.batches > 0)
        experiment.repetitions = 1;
    if (given("stop")) experiment.stop = static_cast<std::uint32_t>(whole("stop"));
    if (given("within")) experiment.within = whole("within");
    experiment.seed = static_cast<std::uint64_t>(whole("seed"));
    experiment.live = attribute_of(in.program, *value, "mode").as<EnumValue>()->ordinal == 1;
    if (const auto* server = attribute_of(in.program, *value, "server").as<std::string>()) experiment.server = *server;
    if (given("precision")) experiment.precision = whole("precision");
    experiment.resolution = whole("resolution");
    experiment.find_warmup = whole("find_warmup") != 0;
    for (const auto& [name, of_network] :
         {std::pair{"duration", &in.network.duration}, std::pair{"warmup", &in.network.warmup}})
        if (given(name)) *of_network = number_of(in.program, *value, name);
    const auto duration = in.network.values.as_constant(in.network.duration),
               warmup = in.network.values.as_constant(in.network.warmup);
    const bool own = given("duration") || given("warmup");  // else the model says it of its run
    if (own && duration && warmup && *warmup >= *duration)
        in.report(Diag::requirement_failed, at.span, "the warm-up is as long as the run");
}

void factor(Elaboration& in, const FactorStatement& s, const Statement& at, Frame& frame)
{
    FactorInfo factor;
    factor.name = s.name;
    factor.attribute = s.attribute != abi::kNone;
    const auto bound = [&](ExprId id) -> std::optional<double> {
        const Value value = evaluate(in, id, frame);
        if (!is_possible(in, value, id, s, frame)) return std::nullopt;
        const auto constant = in.network.values.as_constant(value.as<Number>()->id);
        if (!constant) report_shape(in, value.as<Number>()->id, in.program.expr(id).span, "a search");
        return constant;
    };
    if (!factor.attribute) {
        const Parameter& p = in.program.component(in.experiment).parameters[s.parameter];
        factor.about = p.doc;
        factor.tunable = p.tunable && !p.defined;
        factor.integer = p.type.kind == TypeKind::integer;
        factor.boolean = p.type.kind == TypeKind::boolean;
        factor.dim = p.type.dim;
    }
    if (s.levels) {
        const Value all = evaluate(in, s.levels, frame);
        if (all.failed()) return;
        const Expr& written = in.program.expr(s.levels);
        const auto* list = all.as<std::shared_ptr<const ListValue>>();
        const std::vector<Value> only{all};
        const std::vector<Value>& levels = list ? **list : only;
        const bool literal = written.kind == ExprKind::list && written.operand_count == levels.size();
        for (std::size_t i = 0; i < levels.size(); ++i) {
            const ExprId one = literal ? in.program.operands_of(written)[i] : s.levels;
            if (!is_possible(in, levels[i], one, s, frame)) continue;
            const std::string text = level(in, levels[i], one, factor);
            if (!text.empty() && std::find(factor.levels.begin(), factor.levels.end(), text) != factor.levels.end())
                in.report(Diag::invalid_experiment, in.program.expr(one).span,
                          fmt::format("`{}` is a level of `{}` already", text, s.name));
            factor.levels.push_back(text);
            factor.places.push_back(in.program.expr(one).span);
            if (factor.levels.back().empty() && !literal && !levels[i].failed())
                in.report(Diag::invalid_experiment, at.span,
                          "levels that are no numbers or strings stand in a list of their own");
            if (const auto* number = levels[i].as<Number>(); number && !factor.boolean)
                factor.values.push_back(in.network.values.as_constant(number->id).value_or(0));
        }
        if (levels.empty()) in.report(Diag::invalid_experiment, at.span, fmt::format("`{}` has no levels", s.name));
    } else {
        const auto low = bound(s.low), high = bound(s.high);
        if (!low || !high) return;
        factor.low = *low, factor.high = *high;
        if (factor.low >= factor.high)
            in.report(Diag::invalid_experiment, in.program.expr(s.low).span,
                      "nothing lies between the ends of the search")
                .help("the lower end comes first: `10 .. 400`");
        const auto& factors = in.network.experiment->factors;
        if (std::any_of(factors.begin(), factors.end(), [](const FactorInfo& f) { return f.levels.empty(); }))
            in.report(Diag::invalid_experiment, at.span, "an experiment searches for one factor");
    }
    in.network.experiment->factors.push_back(std::move(factor));
}

void measured(Elaboration& in, const Value& value, const Statement& at)
{
    const auto* number = value.as<Number>();
    if (!number) return;
    for (const std::uint32_t index : tunables_in(in.network.values, number->id))
        if (index >= kFirstMeasure) {
            const abi::MeasureKind kind = in.network.measures[index - kFirstMeasure].kind;
            if (in.network.measures[index - kFirstMeasure].of_part()) in.part_at = at.span;
            if (kind == abi::MeasureKind::max_time || kind == abi::MeasureKind::max_queue_delay)
                in.longest_at = at.span;
        }
}

// What an experiment's parts ask of each other.
void check_experiment(Elaboration& in, const Component& model)
{
    if (!in.network.experiment) return;
    const ExperimentInfo& experiment = *in.network.experiment;
    const auto& factors = experiment.factors;
    const Span run = in.experiment_run_at.value_or(model.span);
    const bool searches =
        std::any_of(factors.begin(), factors.end(), [](const FactorInfo& f) { return f.levels.empty(); });
    if (experiment.live && experiment.server.empty() &&
        std::none_of(factors.begin(), factors.end(), [](const FactorInfo& f) { return f.attribute; }))
        in.report(Diag::requirement_failed, run, "a live run needs the command of a `server`")
            .help("`vary server in [...]` has one for each level");
    if (experiment.stop > 0 && (searches || factors.empty()))
        in.report(Diag::invalid_experiment, run,
                  searches ? "`stop` is for the levels of a sweep, and a search has none"
                           : "`stop` is for the levels of a factor, and there is none");
    if (experiment.precision && searches)
        in.report(Diag::invalid_experiment, run,
                  "`precision` is for the means of a sweep, and a search decides by majority")
            .help("say how many `repetitions` decide");
    if (experiment.batches > 0 && in.longest_at)
        in.report(Diag::invalid_experiment, *in.longest_at, "the longest time has no batch means")
            .also(run, "`batches` asks for them")
            .help(
                "the longest time of a part says nothing of the longest of all: leave `batches` out, give "
                "`repetitions`");
    if (experiment.batches > 0 && in.part_at)
        in.report(Diag::invalid_experiment, *in.part_at, "what is measured of a part of the run has no batch means")
            .also(run, "`batches` asks for them")
            .help("batches are parts of the whole run: leave `batches` out, give `repetitions`");
    if (!searches && experiment.stop == 0) return;
    for (const RequirementInfo& required : in.network.requirements)
        for (const std::uint32_t index : tunables_in(in.network.values, required.holds))
            if (index >= kFirstMeasure) return;
    in.report(Diag::invalid_experiment, searches ? model.span : run,
              fmt::format("{} ends where a threshold is no longer met, and there is none",
                          searches ? "a search" : "a sweep with `stop`"))
        .help("say what has to hold: `require p99(browse) < 500 ms`");
}

}  // namespace anml
