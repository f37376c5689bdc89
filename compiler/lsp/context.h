// In which braces a place is, and what may be given there.
#pragma once

#include <string>
#include <string_view>

#include "lsp/scope.h"
#include "lsp/words.h"

namespace anml::lsp {

class Context {
  public:
    Context(const Snapshot& snapshot, const Words& words, std::uint32_t offset)
        : s_(snapshot), w_(words), offset_(offset)
    {
    }

    struct Head {
        std::string_view first;          // the statement's first word
        const Schema* schema = nullptr;  // of the attributes in its braces
        bool statements = false;         // its braces hold statements
    };

    // Of the statement whose braces those are; of blocks for a direction, the one around.
    Head attributes_around(std::size_t bracket) const;
    // The type of the attribute whose value is being written; nullptr: nobody knows.
    const Type* wanted_type() const;
    // The dotted name that begins with that word.
    std::string dotted_at(std::size_t begin) const;
    std::size_t statement_here() const { return w_.statement_of(w_.count()); }

  private:
    Head head_of(std::size_t bracket) const;
    // `link a: x -- y : profile {`: what the name behind the last colon outside of brackets means.
    const Schema* behind_colon(std::size_t begin, std::size_t bracket, std::string_view first) const;

    const Snapshot& s_;
    const Words& w_;
    std::uint32_t offset_;
};

}  // namespace anml::lsp
