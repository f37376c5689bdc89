// Ctrl-C, termination and the end of the terminal: the first asks the run to stop, which then still writes its results;
// the second kills. A run that does not stop for ten seconds (all that happens happens at one instant) is ended without
// results.
#pragma once

#include <atomic>

namespace anml::rt::entry {

// Installs the handlers; the flag becomes true at the first SIGINT, SIGTERM or, unless it is ignored, SIGHUP.
const std::atomic<bool>& catch_interrupts();

// The run has come to its end: what is left to do may take its time.
void stopped();

// Another process of the run was interrupted by that signal: so this one is to stop, too.
void interrupted_elsewhere(int number);

// The signal that came, 0 if none did.
int interrupted_by();

}  // namespace anml::rt::entry
