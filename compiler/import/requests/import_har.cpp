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
#include "common/url_origin.h"
#include "format/format.h"
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
// Paths and base64 have these, too; they divide other values.
bool in_long_value(char c) { return in_value(c) || c == '/' || c == '=' || c == ':'; }

struct Recorded {
    std::string name, method, origin, path;
    std::vector<std::pair<std::string, std::string>> fields;
    std::string body;
    int status = 0;  // 0: the file has no responses
    const Json* response = nullptr;
};

class HarImport {
  public:
    HarImport(const ImportOptions& options, const SourceFile& source, FileId file, Diagnostics& diagnostics)
        : options_(options), source_(source), file_(file), diagnostics_(diagnostics)
    {
    }

    bool read()
    {
        const char* at = source_.text.data();
        try {
            const JsonCursor begin{at, &at}, end{at + source_.text.size(), &at};
            whole_ = Json::parse(begin, end);
        } catch (const Json::exception& e) {
            const auto place = static_cast<std::uint32_t>(at - source_.text.data());
            diagnostics_.report(Diag::malformed_graph, {file_, place, place}, json_problem(e.what()));
            return false;
        }
        const Json& entries = member(member(whole_, "log"), "entries");
        if (!entries.is_array()) {
            diagnostics_.report(Diag::malformed_graph, {file_, 0, 0}, "the file has no `log` with `entries`")
                .help("browsers save one from the network panel: \"Save all as HAR\"");
            return false;
        }
        if (const std::string first = origin_of(entries); !first.empty()) origins_.push_back(first);
        for (const Json& entry : entries) take(entry);
        if (requests_.empty()) {
            const bool none = options_.origins.empty();
            auto said = diagnostics_.report(Diag::malformed_graph, {file_, 0, 0},
                                            none ? "the file has no request of http or https"
                                                 : "no request of the file goes to what --origin says");
            std::string left_out;
            for (const auto& [what, count] : losses_) left_out += (left_out.empty() ? "" : ", ") + what;
            if (!none) said.help("it has " + left_out);
            return false;
        }
        // What only requests that were left out would have gone to is no origin.
        std::erase_if(origins_, [&](const std::string& origin) {
            return std::ranges::none_of(requests_, [&](const Recorded& r) { return r.origin == origin; });
        });
        for (Recorded& request : requests_) refer(request);
        ImportLosses losses;
        losses.elements = losses_;
        report_losses(losses, {}, diagnostics_);
        return true;
    }

    // A file of requests: what it says of the workload stands in a model beside it, else in its comment.
    std::string requests(const std::string& input, const std::string& output, bool has_model) const
    {
        std::string out = fmt::format(
            "# {}: {}, as {} recorded them.\n"
            "# {} of the values in them came from responses before, and are taken from there.\n",
            input, summary(), recorder(), references_);
        if (!has_model)
            out += fmt::format("# workload session : web.ClosedLoop on client[*] {{\n{}# }}\n",
                               workload(output, "#   ", ""));
        out += "\n";
        for (const Recorded& request : requests_) out += written(request) + "\n";
        return out;
    }

    // A model of clients and an endpoint for each origin.
    std::string model(const std::string& input, const std::string& requests) const
    {
        const std::string link =
            fmt::format("{{ rate = {}, delay = {} }}", format_quantity(options_.rate, dimension::rate),
                        format_quantity(options_.delay, dimension::time));
        std::string out = fmt::format(
            "import std.web\n\n/// {}: {}, as {} recorded them.\nmodel {} {{\n  host client[{}]\n  router exchange\n"
            "  link access: client[*] -- exchange {}\n",
            input, summary(), recorder(), options_.model, std::max(1u, options_.hosts), link);
        const std::vector<std::string> endpoints = endpoint_names();
        for (std::size_t i = 0; i < origins_.size(); ++i) {
            const UrlOrigin origin = url_origin(origins_[i]);
            out += fmt::format("\n  endpoint {0} {{ simulated = web.server(port = {1}{2}) }}\n"
                               "  link exchange -- {0} {3}\n",
                               endpoints[i], origin.port, origin.secure ? ", scheme = https" : "", link);
        }
        return out + fmt::format("\n  workload session : web.ClosedLoop on client[*] {{\n{}  }}\n"
                                 "  run {{ duration = 30 s }}\n}}\n",
                                 workload(requests, "    ", size()));
    }

  private:
    static constexpr std::size_t kMostOrigins = 64;

    // Whether --origin wants it: a host, and those below it.
    bool wanted(const std::string& origin) const
    {
        const std::string_view host = url_origin(origin).host;
        return options_.origins.empty() || std::ranges::any_of(options_.origins, [&](const std::string& name) {
            const std::string least = lower_case(name);
            return host == least || (host.ends_with(least) && host[host.size() - least.size() - 1] == '.');
        });
    }

    void lose(const std::string& what) { ++losses_[what]; }

