// The command line, and files that are written whole.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "driver/options/options.h"
#include "driver/write_file.h"

namespace ANML_UNIT_FILE {

using namespace anml;
namespace fs = std::filesystem;

namespace {

ParsedOptions parsed(std::vector<const char*> words)
{
    words.insert(words.begin(), "anmlc");
    return parse_options(static_cast<int>(words.size()), words.data());
}

Options options(const std::vector<const char*>& words)
{
    ParsedOptions result = parsed(words);
    INFO(result.text);
    REQUIRE(result.options);
    return *result.options;
}

}  // namespace

TEST_CASE("a difference of two models", "[driver]")
{
    const Options o = options({"diff", "a.anml", "b.anml", "-D", "N=1", "--before-define", "M=2", "--after-model", "B",
                               "--model", "A", "-o", "d.svg"});
    CHECK(o.goal == Goal::diff);
    CHECK(o.difference.before.input == "a.anml");
    CHECK(o.difference.after.input == "b.anml");
    CHECK(o.difference.before.model == "A");
    CHECK(o.difference.after.model == "B");
    CHECK(o.elaborate.defines.size() == 1);
    CHECK(o.difference.before.defines.size() == 1);
    CHECK(o.difference.after.defines.empty());
    CHECK(o.difference.format == DiffOptions::Format::picture);
    CHECK(o.graph.format == PictureFormat::svg);
    CHECK(parsed({"diff", "a.anml"}).exit_code == kExitUsage);
    CHECK(parsed({"diff", "a.anml", "b.anml", "--format=d2"}).exit_code == kExitUsage);
}

TEST_CASE("where findings go", "[driver]")
{
    const Options o = options({"lint", "a.anml", "--format=sarif", "-o", "a.sarif"});
    CHECK(o.findings);
    CHECK(o.error_format == ErrorFormat::sarif);
    CHECK(o.output == "a.sarif");
    CHECK_FALSE(options({"check", "a.anml"}).findings);
    CHECK(parsed({"check", "a.anml", "-o", "x"}).exit_code == kExitUsage);
}

TEST_CASE("flags that compiler users know", "[driver]")
{
    Options o =
        options({"dir/wan.anml", "-o", "emu", "-O0", "-DN=4", "-D", "D=4 ms", "-Ia", "-I", "b", "-v", "--model", "W"});
    CHECK(o.verb == Verb::compile);
    CHECK(o.goal == Goal::executable);
    CHECK(o.sources.input == "dir/wan.anml");
    CHECK(o.output == "emu");
    CHECK(o.level == OptLevel::O0);
    CHECK(o.elaborate.defines == std::vector<std::pair<std::string, std::string>>{{"N", "4"}, {"D", "4 ms"}});
    CHECK(o.sources.include_dirs == std::vector<std::string>{"a", "b"});
    CHECK(o.elaborate.model == "W");
    CHECK(o.verbose);
    CHECK(options({"-I", "a", "wan.anml"}).sources.input == "wan.anml");
    CHECK(options({"wan.anml"}).level == OptLevel::O2);
}

TEST_CASE("where the output goes", "[driver]")
{
    CHECK(options({"dir/wan.anml"}).output == "wan");
    CHECK(options({"dir/wan.anml", "-c"}).output == "wan.o");
    CHECK(options({"-"}).output == "a.out");
    CHECK(options({"-", "-c"}).output == "a.o");
    CHECK(options({"wan.anml", "--emit=plan"}).output == "-");
    CHECK(options({"wan.anml", "--emit=plan", "-o", "p"}).output == "p");
    CHECK(parsed({"wan.anml", "-o", "-"}).exit_code == kExitUsage);
}

TEST_CASE("goals, verbs and formats", "[driver]")
{
    CHECK(options({"-fsyntax-only", "x.anml"}).goal == Goal::syntax_only);
    CHECK(options({"--emit=routes", "x.anml"}).goal == Goal::routes);
    CHECK(options({"check", "x.anml", "-D", "N=1"}).goal == Goal::check);
    CHECK(options({"explain", "unit-mismatch"}).explain == "unit-mismatch");
    CHECK(options({"--explain", "unit-mismatch"}).verb == Verb::explain);
    CHECK(options({"x.anml", "--error-format=short"}).error_format == ErrorFormat::brief);
    CHECK(options({"x.anml"}).partition.tasks == 0);
    CHECK(options({"x.anml", "--tasks=5"}).partition.tasks == 5);
    CHECK(options({"x.anml", "--color=always"}).color);
    CHECK_FALSE(options({"x.anml", "--color=never"}).color);
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
                                                  {"x", "y"}})
    {
        ParsedOptions result = parsed(words);
        CHECK_FALSE(result.options);
        CHECK(result.exit_code == kExitUsage);
        CHECK(result.text.starts_with("anmlc: "));
    }
    CHECK(parsed({"--help"}).exit_code == 0);
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

TEST_CASE("warnings are chosen by name", "[driver]")
{
    Options o = options({"lint", "wan.anml", "-Wno-queue-below-bdp", "-Wno-no-targets", "-W", "no-targets", "-Werror"});
    CHECK(o.verb == Verb::lint);
    CHECK(o.goal == Goal::lint);
    CHECK(o.files == std::vector<std::string>{"wan.anml"});
    CHECK(!o.warnings.enabled(Diag::queue_below_bdp));
    CHECK(o.warnings.enabled(Diag::no_targets));
    CHECK(o.warnings.errors);
    CHECK(!options({"wan.anml", "-Werror", "-Wno-error"}).warnings.errors);
    CHECK(parsed({"check", "wan.anml", "-Wno-unit-mismatch"}).exit_code == kExitUsage);  // an error, not a warning
}

TEST_CASE("fmt takes files and folders", "[driver]")
{
    Options o = options({"fmt", "a.anml", "lib", "-", "--check", "--diff"});
    CHECK(o.verb == Verb::fmt);
    CHECK(o.files == std::vector<std::string>{"a.anml", "lib", "-"});
    CHECK(o.check_only);
    CHECK(o.diff);
    CHECK(parsed({"fmt"}).exit_code == kExitUsage);
}

}  // namespace ANML_UNIT_FILE
