#include "driver/run_checks.h"

#include "lint/lint.h"

namespace anml {

namespace {

// False after an error that keeps requirements from being asked, or in one of them.
bool ask_requirements(Session& session, const NetworkObserver& observer)
{
    if (!observer) return session.requirements() != nullptr;
    if (!session.fluid()) return false;
    std::vector<double> answers;
    const bool good = session.requirements(&answers) != nullptr;
    observer(*session.network(), answers);
    return good;
}

}  // namespace

bool run_checks(Session& session, const NetworkObserver& observer)
{
    return session.end(session.each_model(true, [&] { return ask_requirements(session, observer); }));
}

bool run_linter(Session& session, const NetworkObserver& observer)
{
    session.keep_tree();
    const WarningOptions& warnings = session.options().warnings;
    if (const SyntaxTree* tree = session.expanded_tree()) {
        lint_text(session.sources(), *tree, warnings, session.diagnostics());
        session.done("lint text");
    }
    // An experiment's network is its model's.
    const bool good = session.each_model(false, [&] {
        if (!ask_requirements(session, observer)) return false;
        const TaskGraph* tasks = session.tasks();
        if (!tasks) return false;
        lint_network({session.sources(), *session.expanded_tree(), *session.network(), *session.routes(), *tasks},
                     warnings, session.diagnostics());
        session.done("lint");
        return true;
    });
    return session.end(good, true);
}

}  // namespace anml
