// anmlc explain NAME: the long text of a diagnostic.
#include <fmt/format.h>

#include <cstdio>

#include "base/diagnostics.h"
#include "commandline/streams.h"
#include "driver/verb.h"

namespace anml {

namespace {

// Breaks a text into lines of at most `width` columns, at blanks.
std::string wrap(std::string_view text, std::size_t width)
{
    std::string out;
    std::size_t column = 0;
    while (!text.empty()) {
        std::size_t end = std::min(text.find(' '), text.size());
        if (column != 0 && column + 1 + end > width) {
            out += '\n';
            column = 0;
        } else if (column != 0) {
            out += ' ';
            ++column;
        }
        out += text.substr(0, end);
        column += end;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

class ExplainVerb : public Verb {
  public:
    ExplainVerb() : Verb("explain", "Explain a diagnostic by its name") {}

    void add_options(CLI::App& app) override
    {
        app.add_option("name", name_, "Such as unit-mismatch")->required()->option_text("NAME");
    }
    int run(const CommandLine&) override { return explain(name_); }

  private:
    std::string name_;
};

}  // namespace

int explain(const std::string& diagnostic)
{
    const std::optional<Diag> diag = find_diagnostic(diagnostic);
    if (!diag) {
        std::vector<std::string_view> names = diagnostic_names();
        std::string_view near = similar_name(diagnostic, names);
        commandline::say(fmt::format("anmlc: there is no diagnostic `{}`{}\n", diagnostic,
                                     near.empty()
                                         ? "; its name stands in brackets behind `error` or `warning`, such as "
                                           "`unit-mismatch`"
                                         : fmt::format("; one with a similar name is `{}`", near)));
        return kExitUsage;
    }
    std::string_view severity = diagnostic_severity(*diag) == Severity::error ? "error" : "warning";
    const std::string text =
        fmt::format("{} ({})\n\n{}\n", diagnostic_name(*diag), severity, wrap(diagnostic_explanation(*diag), 100));
    std::fputs(text.c_str(), stdout);
    return 0;
}

std::unique_ptr<Verb> verb_explain() { return std::make_unique<ExplainVerb>(); }

}  // namespace anml
