// `table name("file") : Schema`: which column is which attribute, and what the cells are by the attributes' types.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/address.h"
#include "base/foreign_words.h"
#include "base/values/foreign_quantity.h"
#include "check/expressions/expressions.h"
#include "check/schemas/schemas.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

constexpr std::size_t kMostMessages = 3;  // of a table's cells

// A bare number in a column whose header says the unit.
std::string with_unit(const std::string& text, const TableColumn& column)
{
    const bool bare = !text.empty() && text.find_first_not_of("0123456789.+-eE") == std::string::npos;
    return bare && !column.unit.empty() ? fmt::format("{} {}", text, column.unit) : text;
}

// As the language writes quantities; with a point, in units of other tools, too.
std::optional<double> cell_number(const std::string& text, Dimension dim)
{
    if (const auto q = parse_quantity(text)) return q->dim == dim ? std::optional(q->value) : std::nullopt;
    const std::string_view digits = std::string_view(text).substr(0, unit_position(text));
    return digits.empty() || text[digits.size()] == ',' || text.find('/') == digits.size()
               ? std::nullopt
               : read_foreign(text, dim);
}

void unknown_column(const CheckedProgram& program, Diagnostics& diagnostics, const TableColumn& column,
                    std::size_t more, SchemaId schema, const Attribute* missing)
{
    const Schema& declared = program.schema(schema);
    std::vector<std::string_view> names;
    if (diagnostics.suggests())
        for (const Attribute& a : declared.attributes) names.push_back(a.name);
    auto report = diagnostics.report(Diag::unknown_attribute, column.span,
                                     fmt::format("`{}` has no attribute `{}`{}", declared.name, column.name,
                                                 more > 0 ? fmt::format(", nor {} more of the columns", more) : ""));
    if (const auto meant = missing ? std::string_view(missing->name) : meant_name(column.name, names); !meant.empty())
        report.help(fmt::format("it has `{}`, which the header is to name so", meant));
    else if (column.name.find('\t') != column.name.npos || column.name.find(';') != column.name.npos)
        report.help("columns of a .csv are separated by commas, those of a .tsv by tabs");
    else
        report.help(fmt::format("`extra` in `{}` lets tables have columns that nothing reads", declared.name));
    report.also(declared.span, "the schema of the table");
}

// One that `extra` lets stand, where it was meant for an attribute that has no column.
void misspelt_column(Checking& in, const TableFile& file, const TableColumn& column,
                     std::span<const Attribute> attributes)
{
    std::vector<std::string_view> names;
    for (const Attribute& a : attributes)
        if (std::ranges::none_of(file.columns, [&](const TableColumn& c) { return c.name == a.name; }))
            names.push_back(a.name);
    if (const auto similar = similar_name(column.name, names); !similar.empty())
        in.report(Diag::unused_attribute, column.span,
                  fmt::format("nothing reads the column `{}`, and no column is `{}`", column.name, similar));
}

