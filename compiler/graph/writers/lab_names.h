// Names of nodes for tools that make labs of containers.
#pragma once

#include <fmt/format.h>

#include <cctype>
#include <set>
#include <string>
#include <string_view>

namespace anml {

// What containerlab and netlab take as a name, and no other node has.
class LabNames {
  public:
    std::string name(std::string_view from)
    {
        std::string name;
        for (const char c : from)
            if (std::isalnum(static_cast<unsigned char>(c)))
                name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            else if (!name.empty() && name.back() != '-')
                name += '-';
        while (!name.empty() && name.back() == '-') name.pop_back();
        if (name.empty()) name = "node";
        const std::string wanted = name;
        for (int i = 2; !taken_.insert(name).second; ++i) name = fmt::format("{}-{}", wanted, i);
        return name;
    }

  private:
    std::set<std::string> taken_;
};

}  // namespace anml
