#include "import/requests/import_openapi.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files/document_list.h"
#include "base/files/request_file.h"
#include "common/ascii.h"
#include "import/graphs/foreign_graph.h"
#include "import/graphs/read_graph.h"
#include "import/interpret.h"
#include "import/json_cursor.h"
#include "import/yaml_json.h"

namespace anml {

bool is_openapi(std::string_view text)
{
    text = text.substr(0, 4096);
    for (const std::string_view word : {"openapi", "swagger"})
        for (std::size_t at = 0; (at = text.find(word, at)) != text.npos; ++at) {
            const bool quoted = at > 0 && text[at - 1] == '"';
            std::string_view behind = text.substr(at + word.size());
            if (quoted && behind.starts_with('"')) behind.remove_prefix(1);
            behind.remove_prefix(std::min(behind.find_first_not_of(" \t\r\n"), behind.size()));
            if (behind.starts_with(':') && (quoted || at == 0 || text[at - 1] == '\n')) return true;
        }
    return false;
}

bool read_openapi(std::string_view, GraphBuilder& builder)
{
    return builder.fail(0, "this describes an API, not a graph",
                        "`anmlc import api.yaml -o api.http` makes requests of it");
}

namespace {

using Api = nlohmann::ordered_json;

constexpr unsigned kDeepestSchema = 12;
constexpr std::size_t kMostMadeUp = 10'000;  // values of one body
constexpr std::size_t kMostReferences = 20;  // behind each other

std::string escaped_url(std::string_view text)
{
    std::string out;
    for (const char c : text)
        if (in_word(c) || c == '-' || c == '.' || c == '~')
            out += c;
        else
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    return out;
}

class OpenApiImport {
  public:
    OpenApiImport(const SourceFile& source, FileId file, Diagnostics& diagnostics)
        : source_(source), file_(file), diagnostics_(diagnostics)
    {
    }

    std::optional<std::string> run(const std::string& input, const std::string& output)
    {
        if (!read()) return std::nullopt;
        const Api& version = of(whole_, "openapi");
        if (!version.is_string() || !version.get<std::string>().starts_with("3.")) {
            fail(0, "this is no OpenAPI document of version 3")
                .help("documents of Swagger 2.0 can be converted: `npx swagger2openapi api.json -o openapi.json`");
            return std::nullopt;
        }
        find_server();
        for (const auto& [path, item] : of(whole_, "paths").items())
            for (const auto& [method, operation] : resolved(item).items())
                take(path, resolved(item), method, operation);
        if (!of(whole_, "webhooks").empty()) lose("webhooks");
        if (requests_.empty()) {
            fail(0, "the document has no operation that a request could be made of");
            return std::nullopt;
        }
        ImportLosses losses;
        losses.elements = losses_;
        report_losses(losses, {}, diagnostics_);
        std::string out = fmt::format(
            "# {}: {} of {}.\n"
            "# Where the document has no example, values are made up from its schemas: `string`, 1, true.\n"
            "# workload api : web.ClosedLoop on client[*] {{\n"
            "#   server = server, documents = web.requests(\"{}\"), begin_with = first, requests = 100,{}\n"
            "#   think = exponential(1 s)\n# }}\n{}\n",
            input, requests_.size() == 1 ? "1 operation" : fmt::format("{} operations", requests_.size()), title(),
            output, server_.starts_with("https") ? " scheme = https," : "", variables());
        for (const std::string& request : requests_) out += request + "\n";
        return out;
    }

  private:
    static const Api& of(const Api& object, std::string_view name)
    {
        static const Api kNothing;
        if (!object.is_object()) return kNothing;
        const auto found = object.find(name);
        return found == object.end() ? kNothing : *found;
    }
    static std::string text(const Api& value)
    {
        return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
    }
    void lose(const std::string& what) { ++losses_[what]; }
    Diagnostics::Builder fail(std::size_t at, const std::string& why)
    {
        const auto place = static_cast<std::uint32_t>(std::min(at, source_.text.size()));
        return diagnostics_.report(Diag::malformed_graph, {file_, place, place}, why);
    }

