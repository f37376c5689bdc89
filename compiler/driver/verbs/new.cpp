// anmlc new NAME: a package that `anmlc test` passes at once.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "driver/options/option_groups.h"
#include "driver/print_diagnostics.h"
#include "driver/verb.h"
#include "package/manifest.h"
#include "package/new_package.h"
#include "syntax/syntax_tree.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

// `Ring-Lab` is the folder of `ring_lab`.
std::string name_of(const std::string& folder)
{
    std::error_code error;
    std::string name = fs::weakly_canonical(folder, error).filename().string();
    if (name.empty()) name = fs::weakly_canonical(folder, error).parent_path().filename().string();
    for (char& c : name) c = c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return name;
}

// `a/../b` is `b`, where there is no `a` either.
std::string package_folder(const std::string& word)
{
    const fs::path path(word);
    if (std::find(path.begin(), path.end(), "..") == path.end()) return word;
    std::error_code error;
    const std::string near = fs::proximate(path, error).string();
    return error ? word : near;
}

bool make(const std::string& folder, std::vector<std::string>& made, Diagnostics& diagnostics)
{
    const std::string name = name_of(folder);
    if (!is_package_name(name) || is_keyword(name)) {
        auto report = diagnostics.report(Diag::invalid_manifest, {}, fmt::format("`{}` is no name of a package", name));
        if (name == "std")
            report.note("`std` is the standard library").help("choose another name: `anmlc new my_std`");
        else if (is_keyword(name))
            report.note("it is a word of the language")
                .help(fmt::format("choose another name: `anmlc new my_{}`", name));
        else
            report.help(
                "a name is a word of at most 64 letters, digits and `_`, first a letter: `anmlc new metro_ring`");
        return false;
    }
    std::error_code error;
    const bool here = fs::equivalent(folder, ".", error);
    if (!here && fs::exists(folder, error) && !(fs::is_directory(folder, error) && fs::is_empty(folder, error))) {
        diagnostics.report(Diag::cannot_write_output, {}, fmt::format("`{}` is there already", folder))
            .help(fmt::format("`cd {} && anmlc new .` makes a package of a folder", folder));
        return false;
    }
    return new_package(folder, name, made, diagnostics);
}

class NewVerb : public Verb {
  public:
    NewVerb() : Verb("new", "Make a package: a folder with a module, an example and tests") {}

    void add_options(CLI::App& app) override
    {
        app.add_option("folder", folder_, "The folder, called as the package; . makes one of this folder")
            ->required()
            ->option_text("FOLDER");
        words_.add(app);
    }

    int run(const CommandLine&) override
    {
        MessageOptions messages;
        words_.set(messages);
        Compilation compilation;
        std::vector<std::string> made;
        const std::string folder = package_folder(folder_);
        const bool good = make(folder, made, compilation.diagnostics);
        print_diagnostics(messages, compilation);
        if (!good) return kExitErrors;
        for (const std::string& path : made) std::printf("%s\n", path.c_str());
        std::error_code error;
        if (fs::equivalent(folder, ".", error))
            std::printf("the package %s is there: anmlc test\n", name_of(folder).c_str());
        else
            std::printf("the package %s is there: cd %s && anmlc test\n", name_of(folder).c_str(), folder.c_str());
        return 0;
    }

  private:
    std::string folder_;
    MessageWords words_;
};

}  // namespace

std::unique_ptr<Verb> verb_new() { return std::make_unique<NewVerb>(); }

}  // namespace anml
