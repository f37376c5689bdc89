#include "entry/options/option_pages.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "commandline/table.h"

namespace anml::rt::entry {

namespace {

// Under the name of the file, without its folder.
commandline::Command table(const CLI::App& app)
{
    commandline::Command command = commandline::table_of(app);
    command.name = command.name.substr(command.name.rfind('/') + 1);
    return command;
}

}  // namespace

std::string manual_page(const CLI::App& app, const abi::Image& image)
{
    const commandline::Command command = table(app);
    std::string title = command.name;
    for (char& c : title) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    std::string tunables;
    for (std::uint32_t i = 0; i < image.parameter_count; ++i) {
        const abi::ParameterRow& row = image.parameters[i];
        if (row.tunable == abi::kNone) continue;
        tunables += fmt::format(".TP\n.I {}\n{}\n", image.strings + row.name, image.strings + row.doc);
    }
    commandline::ManualPage page{
        title, fmt::format("emulates the network {}", image.strings + image.model_name), {}, "anml " ANML_VERSION};
    if (!tunables.empty()) page.sections.emplace_back("TUNABLES", tunables);
    page.sections.emplace_back("SEE ALSO", fmt::format("\\fB{} \\-\\-help\\fR describes the model.", command.name));
    return commandline::manual_page(command, page);
}

std::string completion(const CLI::App& app, const abi::Image& image, const std::string& shell)
{
    commandline::Shell which{};
    if (!commandline::find_shell(shell, which)) return "";
    commandline::Command command = table(app);
    std::vector<std::string> tunables, endpoints, subnets;
    for (std::uint32_t i = 0; i < image.parameter_count; ++i) {
        if (image.parameters[i].tunable != abi::kNone)
            tunables.push_back(fmt::format("{}=", image.strings + image.parameters[i].name));
    }
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i) {
        const char* name = image.strings + image.endpoints[i].name;
        endpoints.insert(endpoints.end(), {fmt::format("{}=tap:", name), fmt::format("{}=if:", name),
                                           fmt::format("{}=xdp:", name), fmt::format("{}=pcap:", name)});
        subnets.push_back(fmt::format("{}=", name));
    }
    commandline::set_choices(command, "--set", tunables);
    commandline::set_choices(command, "--attach", endpoints);
    commandline::set_choices(command, "--behind", subnets);
    commandline::set_choices(command, "--map", subnets);
    return commandline::completion(command, which);
}

}  // namespace anml::rt::entry
