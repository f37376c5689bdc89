// Lists of documents. A line each, in one of two forms:
//   path,size[,weight[,sha256]]   as spreadsheets write it (RFC 4180), or with the columns that a first line names
//   size path                     as `du -b` and `find -printf '%s %P\n'` do; the path may have blanks
// Empty lines and those that begin with # say nothing.
#pragma once

#include <array>
#include <unordered_map>

#include "base/files/data_file.h"

namespace anml {

inline constexpr std::size_t kLargestList = std::size_t{256} << 20;  // bytes of a file
inline constexpr std::size_t kMostListed = 1000000;

class DocumentListReader {
  public:
    LineError take(std::string_view line);
    std::string finish();  // "", or what is wrong with the list as a whole
    std::vector<FileDocument> documents;

  private:
    enum class Form : std::uint8_t { unknown, table, sizes };
    enum Column : std::uint8_t { kPath, kSize, kWeight, kHash, kColumns };

    LineError take_header(std::string_view line, const std::vector<std::string_view>& fields);
    LineError take_fields(std::string_view line, const std::vector<std::string_view>& fields);
    LineError add(std::string_view line, std::string_view path, std::string_view size, std::string_view weight,
                  std::string_view hash);

    Form form_ = Form::unknown;
    std::size_t line_ = 0;
    std::array<std::size_t, kColumns> place_{0, 1, 2, 3};  // of each column; npos: there is none
    std::unordered_map<std::string, std::size_t> lines_;   // by path
};

std::string_view stripped(std::string_view text);  // without blanks and tabs at either end
// Fields between commas; one in double quotes may have commas, and stays in its quotes (RFC 4180).
std::vector<std::string_view> fields_of(std::string_view line);
std::string unquoted_field(std::string_view field);
// A path as a URL has it: "./a b" is "/a%20b"; "": it has characters that no path has.
std::string url_path(std::string_view path);

}  // namespace anml
