// anmlc analyze FILE: paths, loads under a demand and what is critical, from the routes alone.
#include <map>

#include "analysis/analyze/analyze.h"
#include "driver/dependencies.h"
#include "driver/options/option_groups.h"
#include "driver/print_diagnostics.h"
#include "driver/session.h"
#include "driver/verb.h"

namespace anml {

namespace {

class AnalyzeVerb : public Verb {
  public:
    AnalyzeVerb() : Verb("analyze", "Paths, bottlenecks, loads under a demand, single points of failure") {}

    void add_options(CLI::App& app) override
    {
        add_file(app, options_.sources.input);
        app.add_option("-o", output_, "Write to PATH instead of standard output")->option_text("PATH");
        app.add_option(
               "--show", show_,
               "summary (default); links with their loads; pairs; cuts: single points of failure; rtt, hops: matrices")
            ->check(CLI::IsMember({"summary", "links", "pairs", "cuts", "rtt", "hops"}))
            ->option_text("WHAT");
        app.add_option("--format", format_, "table (default), csv or json")
            ->check(CLI::IsMember({"table", "csv", "json"}))
            ->option_text("FORMAT");
        app.add_option("--between", between_,
                       "Whose pairs: hosts (default; with endpoints; routers where there are none), routers or all")
            ->check(CLI::IsMember({"hosts", "routers", "all"}))
            ->option_text("NODES");
        app.add_option("--demand", demand_,
                       "workloads: what the model's are expected to send (default where it has any, without --total); "
                       "uniform: every pair the same; gravity: by the product of what their links carry; or a file of "
                       "lines `from,to,rate`")
            ->option_text("DEMAND");
        app.add_option("--total", total_, "Of all demands together, for uniform and gravity: --total '10 Gbps'")
            ->option_text("RATE");
        app.add_option("--at", at_, "At a moment of the timeline: --at 40s")->option_text("TIME");
        app.add_option("--top", analyze_.top, "Rows of a table in the summary (default 10; 0: all)")
            ->option_text("N");
        model_.add(app, options_);
    }

    std::string understand() override
    {
        using Show = AnalyzeOptions::Show;
        using Format = AnalyzeOptions::Format;
        static const std::map<std::string, Show> kShow{{"summary", Show::summary}, {"links", Show::links},
                                                       {"pairs", Show::pairs},     {"cuts", Show::cuts},
                                                       {"rtt", Show::rtt},         {"hops", Show::hops}};
        static const std::map<std::string, Format> kFormats{
            {"table", Format::table}, {"csv", Format::csv}, {"json", Format::json}};
        static const std::map<std::string, Between> kBetween{
            {"hosts", Between::hosts}, {"routers", Between::routers}, {"all", Between::all}};
        analyze_.show = kShow.at(show_);
        analyze_.format = kFormats.at(format_);
        analyze_.between = kBetween.at(between_);
        if (std::string wrong = set_time(at_, analyze_.at); !wrong.empty()) return wrong;
        if (std::string wrong = set_demand(demand_, total_, analyze_.demand); !wrong.empty()) return wrong;
        if (std::string wrong = model_.set(options_); !wrong.empty()) return wrong;
        if (output_.empty()) output_ = "-";
        return wrong_output(output_, options_.sources.input);
    }

    int run(const CommandLine&) override
    {
        Compilation compilation;
        Session session(options_, compilation);
        const auto text = analysis(session);
        bool good = session.end(text.has_value());
        good = good && (text->empty() || write_text(output_, *text, compilation));
        print_diagnostics(options_.messages, compilation);
        return good ? 0 : kExitErrors;
    }

  private:
    std::optional<std::string> analysis(Session& session) const
    {
        const RouteTables* routes = session.routes(RouteScope::everywhere);
        if (!routes) return std::nullopt;
        const Network& network = *session.network();
        Compilation& c = session.compilation();
        if (analyze_.at) warn_behind_end(network, *analyze_.at, c.diagnostics);
        std::optional<NetworkMoment> moment;
        std::optional<RouteTables> tables;  // of that moment
        if (analyze_.at || acts_at_start(network)) {
            moment.emplace(network, analyze_.at.value_or(0));
            tables = moment->tables(*routes);
        }
        const auto found = analyze(network, tables ? *tables : *routes, moment ? &*moment : nullptr, analyze_,
                                   c.sources, c.diagnostics);
        session.done("analyze");
        return found ? std::optional(show_analysis(*found, analyze_)) : std::nullopt;
    }

    BuildOptions options_;
    AnalyzeOptions analyze_;
    ModelWords model_;
    std::string output_, show_ = "summary", format_ = "table", between_ = "hosts", demand_, total_, at_;
};

}  // namespace

std::unique_ptr<Verb> verb_analyze() { return std::make_unique<AnalyzeVerb>(); }

}  // namespace anml
