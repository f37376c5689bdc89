#include "app/web_client/web_exchange.h"

#include <array>
#include <span>
#include <string_view>

#include "app/cluster.h"
#include "app/web_client/body_check.h"
#include "app/web_client/request_text.h"
#include "app/web_client/transaction.h"
#include "app/web_client/web_origins.h"
#include "app/web_client/web_stream.h"
#include "net/web_clients.h"

namespace anml::rt::app::web_exchange {

namespace {

using http::Fields;
using http::Method;

http::Origin origin(const Cluster& k, const Client& client)
{
    if (const auto* several = web_origins::several(k.web_origins, client.workload))
        return several->all[client.origin].named;
    const transaction::Values& values = transaction::values(k, client);
    return {values.authority == abi::kNone ? std::string_view(ANML_HOST) : k.model.text(values.authority),
            static_cast<std::uint16_t>(transaction::workload(k, client).port),
            values.scheme == closed_loop::Row::Scheme::https};
}

// Of a server that calls itself by its address.
std::optional<std::string> resolve_by_address(const Cluster& k, const Client& client, std::string_view location,
                                              http::Origin from, std::string_view path)
{
    if (client.origin != 0) return std::nullopt;
    const Address address = k.model.address(transaction::server(k, client), transaction::workload(k, client).ipv6 != 0);
    const std::string text = k.model.address_text(address), name = is_ipv6(address) ? "[" + text + "]" : text;
    from.authority = name;
    return http::resolve(location, from, path);
}

std::string path_of(const Cluster& k, const Client& client, const Exchange& e)
{
    return e.path.empty() ? k.model.documents().path(client.document) : e.path;
}

bool truth(const Cluster& k, abi::ValueId value) { return k.model.value(value) != 0; }

bool takes_of_heads(const Cluster& k, const transaction::Values& values)
{
    return truth(k, values.cookies) || truth(k, values.revalidate) || k.model.integer(values.redirects) > 0;
}

Time wall(const Cluster& k) { return k.epoch + k.now; }

std::span<const std::uint8_t> bytes_of(std::string_view text)
{
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// The document has come, or is what it was.
void note_document(Cluster& k, Client& client, const Exchange& e)
{
    const std::uint16_t status = client.response.status();
    Validators& documents = k.closed_loop.memories[client.memory].documents;
    if (status == 304)
        k.statistics.workloads[client.workload].not_modified += e.conditional && k.measuring();
    else if (status == 200)
        documents.keep(client.document, e.path, e.fields.value(Fields::etag), e.fields.value(Fields::last_modified));
    else if (status >= 400 && status < 500)
        documents.drop(client.document);
}

bool redirects(std::uint16_t status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

// RFC 9110, 15.4: what was posted is not posted elsewhere unless the server says so.
Method method_behind(std::uint16_t status, Method method)
{
    if (status == 303) return method == Method::head ? method : Method::get;
    return (status == 301 || status == 302) && method == Method::post ? Method::get : method;
}

}  // namespace

std::uint32_t make_memory(Cluster& k, std::uint32_t workload)
{
    const auto& values = abi::row_of<transaction::Values>(k.image, k.image.workloads[workload].record);
    const bool any = takes_of_heads(k, values) || k.request_scripts.act_in(workload);
    return any ? k.closed_loop.memories.allocate() : kNone;
}

void forget(Cluster& k, std::uint32_t memory)
{
    k.closed_loop.memories[memory].cookies.clear();
    k.closed_loop.memories[memory].documents.clear();
    k.closed_loop.memories[memory].script.values.clear();
}

void begin(Cluster& k, Client& client)
{
    if (client.exchange == kNone) client.exchange = k.closed_loop.exchanges.allocate();
    Exchange& e = k.closed_loop.exchanges[client.exchange];
    e.fields.clear();
    e.path.clear();
    const abi::FileDocument* const of_file = k.model.documents().asked_as(client.document);
    e.method = of_file ? static_cast<Method>(of_file->method)
                       : static_cast<Method>(web_clients::method(k.image, transaction::workload(k, client)));
    e.requested = e.received = 0;
    e.redirects = 0;
    e.conditional = e.elsewhere = false;
    e.reads_head = takes_of_heads(k, transaction::values(k, client));
    if (!k.request_scripts.act_in(client.workload)) return;
    request_scripts::begin(k, client);
    e.reads_head |= e.scripted.script && !e.scripted.script->headers.empty();
}

Request compose(Cluster& k, Client& client, content::Persistence persistence)
{
    const transaction::Values& values = transaction::values(k, client);
    Exchange* const e = of(k, client);
    std::array<http::Field, 3> fields;
    std::size_t count = 0;
    std::string cookies;
    if (e && truth(k, values.cookies)) {
        const http::Cookies& all = k.closed_loop.memories[client.memory].cookies;
        cookies = all.for_request(origin(k, client), path_of(k, client, *e), wall(k));
        if (!cookies.empty()) fields[count++] = {"Cookie", cookies};
    }
    if (e) e->conditional = false;
    if (e && truth(k, values.revalidate) && e->method == Method::get) {
        if (const auto* has = k.closed_loop.memories[client.memory].documents.find(client.document, e->path)) {
            e->conditional = true;
            if (!has->etag.empty()) fields[count++] = {"If-None-Match", has->etag};
            if (!has->last_modified.empty()) fields[count++] = {"If-Modified-Since", has->last_modified};
        }
    }
    const ScriptedRequest* const made = request_scripts::of(k, client);
    const content::Variation parts{client.workload,
                                   client.document,
                                   persistence,
                                   transaction::method(k, client),
                                   e ? std::string_view(e->path) : std::string_view(),
                                   e && e->elsewhere ? origin(k, client).authority : std::string_view(),
                                   {fields.data(), count},
                                   made && made->script->fields ? &made->fields : nullptr,
                                   made && made->script->has_body() ? &made->body : nullptr};
    Request request{.head = k.request_scripts.room};
    request.body = content::request_body(k.model, parts);
    if (request.body != 0 && parts.own_body) {
        request.text = *parts.own_body;
    } else if (request.body != 0 && k.model.documents().written(client.document)) {
        request.body_content = transaction::request(k, client, persistence);
        request.offset = content::length(k.model, request.body_content) - request.body;
    }
    if (count == 0 && parts.path.empty() && !parts.own_fields && !parts.own_body)
        request.content = transaction::request(k, client, persistence);
    else
        content::write_head(k.model, parts, request.head);
    return request;
}

std::uint64_t send(Cluster& k, Client& client, std::uint32_t slot, content::Persistence persistence)
{
    const Request request = compose(k, client, persistence);
    if (request.content != kNone) {
        const std::uint64_t length = content::length(k.model, request.content);
        web_stream::send(k, slot, {.content = request.content, .length = length}, false);
        return length;
    }
    // A segment lies within what is sent at once: a body of real bytes goes with its head.
    std::string& head = request.head;
    const std::uint64_t length = head.size() + request.body;
    head += request.text;
    web_stream::send_bytes(k, slot, bytes_of(head), false);
    if (request.text.empty() && request.body != 0)
        web_stream::send(
            k, slot, {.content = request.body_content, .offset = request.offset, .length = request.body}, false);
    return length;
}

Next take_response(Cluster& k, Client& client, std::uint64_t requested)
{
    Exchange& e = *of(k, client);
    const transaction::Values& values = transaction::values(k, client);
    const std::uint16_t status = client.response.status();
    if (!takes_of_heads(k, values)) return Next::ends;
    const http::Origin from = origin(k, client);
    const std::string path = path_of(k, client, e);
    if (truth(k, values.cookies)) {
        http::Cookies& cookies = k.closed_loop.memories[client.memory].cookies;
        e.fields.each(Fields::set_cookie, [&](std::string_view text) { cookies.take(text, from, path, wall(k)); });
    }
    if (truth(k, values.revalidate) && e.method == Method::get) note_document(k, client, e);
    const std::uint64_t most = k.model.integer(values.redirects);
    if (most == 0 || !redirects(status) || e.fields.value(Fields::location).empty()) return Next::ends;
    std::optional<std::string> target = http::resolve(e.fields.value(Fields::location), from, path);
    web_origins::Elsewhere elsewhere;
    if (!target) target = resolve_by_address(k, client, e.fields.value(Fields::location), from, path);
    if (!target) elsewhere = web_origins::resolve(k, client, e.fields.value(Fields::location));
    if (!target && elsewhere.place == kNone) return Next::ends;
    WorkloadStatistics& statistics = k.statistics.workloads[client.workload];
    if (k.measuring()) statistics.count_status(status);
    if (e.redirects == most) return Next::goes_in_circles;
    statistics.redirected += k.measuring();
    ++e.redirects;
    e.path = target ? std::move(*target) : std::move(elsewhere.path);
    if (!target) {
        e.elsewhere = true;
        web_origins::turn(client, elsewhere.place);
    }
    e.method = method_behind(status, e.method);
    e.requested = requested;
    e.received += client.response.length();
    e.fields.clear();
    e.scripted.response.clear();
    client.response = http::Response(e.method == Method::head);
    body_check::begin(k, client);
    client.answered = 0;
    return Next::asks_again;
}

}  // namespace anml::rt::app::web_exchange
