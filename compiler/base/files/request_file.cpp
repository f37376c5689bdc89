#include "base/files/request_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/diagnostics.h"
#include "base/files/document_list.h"
#include "base/files/grpc_body.h"
#include "base/files/read_file.h"
#include "base/files/request_slots.h"
#include "base/files/request_text.h"
#include "base/values/quantity.h"
#include "common/ascii.h"
#include "common/grpc_status.h"
#include "common/base64.h"
#include "common/protobuf.h"
#include "common/utf8.h"

namespace anml {

namespace slots = request_slots;
namespace script = abi::request_script;

namespace {

constexpr std::string_view kSpaceAndTab = " \t";
constexpr std::size_t kLongestPath = 8000;  // RFC 9110, 4.1: what all should take

// RFC 9110, 5.6.2
bool is_token(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return in_word(c) || std::string_view("!#$%&'*+-.^`|~").find(c) != std::string_view::npos;
    });
}

bool is_name(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return in_word(c) || c == '-' || c == '.'; });
}

bool is_comment(std::string_view line) { return line.starts_with('#') || line.starts_with("//"); }

// What a comment says behind "@name" or another word; nothing: it has none.
std::string_view said_in(std::string_view comment, std::string_view word)
{
    comment.remove_prefix(std::min(comment.find_first_not_of("#/"), comment.size()));
    comment = stripped(comment);
    if (!comment.starts_with(word)) return {};
    comment.remove_prefix(word.size());
    if (!comment.empty() && std::string_view("= \t").find(comment.front()) == std::string_view::npos) return {};
    return stripped(comment.substr(std::min(comment.find_first_not_of("= \t"), comment.size())));
}

bool is_check(std::string_view text) { return text.starts_with("??"); }

// What editors do with a response, or before a request.
bool is_script(std::string_view text)
{
    return text.starts_with("> ") || text.starts_with(">> ") || text.starts_with("<> ") || text.starts_with("< {%");
}
LineError no_script(std::string_view line)
{
    return wrong_part(line, line, "scripts, and what is done with responses, cannot be run: leave them out");
}

}  // namespace

bool is_request_file(std::string_view path) { return path.ends_with(".http") || path.ends_with(".rest"); }

RequestFileReader::RequestFileReader(std::string folder)
    : folder_(std::move(folder)),
      protos_([this](const std::string& path, std::string& text) { return read_beside(path, text); })
{
    begin_request("");
}

LineError RequestFileReader::take(std::string_view line, std::size_t begin)
{
    offset_ = begin;
    next_ = begin + line.size() + 1;
    ++line_;
    if (over_ || (skips_ && !line.starts_with("###"))) return {};
    const std::string name = now_.request->name;
    LineError error = take_line(line);
    if (error.message.empty()) return error;
    wrong_names_.insert(name);
    recover(line);
    return error;
}

// What an error leaves behind.
void RequestFileReader::recover(std::string_view line)
{
    const std::string_view text = stripped(line);
    const bool variable = place_ == Place::before && text.starts_with('@');
    over_ = documents.size() == kMostRequests || (place_ == Place::before && text.starts_with("proto ")) ||
            (is_comment(text) && !said_in(text, "@data").empty());
    if (variable)
        variables_.try_emplace(std::string(stripped(text.substr(1, std::min(text.find('='), text.size()) - 1))));
    skips_ = !variable && !is_comment(text) && !is_check(text);
}

namespace {

// `# @thnik 2 s`. Marks of other tools are comments.
LineError misspelt_mark(std::string_view line, std::string_view text)
{
    const std::vector<std::string_view> known{"@name", "@data", "@loop", "@think", "@group", "@disabled"};
    const std::size_t at = text.find_first_not_of("#/ \t");
    if (at == text.npos || text[at] != '@') return {};
    const std::string_view word = text.substr(at, std::min(text.find_first_of(" \t", at), text.size()) - at);
    if (std::ranges::find(known, word) != known.end()) return {};
    const std::string_view meant = similar_name(word, known);
    if (meant.empty()) return {};
    return wrong_part(line, word, fmt::format("`{}` is a comment, and there is `{}`", shown(word), meant));
}

}  // namespace

