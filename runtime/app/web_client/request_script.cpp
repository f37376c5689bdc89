#include "app/web_client/request_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include "app/cluster.h"
#include "app/http/html_attribute.h"
#include "app/http/http_words.h"
#include "app/http/json_pointer.h"
#include "app/web_client/grpc_response.h"
#include "app/web_client/transaction.h"
#include "app/web_client/web_exchange.h"
#include "common/ascii.h"
#include "common/base64.h"
#include "common/grpc_status.h"
#include "common/protobuf.h"
#include "kernel/random.h"
#include "net/web_clients.h"
#include "tls/hmac.h"

namespace anml::rt::app {

namespace script = abi::request_script;

namespace {

using script::Operator;
using script::Source;

// What stands before `mark`, which it takes off with it.
std::string_view before(std::string_view& text, char mark)
{
    const std::size_t end = std::min(text.find(mark), text.size());
    const std::string_view found = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return found;
}

template <class Number>
std::optional<Number> number(std::string_view text)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

template <class Value>
bool compares(Operator is, Value a, Value b)
{
    switch (is) {
        case Operator::equal: return a == b;
        case Operator::unequal: return a != b;
        case Operator::less: return a < b;
        case Operator::most: return a <= b;
        case Operator::more: return a > b;
        case Operator::least: return a >= b;
        default: return false;
    }
}

std::int64_t integer(std::string_view text)
{
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

http::HtmlAttribute attribute_of(std::string_view where)
{
    http::HtmlAttribute of;
    of.element = before(where, ' ');
    of.wanted = before(where, ' ');
    of.attribute = before(where, ' ');
    of.value = where;
    return of;
}

std::string_view text_of(const std::array<std::uint8_t, 32>& hash)
{
    return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

bool has_hash(std::string_view body, std::string_view base64, RequestScripts& scripts)
{
    const auto hash = tls::hash_of(*scripts.hash, body);
    scripts.room.clear();
    add_base64(text_of(hash), Base64::usual, scripts.room);
    return scripts.room == base64;
}

bool holds(Operator is, std::optional<std::string_view> found, std::string_view operand, RegularExpression& expression,
           RequestScripts& scripts)
{
    if (!found) return false;
    switch (is) {
        case Operator::exists: return true;
        case Operator::includes: return found->find(operand) != found->npos;
        case Operator::begins: return found->starts_with(operand);
        case Operator::ends: return found->ends_with(operand);
        case Operator::sha256: return has_hash(*found, operand, scripts);
        case Operator::matches: return expression.fits(*found);
        default: break;
    }
    const auto a = number<double>(*found), b = number<double>(operand);
    if (!a || !b || std::isnan(*a) || std::isnan(*b))
        return is == Operator::equal ? *found == operand : is == Operator::unequal && *found != operand;
    // Integers beyond 2^53 differ where their doubles do not.
    if (const auto x = number<std::int64_t>(*found), y = number<std::int64_t>(operand); x && y)
        return compares(is, *x, *y);
    return compares(is, *a, *b);
}

}  // namespace

RequestScript::RequestScript(std::string_view text)
{
    std::vector<std::size_t> optional;
    while (!text.empty()) {
        std::string_view item = before(text, script::kItem);
        const char letter = item.front();
        item.remove_prefix(1);
        if (letter == 'p' || letter == 'f' || letter == 'b' || letter == 'g') {
            (letter == 'p' ? path : letter == 'f' ? fields : letter == 'b' ? body : grpc) = item;
            continue;
        }
        if (letter == 'n') {
            times = static_cast<std::uint32_t>(integer(item));
            continue;
        }
        if (letter == 'w' || letter == 'l') {
            const std::string_view left = before(item, script::kPart);
            const auto is = static_cast<Operator>(before(item, script::kPart).front());
            auto& conditions = letter == 'w' ? skips : repeats;
            conditions.push_back(
                {left, is, item, is == Operator::matches ? RegularExpression(item, 0) : RegularExpression()});
            continue;
        }
        if (letter == 'm') {
            const auto number = static_cast<std::size_t>(integer(before(item, script::kPart)));
            const std::string_view code = before(item, script::kPart), key = before(item, script::kPart);
            made.push_back({number, code[0], code[1], key, item, "", "", false});
            hashes |= code[0] != 'b';
            continue;
        }
        if (letter == 'o') {
            optional.push_back(static_cast<std::size_t>(integer(item)));
            continue;
        }
        before(item, script::kPart);
        const std::string_view value = letter == 't' ? before(item, script::kPart) : "";
        const auto source = static_cast<Source>(before(item, script::kPart).front());
        const std::string_view where = before(item, script::kPart);
        const auto is_this = [&](std::string_view name) { return same_in_any_case(name, where); };
        if (source == Source::header && std::ranges::none_of(headers, is_this)) headers.push_back(where);
        reads_body |= source == Source::body || source == Source::pointer || source == Source::attribute ||
                      source == Source::protobuf;
        if (letter == 't') {
            const auto group = static_cast<std::size_t>(integer(before(item, script::kPart)));
            const bool part = !item.empty();
            takes.push_back({static_cast<std::size_t>(integer(value)), source, where,
                             part ? RegularExpression(item, group) : RegularExpression(), part});
            continue;
        }
        judges_status |= source == Source::status;
        const auto is = static_cast<Operator>(before(item, script::kPart).front());
        const std::string_view operand = before(item, script::kPart);
        hashes |= is == Operator::sha256;
        checks.push_back({source, where, is, operand, item,
                          is == Operator::matches ? RegularExpression(operand, 0) : RegularExpression()});
    }
    for (Take& take : takes) take.optional = std::ranges::find(optional, take.value) != optional.end();
    reads_body |= !checks.empty();  // the first failed one is told of with it
}

std::string name_of(const RequestScript& script, std::uint32_t check)
{
    if (check < script.checks.size()) return std::string(script.checks[check].written);
    const RequestScript::Take& take = script.takes[check - script.checks.size()];
    const std::string_view of = take.source == Source::header ? "header" : "body";
    if (take.source == Source::attribute) {
        const auto [element, wanted, attribute, value] = attribute_of(take.where);
        return fmt::format("body //{}[@{}='{}']/@{} exists", element, attribute, value, wanted);
    }
    std::string_view where = take.where;
    if (take.source == Source::protobuf) before(where, ' ');
    return fmt::format("{}{}{} {}", of, where.empty() ? "" : " ", where,
                       take.part ? fmt::format("matches {}", take.expression.written()) : "exists");
}

RequestRows::RequestRows(std::string_view text) : order(static_cast<Order>(text.front()))
{
    for (text.remove_prefix(1); !text.empty();) rows.push_back(before(text, script::kItem));
}

RequestScripts::RequestScripts(const Model& model)
{
    const abi::Image& image = model.image();
    if (!present(abi::RecordSchema::list)) return;
    const std::span requests(image.requests, image.request_count);
    if (std::ranges::all_of(requests, [](const auto& each) { return each.script == abi::kNone; })) return;
    for (const abi::WrittenRequest& each : requests) {
        all.push_back(each.script == abi::kNone ? RequestScript() : RequestScript(model.text(each.script)));
        if (!tables.contains(each.rows))
            tables[each.rows] = each.rows == abi::kNone ? RequestRows() : RequestRows(model.text(each.rows));
    }
    // The library looks around when it is first called: behind `drop_privileges` that is too late.
    if (std::ranges::any_of(all, &RequestScript::hashes)) hash.reset(anml_new_sha256());
    steer = std::ranges::any_of(
        all, [](const RequestScript& each) { return each.times > 1 || !each.skips.empty() || !each.repeats.empty(); });
    first.resize(all.size());
    for (const abi::FileRow& file : std::span(image.files, image.file_count))
        if (const auto row = image.file_documents[file.documents.first].request;
            file.documents.count > 0 && row != abi::kNone)
            first[row] = true;
    acting.resize(image.workload_count);
    for (std::uint32_t i = 0; i < image.workload_count; ++i) {
        if (!web_clients::is_one(image, image.workloads[i], web_clients::kPages | web_clients::kLoops)) continue;
        const abi::Slice documents = image.workloads[i].documents;
        for (std::uint32_t row = documents.first; row < documents.first + documents.count; ++row)
            for (std::uint32_t one = 0; one < image.documents[row].count && image.documents[row].file != kNone; ++one)
                if (const abi::WrittenRequest* written = model.documents().written(model.documents().first(row) + one))
                    acting[i] = acting[i] || written->script != abi::kNone;
    }
}

namespace request_scripts {

namespace {

const abi::WrittenRequest* written_of(const Cluster& k, const Client& client)
{
    return k.request_scripts.any() ? k.model.documents().written(client.document) : nullptr;
}

std::string_view cell(const Cluster& k, const Client& client, const RequestRows& table, std::uint64_t iteration,
                      std::uint64_t column)
{
    const HostPlace place = k.model.documents().place_of(client.workload, client.node);
    std::uint64_t row = place.number;
    if (table.order == RequestRows::Order::in_turn) row += (std::max<std::uint64_t>(iteration, 1) - 1) * place.of;
    if (table.order == RequestRows::Order::random)
        row = random_bits(k.seed, client.node, Purpose::row, client.workload, iteration) >> 16;
    std::string_view text = table.rows[row % table.rows.size()];
    for (; column > 0; --column) before(text, script::kPart);
    return before(text, script::kPart);
}

void add_drawn(Draws& draws, std::string_view letters, std::int64_t count, std::string& out)
{
    for (; count > 0; --count)
        out += letters[static_cast<std::size_t>(draws.unit() * static_cast<double>(letters.size()))];
}

void add_number(std::int64_t number, std::string& out)
{
    char digits[20];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void add_uuid(Draws& draws, std::string& out)  // RFC 9562, 5.4
{
    const std::uint64_t halves[] = {(draws.bits() & ~std::uint64_t{0xf000}) | 0x4000,
                                    (draws.bits() & ~(std::uint64_t{3} << 62)) | std::uint64_t{1} << 63};
    for (unsigned digit = 0; digit < 32; ++digit) {
        if (digit == 8 || digit == 12 || digit == 16 || digit == 20) out += '-';
        out += "0123456789abcdef"[halves[digit / 16] >> (60 - 4 * (digit % 16)) & 15];
    }
}

void add_time(Time at, std::string& out)  // RFC 3339, in UTC
{
    const std::int64_t seconds = at / kSecond, of_day = seconds % 86400;
    const std::chrono::year_month_day day{std::chrono::sys_days{std::chrono::days{seconds / 86400}}};
    fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", int{day.year()},
                   unsigned{day.month()}, unsigned{day.day()}, of_day / 3600, of_day / 60 % 60, of_day % 60,
                   at / kMillisecond % 1000);
}

// As it stands within a string (RFC 8259, 7).
void add_json(std::string_view value, std::string& text)
{
    for (const char c : value)
        if (c == '"' || c == '\\')
            text += {'\\', c};
        else if (c >= 0 && c < ' ')
            fmt::format_to(std::back_inserter(text), "\\u{:04x}", static_cast<unsigned>(c));
        else
            text += c;
}

// As a value of application/x-www-form-urlencoded (WHATWG URL, 5.2).
void add_form(std::string_view value, std::string& text)
{
    for (const char c : value)
        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
            std::string_view("*-._").find(c) != std::string_view::npos)
            text += c;
        else if (c == ' ')
            text += '+';
        else
            fmt::format_to(std::back_inserter(text), "%{:02X}", static_cast<unsigned char>(c));
}

// Fills texts of a request in.
class Filler {
  public:
    Filler(Cluster& k, const Client& client, RequestScript& script, const RequestRows& table)
        : k_(k), client_(client), script_(script), table_(table), memory_(k.closed_loop.memories[client.memory].script)
    {
        for (RequestScript::Made& made : script_.made) made.known = false;
    }

    std::string_view body;  // the request's, for what is made of it

    // Behind what `out` has.
    void fill(std::string_view text, std::string& out)
    {
        while (true) {
            out += before(text, script::kOpen);
            if (text.empty()) return;
            std::string_view code = before(text, script::kClose);
            const char letter = code.front();
            code.remove_prefix(1);
            if (letter == 'j')
                add_json(value(code.front(), code.substr(1)), out);
            else if (letter == 'w')
                add_form(value(code.front(), code.substr(1)), out);
            else if (letter == 'r' || letter == 'v' || letter == 'm' || letter == 'q')
                out += value(letter, code);
            else
                draw(letter, code, out);
        }
    }

  private:
    std::string_view value(char letter, std::string_view code)
    {
        if (letter == 'q') return body;
        const auto at = static_cast<std::size_t>(integer(code));
        if (letter == 'r') return cell(k_, client_, table_, memory_.iteration, at);
        if (letter == 'm') return make(*std::ranges::find(script_.made, at, &RequestScript::Made::number));
        return at < memory_.values.size() ? std::string_view(memory_.values[at]) : std::string_view();
    }

    std::string_view make(RequestScript::Made& made)
    {
        if (made.known) return made.value;
        made.known = true;
        made.value.clear();
        made.room.clear();
        fill(made.key, made.room);
        const std::size_t key = made.room.size();
        fill(made.text, made.room);
        const std::string_view room = made.room, text = room.substr(key);
        if (made.function == 'b')
            write(text, made);
        else if (made.function == 's')
            write(text_of(tls::hash_of(*k_.request_scripts.hash, text)), made);
        else
            write(text_of(tls::hmac_of(*k_.request_scripts.hash, room.substr(0, key), text)), made);
        return made.value;
    }

    static void write(std::string_view bytes, RequestScript::Made& made)
    {
        if (made.written != 'x')
            return add_base64(bytes, made.written == 'u' ? Base64::url : Base64::usual, made.value);
        for (const char byte : bytes)
            for (const int shift : {4, 0})
                made.value += "0123456789abcdef"[static_cast<unsigned char>(byte) >> shift & 15];
    }

    void draw(char letter, std::string_view code, std::string& out)
    {
        constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        const std::string_view what = before(code, ';');
        Draws draws(k_.seed, client_.node, Purpose::text, client_.workload,
                    client_.transactions * script::kMostDrawn + static_cast<std::uint64_t>(integer(code)));
        std::string_view range = what;
        switch (letter) {
            case 'u': add_uuid(draws, out); break;
            case 't': add_number((k_.epoch + k_.now) / kSecond, out); break;
            case 'd': add_time(k_.epoch + k_.now, out); break;
            case 'i': {
                const std::int64_t from = integer(before(range, ',')), to = integer(range);
                const auto more = static_cast<std::int64_t>(draws.unit() * static_cast<double>(to - from + 1));
                add_number(from + std::min(more, to - from), out);
                break;
            }
            case 'a': add_drawn(draws, kLetters.substr(0, 52), integer(what), out); break;
            case 'n': add_drawn(draws, kLetters, integer(what), out); break;
            case 'h': add_drawn(draws, "0123456789abcdef", integer(what), out); break;
            case 'c': add_number(number_of_client() + 1, out); break;
            case 'k': add_number(static_cast<std::int64_t>(memory_.iteration), out); break;
        }
    }

    std::int64_t number_of_client() const
    {
        return static_cast<std::int64_t>(k_.model.documents().place_of(client_.workload, client_.node).number);
    }

    Cluster& k_;
    const Client& client_;
    RequestScript& script_;
    const RequestRows& table_;
    const ScriptMemory& memory_;
};

// Whether a `%` there begins an escape (RFC 3986, 2.1).
bool is_escape(std::string_view text, std::size_t at)
{
    const auto hexadecimal = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    };
    return at + 2 < text.size() && hexadecimal(text[at + 1]) && hexadecimal(text[at + 2]);
}

// A path has no blanks and no line ends (RFC 9112, 3.2); what a value has of them is escaped (RFC 3986, 2.1). Of a URL
// its path. `target`: a value is all that is asked for, and its fragment is not sent (RFC 9110, 7.1).
void add_path(std::string_view text, bool target, std::string& path)
{
    if (target) text = text.substr(0, text.find('#'));
    for (const std::string_view scheme : {"http://", "https://"})
        if (text.starts_with(scheme))
            text.remove_prefix(std::min(text.find_first_of("/?", scheme.size()), text.size()));
    if (!text.starts_with('/')) path += '/';
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c > ' ' && c < 0x7f && c != '#' && c != '"' && c != '<' && c != '>' && (c != '%' || is_escape(text, i)))
            path += c;
        else
            fmt::format_to(std::back_inserter(path), "%{:02X}", static_cast<unsigned char>(c));
    }
}

// Lines end where the file has them end, and nowhere in a value.
void fill_fields(Filler& filler, std::string_view lines, std::string& out)
{
    while (!lines.empty()) {
        if (!out.empty()) out += '\n';
        const auto begin = static_cast<std::ptrdiff_t>(out.size());
        filler.fill(before(lines, '\n'), out);
        const auto no_control = [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f; };
        out.erase(std::remove_if(out.begin() + begin, out.end(), no_control), out.end());
    }
}

}  // namespace

