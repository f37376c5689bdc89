#include "app/http/http_cookies.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "app/http/http_date.h"
#include "app/http/http_words.h"
#include "common/ascii.h"
#include "common/url_origin.h"

namespace anml::rt::app::http {

namespace {

constexpr std::size_t kLongestCookiePath = 1024;

// Up to the next ";", which is gone then.
std::string_view take_part(std::string_view& text)
{
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

// 5.1.3, of the names of hosts: of an address only the same.
bool domain_matches(std::string_view host, std::string_view domain)
{
    if (host == domain) return true;
    const bool address = host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string_view::npos;
    return !address && host.size() > domain.size() && host.ends_with(domain) &&
           host[host.size() - domain.size() - 1] == '.';
}

// 5.1.4
std::string_view default_path(std::string_view path)
{
    path = path.substr(0, path.find('?'));
    const std::size_t end = path.rfind('/');
    return end == 0 || end == std::string_view::npos ? "/" : path.substr(0, end);
}

bool path_matches(std::string_view asked, std::string_view path)
{
    asked = asked.substr(0, asked.find('?'));
    if (!asked.starts_with(path)) return false;
    return asked.size() == path.size() || path.ends_with('/') || asked[path.size()] == '/';
}

// 5.2.2: when a cookie of so many seconds ends.
std::optional<Time> end_of(std::string_view seconds, Time now)
{
    const bool negative = seconds.starts_with('-');
    if (negative) seconds.remove_prefix(1);
    if (seconds.empty() || seconds.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(seconds.data(), seconds.data() + seconds.size(), count);
    if (negative || (error == std::errc() && count == 0)) return 0;
    if (error != std::errc() || count >= (kNever - now) / kSecond) return kNever;
    return now + count * kSecond;
}

}  // namespace

void Cookies::take(std::string_view set_cookie, const Origin& origin, std::string_view path, Time now)
{
    const std::string_view pair = take_part(set_cookie);
    const std::size_t equals = pair.find('=');
    Cookie made;
    if (equals == std::string_view::npos) return;  // 5.2, of a cookie without a name
    const std::string_view name = trimmed(pair.substr(0, equals), " \t"),
                           value = trimmed(pair.substr(equals + 1), " \t");
    if (name.empty()) return;
    made.pair = std::string(name) + "=" + std::string(value);
    made.name = name.size() + 1;
    made.path = default_path(path);
    std::optional<Time> expires, ends;
    std::string domain;
    while (!set_cookie.empty()) {
        const std::string_view part = take_part(set_cookie);
        const std::size_t separator = std::min(part.find('='), part.size());
        const std::string key = lower_case(trimmed(part.substr(0, separator), " \t"));
        const std::string_view what = trimmed(part.substr(std::min(separator + 1, part.size())), " \t");
        if (key == "expires") {
            if (const auto date = read_date(what)) expires = date;
        } else if (key == "max-age") {
            if (const auto end = end_of(what, now)) ends = end;
        } else if (key == "domain") {
            domain = lower_case(what.starts_with('.') ? what.substr(1) : what);
        } else if (key == "path") {
            made.path = what.starts_with('/') && what.size() <= kLongestCookiePath ? what : default_path(path);
        } else if (key == "secure") {
            made.secure = true;
        }
    }
    const std::string host = lower_case(host_and_port(origin.authority).first);
    const bool registry = domain.find('.') == std::string::npos && domain != host;  // 5.3: "com" is nobody's
    if (!domain.empty() && (registry || !domain_matches(host, domain))) return;
    made.host_only = domain.empty();
    made.domain = made.host_only ? host : std::move(domain);
    if (made.secure && !origin.secure) return;
    made.until = ends ? *ends : expires ? *expires : kNever;

    const auto same = std::find_if(all_.begin(), all_.end(), [&](const Cookie& c) {
        return c.path == made.path && c.domain == made.domain && c.name == made.name &&
               c.pair.compare(0, c.name, made.pair, 0, made.name) == 0;
    });
    const auto has_ended = [&](const Cookie& c) { return c.until <= now; };
    if (same != all_.end()) {
        *same = std::move(made);
        std::erase_if(all_, has_ended);
    } else {
        std::erase_if(all_, has_ended);
        if (has_ended(made)) return;
        all_.push_back(std::move(made));
    }
    std::size_t bytes = 0;
    for (const Cookie& c : all_) bytes += c.pair.size() + 2;
    while (all_.size() > kMostCookies || bytes > kMostBytes) {
        bytes -= all_.front().pair.size() + 2;
        all_.erase(all_.begin());
    }
}

std::string Cookies::for_request(const Origin& origin, std::string_view path, Time now) const
{
    const std::string host = lower_case(host_and_port(origin.authority).first);
    std::vector<const Cookie*> sent;
    for (const Cookie& c : all_)
        if (c.until > now && (origin.secure || !c.secure) && path_matches(path, c.path) &&
            (c.host_only ? host == c.domain : domain_matches(host, c.domain)))
            sent.push_back(&c);
    std::sort(sent.begin(), sent.end(), [](const Cookie* a, const Cookie* b) {
        return a->path.size() != b->path.size() ? a->path.size() > b->path.size() : a < b;
    });
    std::string text;
    for (const Cookie* c : sent) {
        if (!text.empty()) text += "; ";
        text += c->pair;
    }
    return text;
}

}  // namespace anml::rt::app::http
