// What a run makes of a written request (image.h) each time it is sent, and looks for in its response: WrittenRequest's
// `script`. The compiler writes it, app/web_client/request_script.h reads it.
//
// Items, each ended by kItem: a letter, and parts, of t and c behind a kPart each:
//   p TEXT, f TEXT, b TEXT               its path, fields and body, those that have slots
//   g PARTS                              its messages (common/protobuf.h): of a call of gRPC; "": always the same
//   t VALUE SOURCE WHERE GROUP EXPRESSION a value that is taken out of the response, by its number; of what is there the
//                                        group of a regular expression (common/regular_expression.h), unless that is ""
//   o VALUE                              that value may be absent: a condition asks for it
//   c SOURCE WHERE OPERATOR OPERAND TEXT a check, and how the file has it
//   w LEFT OPERATOR RIGHT                it is not sent where that holds of two texts
//   l LEFT OPERATOR RIGHT                it is sent again while that holds
//   n COUNT                              it is sent so often
//   m NUMBER FUNCTION KEY TEXT           what is made of texts with slots: b base64, s SHA-256, h HMAC-SHA-256, and x
//                                        hexadecimal digits, b base64, u base64url
// A slot is a code between kOpen and kClose:
//   u a UUID, t seconds since 1970, d that time as RFC 3339 has it, iA,B an integer from A to B, aN letters, nN letters
//   and digits, hN hexadecimal digits, c the client's number, k how often it has begun with the file's first request,
//   rN a column of its row, vN a value, mN,L what is made, of L bytes as a rule, q its body; j and w before one of these:
//   as it stands in a string of JSON, or in a form. Behind ";" what is drawn has the number of its place in the file: in
//   a request it is the same wherever a variable has brought it.
// Rows of a table (WrittenRequest::rows): each ended by kItem, with cells between kPart; a letter stands before them:
//   o each client has its own, i each iteration the next, a one that is drawn for each iteration
#pragma once

#include <cstdint>
#include <string_view>

namespace anml::abi::request_script {

inline constexpr char kOpen = '\1', kClose = '\2', kItem = '\3', kPart = '\4';
inline constexpr std::uint32_t kMostRepeats = 1000;  // of a request, while a condition holds
inline constexpr std::uint64_t kMostDrawn = 16384;  // places of a file where something is drawn
inline constexpr std::string_view kMarks = "\1\2\3\4";

// Of a response; the letter of each. `attribute`: of its HTML, "element wanted attribute value".
// protobuf: of a message of gRPC, where it lies (common/protobuf.h), a blank, and the pointer that says so.
enum class Source : char {
    status = 's',
    size = 'z',
    header = 'h',
    body = 'b',
    pointer = 'p',  // RFC 6901
    attribute = 'a',
    protobuf = 'g'
};
enum class Operator : char {
    equal = '=',
    unequal = '!',
    less = '<',
    most = 'm',
    more = '>',
    least = 'l',
    includes = 'i',
    begins = 'b',
    ends = 'e',
    exists = 'x',
    matches = 'r',
    sha256 = 'y'  // in base64
};

}  // namespace anml::abi::request_script
