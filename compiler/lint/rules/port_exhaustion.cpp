// Hosts whose local ports are all in TIME_WAIT before long.
#include "analysis/traffic/port_shortages.h"

#include "lint/rules.h"

namespace anml {

void lint_port_exhaustion(LintContext& context)
{
    for (const PortShortage& shortage :
         port_shortages(context.network, context.flows, context.traffic, context.tunables))
        context.find(shortage.badness(), {Diag::port_exhaustion,
                                          shortage.workload->span,
                                          describe_shortage(context.network, shortage),
                                          more_ports(shortage),
                                          {},
                                          {}});
}

}  // namespace anml
