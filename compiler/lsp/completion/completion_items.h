// What is offered for a completion: items of LSP 3.17, with the text that they put in the place of what was typed.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>

#include "lsp/completion/scope.h"
#include "lsp/completion/tokens.h"

namespace anml::lsp {

// CompletionItemKind of LSP 3.17.
enum Kind : int {
    kMethod = 2,
    kFunction = 3,
    kField = 5,
    kVariable = 6,
    kClass = 7,
    kModule = 9,
    kProperty = 10,
    kUnit = 11,
    kEnum = 13,
    kKeyword = 14,
    kEnumMember = 20,
    kConstant = 21,
    kStruct = 22
};

class CompletionItems {
  public:
    CompletionItems(const Snapshot& snapshot, const CursorTokens& words, std::uint32_t offset, const Document& document,
                    const Client& client);

    // `order`: what fits best comes first, '0'. `insert`: what is written, where it is not the label.
    void add(std::string_view label, int kind, char order, std::string detail = "", std::string doc = "",
             std::string insert = "");
    // `module`: it is named behind that and a dot.
    void add(const VisibleName& name, char order, std::string_view module = "");
    // Keywords, with what is said of them.
    void words(std::initializer_list<std::string_view> all, std::string_view detail, char order = '7');
    // Of `changes` those that the timeline may change.
    void attributes(const Schema* schema, bool changes = false);
    // Behind a number, of what is wanted; all where nobody knows.
    void units(const std::optional<Type>& wanted);
    // Plain types, and with `declared` schemas, enums and modules too.
    void types(bool declared);
    void values_of(const Enum& of);
    // The language's functions, which `fits` chooses from.
    void builtins(const std::function<bool(Builtin)>& fits);
    void parameters(SyntaxId declaration, std::string_view behind, char order);
    void members_of(const Component& component, const std::function<bool(const Member&)>& fits = {});
    // Names in reach that `fits`, those of modules behind the module's name, and modules that have one.
    void fitting(const std::function<bool(const VisibleName&)>& fits);
    // A module, as `import` names it.
    void module(std::string_view label, std::string_view name, std::string doc);

    bool begins_so(std::string_view label) const { return label.starts_with(w_.prefix().substr(0, 1)); }
    // Those that the place can use; they are looked for once.
    const std::vector<VisibleName>& names();
    bool is_kind(const VisibleName& name, SyntaxKind kind) const
    {
        return name.declaration.valid() && s_.tree.kind(name.declaration) == kind;
    }
    json take();

  private:
    std::string_view module_name(const VisibleName& name) const;

    const Snapshot& s_;
    const CursorTokens& w_;
    std::uint32_t offset_;
    const Client& client_;
    PositionMap map_;
    json range_;
    std::optional<std::vector<VisibleName>> names_;
    json items_ = json::array();
    bool incomplete_ = false;
};

}  // namespace anml::lsp
