// Strings that are made of other values.
#include <fmt/format.h>

#include "check/expressions/expressions.h"

namespace anml {

ExprId text_of(Checking& in, SyntaxId id, ExprId value)
{
    const Expr e = in.program.expr(value);
    const Type& type = e.type;
    const bool single = !type.list && !type.many && !type.array && !type.random;
    switch (single ? type.kind : TypeKind::error) {
        case TypeKind::boolean:
        case TypeKind::integer:
        case TypeKind::number:
        case TypeKind::string:
        case TypeKind::address:
        case TypeKind::prefix:
        case TypeKind::enumeration:
        case TypeKind::node:
            return in.call(Builtin::text, {.kind = TypeKind::string}, in.span(id), {value});
        default:
            break;
    }
    auto report = in.report(
        Diag::type_mismatch, e.span,
        fmt::format("`text` wants a number, a quantity, a bool, a value of an enum, an address, a prefix or a node, "
                    "found {}",
                    in.a_named(type)));
    if (type.random) report.help("what is drawn anew each time has no text");
    return in.error(in.span(id));
}

}  // namespace anml
