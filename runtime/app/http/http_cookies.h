// The cookies of one client (RFC 6265): set by Set-Cookie, sent back in Cookie. A client has 50 at most
// and 16 KB of them; where there is no room the one that was set first goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/http/http_location.h"
#include "base/time.h"

namespace anml::rt::app::http {

class Cookies {
  public:
    static constexpr std::size_t kMostCookies = 50, kMostBytes = 16384;

    // A value of Set-Cookie in the answer to a request for `path`; `now` is since 1970.
    void take(std::string_view set_cookie, const Origin& origin, std::string_view path, Time now);
    // The value of Cookie for a request to an origin for `path`; "": it has none.
    std::string for_request(const Origin& origin, std::string_view path, Time now) const;
    void clear() { all_.clear(); }
    std::size_t size() const { return all_.size(); }

  private:
    struct Cookie {
        std::string pair, path;  // "name=value", or "value" of one without a name
        std::string domain;      // it is for, and for hosts below it
        std::size_t name = 0;    // bytes of it, its "=" too
        bool host_only = false;  // for that host alone
        Time until = kNever;     // since 1970
        bool secure = false;
    };

    std::vector<Cookie> all_;  // in the order in which they were first set
};

}  // namespace anml::rt::app::http