    bool read()
    {
        const std::size_t first = source_.text.find_first_not_of(" \t\r\n");
        if (first == std::string::npos || source_.text[first] != '{') {
            const YamlProblem problem = read_yaml(source_.text, whole_);
            if (!problem.message.empty()) fail(problem.offset, problem.message);
            return problem.message.empty();
        }
        if (const std::size_t deep = too_deep(source_.text); deep != source_.text.size()) {
            fail(deep, fmt::format("values are nested more than {} deep", kDeepestGraph));
            return false;
        }
        const char* at = source_.text.data();
        try {
            const JsonCursor begin{at, &at}, end{at + source_.text.size(), &at};
            whole_ = Api::parse(begin, end);
        } catch (const Api::exception& e) {
            fail(static_cast<std::size_t>(at - source_.text.data()), json_problem(e.what()));
            return false;
        }
        return true;
    }

    // Where JSON is nested too deep, or its end.
    static std::size_t too_deep(std::string_view text)
    {
        std::size_t depth = 0;
        bool quoted = false;
        for (std::size_t at = 0; at < text.size(); ++at) {
            const char c = text[at];
            if (quoted && c == '\\')
                ++at;
            else if (c == '"')
                quoted = !quoted;
            else if (!quoted && (c == '[' || c == '{') && ++depth > kDeepestGraph)
                return at;
            else if (!quoted && (c == ']' || c == '}') && depth > 0)
                --depth;
        }
        return text.size();
    }

    // What "$ref" names, within the document.
    const Api& resolved(const Api& value)
    {
        const Api* now = &value;
        for (std::size_t i = 0; i < kMostReferences; ++i) {
            const Api& reference = of(*now, "$ref");
            if (!reference.is_string()) return *now;
            const std::string where = reference.get<std::string>();
            static const Api kNothing;
            const Api* found = nullptr;
            try {
                if (where.starts_with("#/")) found = &std::as_const(whole_).at(Api::json_pointer(where.substr(1)));
            } catch (const Api::exception&) {
            }
            if (!found) {
                lose("references to other documents, or to nothing");
                return kNothing;
            }
            now = found;
        }
        static const Api kCircle;
        return kCircle;
    }

    // Each `{name}`, and none in the value.
    static void replace(std::string& text, const std::string& name, const std::string& value)
    {
        for (std::size_t at = 0; (at = text.find("{" + name + "}", at)) != text.npos; at += value.size())
            text.replace(at, name.size() + 2, value);
    }

    void find_server()
    {
        const Api& servers = of(whole_, "servers");
        if (!servers.is_array() || servers.empty()) return;
        if (servers.size() > 1) lose("servers besides the first");
        server_ = text(of(servers[0], "url"));
        for (const auto& [name, variable] : of(servers[0], "variables").items())
            replace(server_, name, text(of(variable, "default")));
        while (server_.ends_with('/')) server_.pop_back();
        if (!server_.starts_with("http") && !server_.starts_with('/')) server_ = server_.empty() ? "" : "/" + server_;
    }

    std::string title() const
    {
        const std::string name = text(of(of(whole_, "info"), "title"));
        return name.empty() ? "an API" : shown(name);
    }

    // An example of a parameter or a body, or what its schema says. Nothing: there is neither.
    std::optional<Api> example(const Api& of_what)
    {
        if (!of(of_what, "example").is_null()) return of(of_what, "example");
        for (const auto& each : of(of_what, "examples"))
            if (const Api& value = of(resolved(each), "value"); !value.is_null()) return value;
        return made_up(of(of_what, "schema"), 0);
    }

    std::optional<Api> made_up(const Api& given, unsigned depth)
    {
        if (depth == 0) values_ = 0;
        const Api& schema = resolved(given);
        if (!schema.is_object() || depth > kDeepestSchema || ++values_ > kMostMadeUp) return std::nullopt;
        // A schema within itself is left out there.
        if (std::ranges::find(within_, &schema) != within_.end()) return std::nullopt;
        within_.push_back(&schema);
        auto made = of_schema(schema, depth);
        within_.pop_back();
        return made;
    }

