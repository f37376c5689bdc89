// The documentation of a module, read from its syntax tree: what `///` says of it and of each of its declarations.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "syntax/syntax_tree.h"

namespace anml {

struct MemberDoc {
    std::string name, type, preset, text;  // of attributes and parameters; of an enum's values: name and text
};

// What a component has inside that others can name, or that holds for it; a `let` where one of these asks for it.
struct InsideDoc {
    enum class Part : std::uint8_t { port, node, instance, constant, link, workload, factor, requirement };
    Part part{};
    std::string text;   // as it is written, on one line: "link up[s]: node[*] -- spine[s] : wire"
    std::string where;  // the loops and conditions that it stands in: "for s in 0 ..< spines"
    std::string about;
    std::string from;  // the component that it is inherited from; "": its own
};

struct DeclarationDoc {
    std::string kind, name, signature, text;
    std::vector<MemberDoc> members;
    std::vector<InsideDoc> inside;  // of a component: ports first
    // Of a component, for a page: pictures, SVG, and the instance that they show. "": none.
    std::string picture, dark_picture, pictured;
};

struct ModuleDoc {
    std::string name, text;
    std::vector<DeclarationDoc> declarations;  // in the order of the text
};

// Components, each with the one that it extends: by the spans of their names.
using Bases = std::vector<std::pair<Span, Span>>;

// The documentation of a file; what was there before in `module` is kept: a module may be several files.
// What components inherit is shown as far as `bases` says from where.
void add_file_doc(const SourceSet& sources, const SyntaxTree& tree, FileId file, const Bases& bases, ModuleDoc& module);

std::string markdown(const ModuleDoc& module);
std::string plain_text(const ModuleDoc& module);
std::string page(const std::vector<ModuleDoc>& modules);  // one HTML file, which opens offline

}  // namespace anml
