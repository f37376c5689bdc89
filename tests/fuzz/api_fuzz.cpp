// What a client of a live run's API sends: a request is whole at one byte and at none before, whatever comes behind it
// changes nothing, and whatever it asks for is one line of words.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "entry/api/api_routes.h"

using namespace anml::rt::entry;

namespace {

void require(bool holds)
{
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    ApiRequest request, piece;
    std::string why;
    const int status = read_api_request(bytes, request, why);
    for (std::size_t length = 0; length < size; ++length) {
        const int before = read_api_request(std::string_view(bytes).substr(0, length), piece, why);
        if (before == 0) continue;
        require(before == status);
        break;
    }
    if (status != 0) require(read_api_request(bytes + "GET / HTTP/1.1\r\n\r\n", piece, why) == status);
    if (status != 200) return 0;
    require(piece.method == request.method && piece.path == request.path && piece.body == request.body);
    require(request.body.size() <= ApiRequest::kLongestBody);
    is_address_or_localhost(request.host);
    has_token(request.authorization, "0123456789abcdef");
    const ApiCall call = api_call(request);
    if (call.status == 200)
        for (const char c : call.words + call.name) require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
    else
        require(call.status >= 400 && !call.why.empty());
    return 0;
}
