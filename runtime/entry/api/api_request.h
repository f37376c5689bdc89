// A request to the API of a live run: HTTP/1.1 from a program that may be anybody's, read whole (RFC 9112). What is not
// known to end where it says is refused, and so is what could be read in two ways.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace anml::rt::entry {

struct ApiRequest {
    static constexpr std::size_t kLongestHead = 8192, kLongestBody = 4096;

    std::string method;
    std::vector<std::string> path;  // its parts, decoded: `/v1/links/a` is v1, links, a
    std::vector<std::pair<std::string, std::string>> query;
    std::string host, type, authorization;  // "": not given
    bool foreign = false;                   // a page of a browser asks, of whatever origin
    std::string body;
};

// Reads what has come so far. 0: more has to come; 200: `request` is whole; else the status of the answer to what was
// wrong, and `why`.
int read_api_request(std::string_view bytes, ApiRequest& request, std::string& why);

// Whether such a field of Host can only have been written by who knows the address, and not by a page whose name leads
// here (DNS rebinding): a number or `localhost`.
bool is_address_or_localhost(std::string_view host);

// Whether a field of Authorization has this token: as long to tell for a wrong one as for another.
bool has_token(std::string_view authorization, std::string_view token);

}  // namespace anml::rt::entry
