#include "driver/doc/package_doc.h"

#include <algorithm>
#include <filesystem>

#include "base/files/read_file.h"
#include "driver/doc/component_picture.h"
#include "driver/doc/read_module_doc.h"
#include "driver/duplicate_diagnostics.h"
#include "driver/input_files.h"
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
    Reader(const Options& options, Reporter& reporter) : options_(options), reporter_(reporter) {}

    // Nothing, and a report, where `check` finds errors.
    std::optional<ModuleDoc> read(const Documented& module, SourceSet& sources)
    {
        Compilation checked;
        if (!compile(checked_options(module), checked)) return report(checked), std::nullopt;
        Compilation one;
        std::optional<ModuleDoc> doc;
        if (load_file(module.path, one.sources, one.diagnostics)) doc = read_module_doc(options_, module, one);
        if (!doc) report(one);
        sources = std::move(one.sources);
        return doc;
    }

    void draw(const Documented& module, DeclarationDoc& declaration)
    {
        Compilation wrong;
        draw_component(options_, module, declaration, wrong);
        if (wrong.diagnostics.has_errors()) report(wrong);
    }

    bool good() const { return good_; }

  private:
    Options checked_options(const Documented& module) const
    {
        Options checking = options_;
        checking.sources = with_folders(options_, module);
        checking.goal = Goal::check;
        return checking;
    }

    void report(Compilation& c)
    {
        good_ = false;
        if (!c.sources.files.empty()) duplicates_.drop(c);
        reporter_.add(c);
    }

    const Options& options_;
    Reporter& reporter_;
    DuplicateDiagnostics duplicates_;
    bool good_ = true;
};

// The picture of the example's first model. Nothing where it has none.
void draw_example(const Options& options, ExampleDoc& example, const std::string& path)
{
    Options drawing = options;
    drawing.sources.input = path;
    drawing.goal = Goal::syntax_only;
    Compilation text;
    if (!compile(drawing, text) || text.models.empty()) return;
    drawing.goal = Goal::graph;
    drawing.output = "-";
    drawing.elaborate.model = text.models.front();
    drawing.graph.format = PictureFormat::svg;
    Compilation light, dark;
    if (!compile(drawing, light)) return;
    drawing.graph.dark = true;
    if (!compile(drawing, dark)) return;
    example.model = "model " + text.models.front();
    example.picture = light.text;
    example.dark_picture = dark.text;
}

}  // namespace

std::optional<PackageDoc> document_package(const Options& options, const std::string& root, Reporter& reporter,
                                           Diagnostics& diagnostics)
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
    Reader reader(options, reporter);
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
