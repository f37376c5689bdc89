// A file that is there whole or not at all, however the program that writes it ends.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "commandline/signal_hold.h"

namespace anml::commandline {

// What is written goes to a file without a name, which takes the place of `path` when it is kept: killed, a program
// leaves the old file and nothing else. Where the file system has no such files it is one beside `path`, and what
// would end the program waits until that is gone. Behind a symbolic link its target is replaced; the permissions are
// those of the file that it replaces. What exists and is no regular file, such as /dev/null, is written to as it is.
//
// All return false after the first failure, and errno says why.
class WholeFile {
  public:
    explicit WholeFile(const std::string& path);
    ~WholeFile();  // what is not kept is gone
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    bool write(std::string_view bytes);
    bool keep();

  private:
    bool open();
    bool take_place();
    bool failed();  // false, for returning it

    std::string path_;
    std::string named_;  // the file beside it, "" while there is none
    int file_ = -1;
    int error_ = 0;
    bool direct_ = false;
    std::optional<SignalHold> hold_;
};

// Where the symbolic links of `path` lead to, even if nothing is there: what will be replaced.
std::string behind_links(std::string path);

// All at once.
bool write_whole(const std::string& path, std::string_view bytes);

}  // namespace anml::commandline
