#include "import/requests/import_har.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "base/files/document_list.h"
#include "base/files/request_file.h"
#include "base/values/quantity.h"
#include "common/ascii.h"
#include "import/json_cursor.h"

namespace anml {

bool read_har(std::string_view, GraphBuilder& builder)
{
    return builder.fail(0, "this is a recorded session, not a graph",
                        "`anmlc import session.har -o session.http` makes requests of it");
}

namespace {

using Json = nlohmann::json;

constexpr std::size_t kShortestValue = 8, kLongestValue = 4096;  // that is taken for one that was handed out

// The member of an object, where it is a string.
std::string text_of(const Json& object, const char* name)
{
    const auto found = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

const Json& member(const Json& object, const char* name)
{
    static const Json kNothing;
    if (!object.is_object()) return kNothing;
    const auto found = object.find(name);
    return found == object.end() ? kNothing : *found;
}

// "https://shop.example:8443" and the rest of a URL.
std::pair<std::string, std::string> divided(const std::string& url)
{
    const std::size_t authority = url.find("://");
    if (!url.starts_with("http") || authority == url.npos) return {};
    const std::size_t path = std::min(url.find_first_of("/?#", authority + 3), url.size());
    std::string rest = url.substr(path, url.find('#', path) - path);
    if (!rest.starts_with('/')) rest = "/" + rest;
    for (std::size_t at = 0; (at = rest.find("{{", at)) != rest.npos;) rest.replace(at, 2, "%7B%7B");
    return {lower_case(url.substr(0, path)), rest};
}

// Fields that the client itself says, that a browser says of itself, or that ask for what is compressed or in a cache.
bool left_out(const std::string& name)
{
    static const std::set<std::string, std::less<>> kNames{
        "host",          "connection",        "content-length", "transfer-encoding", "cookie",   "accept-encoding",
        "if-none-match", "if-modified-since", "cache-control",  "pragma",            "priority", "te",
        "keep-alive",    "proxy-connection",  "dnt",            "upgrade-insecure-requests"};
    return name.starts_with(':') || name.starts_with("sec-") || kNames.contains(name);
}

bool may_be_value(std::string_view text)
{
    return text.size() >= kShortestValue && text.size() <= kLongestValue &&
           (text.size() >= 2 * kShortestValue || std::ranges::any_of(text, is_digit));
}

bool in_value(char c) { return in_word(c) || c == '-' || c == '.' || c == '~' || c == '+'; }

struct Recorded {
    std::string name, method, path;
    std::vector<std::pair<std::string, std::string>> fields;
    std::string body;
    int status = 0;
    const Json* response = nullptr;
};

class HarImport {
  public:
    HarImport(const SourceFile& source, FileId file, Diagnostics& diagnostics)
        : source_(source), file_(file), diagnostics_(diagnostics)
    {
    }

    std::optional<std::string> run(const std::string& input, const std::string& output)
    {
        const char* at = source_.text.data();
        try {
            const JsonCursor begin{at, &at}, end{at + source_.text.size(), &at};
            whole_ = Json::parse(begin, end);
        } catch (const Json::exception& e) {
            const auto place = static_cast<std::uint32_t>(at - source_.text.data());
            diagnostics_.report(Diag::malformed_graph, {file_, place, place}, json_problem(e.what()));
            return std::nullopt;
        }
        const Json& entries = member(member(whole_, "log"), "entries");
        if (!entries.is_array()) {
            diagnostics_.report(Diag::malformed_graph, {file_, 0, 0}, "the file has no `log` with `entries`")
                .help("browsers save one from the network panel: \"Save all as HAR\"");
            return std::nullopt;
        }
        for (const Json& entry : entries) take(entry);
        if (requests_.empty()) {
            diagnostics_.report(Diag::malformed_graph, {file_, 0, 0}, "the file has no request of http or https");
            return std::nullopt;
        }
        for (Recorded& request : requests_) refer(request);
        ImportLosses losses;
        losses.elements = losses_;
        report_losses(losses, {}, diagnostics_);
        return text(input, output);
    }

  private:
    void lose(const std::string& what) { ++losses_[what]; }

    void take(const Json& entry)
    {
        const Json& request = member(entry, "request");
        Recorded now;
        const auto [origin, path] = divided(text_of(request, "url"));
        now.method = text_of(request, "method");
        now.path = path;
        now.response = &member(entry, "response");
        const Json& status = member(*now.response, "status");
        now.status = status.is_number_integer() ? status.get<int>() : 0;
        if (origin.empty()) return lose("requests of other schemes than http and https");
        if (!abi::method_named(now.method)) return lose(fmt::format("requests with the method {}", shown(now.method)));
        if (origin_.empty()) origin_ = origin;
        if (origin != origin_) return lose(fmt::format("requests to {}", origin));
        if (now.status == 0) return lose("requests without a response");
        const Json& post = member(request, "postData");
        now.body = body_of(post);
        if (text_of(post, "encoding") == "base64") return lose("requests with a body that is no text");
        for (const Json& field : member(request, "headers")) {
            const std::string name = text_of(field, "name"), value = text_of(field, "value");
            if (lower_case(name) == "cookie") cookies_ = true;
            if (!left_out(lower_case(name))) now.fields.emplace_back(name, value);
        }
        if (!can_be_written(now)) return lose("requests with a body or fields that a file of requests cannot say");
        now.name = named(now.path);
        requests_.push_back(std::move(now));
    }

    // As one request, with its body as it is: whose lines begin otherwise than those that say more.
    bool can_be_written(const Recorded& request) const
    {
        for (const char* begin : {"\n###", "\n??", "\n< ", "\n<@ "})
            if (("\n" + request.body).find(begin) != std::string::npos) return false;
        const std::string text = written(request);
        RequestFileReader reader("");
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = text.find('\n', at);
            if (!reader.take(std::string_view(text).substr(at, end - at)).message.empty()) return false;
            at = end + 1;
        }
        return reader.finish().empty() && reader.documents.size() == 1;
    }

    // Of a form that is recorded as its fields alone, too.
    std::string body_of(const Json& post)
    {
        std::string body = text_of(post, "text");
        if (!body.empty() || text_of(post, "mimeType").find("x-www-form-urlencoded") == std::string::npos) return body;
        for (const Json& field : member(post, "params"))
            body += fmt::format("{}{}={}", body.empty() ? "" : "&", escaped(text_of(field, "name")),
                                escaped(text_of(field, "value")));
        return body;
    }

    static std::string escaped(std::string_view text)  // browsers record fields as they were typed
    {
        std::string out;
        for (const char c : text)
            if (in_word(c) || c == '-' || c == '.' || c == '*')
                out += c;
            else
                out += c == ' ' ? "+" : fmt::format("%{:02X}", static_cast<unsigned char>(c));
        return out;
    }

    // A word of its path, which references can name.
    std::string named(std::string_view path)
    {
        path = path.substr(0, path.find('?'));
        while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
        std::string word;
        for (const char c : path.substr(path.rfind('/') + 1)) word += in_word(c) || c == '-' ? c : '-';
        if (word.empty() || word.size() > 40) word = "request";
        const int count = ++names_[word];
        return count == 1 ? word : fmt::format("{}-{}", word, count);
    }

    // Values that the responses before have brought, where this request has them, and the values of its response.
    void refer(Recorded& request)
    {
        referred(request.path);
        for (auto& [name, value] : request.fields) referred(value);
        referred(request.body);
        const Json& content = member(*request.response, "content");
        for (const Json& field : member(*request.response, "headers")) {
            const std::string name = lower_case(text_of(field, "name"));
            if (name.find("token") != name.npos || name.find("csrf") != name.npos || name == "location")
                keep(text_of(field, "value"), fmt::format("{}.response.headers.{}", request.name, name));
        }
        if (text_of(content, "encoding") == "base64" || text_of(content, "mimeType").find("json") == std::string::npos)
            return;
        const Json body = Json::parse(text_of(content, "text"), nullptr, false);
        if (body.is_discarded()) return;
        const Json flat = body.flatten();
        for (const auto& [pointer, value] : flat.items())
            if (value.is_string() && pointer.find_first_of("{} ") == std::string::npos)
                keep(value.get<std::string>(), fmt::format("{}.response.body.{}", request.name, pointer));
    }

    // A value that a request had before was not handed out by a response. The last one counts.
    void keep(const std::string& value, std::string reference)
    {
        if (may_be_value(value) && !sent_.contains(value)) handed_out_[value] = std::move(reference);
    }

    void referred(std::string& text)
    {
        std::string out;
        for (std::size_t i = 0; i < text.size();) {
            std::size_t end = i;
            while (end < text.size() && in_value(text[end])) ++end;
            const std::string word = text.substr(i, end - i);
            if (const auto known = handed_out_.find(word); known != handed_out_.end()) {
                out += fmt::format("{{{{{}}}}}", known->second);
                ++references_;
            } else {
                out += word;
                if (may_be_value(word)) sent_.insert(word);
            }
            if (end < text.size()) out += text[end++];
            i = end;
        }
        text = std::move(out);
    }

    std::string text(const std::string& input, const std::string& output) const
    {
        const bool secure = origin_.starts_with("https");
        const std::string authority = origin_.substr(origin_.find("://") + 3);
        const std::size_t colon = authority.rfind(':');
        const std::string port = colon == authority.npos || authority.ends_with(']') ? "" : authority.substr(colon + 1);
        std::string out = fmt::format(
            "# {}: {} to {}, as {} recorded them.\n"
            "# {} of the values in them came from responses before, and are taken from there.\n"
            "# workload session : web.ClosedLoop on client[*] {{\n"
            "#   server = server, documents = web.requests(\"{}\"), begin_with = first, requests = 100,{}{}{}\n"
            "#   think = exponential({})\n# }}\n\n",
            input, requests_.size() == 1 ? "1 request" : fmt::format("{} requests", requests_.size()), origin_,
            recorder(), references_, output,
            secure ? " scheme = https," : "", port.empty() ? "" : fmt::format(" port = {},", port),
            cookies_ ? " cookies = true," : "", format_quantity(pause(), dimension::time));
        for (const Recorded& request : requests_) out += written(request) + "\n";
        return out;
    }

    std::string written(const Recorded& request) const
    {
        std::string out = fmt::format("### {}\n{} {}{}\n", request.name, request.method, origin_, request.path);
        for (const auto& [name, value] : request.fields) out += fmt::format("{}: {}\n", name, value);
        if (!request.body.empty()) out += "\n" + request.body + "\n";
        if (request.status != 304) out += fmt::format("?? status == {}\n", request.status);
        return out;
    }

    std::string recorder() const
    {
        const Json& creator = member(member(whole_, "log"), "creator");
        const std::string name = text_of(creator, "name");
        return name.empty() ? "somebody" : shown(fmt::format("{} {}", name, text_of(creator, "version")));
    }

    // ns from the start of one request to the next, on average, to 0.1 s; a second where the file does not tell.
    double pause() const
    {
        const Json& entries = member(member(whole_, "log"), "entries");
        const auto seconds = [](const std::string& at) -> std::optional<double> {  // "2026-01-02T03:04:05.678Z"
            unsigned hour = 0, minute = 0;
            double second = 0;
            if (std::sscanf(at.c_str(), "%*d-%*d-%*dT%u:%u:%lf", &hour, &minute, &second) != 3) return std::nullopt;
            return hour * 3600.0 + minute * 60.0 + second;
        };
        const auto first = seconds(text_of(entries.front(), "startedDateTime"));
        const auto last = seconds(text_of(entries.back(), "startedDateTime"));
        if (!first || !last || *last <= *first || requests_.size() < 2) return 1e9;
        const double mean = (*last - *first) / static_cast<double>(requests_.size() - 1);
        return std::max(0.1, std::round(mean * 10) / 10) * 1e9;
    }

    const SourceFile& source_;
    FileId file_;
    Diagnostics& diagnostics_;
    Json whole_;
    std::string origin_;
    bool cookies_ = false;
    std::vector<Recorded> requests_;
    std::map<std::string, int> names_;
    std::map<std::string, std::uint64_t> losses_;
    std::unordered_map<std::string, std::string> handed_out_;  // references by values
    std::set<std::string> sent_;
    std::size_t references_ = 0;
};

}  // namespace

std::optional<std::string> import_har(const ImportOptions& options, const SourceSet& sources, FileId file,
                                      Diagnostics& diagnostics)
{
    const auto name = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
    const std::string output = options.output == "-" ? "session.http" : name(options.output);
    return HarImport(sources.file(file), file, diagnostics)
        .run(options.input == "-" ? "standard input" : name(options.input), output);
}

}  // namespace anml