namespace {

bool holds_now(Cluster& k, Filler& filler, RequestScript::Condition& condition)
{
    std::string& room = k.request_scripts.room;
    room.clear();
    filler.fill(condition.left, room);
    const std::size_t left = room.size();
    filler.fill(condition.right, room);
    const std::string_view both = room;
    if (condition.is == Operator::exists) return left > 0;
    return holds(condition.is, both.substr(0, left), both.substr(left), condition.expression, k.request_scripts);
}

}  // namespace

std::uint32_t next_step(Cluster& k, const Client& client)
{
    ScriptMemory& memory = k.closed_loop.memories[client.memory].script;
    const bool real = k.attached(transaction::server(k, client));  // others answer with nothing that could be asked of
    const auto of = [&](std::uint32_t document) -> RequestScript* {
        const abi::WrittenRequest* const written = k.model.documents().written(document);
        return written && written->script != abi::kNone
                   ? &k.request_scripts.all[static_cast<std::size_t>(written - k.image.requests)]
                   : nullptr;
    };
    const auto filler_of = [&](RequestScript& script, std::uint32_t document) {
        return Filler(k, client, script, k.request_scripts.tables.at(k.model.documents().written(document)->rows));
    };
    if (RequestScript* const last = memory.step == kNone ? nullptr : of(memory.step)) {
        bool again = memory.sent < last->times;
        if (!again && real && !last->repeats.empty() && memory.sent < script::kMostRepeats) {
            Filler filler = filler_of(*last, memory.step);
            again = std::ranges::all_of(last->repeats, [&](auto& each) { return holds_now(k, filler, each); });
        }
        memory.sent += again;
        if (again) return memory.step;
    }
    // The first of a file is never left out: this ends where they come in turn, and nearly always where they are drawn.
    for (std::uint32_t tried = 0;; ++tried) {
        const transaction::Choice choice{client.node, client.workload, transaction::workload(k, client).documents,
                                         memory.turn++, client.choices};
        memory.step = transaction::choose_document(k, choice);
        RequestScript* const script = of(memory.step);
        if (!script || script->skips.empty() || !real || tried == 100'000) break;
        Filler filler = filler_of(*script, memory.step);
        if (std::ranges::none_of(script->skips, [&](auto& each) { return holds_now(k, filler, each); })) break;
    }
    memory.sent = 1;
    return memory.step;
}

ScriptedRequest* of(Cluster& k, const Client& client)
{
    if (!k.request_scripts.act_in(client.workload) || client.exchange == kNone) return nullptr;
    ScriptedRequest& made = k.closed_loop.exchanges[client.exchange].scripted;
    return made.script ? &made : nullptr;
}

void begin(Cluster& k, Client& client)
{
    Exchange& e = k.closed_loop.exchanges[client.exchange];
    e.scripted.script = nullptr;
    e.scripted.grpc.reset();
    e.fields.want({});
    const abi::WrittenRequest* const written = written_of(k, client);
    if (written && written->grpc) e.scripted.grpc.emplace();
    if (!written || !k.attached(transaction::server(k, client))) return;
    ScriptMemory& memory = k.closed_loop.memories[client.memory].script;
    const auto row = static_cast<std::size_t>(written - k.image.requests);
    memory.iteration += k.request_scripts.first[row] && memory.sent <= 1;
    if (written->script == abi::kNone) return;
    RequestScript& found = k.request_scripts.all[row];
    ScriptedRequest& made = e.scripted;
    made.script = &found;
    made.fields.clear();
    made.body.clear();
    made.response.clear();
    Filler filler(k, client, found, k.request_scripts.tables.at(written->rows));
    if (found.body) filler.fill(*found.body, made.body);
    if (found.grpc)
        protobuf::add_written(
            *found.grpc, k.request_scripts.room,
            [&](std::string_view text, std::string& out) { filler.fill(text, out); }, made.body);
    filler.body = found.has_body() ? std::string_view(made.body) : k.model.documents().body(*written);
    if (std::string& path = k.request_scripts.room; found.path) {
        path.clear();
        filler.fill(*found.path, path);
        add_path(path, found.path->starts_with(script::kOpen), e.path);
    }
    if (found.fields) fill_fields(filler, *found.fields, made.fields);
    e.fields.want(found.headers);
}

std::array<char, FirstFailure::kMostSeen> body_begins(Cluster& k, const Client& client)
{
    std::array<char, FirstFailure::kMostSeen> begins{};
    if (const ScriptedRequest* const made = of(k, client))
        std::copy_n(made->response.begin(), std::min(made->response.size(), begins.size()), begins.begin());
    return begins;
}

// Where its checks are counted, as it is (count_groups in transaction.cpp); null: nothing is measured yet.
static RequestStatistics* checks_of(Cluster& k, const Client& client)
{
    const abi::WrittenRequest* const written = k.model.documents().written(client.document);
    if (!written || !k.measuring()) return nullptr;
    return &k.statistics.groups.request(
        k.model.documents().request_cell(client.workload, static_cast<std::uint32_t>(written - k.image.requests)));
}

std::optional<FailureCause> judge(Cluster& k, Client& client, std::optional<FailureCause> failure)
{
    if (ScriptedRequest* const call = grpc_response::call(k, client))
        failure = grpc_response::outcome(k, client, *call, failure);
    const ScriptedRequest* const made = of(k, client);
    const bool answered = failure == FailureCause::status || failure == FailureCause::grpc_status;
    if (!made || (failure && (!answered || !client.response.whole()))) return failure;
    RequestScript* const found = made->script;
    const Exchange& e = k.closed_loop.exchanges[client.exchange];
    const std::string& body = made->response;
    std::string& room = k.request_scripts.room;
    const auto digits = [&](std::uint64_t number) -> std::string_view {
        room.clear();
        fmt::format_to(std::back_inserter(room), "{}", number);
        return room;
    };
    const auto value = [&](Source source, std::string_view where) -> std::optional<std::string_view> {
        switch (source) {
            case Source::status: return digits(client.response.status() % kGrpcOk);
            case Source::size: return digits(client.response.body());
            case Source::body: return body;
            case Source::pointer: return http::json_value(body, where, room);
            case Source::attribute: return http::html_value(body, attribute_of(where), room);
            case Source::protobuf: return protobuf::find(body, where.substr(0, where.find(' ')), room);
            case Source::header: break;
        }
        for (std::size_t i = 0; i < found->headers.size(); ++i)
            if (same_in_any_case(found->headers[i], where)) return e.fields.wanted(i);
        return std::nullopt;
    };
    std::uint32_t number = 0;
    std::optional<std::uint32_t> first;
    RequestStatistics* const counted = checks_of(k, client);
    const auto take = [&](bool passed) {
        if (!passed && !first) first = number;
        if (counted) ++(passed ? counted->check(number).passed : counted->check(number).failed);
        ++number;
    };
    for (RequestScript::Check& check : found->checks) {
        const auto seen = value(check.source, check.where);
        take(holds(check.is, seen, check.operand, check.expression, k.request_scripts));
    }
    std::vector<std::string>& values = k.closed_loop.memories[client.memory].script.values;
    for (RequestScript::Take& taking : found->takes) {
        if (values.size() <= taking.value) values.resize(taking.value + 1);
        auto taken = value(taking.source, taking.where);
        if (taken && taking.part) taken = taking.expression.find(*taken);
        values[taking.value] = taken.value_or(std::string_view());
        take(taken.has_value() || taking.optional);
    }
    const bool bad = failure && !found->judges_status;
    if (!first || bad) return bad ? failure : std::nullopt;
    const FirstFailedCheck example{k.now, client.document, *first, client.response.status(), body_begins(k, client)};
    if (k.measuring()) k.statistics.workloads[client.workload].first_failed_check.add(example);
    return FailureCause::check;
}

}  // namespace request_scripts
}  // namespace anml::rt::app
