#include "app/web_server/response_text.h"

#include <fmt/format.h>

#include "net/model.h"

namespace anml::rt::content {

std::string response_head(const Model& model, const Answering& response)
{
    constexpr std::string_view kStatuses[] = {"200 OK", "304 Not Modified", "302 Found"};
    std::string head = fmt::format("HTTP/1.{} {}\r\nServer: anml\r\n", response.persistence == Persistence::none ? 0 : 1,
                                   kStatuses[static_cast<std::size_t>(response.answer)]);
    if (response.answer == Answer::document)
        head += fmt::format("Content-Type: application/octet-stream\r\nContent-Length: {}\r\n",
                            model.document_size(response.document));
    if (response.answer == Answer::moved)
        head += fmt::format("Location: {}{}\r\nContent-Length: 0\r\n", kMoved,
                            model.document_path(response.document));
    else if (response.etag)
        head += fmt::format("ETag: {}\r\n", etag(model, response.document));
    if (response.cookie != 0) head += fmt::format("Set-Cookie: session={}; Path=/\r\n", response.cookie);
    head += response.persistence == Persistence::kept ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
    return head;
}

std::string etag(const Model& model, std::uint32_t document)
{
    return fmt::format("\"{:x}-{:x}\"", document, model.document_size(document));
}

}  // namespace anml::rt::content