    static int status_of(const Json& entry)
    {
        const Json& status = member(member(entry, "response"), "status");
        return status.is_number_integer() ? status.get<int>() : 0;
    }

    // Where the session is: the first that does not send elsewhere, as `http://` of a site does that has https.
    std::string origin_of(const Json& entries) const
    {
        std::string first;
        for (const Json& entry : entries) {
            const std::string origin = divided(text_of(member(entry, "request"), "url")).first;
            const int status = status_of(entry);
            if (origin.empty() || !wanted(origin)) continue;
            if ( status < 300 || status >= 400 || status == 304) return origin;
            if (first.empty()) first = origin;
        }
        return first;
    }

    void take(const Json& entry)
    {
        const Json& request = member(entry, "request");
        Recorded now;
        const auto [origin, path] = divided(text_of(request, "url"));
        now.method = text_of(request, "method");
        now.origin = origin;
        now.path = path;
        now.response = &member(entry, "response");
        now.status = status_of(entry);
        if (origin.empty()) return lose("requests of other schemes than http and https");
        if (!abi::method_named(now.method)) return lose(fmt::format("requests with the method {}", shown(now.method)));
        if (!wanted(origin)) return lose(fmt::format("requests to {}", origin));
        if (now.status == 0 && now.response->is_object()) return lose("requests without a response");
        const Json& post = member(request, "postData");
        now.body = body_of(post);
        if (text_of(post, "encoding") == "base64") return lose("requests with a body that is no text");
        for (const Json& field : member(request, "headers")) {
            const std::string name = text_of(field, "name"), value = text_of(field, "value");
            if (lower_case(name) == "cookie") cookies_ = true;
            if (!left_out(lower_case(name))) now.fields.emplace_back(name, value);
        }
        if (!can_be_written(now)) return lose("requests with a body or fields that a file of requests cannot say");
        if (std::ranges::find(origins_, origin) == origins_.end()) {
            if (origins_.size() == kMostOrigins) return lose(fmt::format("requests to {}", origin));
            origins_.push_back(origin);
        }
        now.name = named(now.path);
        requests_.push_back(std::move(now));
    }

