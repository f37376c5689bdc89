// Both come from the table of options; names of diagnostics and of modules are added to it.
#include "driver/options/option_pages.h"

#include "base/diagnostics.h"
#include "commandline/table.h"
#include "source/embedded_modules.h"

namespace anml {

std::string manual_page(const CLI::App& app)
{
    return commandline::manual_page(commandline::table_of(app),
                                    {"ANMLC",
                                     "compile models of networks into emulators",
                                     {{"FILES",
                                       ".TP\n.I *.anml\nModels and modules. The standard library is built in; "
                                       "\\fBanmlc doc\\fR prints it."},
                                      {"SEE ALSO",
                                       "Every emulator that anmlc makes has a manual page of its own: "
                                       "\\fB./emu \\-\\-print\\-man | man \\-l \\-\\fR."}},
                                     "anmlc " ANML_VERSION});
}

std::string shell_completion(const CLI::App& app, const std::string& shell)
{
    commandline::Command table = commandline::table_of(app);
    std::vector<std::string> names, warnings{"error"}, modules{"std"};
    for (std::string_view name : diagnostic_names()) {
        names.emplace_back(name);
        if (diagnostic_severity(*find_diagnostic(name)) == Severity::warning) {
            warnings.push_back("no-" + std::string(name));
            warnings.emplace_back(name);
        }
    }
    for (const EmbeddedModule& embedded : embedded_modules()) {
        if (modules.back() != embedded.module) modules.emplace_back(embedded.module);
    }
    commandline::set_choices(table, "--explain", names);
    commandline::set_choices(table, "NAME", names);
    commandline::set_choices(table, "-W", warnings);
    commandline::set_choices(table, "MODULE|FILE|FOLDER...", modules);
    commandline::Shell which{};
    commandline::find_shell(shell, which);
    return commandline::completion(table, which);
}

}  // namespace anml
