// A folder of its own, gone with everything in it when the object goes.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

namespace anml {

class TemporaryFolder {
  public:
    TemporaryFolder()
    {
        std::error_code error;
        std::filesystem::path base = std::filesystem::temp_directory_path(error);
        std::string name = ((error ? std::filesystem::path("/tmp") : base) / "anmlc-XXXXXX").string();
        if (mkdtemp(name.data())) path_ = name;
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return path_; }  // "": it could not be made

  private:
    std::string path_;
};

}  // namespace anml
