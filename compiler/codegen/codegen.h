// Stage 8: the plan as a native object file, through LLVM. LLVM's types stay behind this header.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "codegen/table_object.h"
#include "plan/plan.h"

namespace anml {

enum class OptLevel : std::uint8_t { O0, O2 };

struct ObjectFile {
    std::string bytes;               // ELF relocatable
    std::vector<LargeTable> tables;  // that it refers to and does not hold; they live as long as the plan
};

enum class TablePlacement : std::uint8_t {
    within,  // the object stands alone
    apart,   // large tables are to be linked from an object of their own (table_object.h)
};

// Defines `anml_image`, its tables and `bind`.
std::optional<ObjectFile> generate_object(const Plan& plan, OptLevel level, TablePlacement placement,
                                          Diagnostics& diagnostics);
// --emit=llvm: textual IR. Large tables are apart.
std::string dump_llvm(const Plan& plan, OptLevel level);

}  // namespace anml
