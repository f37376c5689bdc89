// Reading files: imports, byte order marks, bytes that are no text, positions.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "source/imports.h"
#include "source/source_set.h"

namespace ANML_UNIT_FILE {

using namespace anml;
namespace fs = std::filesystem;

namespace {

struct Folder {
    fs::path path;
    Folder()
    {
        std::string name = (fs::temp_directory_path() / "anml_source_XXXXXX").string();
        path = ::mkdtemp(name.data());
    }
    ~Folder() { fs::remove_all(path); }
    std::string write(const std::string& name, const std::string& text) const
    {
        fs::create_directories((path / name).parent_path());
        std::ofstream(path / name, std::ios::binary) << text;
        return (path / name).string();
    }
};

std::vector<std::string> modules(const SourceSet& sources)
{
    std::vector<std::string> list;
    for (const SourceFile& file : sources.files) list.push_back(file.module);
    return list;
}

}  // namespace

TEST_CASE("imports are found without parsing", "[source]")
{
    auto found = scan_imports(
        "// import no.comment\nimport a\n/* import no */ import b.c as d \"import no\" import\n  x . y imports no "
        "import 3");
    REQUIRE(found.size() == 3);
    CHECK(found[0].module == "a");
    CHECK(found[1].module == "b.c");
    CHECK(found[2].module == "x.y");
    CHECK(found[0].begin == 28);
    CHECK(found[0].end == 29);
}

TEST_CASE("the closure of imports, each once, cycles included", "[source]")
{
    Folder folder;
    std::string main = folder.write("main.anml", "import lib.a\nimport std.ether\nimport other\n");
    folder.write("lib/a.anml", "import lib.b");
    folder.write("lib/b.anml", "import lib.a");
    folder.write("more/other.anml", "");
    Diagnostics diagnostics;
    auto sources = load_sources({main, {(folder.path / "more").string()}}, diagnostics);
    REQUIRE(sources);
    CHECK(modules(*sources) == std::vector<std::string>{"", "std.prelude", "lib.a", "std.ether", "other", "lib.b"});
    CHECK(sources->files[1].path == "<std>/prelude.anml");
}

TEST_CASE("a module is looked for beside the file that imports it, beside the main file, then in -I", "[source]")
{
    Folder folder;
    const std::string main = folder.write("main.anml", "import parts\nimport lab.room\nimport lab.parts\n");
    folder.write("parts.anml", "");
    folder.write("other.anml", "");
    folder.write("lab/room.anml", "import parts\nimport other\nimport lab.parts\nimport third\nimport main\n");
    folder.write("lab/parts.anml", "import parts\n");
    folder.write("lib/third.anml", "import fourth");
    folder.write("lib/fourth.anml", "import lab.parts as mine");
    folder.write("lib/lab/parts.anml", "");
    Diagnostics diagnostics;
    const auto sources = load_sources({main, {(folder.path / "lib").string()}}, diagnostics);
    REQUIRE(sources);
    const auto file = [&](const std::string& name) {
        for (FileId id{0}; id.value < sources->files.size(); ++id.value)
            if (sources->file(id).path == (folder.path / name).string()) return id;
        return FileId();
    };
    const auto meant = [&](const std::string& from, std::string_view module) {
        const auto found = sources->imported(file(from), module);
        return found ? found->file : FileId();
    };
    CHECK(meant("main.anml", "parts") == file("parts.anml"));
    CHECK(meant("main.anml", "lab.parts") == file("lab/parts.anml"));
    CHECK(meant("lab/room.anml", "parts") == file("lab/parts.anml"));
    CHECK(meant("lab/room.anml", "lab.parts") == file("lab/parts.anml"));
    CHECK(meant("lab/room.anml", "other") == file("other.anml"));
    CHECK(meant("lab/room.anml", "main") == sources->main);         // no second copy of it
    CHECK(meant("lab/parts.anml", "parts") == file("parts.anml"));  // it does not find itself
    CHECK(meant("lib/third.anml", "fourth") == file("lib/fourth.anml"));
    // Two files whose modules have the same name.
    CHECK(meant("lib/fourth.anml", "lab.parts") == file("lib/lab/parts.anml"));
    CHECK(sources->files.size() == 9);  // with the prelude
}

TEST_CASE("folders beside the file that imports them", "[source]")
{
    Folder folder;
    const std::string main = folder.write("main.anml", "import lab.all\nimport lab.kit\n");
    folder.write("lab/all.anml", "import kit\nimport lab\n");
    folder.write("lab/kit/a.anml", "import b");
    folder.write("lab/kit/b.anml", "");
    Diagnostics diagnostics;
    const auto sources = load_sources({main, {}}, diagnostics);
    REQUIRE(sources);
    REQUIRE(sources->folders.size() == 2);
    CHECK(sources->folders[0].module == "lab.kit");
    CHECK(sources->folders[0].files.size() == 2);
    CHECK(sources->folders[1].module == "lab");
    CHECK(sources->imported(FileId(2), "kit")->folder == 0);
    CHECK(sources->files.size() == 5);
}

TEST_CASE("where a module was looked for", "[source]")
{
    Folder folder;
    const std::string main = folder.write("main.anml", "import lab.room\nimport main\n");
    folder.write("lab/room.anml", "import prats\n");
    Diagnostics diagnostics;
    SourceSet sources;
    CHECK_FALSE(load_sources({main, {(folder.path / "lib").string()}}, sources, diagnostics));
    REQUIRE(diagnostics.list().size() == 2);
    const auto at = [&](const char* name) { return (folder.path / name).string(); };
    CHECK(diagnostics.list()[0].message == "there is no module `main`");
    CHECK(diagnostics.list()[0].notes.at(0) ==
          "`" + main + "` is this file, which knows its own declarations without an import");
    CHECK(diagnostics.list()[1].notes.back() == "looked for " + at("lab/prats.anml") + ", " + at("prats.anml") + ", " +
                                                    at("lib/prats.anml") +
                                                    ", and for folders of these names without .anml");
}

TEST_CASE("what cannot be read is said at its place", "[source]")
{
    Folder folder;
    Diagnostics diagnostics;
    CHECK_FALSE(load_sources({(folder.path / "none.anml").string(), {}}, diagnostics));
    CHECK(diagnostics.list().back().message.ends_with("none.anml`: No such file or directory"));
    CHECK_FALSE(load_sources({folder.path.string(), {}}, diagnostics));
    CHECK(diagnostics.list().back().message.ends_with("it is a folder"));

    std::string main = folder.write("m.anml", "import std.ehter\nimport nowhere.at.all\n");
    SourceSet sources;
    Diagnostics imports;
    CHECK_FALSE(load_sources({main, {}}, sources, imports));
    REQUIRE(imports.list().size() == 2);
    CHECK(imports.list()[0].message == "there is no module `std.ehter`");
    CHECK(imports.list()[0].helps.at(0) == "a module with a similar name exists: `std.ether`");
    CHECK(sources.text(imports.list()[1].span) == "nowhere.at.all");
}

TEST_CASE("bytes that are no text", "[source]")
{
    Folder folder;
    auto message = [&](const std::string& text) {
        Diagnostics diagnostics;
        load_sources({folder.write("t.anml", text), {}}, diagnostics);
        return diagnostics.list().empty() ? std::string() : diagnostics.list()[0].message;
    };
    CHECK(message("// \u00e4 \u20ac \U0001F600\n") == "");
    CHECK(message(std::string("model\0M", 7)) == "the file contains a NUL byte");
    CHECK(message("// \xE4\n") == "byte 0xE4 is not valid UTF-8 here");
    CHECK(message("// \xC0\x80\n") == "byte 0xC0 is not valid UTF-8 here");
    CHECK(message("// \xED\xA0\x80\n") == "byte 0xED is not valid UTF-8 here");
    CHECK(message("// \xF4\x90\x80\x80\n") == "byte 0xF4 is not valid UTF-8 here");
    CHECK(message("\xFF\xFEm\0") == "byte 0xFF is not valid UTF-8 here");
}

TEST_CASE("positions count code points, from one, without the byte order mark", "[source]")
{
    Folder folder;
    Diagnostics diagnostics;
    auto sources = load_sources({folder.write("t.anml", "\xEF\xBB\xBFmodel\r\n\u00e4x\n"), {}}, diagnostics);
    REQUIRE(sources);
    CHECK(sources->files[0].text.starts_with("model"));
    auto at = [&](std::uint32_t offset) {
        Position p = sources->position(FileId(0), offset);
        return std::pair(p.line, p.column);
    };
    CHECK(at(0) == std::pair(1u, 1u));
    CHECK(at(7) == std::pair(2u, 1u));
    CHECK(at(9) == std::pair(2u, 2u));
    CHECK(at(1000) == std::pair(3u, 1u));
}

}  // namespace ANML_UNIT_FILE
