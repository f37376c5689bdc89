// anmlc rerun FOLDER: a run of an experiment once more, and what differs.
#include "driver/verb.h"
#include "experiment/experiment.h"

namespace anml {

namespace {

class RerunVerb : public Verb {
  public:
    RerunVerb() : Verb("rerun", "Run again what an experiment has run, and say what differs") {}

    void add_options(CLI::App& app) override
    {
        app.add_option("folder", folder_, "Of the run: FOLDER/runs/NAME")->required()->option_text("FOLDER");
    }
    int run(const CommandLine&) override { return rerun(folder_); }

  private:
    std::string folder_;
};

}  // namespace

std::unique_ptr<Verb> verb_rerun() { return std::make_unique<RerunVerb>(); }

}  // namespace anml
