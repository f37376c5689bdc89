// Stage 4 from the outside: the model, its parameters, its statements, then what needs all of them.
#include <fmt/format.h>

#include <algorithm>

#include "elaborate/elaborator.h"

namespace anml {

std::optional<Network> elaborate(const CheckedProgram& program, const ElaborateOptions& options,
                                 Diagnostics& diagnostics)
{
    return Elaborator(program, options, diagnostics).run();
}

std::optional<Network> Elaborator::run()
{
    const std::size_t before = diagnostics_.errors();
    const auto chosen = choose_model();
    if (!chosen) return std::nullopt;
    const Component& model = program_.component(*chosen);
    network_.model_name = model.name;
    network_.model_doc = model.doc;
    network_.pool_first = 10u << 24;
    if (model.is_experiment) {
        experiment_ = *chosen;
        network_.experiment.emplace().model = program_.component(model.base).name;
    }

    Frame& frame = frames_.emplace_back();
    frame.slots.resize(model.slot_count);
    model_parameters(model);
    if (diagnostics_.errors() != before) return std::nullopt;
    body(model, frame, model.span);
    if (diagnostics_.errors() == before) report_unused_overrides();
    if (diagnostics_.errors() != before) return std::nullopt;
    if (!run_at_) {
        report(Diag::missing_run, model.span, fmt::format("the model `{}` does not say how long it runs", model.name))
            .help("add `run { duration = 60 s }`")
            .fix(Edit{model.declared, "run { duration = 60 s }", EditAt::block_end});
        return std::nullopt;
    }
    network_.declared = model.declared;
    network_.routing_at = routing_at_.value_or(Span{});
    check_experiment(model);
    const ReportOnce report_once = [this](Diag diag, Span span, std::string message) {
        return report(diag, span, std::move(message));
    };
    number_nodes(network_);
    number_queries();
    assign_addresses(model);
    if (diagnostics_.errors() != before) return std::nullopt;
    balancers_have_ipv4(network_, report_once);
    choose_families();
    finish_static_routes();
    finish_segment_routes();
    if (diagnostics_.errors() != before) return std::nullopt;
    finish_regions();
    finish_timeline();
    if (!check_labels()) return std::nullopt;
    find_call_cycles(network_, report_once);
    check_call_stages(network_, report_once);
    check_call_entries(network_, report_once);
    find_unused_attributes();
    check_parts();
    validate(model);
    check_transparent_links(network_, report_once);
    if (diagnostics_.errors() != before) return std::nullopt;
    return std::move(network_);
}

std::optional<ComponentId> Elaborator::choose_model()
{
    std::string names;
    std::vector<std::string_view> candidates;
    for (ComponentId id : program_.models) {
        const std::string& name = program_.component(id).name;
        if (name == options_.model || (options_.model.empty() && program_.models.size() == 1)) return id;
        names += fmt::format("{}`{}`", names.empty() ? "" : ", ", name);
        candidates.push_back(name);
    }
    for (ComponentId id : program_.experiments) {
        if (program_.component(id).name == options_.model) return id;
        candidates.push_back(program_.component(id).name);
    }
    if (program_.models.empty()) {
        report(Diag::no_model, {}, "the main file declares no model")
            .help("a model is what can be run: `model Name { ... }`");
    } else if (options_.model.empty()) {
        auto message = report(Diag::ambiguous_model, program_.component(program_.models[1]).span,
                              fmt::format("the main file declares several models: {}", names));
        message.also(program_.component(program_.models[0]).span, "the first").help("choose one with --model");
    } else {
        auto message = report(Diag::no_model, {}, fmt::format("the main file declares no model `{}`", options_.model));
        const auto similar = similar_name(options_.model, candidates);
        message.help(similar.empty() ? fmt::format("it declares {}", names) : fmt::format("there is `{}`", similar));
    }
    return std::nullopt;
}

Diagnostics::Builder Elaborator::report(Diag diag, Span span, std::string message)
{
    const Span place = users_place(cell_place(span));
    const bool first = !place.valid() || reported_.insert({diag, {place.file.value, place.begin}}).second;
    auto builder = (first ? diagnostics_ : muted_).report(diag, place, std::move(message));
    builder.in(path_);
    if (place != span && !table_) builder.also(span, "here, in the standard library");
    constexpr std::size_t kMostShown = 3;
    for (std::size_t i = 0; i < std::min(calls_.size(), kMostShown); ++i) {
        const Span call = calls_[calls_.size() - 1 - i];
        if (call != place && !of_library(call)) builder.also(call, "called from here");
    }
    if (diag != Diag::network_too_large)  // of which no round is the reason
        for (auto round = rounds_.rbegin(); round != rounds_.rend(); ++round)
            builder.also(round->loop, round_text(*round));
    return builder;
}

Span Elaborator::users_place(Span span) const { return led_from_.valid() && of_library(span) ? led_from_ : span; }

std::string Elaborator::path(std::string_view name) const
{
    return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
}

}  // namespace anml
