// Drawing on standard error where that is a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace anml::rt {

struct TerminalSize {
    std::size_t columns = 80, rows = 24;  // where it does not say
};
TerminalSize terminal_size();

bool in_foreground();  // or another process group has it
// Not while another has it, somebody has stopped it (Ctrl-S), or reads too slowly.
bool takes_output();

// Never throws: the terminal may be gone.
void draw(const std::string& text);

}  // namespace anml::rt
