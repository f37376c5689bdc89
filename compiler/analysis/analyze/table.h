// A table whose cells have a value, for JSON and CSV, and a text, for people.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace anml {

struct Cell {
    nlohmann::ordered_json value;
    std::string text;
};

struct AnalysisTable {
    struct Column {
        std::string key;    // "rate_bps"
        std::string title;  // "rate"
        bool right = false;
    };
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;

    nlohmann::ordered_json json() const;       // a list of objects
    std::string csv() const;                   // RFC 4180, with a line of keys
    std::string text(std::size_t most) const;  // of so many rows at most, and how many are left out
};

}  // namespace anml