LineError RequestFileReader::take_line(std::string_view line)
{
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (offset_ == 0 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    if (const std::size_t mark = line.find_first_of(script::kMarks); mark != line.npos)
        return wrong_part(line, line.substr(mark, 1), "a request has no control characters");
    const std::string_view text = stripped(line);
    if (line.starts_with("###")) {
        LineError error = skips_ ? LineError{} : end_request();
        skips_ = false;
        begin_request("");
        error.begin -= offset_;  // it lies before this line
        error.end -= offset_;
        const std::string_view name = stripped(text.substr(std::min(text.find_first_not_of('#'), text.size())));
        LineError named = take_name(line, name);
        return error.message.empty() ? named : error;
    }
    if (is_script(text) && (place_ != Place::body || now_.request->body.empty())) return no_script(line);
    if (is_check(text) && place_ != Place::before) return take_check(line);
    if (place_ == Place::body) return method_ ? take_messages(line) : take_body(line);
    if (is_comment(text)) {
        if (const std::string_view name = said_in(text, "@name"); !name.empty()) return take_name(line, name);
        if (const std::string_view words = said_in(text, "@data"); !words.empty()) return take_table(line, words);
        if (const std::string_view words = said_in(text, "@loop"); !words.empty()) return take_loop(line, words);
        if (const std::string_view words = said_in(text, "@think"); !words.empty()) return take_think(line, words);
        if (const std::string_view name = said_in(text, "@group"); !name.empty()) group_ = name == "none" ? "" : name;
        if (const std::string_view words = said_in(text, "@disabled"); !words.empty())
            return take_disabled(line, words);
        left_out_ |= text.ends_with("@disabled") && text.find_first_not_of("#/ \t") == text.size() - 9;
        return misspelt_mark(line, text);
    }
    if (place_ == Place::fields) {
        if (!text.empty()) return take_field(line);
        place_ = Place::body;
        return {};
    }
    if (text.empty()) return {};
    if (text.starts_with("proto ") && stripped(text.substr(6)).starts_with('<')) return take_proto(line);
    return text.starts_with('@') ? take_variable(line) : take_target(line);
}

LineError RequestFileReader::take_name(std::string_view line, std::string_view name)
{
    now_.request->name = name;
    if (name.empty()) return {};
    name_ = wrong_part(line, name, "");
    name_.begin += offset_;
    name_.end += offset_;
    name_line_ = line_;
    return {};
}

namespace {

// A pointer into a response's JSON becomes one into the message that a call is answered with. "", or what is wrong.
std::string place_in(const google::protobuf::MethodDescriptor& method, script::Source& source, std::string& where)
{
    std::string problem;
    const std::string place = grpc_place(method, where, problem);
    if (!problem.empty()) return problem;
    where = fmt::format("{} {}", place, where);
    source = script::Source::protobuf;
    return "";
}

}  // namespace

std::string RequestFileReader::value_of(const std::string& name, std::string& value)
{
    const slots::Reference reference = slots::reference(name);
    if (!reference.problem.empty()) return reference.problem;
    const bool own = of_itself_ && reference.request == now_.request->name;
    const auto known = std::ranges::find_if(documents.rbegin(), documents.rend(), [&](const FileDocument& document) {
        return !own && document.request->name == reference.request;
    });
    if (known == documents.rend() && wrong_names_.contains(reference.request)) {
        value = "/";  // as good as any
        return "";
    }
    if (known == documents.rend() && !own) {
        std::vector<std::string_view> names;
        for (const FileDocument& document : documents) names.push_back(document.request->name);
        std::erase(names, "");
        const std::string_view meant = similar_name(reference.request, names);
        return fmt::format("no request above is called `{}`{}", shown(reference.request),
                           !meant.empty()      ? fmt::format(": did you mean `{}`?", meant)
                           : names.size() == 1 ? fmt::format(": there is `{}`", names.front())
                                               : "");
    }
    const auto index = own ? documents.size() : static_cast<std::size_t>(documents.rend() - known) - 1;
    script::Source source = reference.source;
    std::string where = reference.where;
    if (const auto* method = own ? method_ : methods_[index]; method && source == script::Source::pointer)
        if (const std::string problem = place_in(*method, source, where); !problem.empty()) return problem;
    const std::string key = fmt::format("{} {}", index, name);
    const auto before = std::ranges::find(values_, key);
    const auto number = before - values_.begin();
    if (before == values_.end()) {
        values_.push_back(key);
        (own ? script_ : documents[index].request->script) +=
            fmt::format("t{0}{1}{0}{2}{0}{3}{0}{4}{0}{5}{6}", script::kPart, number,
                        static_cast<char>(source), where, reference.group, reference.expression,
                        script::kItem);
    }
    value = slots::in_text(fmt::format("v{}", number));
    return "";
}

std::string RequestFileReader::resolve(const std::string& name, std::string& value)
{
    if (const auto known = variables_.find(name); known != variables_.end()) {
        value = known->second;
    } else if (const auto column = std::ranges::find(columns_, name); column != columns_.end()) {
        value = slots::in_text(fmt::format("r{}", column - columns_.begin()));
    } else if (slots::is_reference(name)) {
        return value_of(name, value);
    } else if (const std::string code = slots::made_by_run(name); !code.empty()) {
        value = slots::in_text(slots::numbered(code, drawn_++));
        if (drawn_ > script::kMostDrawn)
            return fmt::format("a file has at most {} values that are drawn", script::kMostDrawn);
    } else if (const auto function = slots::function(name)) {
        return function->problem.empty() ? make(*function, value) : function->problem;
    } else if (name.starts_with('$')) {
        return fmt::format("`{}` is nothing that a run makes: {}", shown(name), slots::kMade);
    } else if (is_request(name)) {
        return slots::no_reference(name);
    } else {
        std::vector<std::string_view> names(columns_.begin(), columns_.end());
        for (const auto& [variable, of] : variables_) names.push_back(variable);
        const std::string_view meant = similar_name(name, names);
        std::string problem = fmt::format(
            "`{}` is no variable of this file: {}", shown(name),
            meant.empty() ? "`@name = value` above it makes one" : fmt::format("did you mean `{}`?", meant));
        variables_.try_emplace(name);  // it is said once
        return problem;
    }
    return "";
}

std::string RequestFileReader::make(const slots::Function& function, std::string& value)
{
    std::string key, text;
    for (std::size_t i = 0; i < function.arguments.size(); ++i) {
        const std::string name(function.arguments[i]);
        std::string part;
        if (name == "$request.body") {
            part = slots::in_text("q");
        } else if (const auto quoted = slots::quoted(name)) {
            part = *quoted;
        } else if (name.starts_with('"')) {
            return fmt::format("`{}` is no text in quotes: in one, `\\n`, `\\t`, `\\\"` and `\\\\` have a backslash",
                               shown(name));
        } else if (std::string problem = resolve(name, part); !problem.empty()) {
            return problem;
        }
        (function.code[0] == 'h' && i == 0 ? key : text) += part;
    }
    constexpr std::size_t kMostMade = std::size_t{1} << 20;
    if (slots::typical(key, first_row_).size() + slots::typical(text, first_row_).size() > kMostMade)
        return fmt::format("a function takes at most {} bytes", kMostMade);
    value = make(function.code, key, text);
    return "";
}

std::string RequestFileReader::make(std::string code, const std::string& key, const std::string& text)
{
    const bool known = !slots::has_slots(text) && code[0] == 'b';  // the same each time
    if (std::string made; known) {
        add_base64(text, code[1] == 'u' ? Base64::url : Base64::usual, made);
        return made;
    }
    const std::size_t length = slots::length(code, slots::typical(text, first_row_).size());
    made_.push_back(
        fmt::format("m{1}{0}{2}{0}{3}{0}{4}{5}", script::kPart, made_.size(), code, key, text, script::kItem));
    return slots::in_text(fmt::format("m{},{}", made_.size() - 1, length));
}

void RequestFileReader::add_made(std::string_view text, std::vector<bool>& added)
{
    for (std::size_t at = 0; (at = text.find(script::kOpen, at)) != text.npos; ++at) {
        std::string_view code = text.substr(at + 1);
        if (code.front() == 'j' || code.front() == 'w') code.remove_prefix(1);
        if (code.front() != 'm') continue;
        std::size_t number = 0;
        std::from_chars(code.data() + 1, code.data() + code.size(), number);
        if (added[number]) continue;
        added[number] = true;
        const std::string& item = made_[number];
        script_ += item;
        now_.request->hashes |= item[item.find(script::kPart) + 1] != 'b';
        add_made(item, added);
    }
}

bool RequestFileReader::made_of_body(std::string_view text) const
{
    std::vector<bool> seen(made_.size());
    return made_of_body(text, seen);
}

bool RequestFileReader::made_of_body(std::string_view text, std::vector<bool>& seen) const
{
    for (std::size_t at = 0; (at = text.find(script::kOpen, at)) != text.npos; ++at) {
        const std::string_view code = text.substr(at + 1);
        std::size_t number = 0;
        std::from_chars(code.data() + 1, code.data() + code.size(), number);
        if (code.front() == 'q') return true;
        if (code.front() != 'm' || seen[number]) continue;
        seen[number] = true;
        if (made_of_body(made_[number], seen)) return true;
    }
    return false;
}

// Whether it begins with a request's name, as values of its response do.
bool RequestFileReader::is_request(std::string_view name) const
{
    const std::string_view of = name.substr(0, std::min(name.find('.'), name.size()));
    return of.size() < name.size() && std::ranges::any_of(documents, [&](const FileDocument& document) {
        return document.request->name == of;
    });
}

LineError RequestFileReader::fill_in(std::string_view line, std::string& text, bool in_body)
{
    for (std::size_t at = 0; (at = text.find("{{", at)) != text.npos;) {
        const std::size_t end = std::min(text.find("}}", at), text.size());
        const std::string_view whole = std::string_view(text).substr(at, end + 2 - at);
        const std::string name(stripped(std::string_view(text).substr(at + 2, end - at - 2)));
        const bool known = name.starts_with('$') || is_name(name) || slots::is_reference(name) || is_request(name) ||
                           std::ranges::find(columns_, name) != columns_.end();
        if (in_body && (end == text.size() || !known)) {
            at += 2;
            continue;
        }
        std::string value;
        const std::string problem = end == text.size() ? "`{{` has no `}}`" : resolve(name, value);
        if (!problem.empty()) {
            const std::size_t written = line.find(whole);
            return wrong_part(line, written == line.npos ? line : line.substr(written, whole.size()), problem);
        }
        text.replace(at, whole.size(), value);
        at += value.size();
    }
    return {};
}

std::string RequestFileReader::read_beside(std::string_view named, std::string& text)
{
    const std::string path = named.starts_with('/') ? std::string(named) : folder_ + std::string(named);
    const std::size_t most = kLargestRequests - included_bytes_;
    std::string problem = read_file(path, most, Readable::files, text);
    if (problem.empty() && text.size() > most) problem = "it is too large";
    if (!problem.empty()) return fmt::format("cannot read `{}`: {}", shown(path), problem);
    included_bytes_ += text.size();
    included.push_back(path);
    return "";
}

// "users.csv", "users.csv random"
LineError RequestFileReader::take_table(std::string_view line, std::string_view words)
{
    if (!columns_.empty()) return wrong_part(line, words, "a file of requests has one table");
    const std::size_t blank = words.find_last_of(kSpaceAndTab);
    const std::string_view order = blank == words.npos ? "" : words.substr(blank + 1);
    const bool ordered = order == "own" || order == "in_turn" || order == "random";
    const std::string_view named = ordered ? stripped(words.substr(0, blank)) : words;
    std::string text;
    std::string problem = read_beside(named, text);
    if (problem.empty()) {
        slots::Rows rows = slots::rows(text, order == "in_turn" ? 'i' : order == "random" ? 'a' : 'o');
        if (!rows.problem.empty()) problem = fmt::format("`{}` is no table: {}", shown(named), rows.problem);
        rows_ = std::move(rows.text);
        columns_ = std::move(rows.columns);
        first_row_ = std::move(rows.first);
    }
    return problem.empty() ? LineError{} : wrong_part(line, named, problem);
}

LineError RequestFileReader::take_condition(std::string_view line, std::string_view words, char item)
{
    std::string text(words), problem;
    if (LineError error = fill_in(line, text); !error.message.empty()) return error;
    const std::string condition = slots::condition(text, problem);
    if (condition.empty() && problem.empty())
        problem = "this is no condition: `{{login.response.body.$.role}} != admin`, with ==, !=, <, <=, >, >=, "
                  "includes, startsWith, endsWith, matches or exists between blanks";
    if (!problem.empty()) return wrong_part(line, words, problem);
    std::vector<bool> added(made_.size());
    add_made(condition, added);
    script_ += fmt::format("{}{}{}", item, condition, script::kItem);
    may_be_absent(condition);
    return {};
}

// Whoever asks for a value takes no for an answer.
void RequestFileReader::may_be_absent(std::string_view text)
{
    for (std::size_t at = 0; (at = text.find(script::kOpen, at)) != text.npos; ++at) {
        const std::string_view code = text.substr(at + 1);
        if (code.front() != 'v') continue;
        std::size_t number = 0, index = 0;
        std::from_chars(code.data() + 1, code.data() + code.size(), number);
        const std::string& key = values_[number];
        std::from_chars(key.data(), key.data() + key.size(), index);
        (index == documents.size() ? script_ : documents[index].request->script) +=
            fmt::format("o{}{}", number, script::kItem);
    }
}

LineError RequestFileReader::take_disabled(std::string_view line, std::string_view words)
{
    if (documents.empty())
        return wrong_part(line, words, "an iteration begins with the first request, which is always sent");
    return take_condition(line, words, 'w');
}

// "for 3", "while {{poll.response.body.$.state}} == busy"
LineError RequestFileReader::take_loop(std::string_view line, std::string_view words)
{
    if (words.starts_with("while ")) {
        of_itself_ = true;
        const LineError error = take_condition(line, stripped(words.substr(6)), 'l');
        of_itself_ = false;
        return error;
    }
    const std::string_view count = words.starts_with("for ") ? stripped(words.substr(4)) : std::string_view();
    if (count.empty() || !std::ranges::all_of(count, is_digit))
        return wrong_part(
            line, words, "a request is repeated by `# @loop for 3` or `# @loop while {{poll.response.status}} == 202`");
    unsigned times = 0;
    std::from_chars(count.data(), count.data() + count.size(), times);
    if (times < 2 || times > script::kMostRepeats)
        return wrong_part(line, words, fmt::format("a request is repeated 2 to {} times", script::kMostRepeats));
    script_ += fmt::format("n{}{}", times, script::kItem);
    return {};
}

// "2 s", "1 s .. 3 s"
LineError RequestFileReader::take_think(std::string_view line, std::string_view words)
{
    constexpr double kMost = 3.6e15;  // ns, 1000 h
    const std::size_t dots = words.find("..");
    const auto time = [](std::string_view text) -> std::optional<std::uint64_t> {
        const auto read = parse_quantity(stripped(text));
        const bool fine = read && read->dim == dimension::time && read->value >= 0 && read->value <= kMost;
        return fine ? std::optional(static_cast<std::uint64_t>(read->value)) : std::nullopt;
    };
    const auto least = time(words.substr(0, dots)), most = dots == words.npos ? least : time(words.substr(dots + 2));
    if (!least || !most || *least > *most)
        return wrong_part(line, words, "a think time is `# @think 2 s` or `# @think 1 s .. 3 s`, up to 1000 h");
    now_.request->think = {*least, *most};
    return {};
}

namespace {

// `status == NOT_FOUND`: statuses of gRPC have names, and checks compare numbers.
std::string status_by_number(const std::string& check)
{
    const std::size_t at = check.find_last_of(" \t") + 1;
    const auto named = std::ranges::find(kGrpcStatuses, stripped(std::string_view(check).substr(at)));
    return named == std::end(kGrpcStatuses)
               ? check
               : check.substr(0, at) + fmt::to_string(named - std::begin(kGrpcStatuses));
}

}  // namespace

LineError RequestFileReader::take_check(std::string_view line)
{
    std::string text(stripped(line).substr(2));
    if (LineError error = fill_in(line, text); !error.message.empty()) return error;
    std::string problem;
    const auto place = [this](script::Source& source, std::string& where) {
        return method_ ? place_in(*method_, source, where) : "";
    };
    if (method_ && stripped(text).starts_with("status ")) text = status_by_number(text);
    const std::string item = slots::has_slots(text) ? "" : slots::check(stripped(text), problem, place);
    if (!problem.empty()) return wrong_part(line, line, problem);
    if (const std::size_t sign = text.find(" = "); item.empty() && sign != text.npos)
        return wrong_part(
            line, line,
            fmt::format("to compare, write `==`: `??{}=={}`", text.substr(0, sign + 1), text.substr(sign + 2)));
    if (item.empty())
        return wrong_part(line, line,
                          "this is no check: `?? status == 201`, `?? header Content-Type includes json`, `?? body "
                          "includes text`, `?? body $.items[0].id exists` or `?? size < 4096`, with ==, !=, <, <=, >, "
                          ">=, includes, startsWith, endsWith, matches or exists, and values that no run makes");
    script_ += item;
    const std::string hash{script::kPart, static_cast<char>(script::Operator::sha256), script::kPart};
    now_.request->hashes |= item.find(hash) != item.npos;
    return {};
}

LineError RequestFileReader::take_variable(std::string_view line)
{
    const std::string_view text = stripped(line).substr(1);
    const std::size_t sign = std::min(text.find('='), text.size());
    const std::string_view name = stripped(text.substr(0, sign));
    if (sign == text.size() || !is_name(name)) return wrong_part(line, text, "a variable is `@name = value`");
    std::string value(stripped(text.substr(sign + 1)));
    if (LineError error = fill_in(line, value); !error.message.empty()) return error;
    variables_[std::string(name)] = std::move(value);
    return {};
}

LineError RequestFileReader::add_path(std::string_view line, std::string_view text)
{
    std::string path = now_.path.empty() && text.starts_with('?') ? "/" : "";
    for (std::string_view left = text; !left.empty();) {
        const bool slot = left.front() == script::kOpen;
        const std::size_t end = slot ? left.find(script::kClose) + 1 : std::min(left.find(script::kOpen), left.size());
        const std::string url = slot ? "" : url_path(fmt::format("/{}", left.substr(0, end)));
        if (!slot && url.empty()) return wrong_part(line, line, fmt::format("`{}` is not a path", shown(left)));
        path += slot ? left.substr(0, end) : std::string_view(url).substr(1);
        left.remove_prefix(end);
    }
    now_.path += path;
    if (now_.path.size() > kLongestPath)
        return wrong_part(line, line, fmt::format("a path has at most {} characters", kLongestPath));
    place_ = Place::fields;
    return {};
}

// "POST http://host/path HTTP/1.1"; without a method it is GET.
LineError RequestFileReader::take_target(std::string_view line)
{
    if (documents.size() == kMostRequests)
        return wrong_part(line, line, fmt::format("there are more than {} requests", kMostRequests));
    std::string whole(stripped(line));
    if (LineError error = fill_in(line, whole); !error.message.empty()) return error;
    std::string_view text = whole;
    text = stripped(text.substr(0, text.rfind(" HTTP/")));
    if (const std::size_t blank = text.find_first_of(kSpaceAndTab); blank != text.npos) {
        const std::string_view word = text.substr(0, blank);
        if (word == "GRPC") return take_method(line, stripped(text.substr(blank)));
        const auto method = abi::method_named(word);
        if (!method)
            return wrong_part(line, line, fmt::format("`{}` is none of {}, nor GRPC", shown(word), abi::kMethodList));
        now_.method = *method;
        text = stripped(text.substr(blank));
    }
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (!same_in_any_case(text.substr(0, scheme.size()), scheme)) continue;
        const std::string_view origin = text.substr(0, text.find_first_of("/?#", scheme.size()));
        FileRequest& request = *now_.request;
        request.origin = lower_case(origin);
        request.authority = origin.substr(scheme.size());
        const std::size_t written = line.find(request.authority);
        const std::string_view part =
            written == line.npos ? stripped(line) : line.substr(written, request.authority.size());
        request.at = offset_ + static_cast<std::size_t>(part.data() - line.data());
        request.end = request.at + part.size();
        text.remove_prefix(origin.size());
        if (text.empty()) text = "/";
    }
    text = text.substr(0, text.find('#'));
    if (slots::has_slots(now_.request->authority))
        return wrong_part(line, line, "a host is the same each time: no run makes it");
    const std::string& authority = now_.request->authority;
    if (const std::string problem = authority.empty() ? "" : request_text::wrong_authority(authority); !problem.empty()) {
        const std::size_t written = line.find(authority);
        return wrong_part(line, written == line.npos ? line : line.substr(written, authority.size()), problem);
    }
    // What a value holds may be a path, or a URL.
    if (!text.starts_with('/') && !text.starts_with(script::kOpen) &&
        (!text.starts_with('?') || now_.request->authority.empty()))
        return wrong_part(line, line,
                          text.starts_with("${")
                              ? fmt::format("`{}` is no path: a variable is `{{{{{}}}}}`", shown(text),
                                            text.substr(2, text.find('}') - 2))
                              : fmt::format("`{}` is neither a path nor a URL of http or https", shown(text)));
    return add_path(line, text);
}

