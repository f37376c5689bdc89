#include "base/record_fields.h"

namespace anml {

std::string profile_name(std::string_view schema)
{
    constexpr std::string_view kLibrary = "std.";
    if (schema.starts_with(kLibrary)) schema.remove_prefix(kLibrary.size());
    const std::size_t last = schema.rfind('.') + 1;
    std::string name(schema.substr(0, last));
    for (const char c : schema.substr(last)) {
        const bool upper = c >= 'A' && c <= 'Z';
        if (upper && name.size() != last) name += '_';
        name += upper ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return name;
}

bool is_of_both_directions(std::string_view attribute)
{
#define ANML_LINK_TRUTH(name, ...) \
    if (attribute == #name) return true;
#include "base/link_attributes.def"
    return attribute == "mtu" || attribute == "overhead" || attribute == "relation";
}

}  // namespace anml
