// Reading TOML by toml++, with what is wrong shown at its place.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace anml {

inline constexpr std::size_t kLargestToml = std::size_t{4} << 20;

// Bytes [first, second) of a text.
using TomlBytes = std::pair<std::uint32_t, std::uint32_t>;

class TomlReader {
  public:
    // What it finds is reported as `diag`, at places of the text, which lives longer.
    TomlReader(std::string path, std::string_view text, Diag diag, Diagnostics& diagnostics)
        : path_(std::move(path)), text_(text), diag_(diag), diagnostics_(diagnostics)
    {
    }

    std::optional<toml::table> parse();
    Diagnostics::Builder report(TomlBytes at, std::string message);
    TomlBytes place(const toml::node& node) const;
    TomlBytes place(const toml::key& key) const;
    bool good() const { return good_; }  // nothing was reported

    // The string of a key; "" and a message where it is none.
    std::string text(const toml::key& key, const toml::node& node);
    void unknown(const toml::key& key, const std::vector<std::string_view>& known, std::string_view what);

  private:
    std::string path_;
    std::string_view text_;
    Diag diag_;
    Diagnostics& diagnostics_;
    bool good_ = true;
};

}  // namespace anml