    // As one request, with its body as it is: whose lines begin otherwise than those that say more.
    bool can_be_written(const Recorded& request) const
    {
        for (const char* begin : {"\n###", "\n??", "\n< ", "\n<@ "})
            if (("\n" + request.body).find(begin) != std::string::npos) return false;
        return is_one_request(written(request));
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
        const auto known = locations_.find(request.path);
        if (known != locations_.end() && request.origin == origins_.front()) {  // no origin stands before a value
            request.path = fmt::format("{{{{{}}}}}", known->second);
            ++references_;
        } else {
            referred(request.path);
        }
        for (auto& [name, value] : request.fields) referred(value);
        referred(request.body);
        const Json& content = member(*request.response, "content");
        for (const Json& field : member(*request.response, "headers")) {
            const std::string name = lower_case(text_of(field, "name"));
            if (name.find("token") != name.npos || name.find("csrf") != name.npos || name == "location")
                keep(text_of(field, "value"), fmt::format("{}.response.headers.{}", request.name, name));
            if (name != "location") continue;
            const std::string where = text_of(field, "value");
            const auto [origin, path] = divided(where);
            const std::string target = where.starts_with('/') ? where : origin == request.origin ? path : "";
            if (may_be_value(target) && std::ranges::any_of(target, is_digit))
                locations_[target] = fmt::format("{}.response.headers.{}", request.name, name);
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
            std::size_t end = i, most = i;
            while (end < text.size() && in_value(text[end])) ++end;
            while (most < text.size() && in_long_value(text[most])) ++most;
            if (handed_out_.contains(text.substr(i, most - i))) end = most;
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

    // "3 requests to https://shop.example and 2 other origins"
    std::string summary() const
    {
        const std::size_t others = origins_.size() - 1;
        const std::string count = requests_.size() == 1 ? "1 request" : fmt::format("{} requests", requests_.size());
        return fmt::format("{} to {}{}", count, origins_.front(),
                           others == 0   ? ""
                           : others == 1 ? " and 1 other origin"
                                         : fmt::format(" and {} other origins", others));
    }

    // What names an origin among the others: its host, and its port where another origin has that host, too.
    std::string name_of(std::size_t number) const
    {
        const UrlOrigin origin = url_origin(origins_[number]);
        const auto alike = [&](const std::string& one) { return url_origin(one).host == origin.host; };
        return std::ranges::count_if(origins_, alike) == 1 ? std::string(origin.host)
                                                           : fmt::format("{}:{}", origin.host, origin.port);
    }

    // "shop_example"; a name without a dot gets a word before it, which no word of the language has.
    std::vector<std::string> endpoint_names() const
    {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < origins_.size(); ++i) {
            std::string name = name_of(i);
            if (name.find('.') == name.npos || !is_letter(name.front())) name = "server_" + name;
            for (char& c : name)
                if (!in_word(c)) c = '_';
            while (std::ranges::find(names, name) != names.end()) name += "_2";
            names.push_back(std::move(name));
        }
        return names;
    }

    // What stands in the braces of a workload of the requests.
    std::string workload(const std::string& file, std::string_view indent, const std::string& size) const
    {
        const UrlOrigin first = url_origin(origins_.front());
        const std::vector<std::string> endpoints = endpoint_names();
        const bool several = origins_.size() > 1;
        std::string out = fmt::format(
            "{}server = {}, documents = web.requests(\"{}\"{}), begin_with = first, requests = 100,{}{}{}\n", indent,
            several || !size.empty() ? endpoints.front() : "server", file, size, first.secure ? " scheme = https," : "",
            first.port == usual_port(first.secure) ? "" : fmt::format(" port = {},", first.port),
            cookies_ ? " cookies = true," : "");
        if (several) {
            out += fmt::format("{}authority = \"{}\", origins = [", indent, name_of(0));
            for (std::size_t i = 1; i < origins_.size(); ++i)
                out += fmt::format("{}web.origin(\"{}\", {})", i == 1 ? "" : ", ", name_of(i), endpoints[i]);
            out += "],\n";
        }
        return out + fmt::format("{}think = exponential({})\n", indent, format_quantity(pause(), dimension::time));
    }

    // Of a response's body, as it was transferred: `content` has the size of what was decompressed. None of one that a
    // cache had.
    static std::optional<double> transferred(const Json& response)
    {
        const auto number = [](const Json& value) {
            return value.is_number() && value.get<double>() >= 0 ? std::optional(value.get<double>()) : std::nullopt;
        };
        const Json& content = member(response, "content");
        const auto size = number(member(content, "size")), saved = number(member(content, "compression"));
        const auto whole = number(member(response, "_transferSize")), head = number(member(response, "headersSize"));
        auto body = number(member(response, "bodySize"));
        if (!body && whole && head) body = std::max(0.0, *whole - *head);
        if (!body && size) body = *size - std::min(saved.value_or(0), *size);
        return body == 0.0 && size > 0.0 ? std::nullopt : body;
    }

    // The mean of what the responses to GETs have, for simulated servers.
    std::string size() const
    {
        double sum = 0, count = 0;
        for (const Recorded& request : requests_) {
            const auto bytes = transferred(*request.response);
            if (request.method != "GET" || !bytes) continue;
            sum += std::min(*bytes, 1e9);
            ++count;
        }
        return count == 0 ? "" : fmt::format(", size = {:.0f} B", std::round(sum / count));
    }

    std::string written(const Recorded& request) const
    {
        const bool value = request.path.starts_with("{{");  // it may be a path or a URL
        std::string out = fmt::format("### {}\n{} {}{}\n", request.name, request.method,
                                      value ? "" : request.origin, request.path);
        if (value) out += fmt::format("Host: {}\n", request.origin.substr(request.origin.find("://") + 3));
        for (const auto& [name, value] : request.fields) out += fmt::format("{}: {}\n", name, value);
        if (!request.body.empty()) out += "\n" + request.body + "\n";
        if (request.status != 0 && request.status != 304) out += fmt::format("?? status == {}\n", request.status);
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

    const ImportOptions& options_;
    const SourceFile& source_;
    FileId file_;
    Diagnostics& diagnostics_;
    Json whole_;
    std::vector<std::string> origins_;  // the first is the session's
    bool cookies_ = false;
    std::vector<Recorded> requests_;
    std::map<std::string, int> names_;
    std::map<std::string, std::uint64_t> losses_;
    std::unordered_map<std::string, std::string> handed_out_;  // references by values
    std::unordered_map<std::string, std::string> locations_;   // and by paths to which a response has sent the client
    std::set<std::string> sent_;
    std::size_t references_ = 0;
};

}  // namespace

std::optional<std::string> import_har(const ImportOptions& options, const SourceSet& sources, FileId file,
                                      Diagnostics& diagnostics, ImportedFile& beside)
{
    const auto name = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
    const std::string input = options.input == "-" ? "standard input" : name(options.input);
    HarImport session(options, sources.file(file), file, diagnostics);
    if (!session.read()) return std::nullopt;
    if (options.output != "-" && !options.output.ends_with(".anml") && !is_request_file(options.output)) {
        diagnostics.report(Diag::cannot_write_output, {}, fmt::format("`{}` is no file of requests", options.output))
            .help("the name of one ends with `.http` or `.rest`, that of a model with `.anml`");
        return std::nullopt;
    }
    if (!options.output.ends_with(".anml"))
        return session.requests(input, options.output == "-" ? "session.http" : name(options.output), false);
    beside.path = options.output.substr(0, options.output.size() - 5) + ".http";
    beside.text = session.requests(input, name(beside.path), true);
    return formatted_program(session.model(input, name(beside.path)));
}

}  // namespace anml
