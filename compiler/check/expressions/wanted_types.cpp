// Whether a value has the type that its place wants, and what helps where it has another.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/foreign_words.h"
#include "check/statements/statements.h"
#include "common/ascii.h"

namespace anml {
namespace {

// `uniform(1, 3)` as "uniform(1 ms, 3 ms)"; "": it is no distribution of which all arguments are such values.
std::string with_units(std::string_view written, std::string_view unit)
{
    const std::size_t open = written.find('(');
    if (open == written.npos || !written.ends_with(')')) return {};
    const std::string_view name = written.substr(0, open);
    if (name != "uniform" && name != "exponential" && name != "normal" && name != "constant") return {};
    std::string result(written.substr(0, open + 1));
    for (std::size_t at = open + 1; at < written.size();) {
        const std::size_t end = written.find_first_of(",)", at);
        const std::string_view value = trimmed(written.substr(at, end - at));
        if (value.empty() || value.find_first_not_of("0123456789.") != value.npos) return {};
        result += fmt::format("{}{} {}", at == open + 1 ? "" : ", ", value, unit);
        at = end + 1;
    }
    return result + ")";
}

// A profile with which a value of type `found` makes one of the schema `wanted`: `droptail` of a size and a `Queue`.
std::string profile_from(const SourceText& source, const CheckedProgram& program, const Type& found, const Type& wanted)
{
    if (wanted.kind != TypeKind::schema) return {};
    for (const Profile& p : program.profiles) {
        if (p.owner || p.parameters.empty() || !program.derives(p.schema, SchemaId{wanted.ref})) continue;
        const Type& first = p.parameters.front().type;
        bool others = false;
        for (std::size_t i = 1; i < p.parameters.size(); ++i) others = others || p.parameters[i].required;
        if (!is_numeric(first) || first.kind != found.kind || first.dim != found.dim || others) continue;
        std::string_view module = source.sources.file(p.span.file).module;
        if (module.empty() || module == "std.prelude") return p.name;
        // An access line of the library is more than its rate.
        if (found.dim == dimension::rate && program.library_files[p.span.file.value]) continue;
        return fmt::format("{}.{}", module.substr(module.rfind('.') + 1), p.name);
    }
    return {};
}

// ", or `ether.fast`" where std.ether, if it is imported, has a link of that rate.
std::string ether_of(const SourceText& source, const CheckedProgram& program, std::optional<double> rate)
{
    for (const Profile& p : program.profiles) {
        if (p.owner || !p.parameters.empty() || source.sources.file(p.span.file).module != "std.ether") continue;
        for (const AttributeValue& given : p.attributes)
            if (rate && program.schema(p.schema).attributes[given.attribute].name == "rate" &&
                constant(program, given.value) == rate)
                return fmt::format(", or `ether.{}`", p.name);
    }
    return {};
}

// Whether a string says, without its quotes, what may be such a value.
bool means_value(const Checking& in, std::string_view bare, const Type& wanted)
{
    switch (wanted.kind) {
        case TypeKind::address:
        case TypeKind::prefix:
            return true;
        case TypeKind::boolean:
            return bare == "true" || bare == "false";
        case TypeKind::enumeration: {
            const auto& values = in.program.enums[wanted.ref].values;
            return std::find(values.begin(), values.end(), bare) != values.end();
        }
        case TypeKind::node:
        case TypeKind::link:
        case TypeKind::workload:
        case TypeKind::schema: {
            const std::string_view first = bare.substr(0, bare.find_first_of(".([ "));
            return find(in, first) || in.links.contains(first);
        }
        default:
            return false;
    }
}

// `site[0]` where hosts are wanted: `site[0].pc[*]`.
void help_with_instance(const SourceText& source, const CheckedProgram& program, Diagnostics::Builder& report,
                        const Expr& found, const Type& wanted)
{
    if (wanted.kind != TypeKind::node) return;
    for (const Member& m : program.component(ComponentId{found.type.ref}).members) {
        if (m.type.kind != TypeKind::node || (wanted.ref != abi::kNone && m.type.ref != wanted.ref)) continue;
        const std::string_view all = found.type.array ? "[*]" : "",
                               chosen = !m.type.array ? "" : wanted.many ? "[*]" : "[0]";
        const std::string inner = fmt::format("{}.{}{}", all, m.name, chosen);
        report.help(fmt::format("name what is in it: `{}{}`", source.sources.text(found.span), inner))
            .fix_when_asked({found.span.behind(), inner});
        return;
    }
}

// A link over the air and the radio that serves it are taken for each other.
void help_with_radio(const CheckedProgram& program, Diagnostics::Builder& report, const Type& found, const Type& wanted)
{
    if (program.schema(SchemaId{wanted.ref}).name == "Radio" && program.derives(SchemaId{found.ref}, program.link))
        report.help("the radio is the node's, `switch ap { radio = wifi.ac() }`, and what reaches it a link, `link "
                    "pc[*] -- ap : wifi.air(300 Mbps)`");
    else if (program.derives(SchemaId{wanted.ref}, program.link))
        report.help("a radio is the node's, `switch ap { radio = wifi.ac() }`; the link's profile is "
                    "`wifi.air(300 Mbps)`");
}

// Whether it is a radio, such as a cell.
bool derives_radio(const CheckedProgram& program, const Type& type)
{
    for (SchemaId base{type.ref}; base.valid(); base = program.schemas[base.value].base)
        if (program.schemas[base.value].name == "Radio") return true;
    return false;
}

// The name of an array that is declared `name[1]`, where the expression is one; an invalid span: it is none.
Span declared_as_one(Checking& in, const Expr& e)
{
    if (e.type.array != 1) return {};
    const std::string_view written = in.sources.text(e.span);
    const std::string_view name = written.substr(written.rfind('.') + 1);
    Span declared;
    if (const Symbol* symbol = e.kind == ExprKind::local ? find(in, name) : nullptr) declared = symbol->span;
    if (e.kind == ExprKind::member)
        if (const Type of = in.program.expr(in.program.operands_of(e)[0]).type; of.kind == TypeKind::instance)
            if (const auto member = member_named(in, ComponentId{of.ref}, name)) declared = member->span;
    const bool one = declared.valid() && in.sources.file(declared.file).text.compare(declared.end, 3, "[1]") == 0;
    return one ? declared : Span{};
}

// `home[*]` in a loop that declares `home[k][...]`: "home[k][*]"; "": it is nothing of that kind.
std::string of_this_round(const Checking& in, const Expr& e, std::string_view written)
{
    if (e.type.array != 1 || !written.ends_with("[*]")) return {};
    written.remove_suffix(3);
    const Symbol* const symbol = find(in, written);
    if (!symbol || !symbol->span.valid()) return {};
    const std::string_view behind = std::string_view(in.sources.file(symbol->span.file).text).substr(symbol->span.end);
    const std::size_t end = behind.find(']');
    if (!behind.starts_with('[') || end == behind.npos || !behind.substr(end).starts_with("][")) return {};
    const std::string_view round = behind.substr(1, end - 1);
    return round == in.loop_name || round == in.loop_number ? fmt::format("{}[{}][*]", written, round) : "";
}

// `let half = n / 2`, where an int is wanted: it is reported there, once.
bool fraction_of_let(Checking& in, const Expr& e, const Type& wanted)
{
    const bool fraction = e.kind == ExprKind::local && e.type.kind == TypeKind::number && !e.type.random &&
                          !e.type.list && e.type.dim == dimension::none && wanted.kind == TypeKind::integer;
    if (!fraction) return false;
    const auto let = in.lets.find({in.component.value, e.index});
    if (let == in.lets.end()) return false;
    const Span value = in.program.expr(let->second).span;
    if (in.program.expr(let->second).kind != ExprKind::binary) return false;
    if (!in.once.insert(value).second) return true;
    const std::string written(in.sources.text(value));
    in.report(Diag::type_mismatch, value,
              fmt::format("a quotient is no int, which `{}` has to be", in.sources.text(e.span)))
        .also(e.span, "an int is wanted here")
        .help(fmt::format("round it: `floor({})`", written))
        .fix(value, fmt::format("floor({})", written));
    return true;
}

}  // namespace

bool is_numeric(const Type& t) { return t.kind == TypeKind::number || t.kind == TypeKind::integer; }

std::pair<std::string_view, std::string_view> usual_units(Dimension d, double value)
{
    if (d == dimension::rate && value >= 1e5) return {"bps", "Kbps"};
    if (d == dimension::time) return {"ms", "s"};
    if (d == dimension::size) return {"B", "KB"};
    if (d == dimension::rate) return {"Mbps", "Gbps"};
    if (d == dimension::length) return {"m", "km"};
    return {};
}

ExprId require_type(Checking& in, ExprId expr, const Type& wanted, std::string_view what)
{
    const Expr e = in.program.expr(expr);
    const Type& found = e.type;
    if (assignable(in.program, found, wanted)) return expr;
    if (fraction_of_let(in, e, wanted)) return in.error(e.span);
    if (wanted.kind == TypeKind::file && !wanted.list && e.kind == ExprKind::string) return named_file(in, expr);
    const std::string written{in.sources.text(e.span)};
    Type one = wanted;
    one.many = false;
    if (one.dim == dimension::none) one.random = false;  // so much goes without saying
    const std::string place = wanted.many ? in.a_named(one) + " or several" : in.a_named(one);
    if ((found.array || (found.many && !wanted.many)) && wanted.kind == found.kind) {
        if (const Span one_of = declared_as_one(in, e); one_of.valid()) {
            if (!in.once.insert(one_of).second) return in.error(e.span);
            in.report(Diag::invalid_selection, e.span,
                      fmt::format("{} wants {}, found {}", what, place, in.a_named(found)))
                .also(one_of, "an array of one is declared here")
                .help(fmt::format("one alone is declared without brackets: `{}`", in.sources.text(one_of)))
                .fix({one_of.file, one_of.end, one_of.end + 3}, "");
            return in.error(e.span);
        }
        auto report = in.report(Diag::invalid_selection, e.span,
                                fmt::format("{} wants {}, found {}", what, place, in.a_named(found)));
        if (const std::string round = of_this_round(in, e, written); !round.empty())
            report.help(fmt::format("those of this round are `{}`", round)).fix(e.span, round);
        else if (found.array && wanted.many)
            report.help(fmt::format("choose all its elements with `{}[*]`, or one with `{}[0]`", written, written))
                .fix(e.span.behind(), "[*]")
                .fix(e.span.behind(), "[0]");
        else if (found.array)
            report.help(fmt::format("choose an element: `{}[0]`", written)).fix_when_asked({e.span.behind(), "[0]"});
        else if (e.kind == ExprKind::list && e.operand_count == 1)
            report
                .help(fmt::format("one alone stands without brackets: `{}`",
                                  in.sources.text(in.program.expr(in.program.operands_of(e)[0]).span)))
                .fix(e.span, std::string(in.sources.text(in.program.expr(in.program.operands_of(e)[0]).span)));
        else if (written.ends_with("[*]"))
            report.help(fmt::format("choose one of them: `{}[0]`", written.substr(0, written.size() - 3)))
                .fix_when_asked({{e.span.file, e.span.end - 3, e.span.end}, "[0]"});
        return in.error(e.span);
    }
    if (is_numeric(found) && is_numeric(wanted) && found.dim != wanted.dim && !found.list && !wanted.any) {
        auto report = in.report(Diag::unit_mismatch, e.span,
                                fmt::format("{} wants {}, found {}", what, place, in.a_named(found)));
        const bool plain = found.dim == dimension::none && e.kind == ExprKind::number;
        const auto [small, large] = usual_units(wanted.dim, plain ? e.value : 0);
        if (what == "`jitter`" && e.kind == ExprKind::process) {
            report.help("a model of jitter is one of `std.jitter`: `jitter.correlated(5 ms, step = 1 ms, correlation = "
                        "50 %)`");
        } else if (found.dim == dimension::none && !small.empty()) {
            const auto drawn = with_units(written, small), drawn_large = with_units(written, large);
            if (written.ends_with('%'))
                report.help(fmt::format("a share is none: {} is written in units such as `{}` and `{}`",
                                        in.a_named(Type{.kind = TypeKind::number, .dim = wanted.dim}), small, large));
            else if (e.kind == ExprKind::number)
                report.write_either(e.span, fmt::format("{} {}", written, small), fmt::format("{} {}", written, large));
            else if (!drawn.empty())
                report.write_either(e.span, drawn, drawn_large);
            else
                report
                    .help(
                        fmt::format("multiply it by a unit: `({0}) * 1 {1}` or `({0}) * 1 {2}`", written, small, large))
                    .fix(e.span, fmt::format("({}) * 1 {}", written, small))
                    .fix(e.span, fmt::format("({}) * 1 {}", written, large));
        } else if (wanted.dim == dimension::time && e.kind == ExprKind::number && written.ends_with("m")) {
            report.help("`m` is metres; minutes are `min`").fix({e.span.file, e.span.end - 1, e.span.end}, "min");
        } else if (wanted.dim == dimension::time && found.dim == dimension::length) {
            report.help(fmt::format("a length by a speed is a time: `{} / (200000 km / 1 s)`",
                                    written.substr(0, written.find(" / "))));
        } else if (wanted.dim == dimension::time && found.dim == dimension::none / dimension::time) {
            report.help("so often is 1 by the time between: of `n / t` that is `t / n`");
        } else if (!small.empty() && e.kind == ExprKind::number) {
            report.help(fmt::format("{} is written in units such as `{}` and `{}`", in.a_named(wanted), small, large));
        }
        return in.error(e.span);
    }
    // That nothing is filled in there is no second mistake.
    if (found.kind == TypeKind::string && in.diagnostics.suggests())
        in.diagnostics.remove_if([&](const Diagnostic& d) {
            return d.diag == Diag::literal_placeholder && d.span.file == e.span.file && e.span.begin <= d.span.begin &&
                   d.span.end <= e.span.end;
        });
    auto report =
        in.report(Diag::type_mismatch, e.span, fmt::format("{} wants {}, found {}", what, place, in.a_named(found)));
    const std::string wanted_schema =
        wanted.kind == TypeKind::schema ? in.program.schema(SchemaId{wanted.ref}).name : "";
    if (wanted.kind == TypeKind::boolean && e.kind == ExprKind::number && (written == "0" || written == "1"))
        report.write(e.span, written == "0" ? "false" : "true");
    else if (wanted.kind == TypeKind::boolean && e.kind != ExprKind::number && is_numeric(found) &&
             !found.list && !found.random &&
             found.dim == dimension::none)
        report.help(fmt::format("a condition compares: `{} != 0`", written))
            .fix(e.span, fmt::format("{} != 0", written));
    if (wanted_schema == "Service" && found.kind == TypeKind::boolean)
        report.help("who answers in its place is said so: `simulated = web.server()`");
    if (wanted.kind == TypeKind::integer && found.kind == TypeKind::number && found.dim == dimension::none &&
        !found.random)
        report.help(fmt::format("round it: `floor({})`", written)).fix(e.span, fmt::format("floor({})", written));
    if (wanted.kind == TypeKind::schema && in.program.schema(SchemaId{wanted.ref}).name == "Queue" &&
        found.kind == TypeKind::integer)
        report.help(fmt::format("in packets it is `droptail(packets = {})`", written))
            .fix(e.span, fmt::format("droptail(packets = {})", written));
    if (found.kind == TypeKind::string && written.size() > 2) {
        std::string bare = written.substr(1, written.size() - 2);
        const bool filled = bare.starts_with("${") && bare.ends_with("}");
        if (filled) bare = bare.substr(2, bare.size() - 3);
        if (const auto q = parse_quantity(bare); q && q->dim == dimension::length && wanted.dim == dimension::time)
            report
                .help(fmt::format("minutes are `min`, and stand without quotes: `{} min`",
                                  bare.substr(0, bare.size() - 1)))
                .fix(e.span, bare.substr(0, bare.size() - 1) + " min");
        else if (is_numeric(wanted) ? parse_quantity(bare).has_value() || (filled && find(in, bare))
                                    : means_value(in, bare, wanted))
            report.help(fmt::format("write it without quotes: `{}`", bare)).fix(e.span, bare);
        else if (wanted.or_trace && (bare.find('.') != bare.npos || bare.find('/') != bare.npos))
            report.help(fmt::format("a file's values are a trace: `trace({})`", written))
                .fix(e.span, fmt::format("trace({})", written));
        else if (const std::string_view ours = foreign_name_help(bare); !ours.empty())
            report.help(std::string(ours));
        else if (wanted.kind == TypeKind::schema && in.program.schema(SchemaId{wanted.ref}).name == "Radio")
            report.help("a radio is a profile of `std.wifi`: `wifi.n()`, `wifi.ac()`");
        else if (wanted.kind == TypeKind::schema || wanted.kind == TypeKind::enumeration)
            help_with_library(in, report, e.span, bare);
        else if (e.kind == ExprKind::string &&
                 (wanted.kind == TypeKind::node || wanted.kind == TypeKind::link || wanted.kind == TypeKind::workload))
            report.help(bare.find('/') != bare.npos
                            ? "who is asked is a node, by its name: `endpoint s { address = 10.9.0.80 }`, and here `s`"
                            : "what is declared is named without quotes: `a`, `pc[0]`, `pc[*]`");
    }
    if (wanted.kind == TypeKind::boolean && is_numeric(found) && found.dim != dimension::none && what == "`require`")
        report.help(fmt::format("it is compared with something: `{} {}`", written,
                                found.dim == dimension::time   ? "< 1 s"
                                : found.dim == dimension::rate ? "> 1 Mbps"
                                                               : "> 1 KB"));
    if (wanted.kind == TypeKind::address && found.kind == TypeKind::address && found.list)
        report.help("a node has one address; those of an array count on from it: `host pc[2] { address = 10.0.0.1 }`");
    if (const std::string profile = is_numeric(found) ? profile_from(in, in.program, found, wanted) : "";
        !profile.empty())
        report.help(fmt::format("a profile makes one of it: `{}({})`", profile, written))
            .fix(e.span, fmt::format("{}({})", profile, written));
    else if (is_numeric(found) && found.dim == dimension::rate && wanted.kind == TypeKind::schema &&
             in.program.derives(in.program.link, SchemaId{wanted.ref}))
        report.help(fmt::format("a profile says the rate: `profile wire : Link {{ rate = {} }}`{}", written,
                                ether_of(in, in.program, constant(in.program, expr))));
    if (wanted.kind == TypeKind::node && found.kind == TypeKind::address)
        report.help("nodes are known by their names, not by their addresses: `a`, `pc[0]`");
    if (wanted.kind == TypeKind::node && found.kind == TypeKind::string && e.kind != ExprKind::string)
        for (const Names& scope : in.scopes)
            for (const auto& [array, symbol] : scope)
                if (symbol.type.kind == TypeKind::node && symbol.type.array == 1 && symbol.type.keys != 0)
                    return report.help(
                               fmt::format("a string is a key, which chooses an element: `{}[{}]`", array, written)),
                           in.error(e.span);
    if (wanted.kind == TypeKind::node && found.kind == TypeKind::prefix)
        report.help("nodes are known by their names, not by their addresses: all of an array are `pc[*]`");
    if (wanted.kind == TypeKind::address && found.kind == TypeKind::boolean)
        report.help("it says the address itself, which all share: `10.9.9.9`");
    if (wanted.kind == TypeKind::enumeration)
        report.help(fmt::format("its values are `{}`", fmt::join(in.program.enums[wanted.ref].values, "`, `")));
    if (what == "`require`" && found.kind == TypeKind::string)
        report.help("a condition stands without quotes, and its figures have units: `p95(w) < 200 ms`");
    if (wanted.kind == TypeKind::number && found.kind == TypeKind::number && found.random && !wanted.random &&
        what == "`delay`")
    {
        const auto ends = in.program.operands_of(e);  // of a tolerance
        const auto low = found.tolerance && ends.size() == 2 ? constant(in.program, ends[0]) : std::nullopt,
                   high = found.tolerance && ends.size() == 2 ? constant(in.program, ends[1]) : std::nullopt;
        if (low && high)
            report.help(fmt::format("what varies is a `jitter`, added to the least delay: `delay = {}, jitter = "
                                    "uniform(0 ms, {})`",
                                    format_quantity(*low, wanted.dim), format_quantity(*high - *low, wanted.dim)));
        else
            report.help(
                fmt::format("what is drawn is a `jitter`, which is added to the delay: `jitter = {}`", written));
    }
    if (wanted.kind == TypeKind::number && found.random && !wanted.random && what == "`rate`")
        report.help(
            "a rate is one value, or `trace(\"file\")`; the timeline changes it: `at 5 s { l { rate = 2 Mbps } }`");
    if (what == "`at`" && found.list)
        report.help(fmt::format("each has its moment: `for t in {} {{ at t {{ ... }} }}`", written));
    if (wanted.kind == TypeKind::workload && (found.kind == TypeKind::node || found.kind == TypeKind::instance))
        report.help("measures are of workloads, which have names: `workload w : web.ClosedLoop on pc[*] { ... }`");
    const SchemaId schema = wanted.kind == TypeKind::schema ? SchemaId{wanted.ref} : SchemaId{};
    if (schema && in.program.schema(schema).name == "BackEnd" && found.kind == TypeKind::node)
        report.help(fmt::format("what is behind it is said so: `middlebox.back_end({})`", written))
            .fix(e.span, fmt::format("middlebox.back_end({})", written));
    if (schema && in.program.schema(schema).name == "Document" && found.kind == TypeKind::string)
        report.help(fmt::format("a document has a size: `web.fixed(10 KB, {})`", written));
    if (found.kind == TypeKind::instance) help_with_instance(in, in.program, report, e, wanted);
    const bool radio = found.kind == TypeKind::schema && wanted.kind == TypeKind::schema && !found.list &&
                       (in.program.schema(SchemaId{wanted.ref}).name == "Radio" || derives_radio(in.program, found));
    if (radio)
        help_with_radio(in.program, report, found, wanted);
    else if (wanted.kind == TypeKind::schema && found.kind == TypeKind::schema &&
             in.program.derives(in.program.link, SchemaId{wanted.ref}))
        report.help(
            "a link has a profile of lines, such as `ether.fast`; what serves at an endpoint is its `simulated`");
    if (wanted.kind == TypeKind::schema && found.kind == TypeKind::schema)
        report.also(in.program.schemas[found.ref].span,
                    fmt::format("`{}` does not extend `{}`", in.program.schemas[found.ref].name,
                                in.program.schemas[wanted.ref].name));
    return in.error(e.span);
}

}  // namespace anml
