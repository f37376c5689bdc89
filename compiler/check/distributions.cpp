// Distributions: the functions that draw. What they are given may be random itself, but for weights and files.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/read_file.h"
#include "check/checker.h"

namespace anml {
namespace {

constexpr std::size_t kMostSamples = 10'000'000, kLargestSamples = std::size_t{256} << 20;  // bytes of a file

std::string_view take_word(std::string_view& line)
{
    constexpr std::string_view kBlank = " \t\r,";
    line.remove_prefix(std::min(line.find_first_not_of(kBlank), line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(kBlank));
    line.remove_prefix(word.size());
    return word;
}

// As much of a word as a message has room for.
std::string shown(std::string_view word)
{
    constexpr std::size_t kLongest = 40;
    return word.size() > kLongest ? fmt::format("{}...", word.substr(0, kLongest)) : std::string(word);
}

std::optional<double> read_number(std::string_view word)
{
    double value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

// A value and, optionally, its weight on each line; `#` begins a comment. What is wrong, or "".
std::string read_table(std::string_view text, double unit, EmpiricalTable& table)
{
    double sum = 0;
    for (std::size_t line_number = 1; !text.empty(); ++line_number) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        line = line.substr(0, line.find('#'));
        const std::string_view first = take_word(line);
        if (first.empty()) continue;
        const std::string_view second = take_word(line), third = take_word(line);
        const auto value = read_number(first), weight = second.empty() ? 1.0 : read_number(second);
        if (!value || !weight)
            return fmt::format("line {}: `{}` is not a number", line_number, shown(value ? second : first));
        if (*weight < 0) return fmt::format("line {}: the weight `{}` is negative", line_number, shown(second));
        if (!third.empty())
            return fmt::format("line {}: `{}` follows a value and its weight", line_number, shown(third));
        if (!std::isfinite(*value * unit)) return fmt::format("line {}: `{}` is too large", line_number, shown(first));
        if (table.values.size() == kMostSamples) return fmt::format("it has more than {} values", kMostSamples);
        if (*weight == 0) continue;
        table.values.push_back(*value * unit);
        table.cumulated.push_back(sum += *weight);
    }
    if (table.values.empty()) return "it has no value with a weight above 0";
    if (!std::isfinite(sum)) return "its weights are too large to be added";
    for (double& share : table.cumulated) share /= sum;
    table.cumulated.back() = 1;
    return "";
}

}  // namespace

std::string_view distribution_arguments(Builtin distribution)
{
    switch (distribution) {
        case Builtin::constant:
        case Builtin::exponential:
            return "v";
        case Builtin::uniform:
        case Builtin::normal:
            return "vv";
        case Builtin::lognormal:
        case Builtin::pareto:
        case Builtin::weibull:
            return "vn";
        case Builtin::zipf:
            return "nn";
        case Builtin::geometric:
        case Builtin::chance:
            return "n";
        default:
            return "";
    }
}

ExprId Checker::distribution_call(SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& syntax)
{
    if (builtin == Builtin::empirical) return empirical(id, syntax);
    const Span where = span(id);
    const std::string what = fmt::format("`{}`", builtin_name(builtin));
    std::vector<ExprId> given;
    for (SyntaxId s : syntax) given.push_back(expression(s));
    for (ExprId e : given)
        if (program_.expr(e).type.kind == TypeKind::error) return error(where);
    if (builtin == Builtin::mixture) return mixture(id, given);

    const std::string_view letters = builtin == Builtin::truncated ? "vvv" : distribution_arguments(builtin);
    Type type{.kind = TypeKind::number, .random = true};
    bool first = true;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (!numeric(given[i], what)) return error(where);
        if (letters[i] == 'n') {
            if (program_.expr(given[i]).type.dim == dimension::none) continue;
            require_type(given[i], {.kind = TypeKind::number, .random = true},
                         fmt::format("argument {} of {}", i + 1, what));
            return error(where);
        }
        if (!first && !same_dimension(given[0], given[i], what)) return error(where);
        type.dim = program_.expr(given[i]).type.dim;
        first = false;
    }
    if (builtin == Builtin::zipf || builtin == Builtin::geometric) type.kind = TypeKind::integer;
    if (builtin == Builtin::truncated) type.kind = program_.expr(given[0]).type.kind;
    if (builtin == Builtin::chance) type.kind = TypeKind::boolean;
    return add(ExprKind::call, type, where, static_cast<std::uint32_t>(builtin), 0, std::move(given));
}

ExprId Checker::mixture(SyntaxId id, const std::vector<ExprId>& given)
{
    const Span where = span(id);
    const Expr weights = program_.expr(given[0]), parts = program_.expr(given[1]);
    const auto wants = [&](const Expr& argument, std::string_view what) {
        diagnostics_
            .report(Diag::type_mismatch, argument.span,
                    fmt::format("`mixture` wants a list of {}, found {}", what, a_named(argument.type)))
            .help("write `mixture([0.9, 0.1], [exponential(1 s), pareto(1 s, 1.5)])`");
        return error(where);
    };
    const auto is_list = [](const Type& t) {
        return t.list && (t.kind == TypeKind::number || t.kind == TypeKind::integer);
    };
    if (!is_list(weights.type) || weights.type.random || weights.type.dim != dimension::none)
        return wants(weights, "plain numbers");
    if (!is_list(parts.type)) return wants(parts, "distributions");
    Type type = parts.type;
    type.list = false;
    type.random = true;
    return add(ExprKind::call, type, where, static_cast<std::uint32_t>(Builtin::mixture), 0, given);
}

// The values are read here, so that what is wrong with them is known wherever the text is checked.
ExprId Checker::empirical(SyntaxId id, const std::vector<SyntaxId>& syntax)
{
    const Span where = span(id);
    if (tree_.kind(syntax[0]) != SyntaxKind::literal_string) {
        diagnostics_
            .report(Diag::type_mismatch, span(syntax[0]), "`empirical` wants the name of a file in double quotes")
            .help(fmt::format("write `{}`", builtin_usage(Builtin::empirical)));
        return error(where);
    }
    Type type{.kind = TypeKind::number, .random = true};
    double unit = 1;
    if (syntax.size() == 2) {
        const ExprId given = expression(syntax[1]);
        if (program_.expr(given).type.kind == TypeKind::error || !numeric(given, "`empirical`")) return error(where);
        const auto known = constant(given);
        if (!known) {
            diagnostics_
                .report(Diag::type_mismatch, span(syntax[1]), "the unit of `empirical` is a fixed quantity, as `1 ms`")
                .help("multiply the distribution by what varies: `factor * empirical(\"file\", 1 ms)`");
            return error(where);
        }
        unit = *known;
        type.dim = program_.expr(given).type.dim;
    }
    const std::string name = string_value(syntax[0]);
    const std::filesystem::path path = std::filesystem::path(sources_.file(where.file).path).parent_path() / name;
    program_.data_files.push_back(path.string());
    std::string content;
    if (const std::string problem = read_text(path.string(), kLargestSamples, Readable::files, content);
        !problem.empty())
    {
        diagnostics_
            .report(Diag::file_not_found, span(syntax[0]), fmt::format("cannot read `{}`: {}", path.string(), problem))
            .help("a file's name counts from the folder of the file that names it");
        return error(where);
    }
    if (content.size() > kLargestSamples) {
        diagnostics_.report(Diag::invalid_samples, span(syntax[0]),
                            fmt::format("`{}` is larger than {} MiB", path.string(), kLargestSamples >> 20));
        return error(where);
    }
    EmpiricalTable table;
    table.file = path.string();
    table.unit = unit;
    table.dim = type.dim;
    if (const std::string wrong = read_table(content, unit, table); !wrong.empty()) {
        diagnostics_.report(Diag::invalid_samples, span(syntax[0]), fmt::format("`{}`, {}", path.string(), wrong))
            .help("each line has a number and, after a blank, its weight, which is 1 where it is left out");
        return error(where);
    }
    program_.tables.push_back(std::move(table));
    return add(ExprKind::call, type, where, static_cast<std::uint32_t>(Builtin::empirical),
               static_cast<double>(program_.tables.size() - 1));
}

}  // namespace anml
