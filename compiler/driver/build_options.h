// What verbs say to the stages, and to those who read what the stages say.
#pragma once

#include <optional>
#include <string>

#include "codegen/codegen.h"
#include "elaborate/network.h"
#include "lint/warnings.h"
#include "partition/partition.h"
#include "source/render.h"
#include "source/source_set.h"
#include "source/unsaved_texts.h"

namespace anml {

struct MessageOptions {
    ErrorFormat format = ErrorFormat::human;
    bool color = false;
    bool verbose = false;               // the log of the stages, too
    std::optional<std::string> output;  // diagnostics are the result, which goes there, "-": standard output
};

struct BuildOptions {
    SourceOptions sources;
    const UnsavedTexts* unsaved = nullptr;  // of an editor; nullptr: there is none
    ElaborateOptions elaborate;
    PartitionOptions partition;
    WarningOptions warnings;
    MessageOptions messages;
};

// Of the emulator that a plan becomes.
struct EmulatorOptions {
    enum class Form : std::uint8_t { executable, object, assembly, llvm };
    Form form = Form::executable;
    OptLevel level = OptLevel::O2;
    std::string output;          // "-": standard output, for what is text
    bool commands_only = false;  // -###
    bool mpi = false;            // it knows where the plugin is
};

}  // namespace anml
