// Which names a place in the text can use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lsp/documents/snapshot.h"

namespace anml::lsp {

// From near to far.
enum class Reach : std::uint8_t { block, file, module, prelude };

struct VisibleName {
    std::string name;
    SyntaxId declaration;  // invalid: a module
    Reach reach{};
    std::optional<Import> module;  // what the file imports by that name
};

// Of blocks and parameters around the place, of the file, what it imports, and the prelude.
std::vector<VisibleName> visible_names(const Snapshot& snapshot, FileId file, std::uint32_t offset);
// What a module exports.
std::vector<VisibleName> names_of_module(const Snapshot& snapshot, const Import& module);
// What a name between dots means: "web.ClosedLoop"; invalid: nothing that is declared.
SyntaxId find_declaration(const Snapshot& snapshot, FileId file, std::uint32_t offset, std::string_view dotted);

const Schema* schema_of(const Snapshot& snapshot, SyntaxId declaration);  // nullptr: it is none
const Component* component_of(const Snapshot& snapshot, SyntaxId declaration);
// The schema of the values that are given in a profile's braces.
const Schema* schema_of_profile(const Snapshot& snapshot, SyntaxId declaration);
// Of components, profiles, functions and processes; nothing: nobody knows.
std::optional<Type> type_of_parameter(const Snapshot& snapshot, SyntaxId declaration);
// Of what is declared there, in their order; of an instance those of its component.
std::vector<SyntaxId> parameters_of(const Snapshot& snapshot, SyntaxId declaration);
// What the declaration of a component's name is, of an instance.
SyntaxId component_declaration(const Snapshot& snapshot, SyntaxId instance);

}  // namespace anml::lsp
