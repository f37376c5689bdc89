#include "syntax/errors/foreign_text.h"

#include <algorithm>

#include "common/ascii.h"

namespace anml {

namespace {

struct Form {
    std::string_view begins;    // its first line that is no comment
    std::string_view contains;  // besides, anywhere; empty: anything
    ForeignText text;
};

constexpr ForeignText kXml{"XML", "`anmlc import` makes a model of GraphML: `anmlc import lab.graphml -o lab.anml`"};
constexpr ForeignText kJson{"JSON",
                            "`anmlc import` makes a model of node-link data: `anmlc import lab.json -o lab.anml`"};
constexpr ForeignText kDot{"Graphviz's DOT", "`anmlc import` makes a model of it: `anmlc import lab.dot -o lab.anml`"};
constexpr ForeignText kGml{"GML", "`anmlc import` makes a model of it: `anmlc import lab.gml -o lab.anml`"};
constexpr ForeignText kYaml{
    "YAML", "`anmlc import` makes a model of a topology of containerlab: `anmlc import lab.clab.yml -o lab.anml`"};
constexpr ForeignText kTerraform{"HCL, as of Terraform",
                                 "a model is written `model Name { ... }`, with `host`, `router` and `link` in it"};
constexpr ForeignText kNed{"NED, as of OMNeT++",
                           "a network is written `model Name { ... }`, a module `component Name { ... }`; nodes, "
                           "instances and links stand in it, without sections"};
constexpr ForeignText kPython{"Python", "a model is written `model Name { ... }`, with `host`, `router` and `link` in "
                                        "it; from Python, the package `anml` compiles and runs it"};

constexpr ForeignText kJavaScript{
    "JavaScript", "a load test is a model with a workload, `workload w : web.ClosedLoop on user[*] { ... }`; its "
                  "requests may be a file, `web.requests(\"shop.http\")`"};
constexpr ForeignText kCpp{"C++", "a model is written `model Name { ... }`, with `host`, `router` and `link` in it"};

constexpr ForeignText kIni{"INI or TOML",
                           "a model is written `model Name { ... }`, with `host`, `router` and `link` in it"};

constexpr Form kForms[] = {
    {"<", "", kXml},
    {"[", "\":", kJson},
    {"{", "\":", kJson},
    {"[", "]\n", kIni},
    {"graph [", "", kGml},
    {"Creator ", "graph", kGml},
    {"---", "", kYaml},
    {"%YAML", "", kYaml},
    {"resource \"", "", kTerraform},
    {"variable \"", "", kTerraform},
    {"provider \"", "", kTerraform},
    {"module \"", "", kTerraform},
    {"data \"", "", kTerraform},
    {"output \"", "", kTerraform},
    {"terraform {", "", kTerraform},
    {"locals {", "", kTerraform},
    {"package ", ";", kNed},
    {"network ", "submodules:", kNed},
    {"module ", "submodules:", kNed},
    {"simple ", "gates:", kNed},
    {"import ", "submodules:", kNed},
    {"#!", "python", kPython},
    {"\"\"\"", "import ", kPython},
    {"from ", "import ", kPython},
    {"import ", "from mininet", kPython},
    {"class ", "def ", kPython},
    {"def ", "", kPython},
    {"import ", " from '", kJavaScript},
    {"import ", " from \"", kJavaScript},
    {"export ", "", kJavaScript},
    {"const ", "require(", kJavaScript},
    {"using namespace ", "", kCpp},
    {"int main(", "", kCpp},
    {"NS_LOG_COMPONENT_DEFINE", "", kCpp},
};

// Languages whose lines stand in files of ours, too.
bool may_be_ours(std::string_view name)
{
    return name == kPython.name || name == kJavaScript.name || name == kCpp.name || name == kNed.name;
}

// Behind comments, of whatever language.
std::string_view first_line(std::string_view text)
{
    if (text.starts_with("#!")) return text.substr(0, text.find('\n'));
    bool comment = false;  // between /* and */
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        comment = comment || line.starts_with("/*");
        if (!comment && !line.empty() && !line.starts_with("#") && !line.starts_with("//")) return line;
        if (line.ends_with("*/")) comment = false;
    }
    return {};
}

// `name:`, `name: value`.
bool is_yaml(std::string_view line)
{
    const std::size_t colon = line.find(':');
    if (colon == 0 || colon == std::string_view::npos) return false;
    const auto in_key = [](char c) { return in_word(c) || c == '-' || c == '.'; };
    return std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon), in_key) &&
           (colon + 1 == line.size() || line[colon + 1] == ' ');
}

// `graph lab {`, where a `graph` of a model has its file in parentheses.
bool is_dot(std::string_view line)
{
    const bool word = line.starts_with("graph") || line.starts_with("digraph") || line.starts_with("strict ");
    return word && line.find('(') == std::string_view::npos && (line.ends_with('{') || line.find(" {") != line.npos);
}

}  // namespace

std::optional<ForeignText> foreign_text(std::string_view text)
{
    const std::string_view line = first_line(text);
    for (const Form& form : kForms)
        if (line.starts_with(form.begins) && text.find(form.contains) != std::string_view::npos &&
            (!may_be_ours(form.text.name) || text.find("\nmodel ") == std::string_view::npos))
            return form.text;
    if (is_dot(line)) return kDot;
    if (is_yaml(line)) return kYaml;
    return std::nullopt;
}

}  // namespace anml
