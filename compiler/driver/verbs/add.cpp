// anmlc add [PATH|ADDRESS|ARCHIVE]: writes a dependency into anml.toml and fetches what that and anml.lock name.
// Nothing else of anmlc fetches anything.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <filesystem>

#include "driver/options/option_groups.h"
#include "driver/print_diagnostics.h"
#include "driver/verb.h"
#include "link/temporary_folder.h"
#include "package/add.h"

namespace anml {

namespace {

// "" among the packages: what anml.toml and anml.lock name.
bool add(const std::vector<std::string>& packages, std::vector<std::string>& done, Compilation& compilation)
{
    Diagnostics& diagnostics = compilation.diagnostics;
    const auto root = find_package("");
    if (!root) {
        diagnostics.report(Diag::invalid_manifest, {}, "there is no anml.toml here or above")
            .help("`anmlc new NAME` makes a package, `anmlc new .` makes one of this folder");
        return false;
    }
    const TemporaryFolder staging(folder_of_temporaries(), "anmlc-");
    if (staging.path().empty()) {
        diagnostics.report(Diag::cannot_write_output, {},
                           fmt::format("cannot make a temporary folder in {}: {}", folder_of_temporaries(),
                                       std::strerror(staging.error())));
        return false;
    }
    for (std::size_t i = 0; i < packages.size(); ++i) {
        const std::string room = fmt::format("{}/{}", staging.path(), i);
        std::error_code ignored;
        std::filesystem::create_directory(room, ignored);
        std::vector<std::string> now;
        if (!add_packages({*root, packages[i], room}, now, diagnostics)) return false;
        done.insert(done.end(), now.begin(), now.end());
    }
    return true;
}

class AddVerb : public Verb {
  public:
    AddVerb() : Verb("add", "Have the package use another one, and fetch what it needs") {}

    void add_options(CLI::App& app) override
    {
        app.add_option(
               "package", packages_,
               "A folder, an archive or its address, or an address of git, with #TAG, #BRANCH or #COMMIT behind it; "
               "without one, what anml.toml and anml.lock name is fetched")
            ->option_text("PACKAGE...");
        words_.add(app);
        app.footer("No other verb downloads anything.");
    }

    int run(const CommandLine&) override
    {
        MessageOptions messages;
        words_.set(messages);
        if (packages_.empty()) packages_.push_back("");
        Compilation compilation;
        std::vector<std::string> done;
        const bool good = add(packages_, done, compilation);
        for (const std::string& line : done) std::printf("%s\n", line.c_str());
        if (good && done.empty()) std::printf("everything is there\n");
        adopt_quotes(compilation.diagnostics, compilation.sources);
        print_diagnostics(messages, compilation);
        return good ? 0 : kExitErrors;
    }

  private:
    std::vector<std::string> packages_;
    MessageWords words_;
};

}  // namespace

std::unique_ptr<Verb> verb_add() { return std::make_unique<AddVerb>(); }

}  // namespace anml
