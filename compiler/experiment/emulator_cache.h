// Emulators in the folder of an experiment which need not be compiled again, because all that they were made of is as
// it was: the command, anmlc and its runtime, and every file that it read. `PATH.made` beside the emulator says what.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace anml {

// Files of a makefile rule as anmlc writes it (-MF).
std::vector<std::string> files_of_rule(const std::string& rule);

// The hash of the emulator at `path`, if that is what `command` would make now; nothing: nobody knows.
std::optional<std::string> cached_emulator(const std::string& path, const std::vector<std::string>& command);
// `command`, which began then and read these files, has made it, with that hash. Where it cannot be written, or one of
// them has changed meanwhile, the emulator is compiled again next time.
void cache_emulator(const std::string& path, const std::vector<std::string>& command,
                    std::filesystem::file_time_type begun, const std::vector<std::string>& files, const std::string& hash);

}  // namespace anml
