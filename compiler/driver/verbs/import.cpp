// anmlc import FILE: a graph of another tool as the source of a model, on standard output or in a file.
#include <fmt/format.h>

#include "base/files/read_file.h"
#include "base/values/quantity.h"
#include "check/check.h"
#include "driver/dependencies.h"
#include "driver/options/option_groups.h"
#include "driver/print_diagnostics.h"
#include "driver/verb.h"
#include "elaborate/network.h"
#include "import/import.h"
#include "syntax/syntax_tree.h"

namespace anml {

namespace {

// Why the text is no program, "" if it is one. Files that it names count from the output's folder.
std::string first_error(const std::string& output, const std::string& text)
{
    Diagnostics diagnostics;
    SourceSet sources;
    load_text(output == "-" ? "model.anml" : output, text, sources, diagnostics);
    const auto tree = diagnostics.has_errors() ? std::nullopt : parse(sources, diagnostics).if_whole();
    const auto program = tree ? check(sources, *tree, diagnostics).if_whole() : std::nullopt;
    if (program) elaborate(*program, {}, diagnostics);
    for (const Diagnostic& d : diagnostics.list())
        if (d.severity == Severity::error) return d.message;
    return "";
}

bool is_model_name(std::string_view name)
{
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (name.empty() || !letter(name.front())) return false;
    for (char c : name)
        if (!letter(c) && (c < '0' || c > '9')) return false;
    return true;
}

bool set_value(const std::string& text, Dimension dim, double low, double high, double& out)
{
    if (text.empty()) return true;
    const auto quantity = parse_quantity(text);
    if (!quantity || quantity->dim != dim || quantity->value < low || quantity->value > high) return false;
    out = quantity->value;
    return true;
}

class ImportVerb : public Verb {
  public:
    ImportVerb()
        : Verb("import", "Write a graph of another tool as the source of a model, or a recorded session as requests")
    {
    }

    void add_options(CLI::App& app) override
    {
        app.add_option("file", import_.input, "The graph, trace or session, or - for standard input")
            ->required()
            ->option_text("FILE");
        app.add_option("-o", import_.output, "Write to PATH (default: standard output)")->option_text("PATH");
        app.add_option("--from", from_,
                       "What the file is (default: its name or its first bytes tell): " + graph_format_words())
            ->option_text("FORMAT");
        app.add_option("--model", import_.model, "The model's name (default: made of the file's)")
            ->option_text("NAME");
        app.add_option("--hosts", import_.hosts,
                       "Hosts at each router, 1 by default, which send to each other; 0: none")
            ->check(CLI::Range(0u, 10000u))
            ->option_text("N");
        app.add_option("--largest", largest_, "Only the N nodes with the most links, and the links between them")
            ->check(CLI::Range(2u, 1000000u))
            ->option_text("N");
        app.add_option("--around", import_.part.around, "Only what lies within --within links of this node")
            ->option_text("NODE");
        app.add_option("--within", import_.part.within, "How far --around reaches (default: 2)")
            ->check(CLI::Range(1u, 1000u))
            ->option_text("N");
        app.add_option("--rate", rate_, "Of links whose rate the file does not say (default: 1 Gbps)")
            ->option_text("RATE");
        app.add_option("--delay", delay_, "Of links whose delay and length it does not say (default: 1 ms)")
            ->option_text("TIME");
        app.add_option("--origin", import_.origins,
                       "Of a recorded session only requests to this host, and to those below it; may be repeated")
            ->option_text("HOST");
        words_.add(app);
    }

    std::string understand() override
    {
        if (largest_ > 0) import_.part.largest = largest_;
        if (import_.output.empty()) import_.output = "-";
        if (!from_.empty()) {
            import_.format = find_graph_format(from_);
            if (!import_.format) return fmt::format("--from is one of {}, found `{}`", graph_format_words(), from_);
        }
        if (!import_.model.empty() && !is_model_name(import_.model))
            return fmt::format("--model takes letters, digits and `_`, found `{}`", import_.model);
        if (!set_value(rate_, dimension::rate, 1, 1e15, import_.rate))
            return fmt::format("--rate takes a rate such as 10Gbps, found `{}`", rate_);
        if (!set_value(delay_, dimension::time, 0, 3.6e12, import_.delay))
            return fmt::format("--delay takes a time such as 2ms, found `{}`", delay_);
        return {};
    }

    int run(const CommandLine&) override
    {
        MessageOptions messages;
        words_.set(messages);
        Compilation compilation;
        ImportOptions import = import_;
        ImportedFile beside;
        auto text = import_model(import, compilation.sources, compilation.diagnostics, beside);
        if (text && takes_texts(compilation.sources, import)) {
            if (const std::string error = first_error(import.output, *text); !error.empty()) {
                // The graph is no longer the one that its texts were written for.
                compilation = {};
                import.texts = false;
                text = import_model(import, compilation.sources, compilation.diagnostics, beside);
                compilation.diagnostics
                    .report(
                        Diag::dropped_element, {},
                        "the graph's routing, traffic, processes and settings of TCP are left out: they don't fit it")
                    .note(error);
            }
        }
        // What -o names is replaced, and no file that it does not name.
        std::string before;
        if (text && !beside.path.empty() &&
            read_file(beside.path, std::size_t{1} << 30, Readable::files, before).empty() && before != beside.text)
        {
            compilation.diagnostics
                .report(Diag::cannot_write_output, {}, fmt::format("`{}` is there, and is another one", beside.path))
                .help("the model's requests go there: move it, or name another model with -o");
            text.reset();
        }
        const bool good = text && (beside.path.empty() || write_text(beside.path, beside.text, compilation)) &&
                          write_text(import.output, *text, compilation);
        print_diagnostics(messages, compilation);
        return good ? 0 : kExitErrors;
    }

  private:
    ImportOptions import_;
    MessageWords words_;
    std::string from_, rate_, delay_;
    std::uint32_t largest_ = 0;
};

}  // namespace

std::unique_ptr<Verb> verb_import() { return std::make_unique<ImportVerb>(); }

}  // namespace anml
