// anmlc graph FILE: the network as a picture, or as a graph for other programs.
#include "driver/commands.h"

namespace anml {

// What compiling ends with is a text, which goes where the options say.
int cmd_graph(const Options& options) { return cmd_compile(options); }

}  // namespace anml
