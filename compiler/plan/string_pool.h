// The image's strings: each once, NUL-terminated, "" at offset 0.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/abi/image.h"

namespace anml {

class StringPool {
  public:
    StringPool() { intern(""); }

    abi::StringRef intern(std::string_view text)
    {
        // A NUL would end the string early in the emulator; what follows it could never be read.
        text = text.substr(0, text.find('\0'));
        const auto [at, fresh] = offsets_.try_emplace(std::string(text), static_cast<abi::StringRef>(bytes_.size()));
        if (fresh) (bytes_ += text) += '\0';
        return at->second;
    }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
    std::unordered_map<std::string, abi::StringRef> offsets_;
};

}  // namespace anml
