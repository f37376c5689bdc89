// Manual pages, in the macros of man(7).
#include <fmt/format.h>

#include "commandline/table.h"

namespace anml::commandline {

namespace {

// Text for roff: hyphens that stay hyphens, no accidental requests, line breaks kept.
std::string roff(std::string_view text)
{
    std::string out;
    bool line = true;
    for (char c : text) {
        if (line && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\n') {
            out += "\n.br\n";
        } else {
            out += c == '-' ? "\\-" : c == '\\' ? "\\e" : std::string(1, c);
        }
        line = c == '\n';
    }
    return out;
}

std::string option_text(const Option& option)
{
    std::string head;
    for (const std::string& name : option.names) {
        const char* gap = option.joined || name.size() == 2 ? "" : "=";
        head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", roff(name));
        if (!option.argument.empty()) head += fmt::format("{}\\fI{}\\fR", gap, roff(option.argument));
    }
    if (option.names.empty()) head = fmt::format("\\fI{}\\fR", roff(option.argument));
    return fmt::format(".TP\n{}\n{}\n", head, roff(option.text));
}

}  // namespace

std::string manual_page(const Command& program, const ManualPage& page)
{
    std::string out = fmt::format(".TH {} 1 \"\" \"{}\" \"User Commands\"\n", page.title, roff(page.source));
    out += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", roff(program.name), roff(page.summary));
    out += fmt::format(".B {}\n[\\fIOPTIONS\\fR]", roff(program.name));
    for (const Option& option : program.options)
        if (option.names.empty()) out += fmt::format(" \\fI{}\\fR", roff(option.argument));
    for (const Command& sub : program.commands) {
        out += fmt::format("\n.br\n.B {} {}\n[\\fIOPTIONS\\fR]", roff(program.name), roff(sub.name));
        for (const Option& option : sub.options)
            if (option.names.empty()) out += fmt::format(" \\fI{}\\fR", roff(option.argument));
    }
    out += fmt::format("\n.SH DESCRIPTION\n{}\n.SH OPTIONS\n", roff(program.text));
    for (const Option& option : program.options) out += option_text(option);
    if (!program.commands.empty()) out += ".SH COMMANDS\n";
    for (const Command& sub : program.commands) {
        out += fmt::format(".SS {}\n{}\n", roff(sub.name), roff(sub.text));
        for (const Option& option : sub.options) out += option_text(option);
        if (!sub.footer.empty()) out += fmt::format(".PP\n{}\n", roff(sub.footer));
    }
    if (!program.footer.empty()) out += fmt::format(".SH EXIT STATUS\n{}\n", roff(program.footer));
    for (const auto& [title, text] : page.sections) out += fmt::format(".SH {}\n{}\n", title, text);
    return out;
}

}  // namespace anml::commandline
