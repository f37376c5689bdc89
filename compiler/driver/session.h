// The stages, from files to a plan. Each runs when somebody asks for its output, behind those that it needs.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "check/checked_program.h"
#include "driver/build_options.h"
#include "plan/plan.h"
#include "route/route.h"
#include "syntax/syntax_tree.h"

namespace anml {

// A stage broke its own promises: a bug of ours.
struct InternalError : std::logic_error {
    using std::logic_error::logic_error;
};

// What a command line's stages have read and said.
struct Compilation {
    SourceSet sources;  // as far as they could be read
    Diagnostics diagnostics;
    std::string log;                      // -v: a line per stage
    std::vector<std::string> data_files;  // read beside the sources
};

// What the stages up to `check` came to, without an error.
struct FrontEnd {
    const SourceSet& sources;
    const SyntaxTree& tree;
    const CheckedProgram& program;
    const Diagnostics& diagnostics;
};

// Every stage returns its output, or nullptr after it, or one before it, reported an error. Of what the first ones
// understood of a text with errors nothing is shown. Of a large model outputs are hundreds of megabytes: the tree goes
// when the network is made, and so does the program, unless they are kept; all else goes with the plan. Debug builds
// verify every output.
class Session {
  public:
    // Both outlive the session.
    Session(const BuildOptions& options, Compilation& compilation);
    // Goes on behind `check`. There is no tree.
    Session(const BuildOptions& options, const FrontEnd& front_end, Compilation& compilation);

    void keep_tree() { keep_tree_ = true; }
    void keep_program() { keep_program_ = true; }

    const SyntaxTree* tree();           // of the files as they are
    const SyntaxTree* expanded_tree();  // with what `graph` and `table` declarations read
    const CheckedProgram* program();
    const Network* network();  // of the model that the options name, or of the one that `each_model` has come to
    const RouteTables* routes(RouteScope scope = RouteScope::needed);  // the scope of the first question counts
    bool fluid();                                                      // it fits where routes lead it
    // `answers`: what path queries are worth at the tunables' defaults, also where a requirement fails.
    const Requirements* requirements(std::vector<double>* answers = nullptr);
    const TaskGraph* tasks();
    const Plan* plan();

    // Does `work` for all models and experiments of the main file, or models alone, since each has errors of its own;
    // once for the options' where they name one or give it parameters. Of a library, whose declarations `program`
    // looked at, nothing is built. False: one was not good.
    template <class Work>
    bool each_model(bool experiments, Work&& work)
    {
        bool good = program() != nullptr;
        if (!good) return false;
        const std::vector<std::string> models = models_to_build(experiments);
        for (std::size_t i = 0; i < models.size(); ++i) {
            begin_model(models[i], i + 1 == models.size());
            good = work() && good;
        }
        every_model_ = good && !models.empty();
        return good;
    }

    // Warnings that the text allows, or -W leaves out, go. What is written has to pass this first: -Werror may make
    // errors of others. False: there are errors.
    bool filter_warnings();
    // The same at the end, if it was not done before. `complete`: everything that warns had its say about every model.
    bool end(bool good, bool complete = false);

    // What is behind the stages, or beside them, has ended: a line of the log with the time since the one before.
    // Debug builds have `verify` look at its output: "" or what is broken.
    void done(const char* stage, const std::function<std::string()>& verify = nullptr);

    const BuildOptions& options() const { return options_; }
    const SourceSet& sources() const { return c_.sources; }
    Diagnostics& diagnostics() { return c_.diagnostics; }
    Compilation& compilation() { return c_; }

  private:
    bool read();
    bool expand();
    std::vector<std::string> models_to_build(bool experiments);
    void begin_model(const std::string& name, bool last);

    const BuildOptions& options_;
    Compilation& c_;
    ElaborateOptions elaborate_;  // the options', with the model
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();

    bool keep_tree_ = false, keep_program_ = false;
    bool last_model_ = true, every_model_ = false;
    bool whole_ = true;  // every module was found; where one is missing the rest is looked at, as far as `check`
    bool empty_ = false;  // the main file declares nothing: it was cut short, or is the wrong one, and is no library
    // How far it has come: a stage that failed does not run again.
    bool read_ = false, expanded_ = false, checked_ = false, elaborated_ = false, routed_ = false, required_ = false,
         divided_ = false, planned_ = false;
    std::optional<bool> fluid_;
    bool filtered_ = false;
    std::optional<Allowances> allowances_;

    std::optional<SyntaxTree> tree_;
    std::optional<CheckedProgram> program_;
    std::optional<Network> network_;
    std::optional<RouteTables> routes_;
    std::optional<Requirements> requirements_;
    std::optional<TaskGraph> tasks_;
    std::optional<Plan> plan_;
};

}  // namespace anml
