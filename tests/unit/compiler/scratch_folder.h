// A folder for one test, removed with everything in it.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace anml::test {

class ScratchFolder {
  public:
    ScratchFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "anml-test-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        folder_ = name;
    }
    ~ScratchFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::string path(const std::string& name) const { return folder_ / name; }
    void write(const std::string& name, const std::string& text) const
    {
        std::ofstream(path(name), std::ios::binary) << text;
    }
    // A shell command in the folder; must succeed.
    void run(const std::string& command) const
    {
        INFO(command);
        REQUIRE(std::system(("cd '" + folder_.string() + "' && " + command).c_str()) == 0);
    }
    std::size_t entries() const
    {
        std::size_t n = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_)) ++n;
        return n;
    }

  private:
    std::filesystem::path folder_;
};

}  // namespace anml::test