    std::optional<Api> of_schema(const Api& schema, unsigned depth)
    {
        for (const char* name : {"example", "default", "const"})
            if (!of(schema, name).is_null()) return of(schema, name);
        for (const char* name : {"examples", "enum"})
            if (const Api& all = of(schema, name); all.is_array() && !all.empty()) return all[0];
        if (const Api& all = of(schema, "allOf"); all.is_array() && !all.empty()) {
            Api whole = properties(schema, depth);
            for (const auto& part : all)
                if (const auto made = made_up(part, depth + 1); made && made->is_object())
                    whole.update(*made);
                else if (made)
                    return made;
            return whole;
        }
        for (const char* name : {"oneOf", "anyOf"})
            if (const Api& all = of(schema, name); all.is_array() && !all.empty()) return made_up(all[0], depth + 1);
        const Api& types = of(schema, "type");
        const std::string type = types.is_array() && !types.empty() ? text(types[0]) : text(types);
        if (type == "object" || !of(schema, "properties").empty()) return properties(schema, depth);
        if (type == "array") {
            const auto item = made_up(of(schema, "items"), depth + 1);
            return item ? Api::array({*item}) : Api::array();
        }
        if (type == "integer" || type == "number") {
            const Api& least = of(schema, "minimum");
            return least.is_number() ? least : Api(1);
        }
        if (type == "boolean") return Api(true);
        if (type != "string") return std::nullopt;
        const std::string format = text(of(schema, "format"));
        if (format == "uuid") return Api("{{$uuid}}");
        if (format == "date-time") return Api("{{$isoTimestamp}}");
        if (format == "date") return Api("2026-01-01");
        if (format == "email") return Api("someone@example.org");
        if (format == "uri") return Api("https://example.org/");
        const Api& least = of(schema, "minLength");
        const auto length = least.is_number_unsigned() ? std::min<std::uint64_t>(least.get<std::uint64_t>(), 1000) : 0;
        return length > 6 ? Api(std::string(length, 'x')) : Api("string");
    }

    Api properties(const Api& schema, unsigned depth)
    {
        Api whole = Api::object();
        for (const auto& [name, property] : of(schema, "properties").items())
            if (of(resolved(property), "readOnly") != true)
                if (const auto made = made_up(property, depth + 1)) whole[name] = *made;
        return whole;
    }

    void take(const std::string& path, const Api& item, const std::string& method, const Api& operation)
    {
        static const std::string kOthers[] = {"parameters", "summary", "description", "servers", "$ref"};
        if (std::ranges::find(kOthers, method) != std::end(kOthers) || method.starts_with("x-")) return;
        std::string word = method;
        for (char& c : word) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        if (!abi::method_named(word)) return lose(fmt::format("operations with the method {}", shown(word)));
        if (!of(operation, "callbacks").empty()) lose("callbacks");
        std::string target = path, query, fields, body;
        // Those of the operation count before those of the path.
        std::map<std::string, const Api*> parameters;
        for (const Api* all : {&of(item, "parameters"), &of(operation, "parameters")})
            for (const auto& given : *all) {
                const Api& parameter = resolved(given);
                if (!parameter.is_object()) continue;
                parameters[text(of(parameter, "in")) + " " + text(of(parameter, "name"))] = &parameter;
            }
        for (const auto& [key, parameter] : parameters) {
            const std::string in = text(of(*parameter, "in")), name = text(of(*parameter, "name"));
            const bool required = in == "path" || of(*parameter, "required") == true;
            if (in == "cookie") {
                lose("parameters in cookies");
                continue;
            }
            if (!required && of(*parameter, "example").is_null() && of(*parameter, "examples").empty()) {
                lose("parameters that need not be there, without an example");
                continue;
            }
            const Api value = example(*parameter).value_or(Api(1));
            const auto as_it_is = [](const std::string& word) { return word; };
            if (in == "path") replace(target, name, listed(value, ",", in_url));
            if (in == "query")
                if (const std::string pairs = in_query(name, value, *parameter); !pairs.empty())
                    query += fmt::format("{}{}", query.empty() ? "?" : "&", pairs);
            if (const std::string written = listed(value, ",", as_it_is); in == "header" && !written.empty())
                fields += fmt::format("{}: {}\n", in_a_line(name), in_a_line(written));
        }
        secure(operation, query, fields);
        if (!add_body(operation, fields, body)) return;
        std::string check;
        for (const auto& [status, response] : of(operation, "responses").items())
            if (status.size() == 3 && status[0] == '2' && check.empty())
                check = fmt::format("?? status {}\n", is_digit(status[1]) ? "== " + status : "< 300");
        const std::string request = fmt::format("### {}\n{} {}\n{}{}{}", named(operation, word, path), word,
                                                in_a_line(server_ + target + query), fields,
                                                body.empty() ? "" : "\n" + body + "\n", check);
        if (!is_said_as_it_is(body) || !can_be_written(request)) return lose("operations that a file of requests cannot say");
        requests_.push_back(request);
    }

