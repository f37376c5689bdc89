// Tables: a list of a value for each row, made once.
#include <fmt/format.h>

#include "elaborate/elaborator.h"

namespace anml {

Value Elaborator::table(const Expr& e)
{
    const auto [known, fresh] = tables_.try_emplace(e.index);
    if (!fresh && known->second.absent()) {  // it is being made
        report(Diag::recursive_declaration, e.span,
               fmt::format("the rows of `{}` are made of themselves", program_.data_tables[e.index].name));
        return {Failed{}};
    }
    if (!fresh) return known->second;
    const Table& table = program_.data_tables[e.index];
    ListValue rows;
    rows.reserve(table.rows.size());
    Frame none;
    const Table* const outer_table = std::exchange(table_, &table);
    const std::size_t outer_row = table_row_;
    const Span outer_use = std::exchange(led_from_, Span{});
    bool fine = true;
    for (table_row_ = 0; table_row_ < table.rows.size(); ++table_row_) {
        std::vector<AttributeValue> given;
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (table.cells[table_row_ * table.columns.size() + i].given) given.push_back(table.columns[i]);
        auto value = schema_value(table.schema, given, none, nullptr, table.rows[table_row_],
                                  fmt::format("row {} of `{}`", table_row_ + 1, table.name));
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
    table_ = outer_table;
    table_row_ = outer_row;
    led_from_ = outer_use;
    Value& result = tables_[e.index];
    result = fine ? Value{std::make_shared<const ListValue>(std::move(rows))} : Value{Failed{}};
    return result;
}

// Of the row that is being made.
Value Elaborator::cell(const Expr& e)
{
    const Table::Cell& cell = table_->cells[table_row_ * table_->columns.size() + e.index];
    const auto bits_of = [&](const Table::Cell& c) {
        return c.ipv6 ? program_.ipv6[static_cast<std::size_t>(c.number)] : static_cast<AddressBits>(c.number);
    };
    switch (e.type.kind) {
        case TypeKind::string:
            return {program_.strings[cell.index]};
        case TypeKind::address:
            return {AddressValue{bits_of(cell), cell.ipv6}};
        case TypeKind::prefix:
            return {PrefixValue{bits_of(cell), cell.index, cell.ipv6}};
        case TypeKind::enumeration:
            return {EnumValue{static_cast<std::uint32_t>(cell.number)}};
        case TypeKind::schema: {
            Frame none;
            return evaluate(ExprId{cell.index}, none);
        }
        default:
            return {Number{constant(cell.number)}};
    }
}

// Of a column's header, the cell of the row that is being made.
Span Elaborator::cell_place(Span span) const
{
    if (!table_) return span;
    for (std::size_t i = 0; i < table_->columns.size(); ++i)
        if (table_->columns[i].span == span) return table_->cells[table_row_ * table_->columns.size() + i].place;
    return span;
}

}  // namespace anml