LineError RequestFileReader::take_field(std::string_view line)
{
    std::string text(stripped(line));
    if (LineError error = fill_in(line, text); !error.message.empty()) return error;
    std::string& fields = now_.request->fields;
    const bool goes_on = kSpaceAndTab.find(line.front()) != kSpaceAndTab.npos && fields.empty();
    if (goes_on && (text.starts_with('?') || text.starts_with('&'))) return add_path(line, text);
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view name = std::string_view(text).substr(0, colon);
    if (colon == text.size() || !is_token(name))
        return wrong_part(
            line, line,
            fmt::format("`{}` is no header field, `Name: value`; an empty line stands before a body", shown(text)));
    for (const std::string_view own : {"Connection", "Content-Length", "Transfer-Encoding"})
        if (same_in_any_case(name, own))
            return wrong_part(line, line, fmt::format("`{}` is what the client itself says: leave it out", own));
    for (const std::string_view own : {"Content-Type", "TE", "grpc-timeout", "grpc-encoding", "grpc-accept-encoding"})
        if (method_ && same_in_any_case(name, own))
            return wrong_part(line, line,
                              fmt::format("`{}` is what the client itself says of a call: leave it out", own));
    std::string value(stripped(std::string_view(text).substr(colon + 1)));
    // As editors have it: "Basic name:password" and "Basic name password" stand for their base64.
    if (same_in_any_case(name, "Authorization") && same_in_any_case(value.substr(0, 6), "Basic ")) {
        std::string user(stripped(std::string_view(value).substr(6)));
        const std::size_t end = user.find_first_of(": \t");
        if (end != user.npos) {
            const std::string password(stripped(std::string_view(user).substr(end + 1)));
            value = "Basic " + make("bb", "", fmt::format("{}:{}", user.substr(0, end), password));
        }
    }
    if (std::ranges::any_of(slots::typical(value, first_row_),
                            [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 127; }))
        return wrong_part(line, line, "a header field has no control characters");
    if (same_in_any_case(name, "Content-Type")) type_ = value;
    if (same_in_any_case(name, "Host") && slots::has_slots(value))
        return wrong_part(line, line, "a host is the same each time: no run makes it");
    if (same_in_any_case(name, "Host"))
        now_.request->authority = value;
    else
        fields += fmt::format("{}{}: {}", fields.empty() ? "" : "\n", name, value);
    return {};
}

