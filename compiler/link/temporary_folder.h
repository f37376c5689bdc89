// A folder of its own, gone with everything in it when the object goes.
#pragma once

#include <string>

namespace anml {

// It is locked as long as its process lives. So one that was killed is known by its lock being free, and the next
// folder that is made in the same place takes what it left along.
class TemporaryFolder {
  public:
    TemporaryFolder(const std::string& where, const std::string& prefix);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& path() const { return path_; }  // "": it could not be made, errno is error()
    int error() const { return error_; }

  private:
    std::string path_;
    int lock_ = -1;
    int error_ = 0;
};

std::string folder_of(const std::string& path);  // "." for a plain name
std::string folder_of_temporaries();             // TMPDIR, or /tmp where that is no folder

}  // namespace anml
