// Figures, from the rows of links.
#include "lint/lint_context.h"

namespace anml {

LintContext::LintContext(const LintInput& lint_input)
    : LintDiagnostics(lint_input.sources, lint_input.tree),
      input(lint_input),
      network(lint_input.network),
      tunables(default_tunables(lint_input.network)),
      flows(find_flows(lint_input.network, lint_input.routes)),
      traffic(expect_rates(lint_input.network, flows, tunables))
{
}

double LintContext::direction(std::uint32_t link, ValueExprId (LinkArray::*member)[2]) const
{
    const LinkArray& row = group(link);
    return value((row.*member)[(link - row.first_link) % 2]);
}

}  // namespace anml
