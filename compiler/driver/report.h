// Prints what compilations have to say, on standard error.
#pragma once

#include "driver/compile.h"
#include "source/sarif.h"

namespace anml {

// Of one after the other; a SARIF log holds them all, and is printed by `end`.
class Reporter {
  public:
    explicit Reporter(const Options& options);
    void add(const Compilation& compilation);
    void end();

  private:
    const Options& options_;
    SarifLog log_;
};

void print_report(const Options& options, const Compilation& compilation);  // of a single one

}  // namespace anml
