// What is known of runs beside their figures: how each came about, so that somebody can repeat it.
#include <fmt/format.h>

#include <algorithm>

#include "common/figures.h"
#include "reporting/table.h"

namespace anml {

namespace {

// As a shell takes it.
std::string command_line(const Json& words)
{
    std::string line;
    for (const Json& json : words) {
        std::string word = json.get<std::string>();
        const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   std::string_view("-_./:=,@%+").find(c) != std::string_view::npos;
        });
        if (!plain) {
            for (std::size_t at = 0; (at = word.find('\'', at)) != std::string::npos; at += 4)
                word.replace(at, 1, "'\\''");
            word = fmt::format("'{}'", word);
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return line;
}

std::string machine_text(const Json& machine)
{
    std::string text =
        fmt::format("{}, {} processors", machine["system"].get<std::string>(), machine["processors"].dump());
    if (const auto& name = machine["processor"].get_ref<const std::string&>(); !name.empty()) text += " " + name;
    return text + ", " + show_size(machine["memory_bytes"].get<double>());
}

class FactList {
  public:
    explicit FactList(const std::vector<RunResults>& runs) : runs_(runs) {}

    // `text` is given a run's results. A fact that no run has is none.
    template <class Text>
    void add(const std::string& name, Text&& text)
    {
        ReportFact fact{name, {}};
        for (const RunResults& run : runs_) fact.texts.push_back(text(run.data));
        if (std::any_of(fact.texts.begin(), fact.texts.end(), [](const std::string& t) { return !t.empty(); }))
            facts_.push_back(std::move(fact));
    }
    void add_word(const std::string& name, const char* key)
    {
        add(name, [&](const Json& r) { return r[key].is_string() ? r[key].get<std::string>() : r[key].dump(); });
    }
    std::vector<ReportFact> take() { return std::move(facts_); }

  private:
    const std::vector<RunResults>& runs_;
    std::vector<ReportFact> facts_;
};

std::string seconds_text(const Json& seconds)
{
    return seconds.is_number() ? show_time(1e9 * seconds.get<double>()) : "";
}

void add_parameters(FactList& facts, const std::vector<RunResults>& runs)
{
    std::vector<std::string> names;
    for (const RunResults& run : runs)
        for (const auto& [name, ignored] : run.data["parameters"].items())
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    for (const std::string& name : names)
        facts.add("parameter " + name, [&](const Json& r) {
            const Json& all = r["parameters"];
            return all.contains(name) ? all[name]["text"].get<std::string>() : "";
        });
}

}  // namespace

Json thresholds_of(const RunResults& run) { return run.data.value("thresholds", Json::array()); }

std::vector<ReportFact> make_facts(const std::vector<RunResults>& runs)
{
    FactList facts(runs);
    facts.add_word("model", "model");
    facts.add("about", [](const Json& r) { return r.value("doc", ""); });
    facts.add_word("source", "source");
    facts.add_word("mode", "mode");
    facts.add_word("started", "started");
    facts.add("command", [](const Json& r) { return command_line(r["command"]); });
    add_parameters(facts, runs);
    facts.add_word("seed", "seed");
    facts.add("measured", [](const Json& r) {
        const Json& w = r["window"];
        return fmt::format("{}, from {} on", seconds_text(w["measured_seconds"]), seconds_text(w["begin"]));
    });
    facts.add("simulated time", [](const Json& r) { return seconds_text(r["simulated_seconds"]); });
    facts.add("wall time", [](const Json& r) { return seconds_text(r["wall_seconds"]); });
    facts.add("processor time", [](const Json& r) { return seconds_text(r["cpu_seconds"]); });
    facts.add_word("threads", "threads");
    facts.add_word("tasks", "tasks");
    facts.add_word("events", "events");
    facts.add_word("packet hops", "packet_hops");
    facts.add("pace", [](const Json& r) { return r["live"].is_null() ? "" : r["live"]["pace"].get<std::string>(); });
    facts.add("interrupted", [](const Json& r) { return r["interrupted"].get<bool>() ? std::string("yes") : ""; });
    facts.add("error", [](const Json& r) { return r["error"].is_null() ? "" : r["error"].get<std::string>(); });
    facts.add("machine", [](const Json& r) { return r.contains("machine") ? machine_text(r["machine"]) : ""; });
    facts.add("versions", [](const Json& r) {
        const Json& v = r["versions"];
        return fmt::format("compiler {}, runtime {}", v["compiler"].get<std::string>(),
                           v["runtime"].get<std::string>());
    });
    facts.add_word("digest", "digest");
    return facts.take();
}

}  // namespace anml
