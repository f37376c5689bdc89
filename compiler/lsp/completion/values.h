// What an expression may begin with at a place: what fits the type that is wanted first, and not what cannot.
#pragma once

#include "lsp/completion/completion_items.h"
#include "lsp/completion/context.h"

namespace anml::lsp {

class Values {
  public:
    Values(const Snapshot& snapshot, const CursorTokens& words, const Context& context, CompletionItems& items)
        : s_(snapshot), w_(words), context_(context), items_(items)
    {
    }

    // `paths`: what asks for paths and measures may stand there.
    void add(const std::optional<Type>& wanted, bool paths);
    // The functions of what workloads and links measure.
    void measures();
    // What the timeline changes, or the nodes alone.
    void subjects(bool nodes);
    // What is behind the dot that is the last word.
    void members(std::uint32_t offset);

  private:
    // Of what is declared there, and `path`, which goes on from it.
    void members_of(SyntaxId declaration, std::string_view path);
    enum class Sort : std::uint8_t { anything, part, enumeration, schema, number, other };

    static Sort sort_of(const std::optional<Type>& wanted);
    void profiles(std::uint32_t schema);
    bool is_profile_of(const VisibleName& name, std::uint32_t schema) const;
    // Where the name comes among the others; nothing: it cannot stand there.
    std::optional<char> order_of(const VisibleName& name, const std::optional<Type>& wanted) const;
    std::optional<char> order_of_part(const VisibleName& name, const Type& wanted) const;
    const Type* type_of_function(SyntaxId declaration) const;  // nullptr: nobody knows
    bool fits(Builtin function, const std::optional<Type>& wanted, bool paths) const;

    const Snapshot& s_;
    const CursorTokens& w_;
    const Context& context_;
    CompletionItems& items_;
};

}  // namespace anml::lsp
