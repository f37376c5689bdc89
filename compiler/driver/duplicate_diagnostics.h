// What was said already is not said again: of what two models of a file share, or two files import.
#pragma once

#include <set>
#include <string>
#include <tuple>

#include "driver/session.h"

namespace anml {

class DuplicateDiagnostics {
  public:
    void drop(Compilation& compilation);  // which has sources

  private:
    std::set<std::tuple<Diag, std::string, std::uint32_t, std::string>> said_;
};

}  // namespace anml
