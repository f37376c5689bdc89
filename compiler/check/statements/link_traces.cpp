// Links that follow a trace: `rate = trace("file")`. The file is read here, so that what is wrong with it is known
// wherever the text is checked.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files/read_file.h"
#include "check/checker.h"

namespace anml {

void Checker::let_links_follow_traces()
{
    const std::vector<Attribute>& common = program_.schema(program_.link).attributes;
    const auto rate = std::find_if(common.begin(), common.end(), [](const Attribute& a) { return a.name == "rate"; });
    if (rate == common.end()) return;
    const auto index = static_cast<std::size_t>(rate - common.begin());
    for (SchemaId id{0}; id.value < program_.schemas.size(); ++id.value)
        if (program_.derives(id, program_.link) && index < program_.schema(id).attributes.size())
            program_.schemas[id.value].attributes[index].type.or_trace = true;
}

// Beside the file that names it, or else in the first folder of -I that has it.
std::string Checker::path_of(const std::string& name, FileId file) const
{
    namespace fs = std::filesystem;
    const fs::path beside = fs::path(sources_.file(file).path).parent_path() / name;
    std::error_code ignored;
    if (fs::exists(beside, ignored)) return beside.lexically_normal().string();
    for (const std::string& folder : sources_.include_dirs)
        if (const fs::path path = fs::path(folder) / name; fs::exists(path, ignored)) return path.string();
    return beside.lexically_normal().string();
}

// A name in quotes, where a file is wanted: what it is read as says the attribute.
ExprId Checker::named_file(ExprId id)
{
    const Expr e = program_.expr(id);
    const std::string name = program_.strings[e.index];
    program_.files.push_back({name, path_of(name, e.span.file), e.span});
    program_.data_files.push_back(program_.files.back().path);
    return add(ExprKind::file, {.kind = TypeKind::file}, e.span,
               static_cast<std::uint32_t>(program_.files.size() - 1));
}

ExprId Checker::trace(SyntaxId id, SyntaxId file)
{
    const Span where = span(id);
    if (tree_.kind(file) != SyntaxKind::literal_string) {
        diagnostics_.report(Diag::type_mismatch, span(file), "`trace` wants the name of a file in double quotes")
            .help(fmt::format("write `{}`", builtin_usage(Builtin::trace)));
        return error(where);
    }
    const std::string name = string_value(file);
    const std::string path = path_of(name, where.file);
    const auto known = std::find_if(trace_paths_.begin(), trace_paths_.end(),
                                    [&](const std::string& before) { return before == path; });
    const auto index = static_cast<std::size_t>(known - trace_paths_.begin());
    if (known == trace_paths_.end()) {
        std::string bytes;
        if (const std::string problem = read_file(path, kLargestTrace, Readable::files, bytes); !problem.empty()) {
            diagnostics_.report(Diag::file_not_found, span(file), fmt::format("cannot read `{}`: {}", path, problem))
                .help("a file is looked for beside the one that names it, then in the folders of -I");
            return error(where);
        }
        std::vector<std::uint32_t> times;
        if (const TraceError wrong = read_trace(bytes, times); !wrong.message.empty()) {
            const std::string line = wrong.line == 0 ? "" : fmt::format(", line {}", wrong.line);
            diagnostics_.report(Diag::invalid_trace, span(file), fmt::format("`{}`{}: {}", path, line, wrong.message))
                .help(
                    "each line has the time of one delivery opportunity, in whole milliseconds, none before the "
                    "last");
            return error(where);
        }
        trace_paths_.push_back(path);
        program_.data_files.push_back(path);
        program_.traces.push_back({name, std::make_shared<const std::vector<std::uint32_t>>(std::move(times)), path});
    }
    return add(ExprKind::call, {.kind = TypeKind::trace}, where, static_cast<std::uint32_t>(Builtin::trace),
               static_cast<double>(index));
}

}  // namespace anml
