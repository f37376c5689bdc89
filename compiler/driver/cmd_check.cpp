// anmlc check FILE: every stage that can find an error, and nothing written.
#include "driver/commands.h"
#include "driver/report.h"

namespace anml {

int cmd_check(const Options& options)
{
    Compilation compilation;
    bool good = compile(options, compilation);
    print_report(options, compilation);
    return good ? 0 : kExitErrors;
}

}  // namespace anml
