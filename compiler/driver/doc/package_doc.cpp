#include "driver/doc/package_doc.h"

#include <algorithm>
#include <filesystem>

#include "base/files/read_file.h"
#include "driver/doc/component_picture.h"
#include "driver/doc/read_module_doc.h"
#include "driver/duplicate_diagnostics.h"
#include "driver/input_files.h"
#include "driver/run_checks.h"
#include "driver/show_network.h"
#include "package/resolve.h"
#include "syntax/file_doc.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestReadme = std::size_t{4} << 20;

// "src/rings/inner.anml" of metro is `metro.rings.inner`, "src/metro.anml" is `metro`.
std::string module_name(const std::string& package, const std::string& source, const std::string& path)
{
    std::string name;
    const fs::path below = fs::path(path).lexically_relative(source).replace_extension("");
    for (const fs::path& part : below) name += "." + part.string();
    return name == "." + package ? package : package + name;
}

std::vector<std::string> files_in(const std::string& folder, Diagnostics& diagnostics)
{
    std::vector<std::string> paths;
    std::error_code error;
    if (!fs::is_directory(folder, error)) return paths;
    for (const InputFile& file : input_files({folder}, diagnostics)) paths.push_back(file.path);
    return paths;
}

// Files of the package, and whether any has errors.
class Reader {
  public:
    Reader(const BuildOptions& options, DiagnosticsPrinter& printer) : options_(options), printer_(printer) {}

    // Nothing, and a report, where `check` finds errors.
    std::optional<ModuleDoc> read(const Documented& module, SourceSet& sources)
    {
        Compilation checked;
        if (!check(module, checked)) return report(checked), std::nullopt;
        Compilation one;
        std::optional<ModuleDoc> doc;
        if (load_file(module.path, one.sources, one.diagnostics)) doc = read_module_doc(options_.sources, module, one);
        if (!doc) report(one);
        sources = std::move(one.sources);
        return doc;
    }

    void draw(const Documented& module, DeclarationDoc& declaration)
    {
        Compilation wrong;
        draw_component(options_.sources, module, declaration, wrong);
        if (wrong.diagnostics.has_errors()) report(wrong);
    }

    bool good() const { return good_; }

  private:
    bool check(const Documented& module, Compilation& c) const
    {
        BuildOptions checking = options_;
        checking.sources = with_folders(options_.sources, module);
        Session session(checking, c);
        return run_checks(session);
    }

    void report(Compilation& c)
    {
        good_ = false;
        if (!c.sources.files.empty()) duplicates_.drop(c);
        printer_.add(c);
    }

    const BuildOptions& options_;
    DiagnosticsPrinter& printer_;
    DuplicateDiagnostics duplicates_;
    bool good_ = true;
};

std::string draw_first_model(const BuildOptions& options, bool dark)
{
    PictureOptions picture;
    picture.format = PictureFormat::svg;
    picture.dark = dark;
    Compilation c;
    Session session(options, c);
    auto drawn = draw_model(session, picture, {}, "-");
    return session.end(drawn.has_value()) ? std::move(*drawn) : "";
}

// The picture of the example's first model. Nothing where it has none.
void draw_example(const BuildOptions& options, ExampleDoc& example, const std::string& path)
{
    BuildOptions drawing = options;
    drawing.sources.input = path;
    {
        Compilation text;
        Session session(drawing, text);
        const CheckedProgram* program = session.program();
        if (!session.end(program != nullptr) || program->models.empty()) return;
        drawing.elaborate.model = program->component(program->models.front()).name;
    }
    const std::string light = draw_first_model(drawing, false), dark = draw_first_model(drawing, true);
    if (light.empty() || dark.empty()) return;
    example.model = "model " + drawing.elaborate.model;
    example.picture = light;
    example.dark_picture = dark;
}

}  // namespace

std::optional<PackageDoc> document_package(const BuildOptions& options, const std::string& root,
                                           DiagnosticsPrinter& printer, Diagnostics& diagnostics)
{
    const auto manifest = read_manifest(root, diagnostics);
    if (!manifest) return std::nullopt;
    PackageDoc out;
    out.name = manifest->name;
    out.version = manifest->version;
    out.license = manifest->license;
    out.description = manifest->description;
    for (const Dependency& needed : manifest->dependencies)
        out.dependencies.emplace_back(needed.name, source_key(root, *manifest, needed));
    std::error_code error;
    if (const std::string readme = in_folder(root, "README.md"); fs::is_regular_file(readme, error))
        read_text(readme, kLargestReadme, Readable::files, out.readme);
    const std::string source = in_folder(root, "src");
    Reader reader(options, printer);
    for (const std::string& path : files_in(source, diagnostics)) {
        const Documented module{module_name(out.name, source, path), {}, path, "", ""};
        SourceSet sources;
        auto doc = reader.read(module, sources);
        if (!doc) continue;
        for (DeclarationDoc& declaration : doc->declarations) reader.draw(module, declaration);
        out.modules.push_back(std::move(*doc));
    }
    std::sort(out.modules.begin(), out.modules.end(),
              [](const ModuleDoc& a, const ModuleDoc& b) { return a.name < b.name; });
    const std::string examples = in_folder(root, "examples");
    for (const std::string& path : files_in(examples, diagnostics)) {
        ExampleDoc example;
        SourceSet sources;
        const auto doc = reader.read({"", {}, path, "", ""}, sources);
        if (!doc) continue;
        example.file = fs::path(path).lexically_relative(root.empty() ? "." : root).string();
        const fs::path below = fs::path(path).lexically_relative(examples).replace_extension("");
        for (const fs::path& part : below) example.name += (example.name.empty() ? "" : ".") + part.string();
        example.about = doc->text;
        example.text = sources.file(sources.main).text;
        draw_example(options, example, path);
        out.examples.push_back(std::move(example));
    }
    if (!reader.good() || diagnostics.has_errors()) return std::nullopt;
    return out;
}

}  // namespace anml
