// Links that follow a trace: `rate = trace("file")`. The file is read here, so that what is wrong with it is known
// wherever the text is checked.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files/read_file.h"
#include "check/statements/statements.h"

namespace anml {
namespace {

// Beside the file that names it, or else in the first folder of -I that has it.
std::string path_of(const SourceText& source, const std::string& name, FileId file)
{
    namespace fs = std::filesystem;
    const fs::path beside = fs::path(source.sources.file(file).path).parent_path() / name;
    std::error_code ignored;
    if (fs::exists(beside, ignored)) return beside.lexically_normal().string();
    for (const std::string& folder : source.sources.include_dirs)
        if (const fs::path path = fs::path(folder) / name; fs::exists(path, ignored)) return path.string();
    return beside.lexically_normal().string();
}

}  // namespace

void let_links_follow_traces(CheckedProgram& program)
{
    const std::vector<Attribute>& common = program.schema(program.link).attributes;
    const auto rate = std::find_if(common.begin(), common.end(), [](const Attribute& a) { return a.name == "rate"; });
    if (rate == common.end()) return;
    const auto index = static_cast<std::size_t>(rate - common.begin());
    for (SchemaId id{0}; id.value < program.schemas.size(); ++id.value)
        if (program.derives(id, program.link) && index < program.schema(id).attributes.size())
            program.schemas[id.value].attributes[index].type.or_trace = true;
}

// A name in quotes, where a file is wanted: what it is read as says the attribute.
ExprId named_file(Checking& in, ExprId id)
{
    const Expr e = in.program.expr(id);
    const std::string name = in.program.strings[e.index];
    in.program.files.push_back({name, path_of(in, name, e.span.file), e.span});
    in.program.data_files.push_back(in.program.files.back().path);
    return in.add(ExprKind::file, {.kind = TypeKind::file}, e.span,
                  static_cast<std::uint32_t>(in.program.files.size() - 1));
}

ExprId trace(Checking& in, SyntaxId id, SyntaxId file)
{
    const Span where = in.span(id);
    if (in.tree.kind(file) != SyntaxKind::literal_string) {
        in.report(Diag::type_mismatch, in.span(file), "`trace` wants the name of a file in double quotes")
            .help(fmt::format("write `{}`", builtin_usage(Builtin::trace)));
        return in.error(where);
    }
    const std::string name = string_value(in, in.diagnostics, file);
    const std::string path = path_of(in, name, where.file);
    const auto known = std::find_if(in.trace_paths.begin(), in.trace_paths.end(),
                                    [&](const std::string& before) { return before == path; });
    const auto index = static_cast<std::size_t>(known - in.trace_paths.begin());
    if (known == in.trace_paths.end()) {
        std::string bytes;
        if (const std::string problem = read_file(path, kLargestTrace, Readable::files, bytes); !problem.empty()) {
            in.report(Diag::file_not_found, in.span(file), fmt::format("cannot read `{}`: {}", path, problem))
                .help("a file is looked for beside the one that names it, then in the folders of -I");
            return in.error(where);
        }
        std::vector<std::uint32_t> times;
        if (const TraceError wrong = read_trace(bytes, times); !wrong.message.empty()) {
            const std::string line = wrong.line == 0 ? "" : fmt::format(", line {}", wrong.line);
            in.report(Diag::invalid_trace, in.span(file), fmt::format("`{}`{}: {}", path, line, wrong.message))
                .help(
                    "each line has the time of one delivery opportunity, in whole milliseconds, none before the "
                    "last");
            return in.error(where);
        }
        in.trace_paths.push_back(path);
        in.program.data_files.push_back(path);
        in.program.traces.push_back({name, std::make_shared<const std::vector<std::uint32_t>>(std::move(times)), path});
    }
    return in.add(ExprKind::call, {.kind = TypeKind::trace}, where, static_cast<std::uint32_t>(Builtin::trace),
                  static_cast<double>(index));
}

}  // namespace anml
