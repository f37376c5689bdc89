// Of which requests a call of `web.Calls` is a part, by their paths.
#pragma once

#include <string_view>

namespace anml::abi {

// The path is the entry's, or begins with it and goes on with a segment or a query, as in an Ingress of Kubernetes:
// "/cart" has "/cart", "/cart/7" and "/cart?item=7", and not "/cartoons".
constexpr bool entry_has(std::string_view entry, std::string_view path)
{
    if (!path.starts_with(entry)) return false;
    path.remove_prefix(entry.size());
    return path.empty() || entry.ends_with('/') || path.front() == '/' || path.front() == '?';
}

}  // namespace anml::abi
