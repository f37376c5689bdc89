#include "entry/api/api_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "abi/workload_changes.h"
#include "common/ascii.h"
#include "entry/options/change_syntax.h"
#include "report/quantity.h"

namespace anml::rt::entry {

namespace {

using Json = nlohmann::ordered_json;

enum class ApiAnswers { object, list, lines, pcapng };

struct ApiRoute {
    const char* method;
    const char* path;   // without /v1/; its last part may be {name}
    const char* words;  // of `ctl`, before the name and what is changed
    const char* part;   // of the answer to `list`
    const char* schema;
    ApiAnswers answers;
    const char* summary;
};

constexpr ApiRoute kApiRoutes[] = {
    {"GET", "run", "list", "", "Run", ApiAnswers::object, "The run as a whole, with all lists"},
    {"GET", "endpoints", "list", "endpoints", "Endpoint", ApiAnswers::list, "Where real hosts may be"},
    {"GET", "links", "list", "links", "Link", ApiAnswers::list, "Links as the model declares them, a row each"},
    {"GET", "links/{name}", "show", "", "LinkNow", ApiAnswers::object, "Each direction of links as it is now"},
    {"PATCH", "links/{name}", "link", "", "Change", ApiAnswers::object, "Changes links, or a direction of them"},
    {"GET", "workloads", "list", "workloads", "Workload", ApiAnswers::list, "Workloads"},
    {"GET", "workloads/{name}", "list", "workloads", "Workload", ApiAnswers::object, "A workload"},
    {"PATCH", "workloads/{name}", "workload", "", "Change", ApiAnswers::object, "Starts, stops or changes a workload"},
    {"GET", "tunables", "list", "tunables", "Tunable", ApiAnswers::list, "Tunables"},
    {"GET", "tunables/{name}", "list", "tunables", "Tunable", ApiAnswers::object, "A tunable"},
    {"PATCH", "tunables/{name}", "set", "", "Change", ApiAnswers::object, "Gives a tunable a value"},
    {"GET", "changes", "list", "changes", "Change", ApiAnswers::list, "What has been changed, by time"},
    {"GET", "sandboxes", "sandboxes", "", "Sandbox", ApiAnswers::list, "Sandboxes"},
    {"GET", "sandboxes/{name}", "sandbox", "", "Sandbox", ApiAnswers::object, "A sandbox"},
    {"GET", "watch", "watch", "", "Second", ApiAnswers::lines, "Each second how links are, a line of JSON"},
    {"GET", "capture", "capture", "", "", ApiAnswers::pcapng, "Packets of links while they are sent"},
    {"POST", "stop", "stop", "", "Change", ApiAnswers::object, "Ends the run, with its results"},
    {"GET", "openapi.json", "openapi", "", "", ApiAnswers::object, "This document"},
};

// A mistake of the client, thrown inside this file only.
struct WrongCall {
    int status;
    std::string why;
};

bool is_stream(const ApiRoute& route)
{
    return route.answers == ApiAnswers::lines || route.answers == ApiAnswers::pcapng;
}

bool leads_to(const ApiRoute& route, const ApiRequest& request)
{
    const std::string_view path = route.path;
    const std::size_t slash = path.find('/');
    const bool named = slash != path.npos;
    return request.path.size() == (named ? 3 : 2) && request.path[0] == "v1" &&
           request.path[1] == path.substr(0, slash);
}

// A value as words have it. What separates words cannot stand in one.
std::string value_word(const std::string& key, const Json& value)
{
    if (value.is_number()) return fmt::format("{}", value.get<double>());
    if (!value.is_string())
        throw WrongCall{400, fmt::format("`{}` is a string, like \"20 ms\", or a number without a unit", excerpt(key))};
    const auto& text = value.get_ref<const std::string&>();
    for (const char c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == ',')
            throw WrongCall{400, fmt::format("`{}` has a value with a comma or a control character", excerpt(key))};
    return text;
}

Json api_body(const ApiRequest& request)
{
    if (request.type != "application/json" && request.type != "application/merge-patch+json")
        throw WrongCall{415, "a change is application/json"};
    Json body = Json::parse(request.body, nullptr, false);
    if (!body.is_object() || body.empty())
        throw WrongCall{400, "a change is an object of JSON, with what is to change"};
    return body;
}

// "entry delay=20 ms,loss=0.1", "entry down", "browse stop", "D=4 ms".
std::string changed_words(std::string_view verb, const std::string& name, const Json& body)
{
    if (verb == "set") {
        if (body.size() != 1 || !body.contains("value")) throw WrongCall{400, "a tunable has a `value`"};
        return fmt::format("{}={}", name, value_word("value", body["value"]));
    }
    const std::string switched = verb == "link" ? "up" : "on";
    std::string words;
    for (const auto& [key, value] : body.items()) {
        if (key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") != key.npos)
            throw WrongCall{400, fmt::format("`{}` is nothing that can be changed", excerpt(key))};
        if (key != switched) {
            words += fmt::format("{}{}={}", words.empty() ? "" : ",", key, value_word(key, value));
            continue;
        }
        if (body.size() != 1 || !value.is_boolean())
            throw WrongCall{400, fmt::format("`{}` is true or false, and stands alone", switched)};
        words = verb == "link" ? (value.get<bool>() ? "up" : "down") : (value.get<bool>() ? "start" : "stop");
    }
    return fmt::format("{} {}", name, words);
}

void read_api_query(const ApiRequest& request, ApiCall& call)
{
    for (const auto& [name, value] : request.query) {
        if (name == "link" && !value.empty() && value.find(' ') == value.npos) {
            call.words += " " + value;
        } else if (name == "seconds") {
            std::string error;
            const auto seconds = parse_quantity(value, abi::Unit::none, error);
            if (!seconds || !(*seconds > 0) || *seconds > 1e9) throw WrongCall{400, "`seconds` is a number above 0"};
            call.seconds = *seconds;
        } else {
            throw WrongCall{400, fmt::format("there is no `{}` here, or none of that value", excerpt(name))};
        }
    }
}

ApiCall call_by(const ApiRoute& route, const ApiRequest& request)
{
    ApiCall call;
    call.words = route.words;
    call.part = route.part;
    call.without_body = request.method == "HEAD";
    if (is_stream(route)) {
        read_api_query(request, call);
        return call;
    }
    if (!request.query.empty()) throw WrongCall{400, "this path takes no query"};
    if (request.path.size() < 3) return call;
    const std::string& name = request.path.back();
    if (name.empty() || name.find_first_of(" =") != name.npos)
        throw WrongCall{404, fmt::format("nothing here is called `{}`", excerpt(name))};
    if (request.method == "PATCH")
        call.words += " " + changed_words(route.words, name, api_body(request));
    else if (*route.part)
        call.name = name;
    else
        call.words += " " + name;
    return call;
}

Json types_schema(std::initializer_list<const char*> types)
{
    return {{"type", std::vector<std::string>(types.begin(), types.end())}};
}

Json object_schema(std::initializer_list<std::pair<const char*, const char*>> fields)
{
    Json properties = Json::object(), required = Json::array();
    for (const auto& [name, type] : fields) {
        const std::string_view kind = type;
        if (kind == "pair")
            properties[name] = {{"type", "array"}, {"items", {{"type", "number"}}}, {"minItems", 2}, {"maxItems", 2}};
        else if (kind.starts_with("[]"))
            properties[name] = {{"type", "array"},
                                {"items", {{"$ref", fmt::format("#/components/schemas/{}", kind.substr(2))}}}};
        else if (kind.ends_with("?"))
            properties[name] = types_schema({std::string(kind.substr(0, kind.size() - 1)).c_str(), "null"});
        else
            properties[name] = {{"type", type}};
        required.push_back(name);
    }
    return {{"type", "object"}, {"properties", properties}, {"required", required}};
}

template <class Attribute>
Json changes_schema(std::span<const Attribute> attributes, const char* switched)
{
    Json properties = Json::object();
    properties[switched] = {{"type", "boolean"}, {"description", "stands alone"}};
    for (const Attribute& attribute : attributes)
        properties[std::string(attribute.name)] = {{"type", {"string", "number"}},
                                                   {"examples", {unit_example(attribute.unit)}}};
    return {{"type", "object"}, {"properties", properties}, {"minProperties", 1}, {"additionalProperties", false}};
}

Json api_schemas()
{
    Json all;
    all["Run"] = object_schema({{"model", "string"}, {"pid", "integer"}, {"seconds", "number?"},
                         {"duration_seconds", "number"}, {"endpoints", "[]Endpoint"}, {"workloads", "[]Workload"},
                         {"tunables", "[]Tunable"}, {"links", "[]Link"}, {"changing", "[]Changing"},
                         {"changes", "[]Change"}});
    all["Endpoint"] = object_schema({{"name", "string"}, {"address", "string"}, {"attached", "boolean"}});
    all["Link"] = object_schema({{"name", "string"}, {"count", "integer"}, {"array", "boolean"}, {"one_way", "boolean"},
                          {"from", "string"}, {"to", "string"}, {"rate_bps", "pair"}, {"delay_seconds", "pair"},
                          {"queue_bytes", "pair"}});
    all["Changing"] =
        object_schema({{"name", "string"}, {"up", "boolean"}, {"rate_bps", "pair"}, {"delay_seconds", "pair"}});
    all["LinkNow"] = object_schema({{"directions", "[]Direction"}});
    all["Direction"] = object_schema({{"name", "string"}, {"up", "boolean"}, {"rate", "string?"}, {"delay", "string"},
                               {"queue", "string"}, {"loss", "number?"}, {"corrupt", "number?"},
                               {"duplicate", "number?"}, {"jitter", "string?"}});
    all["Workload"] = object_schema({{"name", "string"}, {"on", "boolean"}, {"active", "number"}});
    all["Tunable"] = object_schema({{"name", "string"}, {"value", "string"}});
    all["Change"] = object_schema({{"seconds", "number"}, {"what", "string"}});
    all["Sandbox"] = object_schema({{"endpoint", "string"}, {"pid", "integer"}});
    all["Second"] = object_schema({{"seconds", "number?"}, {"warming_up", "boolean"}, {"completed", "integer"},
                            {"failed", "integer"}, {"slip_p99_seconds", "number"}, {"slip_max_seconds", "number"},
                            {"kernel_drops", "integer"}, {"busy", "number"}, {"links", "[]Rate"}});
    all["Rate"] = object_schema({{"name", "string"}, {"bits_per_second", "number"}, {"utilisation", "number?"},
                          {"waiting_bytes", "number"}, {"dropped_per_second", "number"}, {"lost_per_second", "number"},
                          {"up", "boolean"}});
    all["Problem"] = object_schema({{"type", "string"}, {"title", "string"}, {"status", "integer"},
                                    {"detail", "string"}});
    all["LinkChange"] = changes_schema(link_attributes(), "up");
    all["WorkloadChange"] = changes_schema(std::span<const abi::WorkloadAttribute>(abi::kWorkloadAttributes), "on");
    all["TunableChange"] = {{"type", "object"},
                            {"properties", {{"value", {{"type", {"string", "number"}}, {"examples", {"4 ms"}}}}}},
                            {"required", {"value"}},
                            {"additionalProperties", false}};
    return all;
}

Json schema_named(std::string_view schema) { return {{"$ref", fmt::format("#/components/schemas/{}", schema)}}; }

Json api_operation(const ApiRoute& route)
{
    const std::string_view path = route.path, verb = route.words;
    Json result{{"summary", route.summary}};
    std::string id = lower_case(route.method);
    for (const char c : path)
        if (c >= 'a' && c <= 'z') id += c;
    result["operationId"] = id;
    Json parameters = Json::array();
    if (path.ends_with("{name}"))
        parameters.push_back(
            {{"name", "name"}, {"in", "path"}, {"required", true}, {"schema", {{"type", "string"}}}});
    if (is_stream(route)) {
        parameters.push_back({{"name", "link"},
                              {"in", "query"},
                              {"required", route.answers == ApiAnswers::pcapng},
                              {"schema", {{"type", "array"}, {"items", {{"type", "string"}}}}}});
        parameters.push_back({{"name", "seconds"}, {"in", "query"}, {"schema", {{"type", "number"}}}});
    }
    if (!parameters.empty()) result["parameters"] = parameters;
    if (route.method == std::string_view("PATCH")) {
        const char* const schema = verb == "link" ? "LinkChange" : verb == "set" ? "TunableChange" : "WorkloadChange";
        result["requestBody"] = {{"required", true},
                                 {"content", {{"application/json", {{"schema", schema_named(schema)}}}}}};
    }
    Json schema{{"type", "object"}};
    if (*route.schema) schema = schema_named(route.schema);
    if (route.answers == ApiAnswers::list) schema = {{"type", "array"}, {"items", schema}};
    const char* const type = route.answers == ApiAnswers::lines    ? "application/x-ndjson"
                             : route.answers == ApiAnswers::pcapng ? "application/x-pcapng"
                                                                : "application/json";
    Json content = Json::object();
    content[type] = route.answers == ApiAnswers::pcapng ? Json::object() : Json{{"schema", schema}};
    result["responses"] = {
        {"200", {{"description", "as asked"}, {"content", content}}},
        {"default",
         {{"description", "why not"},
          {"content", {{"application/problem+json", {{"schema", schema_named("Problem")}}}}}}}};
    return result;
}

}  // namespace

ApiCall api_call(const ApiRequest& request)
{
    ApiCall refused;
    const std::string_view method = request.method == "HEAD" ? "GET" : std::string_view(request.method);
    for (const ApiRoute& route : kApiRoutes) {
        if (!leads_to(route, request)) continue;
        const bool head = request.method == "HEAD" && is_stream(route);
        if (route.method == method && !head) {
            try {
                return call_by(route, request);
            } catch (const WrongCall& wrong) {
                refused.status = wrong.status;
                refused.why = wrong.why;
                return refused;
            }
        }
        refused.allow += fmt::format("{}{}{}", refused.allow.empty() ? "" : ", ", route.method,
                                     is_stream(route) || route.method != std::string_view("GET") ? "" : ", HEAD");
    }
    refused.status = refused.allow.empty() ? 404 : 405;
    refused.why = refused.allow.empty() ? "nothing is there; /v1/openapi.json says what is"
                                        : fmt::format("it has {}", refused.allow);
    return refused;
}

nlohmann::ordered_json openapi()
{
    Json paths = Json::object();
    for (const ApiRoute& route : kApiRoutes) {
        paths[fmt::format("/v1/{}", route.path)][lower_case(route.method)] = api_operation(route);
    }
    return {{"openapi", "3.1.0"},
            {"info", {{"title", "A live run of ANML"}, {"version", ANML_VERSION}}},
            {"security", Json::array({{{"token", Json::array()}}})},
            {"paths", paths},
            {"components",
             {{"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}, {"schemas", api_schemas()}}}};
}

}  // namespace anml::rt::entry
