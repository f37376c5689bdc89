// The command line, and files that are written whole.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "driver/options/command_line.h"
#include "driver/options/option_groups.h"
#include "driver/write_file.h"

namespace ANML_UNIT_FILE {

using namespace anml;
namespace fs = std::filesystem;

namespace {

ParsedCommand parsed(std::vector<const char*> words)
{
    words.insert(words.begin(), "anmlc");
    return parse_command_line(static_cast<int>(words.size()), words.data());
}

std::string verb(const std::vector<const char*>& words)
{
    const ParsedCommand command = parsed(words);
    return command.verb ? command.verb->name : command.text;
}

}  // namespace

TEST_CASE("verbs", "[driver]")
{
    CHECK(verb({"x.anml"}) == "anmlc");
    CHECK(verb({"check", "x.anml", "-D", "N=1"}) == "check");
    CHECK(verb({"-I", "check", "check", "x.anml"}) == "check");
    CHECK(verb({"lint", "x.anml", "--format=sarif", "-o", "a.sarif"}) == "lint");
    CHECK(verb({"new", "x"}) == "new");
    CHECK(parsed({"run", "x.anml", "--", "--for", "1s"}).line.arguments == std::vector<std::string>{"--for", "1s"});
    CHECK(parsed({"--batch"}).batch);
}

TEST_CASE("parameters", "[driver]")
{
    Defines defines;
    CHECK(set_defines({"N=4", "D=4 ms"}, defines).empty());
    CHECK(defines == Defines{{"N", "4"}, {"D", "4 ms"}});
    CHECK(set_defines({"N=5"}, defines) == "-D gives `N` twice: 4 and 5");
    CHECK(set_defines({"=5"}, defines, "--before-define") == "--before-define takes NAME=VALUE, found `=5`");
}

TEST_CASE("formats by the output's name", "[driver]")
{
    CHECK(format_of("a/b.svg") == "svg");
    CHECK(format_of("-").empty());
    CHECK(format_of("a.d/b").empty());
}

TEST_CASE("warnings are chosen by name", "[driver]")
{
    BuildOptions options;
    ModelWords model;
    model.warnings = {"no-queue-below-bdp", "no-no-targets", "no-targets", "error"};
    CHECK(model.set(options).empty());
    CHECK(!options.warnings.enabled(Diag::queue_below_bdp));
    CHECK(options.warnings.enabled(Diag::no_targets));
    CHECK(options.warnings.errors);
    model.warnings = {"no-error"};
    CHECK(model.set(options).empty());
    CHECK(!options.warnings.errors);
    model.warnings = {"no-unit-mismatch"};  // an error, not a warning
    CHECK(!model.set(options).empty());
}

TEST_CASE("wrong usage", "[driver]")
{
    for (const std::vector<const char*>& words : {std::vector<const char*>{},
                                                  {"check"},
                                                  {"-fpic", "x"},
                                                  {"-O1", "x"},
                                                  {"--emit=x", "y"},
                                                  {"x", "-D", "=3"},
                                                  {"x", "-c", "-fsyntax-only"},
                                                  {"x", "-fsyntax-only", "-o", "y"},
                                                  {"check", "x", "-o", "y"},
                                                  {"x", "-o", "-"},
                                                  {"fmt"},
                                                  {"check", "x", "--", "y"},
                                                  {"-c", "check", "x"},
                                                  {"diff", "a"},
                                                  {"diff", "a", "b", "--format=d2"},
                                                  {"x", "y"}})
    {
        const ParsedCommand result = parsed(words);
        CHECK_FALSE(result.verb);
        CHECK(result.status == kExitUsage);
        CHECK(result.text.starts_with("anmlc: "));
    }
    CHECK(parsed({"--help"}).status == 0);
    CHECK(parsed({"check", "--help"}).text.find("Report every error") != std::string::npos);
    CHECK(parsed({"--version"}).text.starts_with("anmlc "));
}

TEST_CASE("files are written whole, with ordinary permissions", "[driver]")
{
    std::string folder = (fs::temp_directory_path() / "anml_write_XXXXXX").string();
    REQUIRE(::mkdtemp(folder.data()));
    std::string path = folder + "/out";
    Diagnostics diagnostics;
    REQUIRE(write_file(path, "one", diagnostics));
    REQUIRE(write_file(path, "two", diagnostics));
    std::ifstream in(path);
    CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == "two");
    CHECK((fs::status(path).permissions() & fs::perms::owner_write) != fs::perms::none);
    CHECK(std::distance(fs::directory_iterator(folder), {}) == 1);
    CHECK(write_file("/dev/null", "x", diagnostics));
    CHECK_FALSE(write_file(folder + "/no/such", "x", diagnostics));
    CHECK_FALSE(write_file(folder, "x", diagnostics));
    CHECK(diagnostics.errors() == 2);
    CHECK(std::distance(fs::directory_iterator(folder), {}) == 1);
    fs::remove_all(folder);
}

}  // namespace ANML_UNIT_FILE
