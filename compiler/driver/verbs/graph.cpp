// anmlc graph FILE: the network as a picture, or as a graph for other programs.
#include <fmt/format.h>

#include <map>

#include "driver/dependencies.h"
#include "driver/options/option_groups.h"
#include "driver/print_diagnostics.h"
#include "driver/show_network.h"
#include "driver/verb.h"

namespace anml {

namespace {

class GraphVerb : public Verb {
  public:
    GraphVerb() : Verb("graph", "Draw the network, or write it for other programs; nothing is run") {}

    void add_options(CLI::App& app) override
    {
        add_file(app, options_.sources.input);
        app.add_option("-o", output_, "Write to PATH, whose suffix chooses the format (default: standard output)")
            ->option_text("PATH");
        app.add_option("--format", format_, picture_format_list() + " (default: by the output's name)")
            ->option_text("FORMAT");
        app.add_option("--color-by", color_by_, "role (default), task, delay, rate or load")
            ->check(CLI::IsMember({"role", "task", "delay", "rate", "load"}))
            ->option_text("WHAT");
        app.add_option("--show", show_, "links (default), or calls: who asks whom, by the workloads")
            ->check(CLI::IsMember({"links", "calls"}))
            ->option_text("WHAT");
        layout_.add(app);
        app.add_option("--demand", demand_,
                       "Whose load --color-by=load shows, as for analyze: workloads, uniform, gravity or a file "
                       "(default: the workloads', uniform where there are none)")
            ->option_text("DEMAND");
        app.add_option("--total", total_, "Of all demands together: --total '10 Gbps'")->option_text("RATE");
        app.add_option("--at", at_, "At a moment of the timeline: --at 40s")->option_text("TIME");
        add_tasks(app, options_.partition);
        model_.add(app, options_);
    }

    std::string understand() override
    {
        static const std::map<std::string, ColorBy> kColorBy{{"role", ColorBy::role},
                                                             {"task", ColorBy::task},
                                                             {"delay", ColorBy::delay},
                                                             {"rate", ColorBy::rate},
                                                             {"load", ColorBy::load}};
        if (std::string wrong = model_.set(options_); !wrong.empty()) return wrong;
        picture_.color_by = kColorBy.at(color_by_);
        layout_.set(picture_);
        shown_.partition = options_.partition;
        if (std::string wrong = set_format(); !wrong.empty()) return wrong;
        picture_.calls = show_ == "calls";
        if (std::string wrong = wrong_calls(); !wrong.empty()) return wrong;
        if (std::string wrong = set_time(at_, shown_.at); !wrong.empty()) return wrong;
        if (!demand_.empty() || !total_.empty()) {
            if (picture_.color_by != ColorBy::load) return "--demand and --total say which load --color-by=load shows";
            if (std::string wrong = set_demand(demand_, total_, shown_.demand.emplace()); !wrong.empty()) return wrong;
        }
        if (output_.empty()) output_ = "-";
        return wrong_output(output_, options_.sources.input);
    }

    int run(const CommandLine&) override
    {
        Compilation compilation;
        Session session(options_, compilation);
        const auto text = draw_model(session, picture_, shown_, output_);
        bool good = session.end(text.has_value());
        good = good && (text->empty() || write_text(output_, *text, compilation));
        print_diagnostics(options_.messages, compilation);
        return good ? 0 : kExitErrors;
    }

  private:
    std::string wrong_calls() const
    {
        if (!picture_.calls) return {};
        if (picture_.format == PictureFormat::html || is_exchange_format(picture_.format))
            return "--show calls is for pictures: svg, dot, mermaid or d2";
        if (picture_.color_by != ColorBy::role && picture_.color_by != ColorBy::task)
            return "--show calls draws no links, whose delay, rate or load --color-by could show";
        return {};
    }

    std::string set_format()
    {
        const std::string name = format_.empty() ? format_of(output_) : format_;
        if (name.empty()) return {};
        const auto format = find_picture_format(name);
        if (!format)
            return fmt::format("no picture is written as `{}`: --format or the output's name chooses {}", name,
                               picture_format_list());
        picture_.format = *format;
        return {};
    }

    BuildOptions options_;
    PictureOptions picture_;
    ShownOptions shown_;
    ModelWords model_;
    LayoutWords layout_;
    std::string output_, format_, color_by_ = "role", show_ = "links", demand_, total_, at_;
};

}  // namespace

std::unique_ptr<Verb> verb_graph() { return std::make_unique<GraphVerb>(); }

}  // namespace anml