// Nothing: it is none of that type.
std::optional<Table::Cell> table_cell(Checking& in, const std::string& text, const Type& type)
{
    Table::Cell cell;
    cell.given = true;
    switch (type.kind) {
        case TypeKind::integer:
        case TypeKind::number: {
            const bool negative = text.starts_with('-');
            const auto value = cell_number(negative ? text.substr(1) : text, type.dim);
            if (!value || !std::isfinite(*value)) return std::nullopt;
            if (type.kind == TypeKind::integer && (*value != std::floor(*value) || *value > 9007199254740992.0))
                return std::nullopt;
            cell.number = negative ? -*value : *value;
            return cell;
        }
        case TypeKind::boolean:
            cell.number = text == "true";
            if (text != "true" && text != "false") return std::nullopt;
            return cell;
        case TypeKind::string:
            cell.index = static_cast<std::uint32_t>(in.program.strings.size());
            in.program.strings.push_back(text);
            return cell;
        case TypeKind::enumeration: {
            const auto& values = in.program.enums[type.ref].values;
            const auto at = std::find(values.begin(), values.end(), text);
            if (at == values.end()) return std::nullopt;
            cell.number = static_cast<double>(at - values.begin());
            return cell;
        }
        case TypeKind::address:
        case TypeKind::prefix: {
            const std::size_t slash = text.find('/');
            if ((slash != std::string::npos) != (type.kind == TypeKind::prefix)) return std::nullopt;
            const std::string alone = text.substr(0, slash);
            cell.ipv6 = alone.find(':') != std::string::npos;
            const auto four = cell.ipv6 ? std::nullopt : parse_ipv4(alone);
            const auto six = cell.ipv6 ? parse_ipv6(alone) : std::nullopt;
            if (!four && !six) return std::nullopt;
            const AddressBits bits = six ? *six : AddressBits{*four};
            cell.number = six ? static_cast<double>(in.program.ipv6.size()) : *four;
            if (six) in.program.ipv6.push_back(bits);
            if (type.kind == TypeKind::address) return cell;
            const auto length = parse_quantity(text.substr(slash + 1));
            if (!length || !length->integer || length->value > address_length(cell.ipv6)) return std::nullopt;
            cell.index = static_cast<std::uint32_t>(length->value);
            if ((bits & open_bits(cell.index, cell.ipv6)) != 0) return std::nullopt;
            return cell;
        }
        case TypeKind::schema: {
            const Symbol* symbol = nullptr;
            const std::size_t dot = text.find('.');
            symbol = find(in, text.substr(0, dot));
            if (symbol && dot != std::string::npos) {
                if (symbol->kind != SymbolKind::module) return std::nullopt;
                const Names& names = in.modules[symbol->index];
                const auto at = names.find(text.substr(dot + 1));
                symbol = at == names.end() || at->second.own ? nullptr : &at->second;
            }
            if (!symbol || symbol->kind != SymbolKind::profile) return std::nullopt;
            const Profile& profile = in.program.profiles[symbol->index];
            const bool needs = std::any_of(profile.parameters.begin(), profile.parameters.end(),
                                           [](const Parameter& p) { return p.required; });
            if (needs || !profile.schema || !in.program.derives(profile.schema, SchemaId{type.ref}))
                return std::nullopt;
            const auto [known, fresh] = in.table_profiles.try_emplace(symbol->index);
            if (fresh)
                known->second = in.add(ExprKind::profile, profile_type(profile), profile.span, symbol->index, 0,
                                       std::vector<ExprId>(profile.parameters.size()));
            cell.index = known->second.value;
            return cell;
        }
        default:
            return std::nullopt;
    }
}

// Of a profile that a cell names; "": there is none.
std::string similar_profile(const Checking& in, const std::string& name)
{
    const std::size_t dot = name.find('.');
    const Symbol* module = dot == std::string::npos ? nullptr : find(in, name.substr(0, dot));
    if (dot != std::string::npos && (!module || module->kind != SymbolKind::module)) return "";
    if (!in.diagnostics.suggests()) return "";
    if (!module)  // `fast`, of a module
        for (const auto& [known, symbol] : in.modules[in.file.value]) {
            if (symbol.kind != SymbolKind::module) continue;
            const auto at = in.modules[symbol.index].find(name);
            if (at != in.modules[symbol.index].end() && at->second.kind == SymbolKind::profile && !at->second.own)
                return fmt::format("{}.{}", known, name);
        }
    std::vector<std::string_view> names;
    for (const auto& [other, symbol] : in.modules[module ? module->index : in.file.value])
        if (symbol.kind == SymbolKind::profile && (!module || !symbol.own)) names.push_back(other);
    const std::string_view found = similar_name(name.substr(module ? dot + 1 : 0), names);
    return found.empty() ? "" : fmt::format("{}{}", module ? name.substr(0, dot + 1) : "", found);
}

// `delay` and below it `4`.
bool without_unit(const TableCell& cell, const Attribute& attribute)
{
    const auto q = cell.nested ? std::nullopt : parse_quantity(cell.text);
    return q && q->dim == dimension::none && is_numeric(attribute.type) && attribute.type.dim != dimension::none;
}

