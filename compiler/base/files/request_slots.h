// What a request file (request_file.h) leaves to the run: variables that it makes, values of responses, checks. Written
// as runtime/abi/request_script.h has it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/abi/request_script.h"

namespace anml::request_slots {

std::string in_text(std::string_view code);  // a slot
// A body of that type, whose values of tables and responses are escaped where they come to stand in a string of JSON, or
// in a form.
std::string escaping(std::string_view body, std::string_view type);
bool has_slots(std::string_view text);
// A text with a value as the run's for each slot, where no run fills it in. `row`: the first of the table.
std::string typical(std::string_view text, const std::vector<std::string>& row);

// The code of "$uuid", "$randomInt 1 100", "$random.integer(1, 100)"; "": it is none.
std::string made_by_run(std::string_view name);
extern const std::string_view kMade;  // all of them, for messages
std::string numbered(std::string code, std::size_t place);  // one that is drawn, with its place in the file

// "$base64(text)", "$sha256.hex(text)", "$hmac.sha256.base64url(key, text, ...)".
struct Function {
    std::string code;  // of an item `m`
    std::vector<std::string_view> arguments;
    std::string problem;  // "": nothing is wrong with it
};
std::optional<Function> function(std::string_view name);  // nothing: it is none
// The text of a string in quotes, with `\n`, `\t`, `\"` and `\\`; nothing: it is none.
std::optional<std::string> quoted(std::string_view text);
// How long what it makes is, of typical texts.
std::size_t length(std::string_view code, std::size_t text);

// "login.response.body.$.token": of which request, and what of its response. `expression`: of that, its `group`.
struct Reference {
    std::string_view request;
    abi::request_script::Source source{};
    std::string where, group, expression;
    std::string problem;  // "": nothing is wrong with it
};
bool is_reference(std::string_view name);
Reference reference(std::string_view name);
std::string no_reference(std::string_view name);  // that it is none

// "status == 200", "header Content-Type includes json", "body $.items[0].id exists": an item of a script. "":
// it is written wrongly; `problem`: how, where that is known.
// `place`: what a pointer becomes; "", or what is wrong with it.
using Place = std::function<std::string(abi::request_script::Source& source, std::string& where)>;
std::string check(std::string_view text, std::string& problem, const Place& place);

// "admin == <v0>", with slots in the place of variables: as an item has it. "": it is written wrongly; `problem`: how,
// where that is known.
std::string condition(std::string_view text, std::string& problem);

// A table as a script has it. `problem`: what is wrong with it, "" nothing.
struct Rows {
    std::vector<std::string> columns, first;
    std::string text, problem;
};
Rows rows(std::string_view csv, char order);

}  // namespace anml::request_slots
