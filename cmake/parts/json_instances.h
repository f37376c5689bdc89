// What files that read or write JSON would each compile, and json.cpp compiles once.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#ifndef ANML_INSTANCE
#define ANML_INSTANCE extern template
#endif

#define ANML_INSTANCES(Json)                                                                \
    ANML_INSTANCE class nlohmann::Json;                                                     \
    ANML_INSTANCE class std::vector<nlohmann::Json>;                                        \
    ANML_INSTANCE class nlohmann::detail::json_sax_dom_parser<nlohmann::Json>;              \
    ANML_INSTANCE class nlohmann::detail::json_sax_dom_callback_parser<nlohmann::Json>;     \
    ANML_INSTANCE class nlohmann::detail::serializer<nlohmann::Json>;                       \
    ANML_INSTANCE class nlohmann::detail::lexer<nlohmann::Json, anml::JsonText>;            \
    ANML_INSTANCE class nlohmann::detail::parser<nlohmann::Json, anml::JsonText>;

namespace anml {
using JsonText = decltype(nlohmann::detail::input_adapter(std::declval<const std::string&>()));
}
ANML_INSTANCES(basic_json<>)
ANML_INSTANCES(basic_json<nlohmann::ordered_map>)
#undef ANML_INSTANCES
