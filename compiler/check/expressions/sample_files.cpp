// Distributions that a file says: `empirical`, its values, and `cumulative`, points of a cumulative distribution.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/files/read_file.h"
#include "base/values/sample_points.h"
#include "check/expressions/expressions.h"

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

// A value and the share of what is drawn that is not above it on each line; the first may name the columns.
std::string read_points(std::string_view text, double unit, EmpiricalTable& table)
{
    bool first_line = true;
    for (std::size_t line_number = 1; !text.empty(); ++line_number) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        line = line.substr(0, line.find('#'));
        const std::string_view first = take_word(line), second = take_word(line), third = take_word(line);
        if (first.empty()) continue;
        const auto value = read_number(first), share = read_number(second);
        const bool names = first_line && !value && !share && !second.empty();
        first_line = false;
        if (names) continue;
        if (second.empty()) return fmt::format("line {}: no share follows `{}`", line_number, shown(first));
        if (!value || !share)
            return fmt::format("line {}: `{}` is not a number", line_number, shown(value ? second : first));
        if (!third.empty())
            return fmt::format("line {}: `{}` follows a value and its share", line_number, shown(third));
        if (table.values.size() == kMostSamples) return fmt::format("it has more than {} points", kMostSamples);
        if (const std::string wrong = add_point(table, *value * unit, *share, shown(first)); !wrong.empty())
            return fmt::format("line {}: {}", line_number, wrong);
    }
    return end_points(table, true);
}

}  // namespace

// The values are read here, so that what is wrong with them is known wherever the text is checked.
ExprId samples(Checking& in, SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& syntax)
{
    const Span where = in.span(id);
    const std::string what = fmt::format("`{}`", builtin_name(builtin));
    const bool points = builtin == Builtin::cumulative;
    if (in.tree.kind(syntax[0]) != SyntaxKind::literal_string) {
        in.report(Diag::type_mismatch, in.span(syntax[0]),
                  fmt::format("{} wants the name of a file in double quotes", what))
            .help(fmt::format("write `{}`", builtin_usage(builtin)));
        return in.error(where);
    }
    Type type{.kind = TypeKind::number, .random = true};
    double unit = 1;
    if (syntax.size() == 2) {
        const ExprId given = expression(in, syntax[1]);
        if (in.program.expr(given).type.kind == TypeKind::error || !numeric(in.program, in.diagnostics, given, what))
            return in.error(where);
        const auto known = constant(in.program, given);
        if (!known) {
            in.report(Diag::type_mismatch, in.span(syntax[1]),
                      fmt::format("the unit of {} is a fixed quantity, as `1 ms`", what))
                .help(fmt::format("multiply the distribution by what varies: `factor * {}(\"file\", 1 ms)`",
                                  builtin_name(builtin)));
            return in.error(where);
        }
        unit = *known;
        type.dim = in.program.expr(given).type.dim;
    }
    const std::string name = string_value(in, in.diagnostics, syntax[0]);
    const std::filesystem::path path = std::filesystem::path(in.sources.file(where.file).path).parent_path() / name;
    in.program.data_files.push_back(path.string());
    std::string content;
    if (const std::string problem = read_text(path.string(), kLargestSamples, Readable::files, content);
        !problem.empty())
    {
        in.report(Diag::file_not_found, in.span(syntax[0]), fmt::format("cannot read `{}`: {}", path.string(), problem))
            .help("a file's name counts from the folder of the file that names it");
        return in.error(where);
    }
    if (content.size() > kLargestSamples) {
        in.report(Diag::invalid_samples, in.span(syntax[0]),
                  fmt::format("`{}` is larger than {} MiB", path.string(), kLargestSamples >> 20));
        return in.error(where);
    }
    EmpiricalTable table;
    table.file = path.string();
    table.unit = unit;
    table.dim = type.dim;
    if (const std::string wrong = points ? read_points(content, unit, table) : read_table(content, unit, table);
        !wrong.empty())
    {
        in.report(Diag::invalid_samples, in.span(syntax[0]), fmt::format("`{}`, {}", path.string(), wrong))
            .help(points ? "each line has a number and, after a comma or a blank, the share of what is drawn that is "
                           "not above "
                           "it; both rise, the shares to 1"
                         : "each line has a number and, after a blank, its weight, which is 1 where it is left out");
        return in.error(where);
    }
    in.program.tables.push_back(std::move(table));
    return in.add(ExprKind::call, type, where, static_cast<std::uint32_t>(builtin),
                  static_cast<double>(in.program.tables.size() - 1));
}

}  // namespace anml
