// The folder of an experiment: one runs in it at a time, and of one text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "experiment/experiment.h"

namespace anml {

class ExperimentFolder {
  public:
    ExperimentFolder() = default;
    ~ExperimentFolder();
    ExperimentFolder(const ExperimentFolder&) = delete;
    ExperimentFolder& operator=(const ExperimentFolder&) = delete;

    // "": it is there, holds nothing of another text, and nobody else runs in it as long as this lives.
    std::string begin(const ExperimentRequest& request, const SourceSet& sources);
    // Adds to experiment.json which warm-up all runs have, and why. False: it cannot be written.
    static bool note_warmup(const std::string& folder, const nlohmann::ordered_json& found);

  private:
    std::string take(const std::string& folder);

    int lock_ = -1;  // descriptor
};

}  // namespace anml
