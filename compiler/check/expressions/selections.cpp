// What stands in brackets: an index, a slice, or `*` for all elements.
#include <fmt/format.h>

#include "check/expressions/expressions.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

// Whether a loop of the block has what stands there.
bool in_loop(const Checking& in, SyntaxId block, Span place)
{
    for (const SyntaxId id : in.tree.children_of(block)) {
        const Span span = in.span(id);
        if (span.begin > place.begin || place.end > span.end) continue;
        const SyntaxKind kind = in.tree.kind(id);
        if (kind == SyntaxKind::for_stmt) return true;
        if (kind == SyntaxKind::if_stmt || kind == SyntaxKind::block) return in_loop(in, id, place);
    }
    return false;
}

}  // namespace

bool is_flat(const Type& type)
{
    return type.many && !type.array && !type.list && (type.kind == TypeKind::node || type.kind == TypeKind::instance);
}

Selection selection_of(const CheckedProgram& program, ExprId id)
{
    const Expr& e = program.expr(id);
    Selection result;
    result.nodes = (e.kind == ExprKind::every || e.kind == ExprKind::slice) && e.type.kind == TypeKind::node;
    const bool wraps = result.nodes || e.kind == ExprKind::element || e.kind == ExprKind::member;
    const Type& chosen = wraps ? program.expr(program.operands_of(e)[0]).type : e.type;
    if (wraps && e.kind != ExprKind::member && is_flat(chosen)) return {.instances = e.type.many, .nodes = false};
    // A port may be a selection itself.
    result.instances = chosen.many || (wraps && chosen.list) || (e.kind == ExprKind::member && is_flat(e.type));
    return result;
}

ExprId subscript(Checking& in, SyntaxId id)
{
    const syntax::Subscript written(in.tree, id);
    const SyntaxId object_syntax = written.object(), index = written.index();
    const ExprId object = expression(in, object_syntax);
    Type type = in.program.expr(object).type;
    const Type integer{.kind = TypeKind::integer};
    if (type.list) return part_of_list(in, id, object, index);
    const bool flat = is_flat(type);
    const bool selectable = type.kind == TypeKind::error || type.array || flat;
    const bool several = type.many;
    const Type keyed = type;
    if (flat) type.many = false;
    if (!selectable) {
        auto report = in.report(Diag::invalid_selection, in.span(object_syntax),
                                fmt::format("`{}` is {}, not an array", in.text(object_syntax), in.a_named(type)));
        const std::string_view key = in.text(index);
        const SyntaxNode* const link = type.kind == TypeKind::link && !type.array && in.body.valid() &&
                                               in.tree.kind(object_syntax) == SyntaxKind::name
                                           ? find_link(in, in.text(object_syntax))
                                           : nullptr;
        if (link && in_loop(in, in.body, link->span)) {  // `for s in spans { link span: ... }`
            report.also(link->span, "each round of this loop declares it anew")
                .help(fmt::format("links of a loop are numbered by it: `for i, x in ... {{ link {}[i]: ... }}`",
                                  in.text(object_syntax)));
            return in.error(in.span(id));
        }
        if (type.kind == TypeKind::schema && key.size() > 2 && key.front() == '"') {
            const std::string member(key.substr(1, key.size() - 2));
            report.help(fmt::format("an attribute stands behind a dot: `{}.{}`", in.text(object_syntax), member))
                .fix({in.span(id).file, in.span(object_syntax).end, in.span(id).end}, "." + member);
            return in.error(in.span(id));
        }
    }
    if (in.tree.kind(index) == SyntaxKind::name && in.text(index) == "all" && selectable && !find(in, "all")) {
        in.report(Diag::type_mismatch, in.span(index), "`all` is a function, which is not a value")
            .help(fmt::format("all elements are `{}[*]`", in.text(object_syntax)))
            .fix(in.span(index), "*");
        return in.error(in.span(id));
    }
    if (in.tree.kind(index) == SyntaxKind::unary && in.text(index).substr(0, 1) == "-" && selectable &&
        in.text(index).find_first_not_of("0123456789", 1) == std::string_view::npos)
    {
        const std::string last = fmt::format("len({}) - {}", in.text(object_syntax), in.text(index).substr(1));
        in.report(Diag::index_out_of_range, in.span(index),
                  fmt::format("elements are numbered from 0, found `{}`", in.text(index)))
            .help(fmt::format("from the end it is `{}[{}]`", in.text(object_syntax), last))
            .fix(in.span(index), last);
        return in.error(in.span(id));
    }
    if (type.array > 0) --type.array;
    type.keys = type.array > 0 ? keying_of_rest(in.program, keyed) : 0;
    ExprId result;
    if (in.tree.kind(index) == SyntaxKind::wildcard) {
        const bool parts = type.kind == TypeKind::node || type.kind == TypeKind::instance;
        if (parts && !type.array && (flat || !several)) type.keys = keyed.keys;  // all of one array
        type.many = true;
        result = in.add(ExprKind::every, type, in.span(id), 0, 0, {object});
    } else if (in.tree.kind(index) == SyntaxKind::range) {
        const syntax::Range slice(in.tree, index);
        const ExprId low = value(in, slice.low(), integer, "a slice");
        const ExprId high = value(in, slice.high(), integer, "a slice");
        type.many = true;
        const bool half_open = in.tree.node(index).flags & syntax_flag::half_open;
        result = in.add(ExprKind::slice, type, in.span(id), half_open, 0, {object, low, high});
    } else {
        result =
            in.add(ExprKind::element, type, in.span(id), 0, 0, {object, index_of(in, index, keyed, object_syntax)});
    }
    return selectable && type.kind != TypeKind::error ? result : in.error(in.span(id));
}

}  // namespace anml
