// Stage 4 from the outside: the model, its parameters, its statements, then what needs all of them.
#include <fmt/format.h>

#include <algorithm>

#include "elaborate/addressing/address_family.h"
#include "elaborate/model.h"
#include "elaborate/network_checks.h"
#include "elaborate/topology/topology.h"

namespace anml {
namespace {

std::optional<ComponentId> choose_model(Elaboration& in)
{
    std::string names;
    std::vector<std::string_view> candidates;
    for (ComponentId id : in.program.models) {
        const std::string& name = in.program.component(id).name;
        if (name == in.options.model || (in.options.model.empty() && in.program.models.size() == 1)) return id;
        names += fmt::format("{}`{}`", names.empty() ? "" : ", ", name);
        candidates.push_back(name);
    }
    for (ComponentId id : in.program.experiments) {
        if (in.program.component(id).name == in.options.model) return id;
        candidates.push_back(in.program.component(id).name);
    }
    if (in.program.models.empty()) {
        in.report(Diag::no_model, {}, "the main file declares no model")
            .help("a model is what can be run: `model Name { ... }`");
    } else if (in.options.model.empty()) {
        auto message = in.report(Diag::ambiguous_model, in.program.component(in.program.models[1]).span,
                                 fmt::format("the main file declares several models: {}", names));
        message.also(in.program.component(in.program.models[0]).span, "the first")
            .help(fmt::format("choose one: `--model {}`", in.program.component(in.program.models[0]).name));
    } else {
        auto message =
            in.report(Diag::no_model, {}, fmt::format("the main file declares no model `{}`", in.options.model));
        const auto similar = similar_name(in.options.model, candidates);
        message.help(similar.empty() ? fmt::format("it declares {}", names) : fmt::format("there is `{}`", similar));
    }
    return std::nullopt;
}

}  // namespace

std::optional<Network> elaborate(const CheckedProgram& program, const ElaborateOptions& options,
                                 Diagnostics& diagnostics)
{
    Elaboration in(program, options, diagnostics);
    const std::size_t before = diagnostics.errors();
    const auto chosen = choose_model(in);
    if (!chosen) return std::nullopt;
    const Component& model = program.component(*chosen);
    in.network.model_name = model.name;
    in.network.model_doc = model.doc;
    in.network.pool_first = 10u << 24;
    if (model.is_experiment) {
        in.experiment = *chosen;
        in.network.experiment.emplace().model = program.component(model.base).name;
    }

    Frame& frame = in.frames.emplace_back();
    frame.slots.resize(model.slot_count);
    model_parameters(in, model);
    if (diagnostics.errors() != before) return std::nullopt;
    body(in, model, frame, model.span);
    if (!in.run_at)  // which is one mistake
        diagnostics.drop_if([](const Diagnostic& d) {
            return d.diag == Diag::used_before_declaration && d.message.starts_with("how long the run is");
        });
    if (diagnostics.errors() == before) report_unused_overrides(in);
    if (diagnostics.errors() != before) return std::nullopt;
    const auto is_of_model = [&](const Diagnostic& d) {  // whose experiment it is
        return d.diag == Diag::missing_run && model.is_experiment && d.span == program.component(model.base).span;
    };
    if (!in.run_at && std::any_of(diagnostics.list().begin(), diagnostics.list().end(), is_of_model))
        return std::nullopt;
    if (!in.run_at) {
        in.report(Diag::missing_run, model.span,
                  fmt::format("the model `{}` does not say how long it runs", model.name))
            .help("add `run { duration = 60 s }`")
            .fix(Edit{model.declared, "run { duration = 60 s }", EditAt::block_end});
        return std::nullopt;
    }
    in.network.declared = model.declared;
    in.network.routing_at = in.routing_at.value_or(Span{});
    check_experiment(in, model);
    number_nodes(in.network);
    number_queries(in);
    assign_addresses(in, model);
    if (diagnostics.errors() != before) return std::nullopt;
    balancers_have_ipv4(in.network, in.report);
    choose_families(in);
    finish_static_routes(in);
    finish_segment_routes(in);
    if (diagnostics.errors() != before) return std::nullopt;
    finish_regions(in);
    finish_timeline(in);
    if (!check_labels(in)) return std::nullopt;
    find_call_cycles(in.network, in.report);
    check_call_stages(in.network, in.report);
    check_call_entries(in.network, in.report);
    find_unused_attributes(in);
    check_parts(in);
    validate(in, model);
    check_transparent_links(in.network, in.report);
    if (diagnostics.errors() != before) return std::nullopt;
    return std::move(in.network);
}

}  // namespace anml
