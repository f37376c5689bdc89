// What the API of a live run has at which path, as requests of `ctl`: the server answers both alike.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "entry/api/api_request.h"

namespace anml::rt::entry {

struct ApiCall {
    // 200: it is one; else the status of the answer, and why.
    int status = 200;
    std::string why;
    std::string allow;  // of 405: the methods that the path has

    std::string words;         // "link entry delay=20 ms", as `ctl` says it; "openapi": the document
    std::string part, name;    // of the answer to `list`: this list, and of that who has this name; "": all
    bool without_body = false;  // HEAD
    double seconds = 0;        // of watch and capture; 0: to the end
};

ApiCall api_call(const ApiRequest& request);

// The document of OpenAPI 3.1 that describes it.
nlohmann::ordered_json openapi();

}  // namespace anml::rt::entry
