// Prints what compilations have to say, on standard error; those of `check` and `lint` where --format has them go.
#pragma once

#include "driver/session.h"
#include "source/sarif.h"

namespace anml {

// Of one after the other; a SARIF log holds them all, and is printed by `end`.
class DiagnosticsPrinter {
  public:
    explicit DiagnosticsPrinter(const MessageOptions& options);
    void add(const Compilation& compilation);
    // Writes what is held back. False, and a message, where it cannot be written.
    bool end();

  private:
    const MessageOptions& options_;
    void put(const std::string& text);

    SarifLog log_;
    std::string held_;  // that a file is to have
};

void print_diagnostics(const MessageOptions& options, const Compilation& compilation);  // of a single one

}  // namespace anml
