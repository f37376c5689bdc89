// Tables: a list of a value for each row, made once.
#include <fmt/format.h>

#include "elaborate/schemas/schema_values.h"

namespace anml {

Value table(Elaboration& in, const Expr& e)
{
    const auto [known, fresh] = in.tables.try_emplace(e.index);
    if (!fresh && known->second.absent()) {  // it is being made
        return failed(
            in.report(Diag::recursive_declaration, e.span,
                      fmt::format("the rows of `{}` are made of themselves", in.program.data_tables[e.index].name)));
    }
    if (!fresh) return known->second;
    const Table& table = in.program.data_tables[e.index];
    ListValue rows;
    rows.reserve(table.rows.size());
    Frame none;
    const Table* const outer_table = std::exchange(in.report.table, &table);
    const std::size_t outer_row = in.report.table_row;
    const Span outer_use = std::exchange(in.report.led_from, Span{});
    bool fine = true;
    for (in.report.table_row = 0; in.report.table_row < table.rows.size(); ++in.report.table_row) {
        std::vector<AttributeValue> given;
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (table.cells[in.report.table_row * table.columns.size() + i].given) given.push_back(table.columns[i]);
        auto value = schema_value(in, table.schema, given, none, nullptr, table.rows[in.report.table_row],
                                  fmt::format("row {} of `{}`", in.report.table_row + 1, table.name));
        fine = fine && value;
        if (!value) continue;
        // What overrides computed attributes asks for what was given, which a row does not keep.
        if (value->definition) {
            auto own = std::make_shared<SchemaValue>(*value);
            own->definition.reset();
            value = std::move(own);
        }
        rows.push_back({std::move(value)});
    }
    in.report.table = outer_table;
    in.report.table_row = outer_row;
    in.report.led_from = outer_use;
    Value& result = in.tables[e.index];
    result = fine ? Value{std::make_shared<const ListValue>(std::move(rows))} : Value{Failed{}};
    return result;
}

// Of the row that is being made.
Value cell(Elaboration& in, const Expr& e)
{
    const Table::Cell& cell = in.report.table->cells[in.report.table_row * in.report.table->columns.size() + e.index];
    const auto bits_of = [&](const Table::Cell& c) {
        return c.ipv6 ? in.program.ipv6[static_cast<std::size_t>(c.number)] : static_cast<AddressBits>(c.number);
    };
    switch (e.type.kind) {
        case TypeKind::string:
            return {in.program.strings[cell.index]};
        case TypeKind::address:
            return {AddressValue{bits_of(cell), cell.ipv6}};
        case TypeKind::prefix:
            return {PrefixValue{bits_of(cell), cell.index, cell.ipv6}};
        case TypeKind::enumeration:
            return {EnumValue{static_cast<std::uint32_t>(cell.number)}};
        case TypeKind::schema: {
            Frame none;
            return evaluate(in, ExprId{cell.index}, none);
        }
        default:
            return {Number{in.constant(cell.number)}};
    }
}

}  // namespace anml
