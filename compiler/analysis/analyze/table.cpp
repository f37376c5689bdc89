#include "analysis/analyze/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace anml {

nlohmann::ordered_json AnalysisTable::json() const
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& row : rows) {
        nlohmann::ordered_json object;
        for (std::size_t i = 0; i < columns.size(); ++i) object[columns[i].key] = row[i].value;
        list.push_back(std::move(object));
    }
    return list;
}

std::string AnalysisTable::csv() const
{
    std::string text;
    const auto field = [&](const nlohmann::ordered_json& value, std::size_t i) {
        if (i != 0) text += ',';
        if (value.is_null()) return;
        if (!value.is_string()) {
            text += value.dump();
            return;
        }
        const auto& words = value.get_ref<const std::string&>();
        if (words.find_first_of(",\"\r\n") == std::string::npos) {
            text += words;
            return;
        }
        text += '"';
        for (const char c : words) text.append(c == '"' ? 2 : 1, c);
        text += '"';
    };
    for (std::size_t i = 0; i < columns.size(); ++i) field(columns[i].key, i);
    text += "\r\n";
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) field(row[i].value, i);
        text += "\r\n";
    }
    return text;
}

std::string AnalysisTable::text(std::size_t most) const
{
    const std::size_t shown = std::min(most, rows.size());
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        std::size_t width = columns[i].title.size();
        for (std::size_t r = 0; r < shown; ++r) width = std::max(width, rows[r][i].text.size());
        widths.push_back(width);
    }
    std::string text;
    const auto line = [&](auto&& cell) {
        std::string row;
        for (std::size_t i = 0; i < columns.size(); ++i)
            row += columns[i].right ? fmt::format("  {:>{}}", cell(i), widths[i])
                                    : fmt::format("  {:<{}}", cell(i), widths[i]);
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + "\n";
    };
    line([&](std::size_t i) { return columns[i].title; });
    for (std::size_t r = 0; r < shown; ++r) line([&](std::size_t i) { return rows[r][i].text; });
    if (shown < rows.size()) text += fmt::format("  and {} more\n", rows.size() - shown);
    return text;
}

}  // namespace anml
