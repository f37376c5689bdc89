#include "import/import_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files/link_trace.h"
#include "base/string_literal.h"
#include "format/format.h"

namespace anml {

bool read_mahimahi(std::string_view, GraphBuilder& builder)
{
    return builder.fail(0, "this is a trace of a link's capacity, not a graph",
                        "a link follows it: `rate = trace(\"file\")`");
}

namespace {

namespace fs = std::filesystem;

// A direction of the link.
struct Direction {
    std::string file;   // as the model names it; "": no trace
    double rate = 0;    // bit/s, the trace's mean
    double period = 0;  // ns
};

class TraceImport {
  public:
    TraceImport(const ImportOptions& options, SourceSet& sources, Diagnostics& diagnostics)
        : options_(options), sources_(sources), diagnostics_(diagnostics)
    {
    }

    std::optional<std::string> run(FileId file)
    {
        if (options_.input == "-") {
            diagnostics_.report(Diag::invalid_trace, {}, "a trace has to be a file, which the model names")
                .help("write it to a file first, and import that");
            return std::nullopt;
        }
        const bool downwards = options_.input.ends_with(".down");
        if (!read(file, options_.input, directions_[downwards])) return std::nullopt;
        if (downwards || options_.input.ends_with(".up")) {
            const std::string stem = options_.input.substr(0, options_.input.rfind('.'));
            const std::string other = stem + (downwards ? ".up" : ".down");
            std::error_code ignored;
            if (fs::is_regular_file(other, ignored)) {
                const auto beside = load_graph_file(other, Readable::files, sources_, diagnostics_);
                if (!beside || !read(*beside, other, directions_[!downwards])) return std::nullopt;
            }
        }
        return formatted_program(text());
    }

  private:
    bool read(FileId file, const std::string& path, Direction& direction)
    {
        std::vector<std::uint32_t> times;
        const TraceError wrong = read_trace(sources_.file(file).text, times);
        if (!wrong.message.empty()) {
            const auto begin = static_cast<std::uint32_t>(wrong.begin), end = static_cast<std::uint32_t>(wrong.end);
            diagnostics_.report(Diag::invalid_trace, {file, begin, std::max(begin, end)}, wrong.message)
                .help(
                    "each line has the time of one delivery opportunity, in whole milliseconds, none before the "
                    "last");
            return false;
        }
        direction.file = path;
        if (options_.output != "-") {  // the model may lie elsewhere
            std::error_code failed;
            const fs::path folder = fs::absolute(fs::path(options_.output)).parent_path();
            const fs::path relative = fs::relative(fs::absolute(fs::path(path)), folder, failed);
            if (!failed && !relative.empty()) direction.file = relative.string();
        }
        direction.rate = mean_rate(times);
        direction.period = 1e6 * times.back();
        return true;
    }

    std::string text()
    {
        const auto rate = [&](const Direction& d) {
            return d.file.empty() ? format_quantity(options_.rate, dimension::rate)
                                  : fmt::format("trace({})", string_literal(d.file));
        };
        std::string about;
        ImportLosses losses;
        for (const Direction& d : directions_) {
            if (d.file.empty()) {
                ++losses.guesses[fmt::format("rates of links, {} where there is no trace,",
                                             format_quantity(options_.rate, dimension::rate))];
                continue;
            }
            about += fmt::format("{}{} {} on average, repeated after {}", about.empty() ? "" : "; ",
                                 &d == directions_ ? "up" : "down", approximate_quantity(d.rate, dimension::rate, 3),
                                 format_quantity(d.period, dimension::time));
        }
        ++losses.guesses[fmt::format("delays of links, {} since a trace says none,",
                                     format_quantity(options_.delay, dimension::time))];
        report_losses(losses, {}, diagnostics_);
        const std::uint32_t n = options_.hosts;
        std::string out = fmt::format(
            "/// A link with the capacity of a trace: {}.\n{}{}\n"
            "profile traced : Link {{\n  delay = {}\n  overhead = 4 B // the header that Mahimahi counts\n"
            "  up {{ rate = {} }}\n  down {{ rate = {} }}\n}}\n\nmodel {} {{\n",
            about, n > 1 ? "import std.ether\n" : "", n > 0 ? "import std.traffic\n" : "",
            format_quantity(options_.delay, dimension::time), rate(directions_[0]), rate(directions_[1]),
            options_.model);
        if (n > 1)
            out += fmt::format(
                "  host device[{0}]\n  host server[{0}]\n  router near\n  router far\n"
                "  link access: device[*] -- near : ether.gigabit\n"
                "  link hosting: server[*] -- far : ether.gigabit\n  link line: near -- far : traced\n",
                n);
        else
            out += "  host device\n  host server\n  link line: device -- server : traced\n";
        if (n > 0)
            out += fmt::format(
                "\n  workload upload : traffic.Bulk on device{0} {{ to = server{0} }}\n"
                "  workload download : traffic.Bulk on server{0} {{ to = device{0} }}\n",
                n > 1 ? "[*]" : "");
        return out + "\n  run { duration = 60 s, warmup = 1 s }\n}\n";
    }

    const ImportOptions& options_;
    SourceSet& sources_;
    Diagnostics& diagnostics_;
    Direction directions_[2];  // up, down
};

}  // namespace

std::optional<std::string> import_trace(const ImportOptions& options, SourceSet& sources, FileId file,
                                        Diagnostics& diagnostics)
{
    return TraceImport(options, sources, diagnostics).run(file);
}

}  // namespace anml