    // Elements of an array, names and values of an object, or the value.
    template <class Write>
    static std::string listed(const Api& value, std::string_view between, Write&& write)
    {
        std::vector<std::string> words;
        for (const auto& [name, each] : value.items()) {
            if (value.is_object()) words.push_back(write(name));
            words.push_back(write(text(each)));
        }
        return value.is_structured() ? fmt::format("{}", fmt::join(words, between)) : write(text(value));
    }

    // As `style` and `explode` have it (OpenAPI 3.0.3, Style Values).
    static std::string in_query(const std::string& name, const Api& value, const Api& parameter)
    {
        const std::string style = text(of(parameter, "style")), key = escaped_url(name);
        const Api& explode = of(parameter, "explode");
        const bool deep = style == "deepObject" && value.is_object();
        const bool apart = deep || (explode.is_null() ? style.empty() || style == "form" : explode == true);
        if (!value.is_structured() || !apart) {
            const std::string_view between = style == "spaceDelimited" ? "%20" : style == "pipeDelimited" ? "%7C" : ",";
            return fmt::format("{}={}", key, listed(value, between, in_url));
        }
        std::string pairs;
        for (const auto& [of_it, each] : value.items())
            pairs += fmt::format("{}{}={}", pairs.empty() ? "" : "&",
                                 deep                ? fmt::format("{}[{}]", key, escaped_url(of_it))
                                 : value.is_object() ? escaped_url(of_it)
                                                     : key,
                                 in_url(text(each)));
        return pairs;
    }

    // False: the operation is left out.
    bool add_body(const Api& operation, std::string& fields, std::string& body)
    {
        const Api& given = resolved(of(operation, "requestBody"));
        const Api& contents = of(given, "content");
        if (!contents.is_object() || contents.empty()) return true;
        for (const auto& [type, content] : contents.items()) {
            const bool json = type.find("json") != type.npos, form = type == "application/x-www-form-urlencoded";
            if (!json && !form && !type.starts_with("text/")) continue;
            const auto value = example(content);
            if (!value) continue;
            if (form)
                for (const auto& [name, field] : value->items())
                    body += fmt::format("{}{}", body.empty() ? "" : "&", in_query(name, field, Api()));
            else
                body = json && !value->is_string() ? value->dump(2) : text(*value);
            fields += fmt::format("Content-Type: {}\n", in_a_line(type));
            return true;
        }
        if (of(given, "required") == true) {
            lose("operations with a body that is neither JSON, a form nor text, or has no schema");
            return false;
        }
        lose("bodies that are neither JSON, a form nor text, or have no schema");
        return true;
    }

