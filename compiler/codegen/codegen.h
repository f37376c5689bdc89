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
    bool secured = false;            // the model speaks TLS: what does is to be linked with it
    bool hashes = false;             // it makes hashes: so is what does
};

enum class TablePlacement : std::uint8_t {
    within,  // the object stands alone
    apart,   // large tables are to be linked from an object of their own (table_object.h)
};

struct CodegenOptions {
    OptLevel level = OptLevel::O0;
    TablePlacement placement = TablePlacement::within;
    // The runtime's bitcode, to be compiled with the model as one program; "": the model alone.
    std::string runtime = {};
};

// Defines `anml_image`, its tables and `bind`; with the runtime's bitcode also what the emulator enters that by.
std::optional<ObjectFile> generate_object(const Plan& plan, const CodegenOptions& options, Diagnostics& diagnostics);
// -S: the object's text, for the assembler.
std::optional<std::string> dump_assembly(const Plan& plan, const CodegenOptions& options, Diagnostics& diagnostics);
// --emit=llvm: textual IR, optimised as the object is. Large tables are apart.
std::optional<std::string> dump_llvm(const Plan& plan, const CodegenOptions& options, Diagnostics& diagnostics);

}  // namespace anml