LineError RequestFileReader::take_body(std::string_view line)
{
    if (is_script(line) && line.find("{%") != line.npos) return no_script(line);
    if (stripped(line) == "---") return wrong_part(line, line, "the next request begins with `###`, found `---`");
    std::string part(line);
    const bool filled_in = line.starts_with("<@ "), of_file = filled_in || line.starts_with("< ");
    if (of_file) {
        const std::string_view named = stripped(line.substr(2 + filled_in));
        part.clear();
        if (const std::string problem = read_beside(named, part); !problem.empty())
            return wrong_part(line, named, problem);
    }
    if (part.find('\0') != part.npos || part.find_first_of(script::kMarks) != part.npos)
        return wrong_part(line, line, "a body with a byte 0 to 4 cannot be sent");
    if (!of_file || filled_in)
        if (LineError error = fill_in(line, part, true); !error.message.empty()) return error;
    if (made_of_body(part)) return wrong_part(line, line, "a body cannot hold what is made of `$request.body`");
    std::string& body = now_.request->body;
    if (of_file) raw_.emplace_back(body.size(), body.size() + part.size());
    body += part;
    body += '\n';
    return {};
}

void RequestFileReader::begin_request(std::string_view name)
{
    now_ = {};
    now_.request.emplace().name = name;
    // What one in this place took of its own responses, and was left out, is taken anew.
    const std::string place = fmt::format("{} ", documents.size());
    for (std::string& value : values_)
        if (value.starts_with(place)) value.clear();
    type_.clear();
    script_.clear();
    method_ = nullptr;
    messages_.clear();
    pieces_.clear();
    raw_.clear();
    left_out_ = false;
    place_ = Place::before;
}

