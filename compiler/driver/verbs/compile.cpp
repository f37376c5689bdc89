// anmlc FILE: compiles, or prints the result of a stage.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "check/check.h"
#include "driver/dependencies.h"
#include "driver/emulator.h"
#include "driver/options/option_groups.h"
#include "driver/print_diagnostics.h"
#include "driver/show_network.h"
#include "driver/write_file.h"
#include "partition/partition.h"
#include "printer/printer.h"
#include "syntax/syntax_tree.h"

namespace anml {

namespace {

class CompileVerb : public Verb {
  public:
    CompileVerb() : Verb("anmlc", "Compiles a model of a network into an emulator, a program of its own.") {}

    void add_options(CLI::App& app) override;
    std::string understand() override;
    int run(const CommandLine&) override;

  private:
    std::string set_output();
    std::string set_dependencies();
    bool build(Session& session, std::string& text);
    std::optional<std::string> emitted(Session& session);

    BuildOptions options_;
    EmulatorOptions emulator_;
    ModelWords model_;
    LevelWord level_;
    std::string emit_, front_end_, explain_;
    std::vector<std::string> dependency_words_;
    std::string rule_;  // of -MD: where the makefile rule goes, "": nowhere
    bool object_ = false, assembly_ = false;
    // None: -fsyntax-only or --emit of another stage.
    std::optional<EmulatorOptions::Form> form_;
};

void CompileVerb::add_options(CLI::App& app)
{
    app.add_option("file", options_.sources.input, "The model, or - for standard input")->option_text("FILE.anml");
    app.add_option("-o", emulator_.output, "Write to PATH (default: the file's name without .anml)")
        ->option_text("PATH");
    level_.add(app, "-O0: compile fast, -O2 (default): fast emulators");
    add_tasks(app, options_.partition);
    app.add_flag("--mpi", emulator_.mpi,
                 "The emulator may be one of several processes that run the model together: it will know where the "
                 "plugin for MPI is (mpirun ./emulator simulate --mpi)");
    app.add_flag("-c", object_, "Stop at the object file");
    app.add_flag("-S", assembly_, "Stop at the assembly text");
    app.add_option("-M", dependency_words_,
                   "-MD: write a makefile rule of all files read beside the output, as OUTPUT.d; -MF PATH: there")
        ->allow_extra_args(false)
        ->option_text("D|F");
    app.add_flag("-#", emulator_.commands_only, "-###: show the command that would link, and write nothing");
    app.add_option("--emit", emit_,
                   "Print a stage's result instead: ast, checked, network, anml (the network as a program), routes, "
                   "tasks, plan, "
                   "llvm")
        ->check(CLI::IsMember({"ast", "checked", "network", "anml", "routes", "tasks", "plan", "llvm"}))
        ->option_text("KIND");
    app.add_option("-f", front_end_, "-fsyntax-only: check names, types and units of the text, write nothing")
        ->check(CLI::IsMember({"syntax-only"}))
        ->option_text("syntax-only");
    model_.add(app, options_);
    app.add_option("--explain", explain_, "Explain a diagnostic by its name, such as unit-mismatch")
        ->option_text("NAME");
}

std::string CompileVerb::understand()
{
    using Form = EmulatorOptions::Form;
    if (std::string wrong = model_.set(options_); !wrong.empty()) return wrong;
    if (!explain_.empty()) return {};
    if (options_.sources.input.empty()) return "which file? Give an .anml file, or `-` for standard input";
    if (object_ + assembly_ + !emit_.empty() + !front_end_.empty() > 1)
        return "-c, -S, --emit and -fsyntax-only exclude each other";
    if (!front_end_.empty() && !emulator_.output.empty())
        return "-fsyntax-only writes no output, so -o has no meaning";
    emulator_.level = level_.value(OptLevel::O2);
    if (object_)
        form_ = Form::object;
    else if (assembly_)
        form_ = Form::assembly;
    else if (emit_ == "llvm")
        form_ = Form::llvm;
    else if (emit_.empty() && front_end_.empty())
        form_ = Form::executable;
    if (form_) emulator_.form = *form_;
    if (std::string wrong = set_output(); !wrong.empty()) return wrong;
    if (emulator_.commands_only && form_ != Form::executable)
        return "-### shows how an executable is linked, and here none is";
    if (emulator_.mpi && form_ != Form::executable)
        return "--mpi is about the executable, and here none is linked";
    return set_dependencies();
}

std::string CompileVerb::set_output()
{
    namespace fs = std::filesystem;
    using Form = EmulatorOptions::Form;
    const std::string& input = options_.sources.input;
    std::string& output = emulator_.output;
    const bool binary = form_ == Form::executable || form_ == Form::object;
    const bool file = binary || form_ == Form::assembly;
    if (!file && output.empty()) output = "-";
    if (binary && output == "-")
        return "an executable or object file is not written to standard output: give -o a name";
    if (file && output.empty()) {
        const char* const suffix = form_ == Form::object     ? ".o"
                                   : form_ == Form::assembly ? ".s"
                                   : input == "-"            ? ".out"
                                                             : "";
        output = (input == "-" ? "a" : fs::path(input).stem().string()) + suffix;
    }
    return wrong_output(output, input);
}

// -MD and -MF PATH, as compilers of C have them.
std::string CompileVerb::set_dependencies()
{
    const std::vector<std::string>& words = dependency_words_;
    if (words.empty()) return {};
    const bool wanted = std::find(words.begin(), words.end(), "D") != words.end();
    for (const std::string& word : words)
        if (word.starts_with("F")) rule_ = word.substr(1);
    if (!wanted) return "-MF says where the rule of -MD goes: give both";
    if (emulator_.output == "-") return "-MD makes a rule for a file, and here none is written";
    if (rule_.empty()) rule_ = emulator_.output + ".d";
    return {};
}

std::optional<std::string> CompileVerb::emitted(Session& session)
{
    if (emit_ == "ast") {
        const SyntaxTree* tree = session.tree();
        return tree ? std::optional(dump_syntax(session.sources(), *tree)) : std::nullopt;
    }
    if (emit_ == "checked") {
        const CheckedProgram* program = session.program();
        return program ? std::optional(dump_checked(*program)) : std::nullopt;
    }
    if (emit_ == "anml") session.keep_program();
    if (emit_ == "tasks" && !session.tasks()) return std::nullopt;
    if (emit_ == "plan") return session.plan() ? std::optional(dump_plan(*session.plan())) : std::nullopt;
    if (emit_ == "routes" && !session.routes()) return std::nullopt;
    const Network* network = session.network();
    if (!network) return std::nullopt;
    if (emit_ == "network") return dump_network(*network);
    if (emit_ == "routes") return dump_routes(*network, *session.routes());
    if (emit_ == "tasks") return dump_tasks(*network, *session.tasks());
    auto text =
        print_program(*session.program(), *network, output_folder(emulator_.output), session.diagnostics());
    session.done("print");
    return text;
}

bool CompileVerb::build(Session& session, std::string& text)
{
    if (form_) return write_emulator(session, emulator_, text);
    if (!front_end_.empty()) return session.program() != nullptr;
    auto result = emitted(session);
    if (result) text = std::move(*result);
    return result.has_value();
}

int CompileVerb::run(const CommandLine&)
{
    if (!explain_.empty()) return explain(explain_);
    Compilation compilation;
    Session session(options_, compilation);
    std::string text;
    bool good = session.end(build(session, text));
    if (good && !text.empty()) good = write_text(emulator_.output, text, compilation);
    if (good && !rule_.empty() && !emulator_.commands_only)
        good = keeps_inputs(rule_, compilation) &&
               write_file(rule_, dependency_rule(emulator_.output, compilation), compilation.diagnostics);
    print_diagnostics(options_.messages, compilation);
    return good ? 0 : kExitErrors;
}

}  // namespace

std::unique_ptr<Verb> verb_compile() { return std::make_unique<CompileVerb>(); }

}  // namespace anml
