// Words of other languages and tools for what ANML calls otherwise.
#pragma once

#include <string_view>
#include <vector>

namespace anml {

// ANML's word among the candidates for what `seen` is called elsewhere, or "".
std::string_view foreign_word(std::string_view seen, const std::vector<std::string_view>& candidates);

// The candidate that was meant: one with a similar name, or ANML's word for what `seen` is called elsewhere; or "".
std::string_view meant_name(std::string_view seen, const std::vector<std::string_view>& candidates);

// What helps where a name, or an attribute of a workload or of a node, is known from other languages and tools, or "".
std::string_view foreign_name_help(std::string_view name);
std::string_view foreign_load_help(std::string_view name);
std::string_view foreign_node_help(std::string_view name);
std::string_view foreign_link_help(std::string_view name);
// Of an attribute of `run`, `routing` and others, by the name of their schema.
std::string_view foreign_setting_help(std::string_view schema, std::string_view name);

// `count`, `for_each`: what asks for several of something.
bool asks_for_many(std::string_view name);

// The module of the standard library for what is called `name` elsewhere ("http": "web"), or "".
std::string_view foreign_module(std::string_view name);

inline constexpr std::string_view kUnitTable =
    "units are ns us ms s min h, B KB MB GB TB, bps Kbps Mbps Gbps Tbps, m km, %";

// The unit that `seen` stands for ("msec": "ms"), or "".
std::string_view meant_unit(std::string_view seen);

}  // namespace anml
