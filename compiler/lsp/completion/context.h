// In which braces a place is, and what may be given there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lsp/completion/scope.h"
#include "lsp/completion/tokens.h"

namespace anml::lsp {

class Context {
  public:
    Context(const Snapshot& snapshot, const CursorTokens& words, std::uint32_t offset)
        : s_(snapshot), w_(words), offset_(offset)
    {
    }

    struct Head {
        std::string_view first;          // the statement's first word
        const Schema* schema = nullptr;  // of the attributes in its braces
        bool statements = false;         // its braces hold statements
        bool timeline = false;           // its braces hold actions of the timeline
        bool changes = false;            // attributes that these set: those that may change
    };

    // Of the statement whose braces those are; of blocks for a direction, the one around.
    Head attributes_around(std::size_t bracket) const;
    // The type of the value that is written behind so many words: of an attribute, a parameter, an argument, an
    // element, a time, what is compared. Nothing: nobody knows.
    std::optional<Type> expected_type(std::size_t behind) const;
    // Whether what stands in these parentheses declares parameters.
    bool declares_parameters(std::size_t bracket) const;
    // What is called there, whose arguments stand in the parentheses; invalid: nothing that is declared.
    SyntaxId called(std::size_t bracket) const;
    // The component, model or experiment around: the bracket of its body; kNone: there is none.
    std::size_t body_around(std::size_t bracket) const;
    // What the declaration with that body extends: "Shop"; "": nothing.
    std::string base_of(std::size_t body) const;
    // How many commas stand before the place in that bracket.
    std::size_t commas(std::size_t bracket, std::size_t behind) const;
    // The dotted name that begins with that word.
    std::string dotted_at(std::size_t begin) const;
    std::size_t statement_here() const { return w_.statement_of(w_.count()); }

  private:
    Head head_of(std::size_t bracket) const;
    // Of a type's name that is written there, behind words like `random`.
    std::optional<Type> type_at(std::size_t begin) const;
    std::optional<Type> declared_type(std::size_t bracket, std::size_t behind) const;
    bool in_schema(std::size_t bracket) const;
    std::optional<Type> argument_type(std::size_t bracket, std::size_t behind) const;
    std::optional<Type> type_of_operand(std::size_t end) const;
    std::optional<Type> attribute_type(std::size_t bracket, std::string_view name) const;
    std::optional<Type> factor_type(std::size_t bracket, std::size_t behind) const;
    void add_subject(std::size_t bracket, Head& head) const;
    // `link a: x -- y : profile {`: what the name behind the last colon outside of brackets means.
    const Schema* behind_colon(std::size_t begin, std::size_t bracket, std::string_view first) const;

    const Snapshot& s_;
    const CursorTokens& w_;
    std::uint32_t offset_;
};

}  // namespace anml::lsp
