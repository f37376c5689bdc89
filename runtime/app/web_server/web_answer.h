// What a simulated server understands of a request, and answers, whatever version of HTTP it came with.
#pragma once

#include <cstdint>
#include <string>

#include "app/content.h"
#include "app/web_server/web_server.h"

namespace anml::rt::app::web_answer {

// Before a request's head is read: what of it the server wants, which goes to `fields`.
void expect(const WebServer& server, http::RequestHead& head, http::Fields& fields);
// Of a head that is complete.
WebSession::Request understand(const Cluster& k, const WebServer& server, const http::RequestHead& head,
                               const http::Fields& fields);

struct Answer {
    std::string head;  // "": the content's own, which ends at `offset`
    std::uint32_t content = 0;
    std::uint64_t offset = 0, body = 0;  // where in it the body lies, and how much of that is sent
};
// `status`: its failure, 0 where there was none.
Answer answer(Cluster& k, std::uint32_t server, const WebSession::Request& request, content::Persistence persistence,
              std::uint16_t status);

}  // namespace anml::rt::app::web_answer