    // What it has to show: variables at the top of the file.
    void secure(const Api& operation, std::string& query, std::string& fields)
    {
        const Api& own = of(operation, "security");
        const Api& needed = own.is_array() ? own : of(whole_, "security");
        if (!needed.is_array() || needed.empty() || !needed[0].is_object()) return;
        for (const auto& [name, scopes] : needed[0].items()) {
            const Api& scheme = resolved(of(of(of(whole_, "components"), "securitySchemes"), name));
            const std::string type = text(of(scheme, "type")), in = text(of(scheme, "in"));
            const std::string how = lower_case(text(of(scheme, "scheme")));
            if (type == "http" && how == "basic") {
                variables_.insert({"user", "password"});
                fields += "Authorization: Basic {{user}}:{{password}}\n";
            } else if (type == "oauth2" || type == "openIdConnect" || (type == "http" && how == "bearer")) {
                variables_.insert("token");
                fields += "Authorization: Bearer {{token}}\n";
            } else if (type == "apiKey" && (in == "header" || in == "query")) {
                variables_.insert("key");
                if (in == "header")
                    fields += fmt::format("{}: {{{{key}}}}\n", in_a_line(text(of(scheme, "name"))));
                else
                    query += fmt::format("{}{}={{{{key}}}}", query.empty() ? "?" : "&",
                                         escaped_url(text(of(scheme, "name"))));
            } else {
                lose("ways to authenticate other than basic, bearer and keys");
            }
        }
    }

    std::string variables() const
    {
        std::string out = variables_.empty() ? "" : "\n";
        for (const std::string& name : variables_) out += fmt::format("@{} = put-yours-here\n", name);
        return out;
    }

    std::string named(const Api& operation, const std::string& method, const std::string& path)
    {
        std::string word;
        const std::string given = text(of(operation, "operationId"));
        for (const char c : given.empty() ? fmt::format("{}{}", method, path) : given)
            if (in_word(c) || c == '-') word += c;
            else if (!word.empty() && !word.ends_with('-')) word += '-';
        while (word.ends_with('-')) word.pop_back();
        const int count = ++names_[word];
        return count == 1 ? word : fmt::format("{}-{}", word, count);
    }

    // A value that a run makes stays as it is.
    static std::string in_url(const std::string& written)
    {
        return written.starts_with("{{") ? written : escaped_url(written);
    }

    // Without what would begin a line of the file.
    static std::string in_a_line(std::string text)
    {
        std::ranges::replace_if(text, [](char c) { return c >= 0 && c < ' '; }, ' ');
        return text;
    }

    // No line of a body is one that a file of requests takes for another thing, such as the name of a file to send.
    static bool is_said_as_it_is(const std::string& body)
    {
        for (std::size_t at = 0; at <= body.size(); at = std::min(body.find('\n', at), body.size()) + 1)
            for (const char* begin : {"< ", "<@ ", "> ", "??", "###", "<>"})
                if (body.compare(at, std::strlen(begin), begin) == 0) return false;
        return true;
    }

    bool can_be_written(const std::string& request) const { return is_one_request(variables() + request); }

    const SourceFile& source_;
    FileId file_;
    Diagnostics& diagnostics_;
    Api whole_;
    std::string server_;
    std::vector<const Api*> within_;  // schemas that a value is being made up of
    std::size_t values_ = 0;
    std::vector<std::string> requests_;
    std::map<std::string, int> names_;
    std::set<std::string> variables_;
    std::map<std::string, std::uint64_t> losses_;
};

}  // namespace

std::optional<std::string> import_openapi(const ImportOptions& options, const SourceSet& sources, FileId file,
                                          Diagnostics& diagnostics)
{
    const auto name = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
    if (options.output.ends_with(".anml")) {
        diagnostics.report(Diag::malformed_graph, {file, 0, 0}, "an API becomes a file of requests, and no model")
            .help(fmt::format("write `-o {}http`", options.output.substr(0, options.output.size() - 4)));
        return std::nullopt;
    }
    return OpenApiImport(sources.file(file), file, diagnostics)
        .run(options.input == "-" ? "standard input" : name(options.input),
             options.output == "-" ? "api.http" : name(options.output));
}

}  // namespace anml
