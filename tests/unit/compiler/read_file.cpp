// Files of any size and kind, read within bounds.
#include "base/files/read_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>

namespace ANML_UNIT_FILE {

using namespace anml;

namespace {

std::string problem(const std::string& path, Readable readable)
{
    std::string bytes;
    return read_file(path, 1 << 20, readable, bytes);
}

std::size_t size_of(const std::string& path, std::size_t most, bool text)
{
    std::string bytes;
    const auto read = text ? read_text : read_file;
    CHECK(read(path, most, Readable::anything, bytes) == "");
    return bytes.size();
}

}  // namespace

TEST_CASE("a file is read up to its bound", "[read_file]")
{
    char path[] = "/tmp/anml-read-XXXXXX";
    const int file = mkstemp(path);
    REQUIRE(file >= 0);
    REQUIRE(write(file, "hello", 5) == 5);
    close(file);
    std::string bytes = "before ";
    CHECK(read_file(path, 5, Readable::files, bytes) == "");
    CHECK(bytes == "hello");
    CHECK(size_of(path, 4, false) == 5);  // one more than may be in it
    CHECK(size_of(path, 3, false) == 4);
    unlink(path);
    CHECK(problem(path, Readable::files) == "No such file or directory");
}

TEST_CASE("a device that never ends does end", "[read_file]")
{
    CHECK(size_of("/dev/zero", 3 << 20, false) == (3 << 20) + 1);
    CHECK(size_of("/dev/zero", 3 << 20, true) == 1 << 20);  // a NUL is no text
    CHECK(size_of("/dev/null", 3 << 20, true) == 0);
}

TEST_CASE("a model names files, a command line anything", "[read_file]")
{
    CHECK(problem("/", Readable::files) == "it is a folder");
    CHECK(problem("/", Readable::anything) == "it is a folder");
    CHECK(problem("/dev/null", Readable::files) == "it is a device, not a file");
    CHECK(problem("/dev/null", Readable::anything) == "");
    const std::string pipe = std::string("/tmp/anml-pipe-") + std::to_string(getpid());
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(problem(pipe, Readable::files) == "it is a pipe, not a file");  // and nobody waits for its other end
    unlink(pipe.c_str());
    CHECK(problem("-", Readable::files) == "No such file or directory");
}

}  // namespace ANML_UNIT_FILE