void wrong_cell(Checking& in, const TableCell& cell, Span place, const Attribute& attribute)
{
    if (cell.nested) {
        in.report(Diag::type_mismatch, place,
                  fmt::format("`{}` wants {}, found more than a value", attribute.name, in.a_named(attribute.type)))
            .also(attribute.span, "declared here");
        return;
    }
    const bool bare = without_unit(cell, attribute);
    auto report =
        in.report(bare ? Diag::unit_mismatch : Diag::type_mismatch, place,
                  fmt::format("`{}` wants {}, found `{}`", attribute.name, in.a_named(attribute.type), cell.text));
    if (bare) {
        const std::string_view unit = usual_units(attribute.type.dim, 0).first;
        report.help(fmt::format("its unit is said for the whole column, `{} [{}]`, or in each cell, `{} {}`",
                                attribute.name, unit, cell.text, unit));
    }
    if (attribute.type.random && cell.text.find('(') != std::string::npos)
        report.help("a cell has a fixed value; what is drawn is computed from it: `exponential(row.mean)`");
    const std::size_t comma = is_numeric(attribute.type) ? cell.text.find(',') : std::string::npos;
    std::size_t at = 0;
    if (const std::string digits = comma == std::string::npos ? "" : scan_foreign_number(cell.text, at); at > comma)
        if (const std::string meant = digits + cell.text.substr(at);
            cell_number(meant, attribute.type.dim) || parse_quantity(meant))
            report.help(fmt::format("{}: `{}`",
                                    digits.size() > comma && digits[comma] == '.' ? "the decimal mark is a point"
                                                                                  : "digits are not grouped",
                                    meant));
    constexpr std::string_view kNothing[] = {"N/A", "n/a",  "NA",   "NaN", "nan", "null",
                                             "NULL", "None", "none", "-",   "?"};
    if (!attribute.required && std::ranges::find(kNothing, cell.text) != std::end(kNothing))
        report.help("of an empty cell the default holds: leave it empty").fix(place, "");
    const std::string_view degrees = std::string_view(cell.text).substr(0, cell.text.find_last_not_of("NESW°") + 1);
    if (is_numeric(attribute.type) && degrees.size() < cell.text.size() && parse_quantity(degrees))
        report.help(fmt::format("degrees are plain numbers, north and east positive: `{}{}`",
                                cell.text.ends_with('S') || cell.text.ends_with('W') ? "-" : "", degrees));
    const std::string profile = attribute.type.kind == TypeKind::schema ? similar_profile(in, cell.text) : "";
    if (!profile.empty())
        report.help(fmt::format("there is `{}`", profile)).fix(place, profile);
    else if (attribute.type.kind == TypeKind::schema)
        report.help(
            "write the name of a profile without parameters as this file knows it, with its module before it: "
            "`ether.gigabit`");
    if (attribute.type.kind == TypeKind::enumeration) {
        std::string values;
        for (const std::string& v : in.program.enums[attribute.type.ref].values)
            values += fmt::format("{}`{}`", values.empty() ? "" : ", ", v);
        report.help(fmt::format("its values are {}", values));
    }
    report.also(attribute.span, "declared here");
}

// What rows cannot have. `hosts: int[1 .. 100]` may be meant for a range of an int.
void list_in_table(Checking& in, SchemaId schema, const Attribute& attribute, Span column)
{
    const bool range = attribute.type.list && (attribute.range.least > 0 || attribute.range.most != Limits{}.most);
    auto report = in.report(Diag::type_mismatch, range ? attribute.span : column,
                            fmt::format("a table cannot hold `{}`, {}", attribute.name, in.a_named(attribute.type)));
    if (range) {
        Type one = attribute.type;
        one.list = false;
        report
            .help(fmt::format("brackets say how many there are; a range is `{}: {} in {} .. {}`", attribute.name,
                              in.named(one), attribute.range.least, attribute.range.most))
            .also(column, "of this column");
    } else {
        report.also(attribute.span, "declared here");
    }
    for (Attribute& a : in.program.schemas[schema.value].attributes)
        if (a.name == attribute.name) a.type = {};  // what uses it is no second mistake
}

}  // namespace

