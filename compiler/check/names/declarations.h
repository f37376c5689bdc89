// From each name in the text to what declares it: what an editor asks for. `check` makes it on demand, of texts with
// errors too, as far as they are understood.
//
// Names are tokens. One that declares something means itself, and so does the last part of an import's path, or its
// alias, which is what the file calls the module. Where several tokens declare one thing, as links of one name with
// other indices do, the first is the declaration. A name has none that is built into the language, such as `int`,
// `min`, the `index` of an array or the `up` of a link, or the name of a folder in an import's path.
#pragma once

#include <vector>

#include "syntax/syntax_tree.h"

namespace anml {

class Declarations {
  public:
    // Invalid where there is none, or the name was not understood.
    TokenId of(TokenId name) const { return name.value < by_name_.size() ? by_name_[name.value] : TokenId{}; }
    // All tokens that mean it, in the order of files, and itself.
    std::vector<TokenId> names_of(TokenId declaration) const;

    // While names are looked up, in any order; of a name that is noted twice the last holds.
    void note(Span name, Span declaration) { notes_.push_back({name, declaration}); }
    // After that, once.
    void finish(const SourceSet& sources, const SyntaxTree& tree);

  private:
    struct Note {
        Span name, declaration;
    };
    std::vector<Note> notes_;
    std::vector<TokenId> by_name_;  // by token
};

// The token that begins there; invalid if none does.
TokenId token_at(const SyntaxTree& tree, FileId file, std::uint32_t begin);

}  // namespace anml
