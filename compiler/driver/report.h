// Prints what compilations have to say, on standard error; findings of `check` and `lint` where --format has them go.
#pragma once

#include "driver/compile.h"
#include "source/sarif.h"

namespace anml {

// Of one after the other; a SARIF log holds them all, and is printed by `end`.
class Reporter {
  public:
    explicit Reporter(const Options& options);
    void add(const Compilation& compilation);
    // Writes what is held back. False, and a message, where it cannot be written.
    bool end();

  private:
    const Options& options_;
    void put(const std::string& text);

    SarifLog log_;
    std::string held_;  // that a file is to have
};

void print_report(const Options& options, const Compilation& compilation);  // of a single one

}  // namespace anml