void table_signature(Checking& in, TableId id)
{
    const SyntaxId syntax = in.table_syntax[id.value];
    enter(in, syntax);
    const SyntaxId name = syntax::TableDeclaration(in.tree, syntax).schema();
    const Symbol* symbol = find_dotted(in, name);
    if (symbol && symbol->kind == SymbolKind::schema) {
        in.program.data_tables[id.value].schema = SchemaId{symbol->index};
        key_signature(in, id);
        return;
    }
    if (symbol)
        in.report(Diag::type_mismatch, in.span(name), fmt::format("`{}` is not a schema", in.text(name)))
            .help("a schema says what the columns are: `schema Row { name: string, hosts: int }`");
}

void table_values(Checking& in, TableId id)
{
    const SyntaxId syntax = in.table_syntax[id.value];
    const SchemaId schema = in.program.data_tables[id.value].schema;
    const Span declared = in.span(syntax::TableDeclaration(in.tree, syntax).file());
    const auto file = std::find_if(in.sources.tables.begin(), in.sources.tables.end(),
                                   [&](const TableFile& t) { return t.declared == declared; });
    if (!schema || file == in.sources.tables.end()) return;
    enter(in, syntax);
    const std::vector<Attribute> attributes = in.program.schema(schema).attributes;
    std::vector<std::pair<std::size_t, std::uint32_t>> wanted;  // columns and attributes
    std::vector<std::size_t> unknown;
    std::vector<std::string> misspelt;  // columns of other case
    const std::size_t before = in.diagnostics.errors();
    for (std::size_t i = 0; i < file->columns.size(); ++i) {
        const TableColumn& column = file->columns[i];
        const auto at = std::find_if(attributes.begin(), attributes.end(),
                                     [&](const Attribute& a) { return a.name == column.name; });
        if (at == attributes.end()) {
            const auto meant = std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& a) {
                return std::equal(a.name.begin(), a.name.end(), column.name.begin(), column.name.end(),
                                  [](char x, char y) { return (x | 0x20) == (y | 0x20); });
            });
            if (meant != attributes.end()) {
                in.report(Diag::unknown_attribute, column.span,
                          fmt::format("the column `{}` is called `{}` in `{}`: case counts", column.name, meant->name,
                                      in.program.schema(schema).name))
                    .also(meant->span, "declared here");
                misspelt.push_back(meant->name);
                continue;
            }
            unknown.push_back(i);
            continue;
        }
        const Type& type = at->type;
        const bool other = type.list || type.many || type.kind == TypeKind::node || type.kind == TypeKind::trace ||
                           type.kind == TypeKind::component;
        if (other)
            list_in_table(in, schema, *at, column.span);
        else if (type.kind != TypeKind::error)
            wanted.emplace_back(i, static_cast<std::uint32_t>(at - attributes.begin()));
        if (!column.unit.empty() && is_numeric(type)) {
            if (!foreign_unit(column.unit, type.dim))
                in.report(Diag::unit_mismatch, column.span,
                          fmt::format("`{}` is {}, and `{}` no unit of it", at->name, in.a_named(type), column.unit))
                    .also(at->span, "declared here");
        }
    }
    if (in.program.schema(schema).extra)
        for (const std::size_t c : unknown) misspelt_column(in, *file, file->columns[c], attributes);
    std::string missing;
    const Attribute* first = nullptr;
    for (const Attribute& a : attributes) {
        if (!a.required || std::find(misspelt.begin(), misspelt.end(), a.name) != misspelt.end() ||
            std::any_of(file->columns.begin(), file->columns.end(),
                        [&](const TableColumn& c) { return c.name == a.name; }))
            continue;
        missing += fmt::format("{}`{}`", first ? ", " : "", a.name);
        if (!first) first = &a;
    }
    // One name that is unknown and one that is missing are one mistake.
    const bool strange = !unknown.empty() && !in.program.schema(schema).extra;
    const bool one = strange && unknown.size() == 1 && first &&
                     (missing.find(',') == std::string::npos ||
                      file->columns[unknown.front()].name.find_first_of("\t;") != std::string::npos);
    if (strange)
        unknown_column(in.program, in.diagnostics, file->columns[unknown.front()], unknown.size() - 1, schema,
                       one && missing.find(',') == std::string::npos ? first : nullptr);
    if (first && !one) {
        auto report = in.report(
            Diag::missing_attribute, declared,
            fmt::format("the table has no column{} {}", missing.find(',') == std::string::npos ? "" : "s", missing));
        report.also(first->span, "declared here, without a default");
        if (wanted.empty() && !file->columns.empty())
            report.note(fmt::format("its first line names the columns, and begins with `{}`", file->columns[0].name));
    }
    if (in.diagnostics.errors() != before) return;
    Table& table = in.program.data_tables[id.value];
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const TableColumn& column = file->columns[wanted[i].first];
        const Attribute& attribute = attributes[wanted[i].second];
        table.columns.push_back({wanted[i].second,
                                 in.add(ExprKind::cell, attribute.type, column.span, static_cast<std::uint32_t>(i)),
                                 column.span});
    }
    std::size_t wrong = 0;
    std::set<std::size_t> unitless_columns;
    std::vector<Table::Cell> cells;
    const syntax::TableDeclaration written(in.tree, syntax);
    std::size_t key_column = file->columns.size();
    for (std::size_t i = 0; table.keys != abi::kNone && i < file->columns.size(); ++i)
        if (file->columns[i].name == in.text(written.key())) key_column = i;
    for (const TableRow& row : file->rows) {
        in.program.data_tables[id.value].rows.push_back(row.span);
        if (table.keys != abi::kNone) {
            const TableCell none{};
            const TableCell& cell = key_column < row.cells.size() ? row.cells[key_column] : none;
            key_of_row(in, id, row, cell.nested ? "" : cell.text,
                       cell.end > cell.begin ? Span{file->file, cell.begin, cell.end} : Span{});
        }
        for (const auto& [column, attribute] : wanted) {
            const TableCell* cell =
                column < row.cells.size() && row.cells[column].end > 0 ? &row.cells[column] : nullptr;
            if (!cell || cell->text.empty()) {
                const bool empty_text = cell && !cell->nested && attributes[attribute].type.kind == TypeKind::string &&
                                        cell->end > cell->begin;
                if (attributes[attribute].required && !empty_text && !(cell && cell->nested)) {
                    if (++wrong <= kMostMessages)
                        in.report(Diag::missing_attribute,
                                  cell && cell->end > cell->begin ? Span{file->file, cell->begin, cell->end} : row.span,
                                  fmt::format("this row says no `{}`", attributes[attribute].name))
                            .also(attributes[attribute].span, "declared here, without a default");
                }
                if (!empty_text && !(cell && cell->nested)) {
                    cells.push_back({});
                    continue;
                }
            }
            const Span place{file->file, cell->begin, cell->end};
            auto read = cell->nested
                            ? std::nullopt
                            : table_cell(in, with_unit(cell->text, file->columns[column]), attributes[attribute].type);
            const bool unitless = !read && without_unit(*cell, attributes[attribute]);
            if (unitless && !unitless_columns.insert(column).second) {  // said once for the column
                cells.push_back({});
                continue;
            }
            const auto alike = [&, at = column, &wanted_here = attributes[attribute]](const TableRow& other) {
                return at < other.cells.size() && without_unit(other.cells[at], wanted_here);
            };
            const bool whole = unitless && file->rows.size() > 1 && std::ranges::all_of(file->rows, alike);
            if (!read && ++wrong <= kMostMessages)
                wrong_cell(in, *cell, whole ? file->columns[column].span : place, attributes[attribute]);
            cells.push_back(read.value_or(Table::Cell{}));
            cells.back().place = place;
        }
    }
    if (wrong == kMostMessages + 1)
        in.report(Diag::invalid_table, declared, "another cell of this table is wrong");
    else if (wrong > kMostMessages)
        in.report(Diag::invalid_table, declared,
                  fmt::format("{} more cells of this table are wrong", wrong - kMostMessages));
    if (const std::uint32_t keys = in.program.data_tables[id.value].keys;
        keys != abi::kNone && in.diagnostics.errors() != before)
        in.broken_keys.push_back(in.program.key_sets[keys]->of());
    in.program.data_tables[id.value].cells = std::move(cells);
}

}  // namespace anml
