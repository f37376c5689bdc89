// Stage 8: the plan as a native object file, through LLVM. LLVM's types stay behind this header.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostics.h"
#include "plan/plan.h"

namespace anml {

enum class OptLevel : std::uint8_t { O0, O2 };

struct ObjectFile {
    std::string bytes;  // ELF relocatable
};

// Defines `anml_image`, its tables and `bind`.
std::optional<ObjectFile> generate_object(const Plan& plan, OptLevel level, Diagnostics& diagnostics);
std::string dump_llvm(const Plan& plan, OptLevel level);  // --emit=llvm: textual IR

}  // namespace anml