LineError RequestFileReader::end_request()
{
    if (place_ == Place::before) return {};
    if (left_out_) {
        begin_request("");
        return {};
    }
    FileRequest& request = *now_.request;
    if (!method_) request.body = slots::escaping(request_text::body_as_sent(request.body, type_, raw_), type_);
    if (LineError error = method_ ? make_call() : LineError{}; !error.message.empty()) return error;
    bool made = false;
    std::vector<bool> added(made_.size());
    for (const std::string* text : {&now_.path, &request.fields, &request.body})
        if (!method_ || text != &request.body) add_made(*text, added);
    for (auto [letter, text] : {std::pair{'p', &now_.path}, {'f', &request.fields}, {'b', &request.body}}) {
        if (!slots::has_slots(*text) || (method_ && letter == 'b')) continue;
        made = true;
        script_ += fmt::format("{}{}{}", letter, *text, script::kItem);
        *text = slots::typical(*text, first_row_);
        if (letter == 'p') *text = url_path(*text);
    }
    if (made || script_.find(script::kOpen) != script_.npos) request.rows = rows_;
    request.script = std::move(script_);
    request.group = group_;
    if (const auto [other, fresh] = named_in_.try_emplace(request.name, name_line_); !fresh && !request.name.empty()) {
        name_.message =
            fmt::format("`{}` is the name of the request in line {}, too", shown(request.name), other->second);
        return name_;
    }
    if (request.name.empty())
        request.name = fmt::format("{} {}", abi::kMethodNames[static_cast<std::size_t>(now_.method)], now_.path);
    documents.push_back(std::move(now_));
    methods_.push_back(method_);
    begin_request("");
    return {};
}

LineError RequestFileReader::end() { return skips_ || over_ ? LineError{} : end_request(); }

std::string RequestFileReader::finish()
{
    if (const LineError error = end_request(); !error.message.empty()) return error.message;
    std::set<std::string_view> groups;
    for (const FileDocument& document : documents) groups.insert(document.request->group);
    for (const FileDocument& document : documents)  // figures by name are of one or the other
        if (groups.contains(document.request->name))
            return fmt::format("`{}` is a request and a group", shown(document.request->name));
    return documents.empty() ? "it has no request" : "";
}

bool is_one_request(std::string_view text)
{
    RequestFileReader reader("");
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (!reader.take(line).message.empty()) return false;
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return reader.finish().empty() && reader.documents.size() == 1;
}

}  // namespace anml
