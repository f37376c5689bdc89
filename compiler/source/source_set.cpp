// Buffers and their line tables.
#include "source/source_set.h"

#include <algorithm>

namespace anml {

FileId SourceSet::add(std::string path, std::string text, std::string module)
{
    SourceFile file{std::move(path), std::move(text), std::move(module), {}, {}, {0}, {}, false, {}, {}};
    for (std::size_t i = file.text.find('\n'); i != file.text.npos; i = file.text.find('\n', i + 1))
        file.lines.push_back(static_cast<std::uint32_t>(i + 1));
    unsigned char all = 0;
    for (const char byte : file.text) all |= static_cast<unsigned char>(byte);
    file.ascii = all < 0x80;
    files.push_back(std::move(file));
    return FileId(files.size() - 1);
}

std::optional<Import> SourceSet::imported(FileId from, std::string_view module) const
{
    for (const Import& import : file(from).imports)
        if (import.name == module) return import;
    for (FileId id{0}; id.value < files.size(); ++id.value)  // of texts that nobody loaded
        if (file(id).module == module) return Import{std::string(module), id, 0};
    return std::nullopt;
}

bool SourceSet::readable(const Diagnostics& diagnostics) const
{
    const auto& list = diagnostics.list();
    return !files.empty() &&
           std::none_of(list.begin(), list.end(), [](const Diagnostic& d) { return d.diag == Diag::not_text; });
}

void adopt_quotes(Diagnostics& diagnostics, SourceSet& sources)
{
    std::uint32_t number = kFirstQuote;
    for (QuotedText& quote : diagnostics.take_quotes()) {
        const FileId file = sources.add(std::move(quote.path), std::move(quote.text), "");
        sources.files[file.value].foreign = true;
        diagnostics.rename_file(FileId(number++), file);
    }
}

const GeneratorLine* SourceSet::generator_line(Span span) const
{
    if (!span.valid()) return nullptr;
    const std::vector<GeneratorLine>& all = file(span.file).generator_lines;
    const auto next = std::upper_bound(all.begin(), all.end(), span.begin,
                                       [](std::uint32_t at, const GeneratorLine& line) { return at < line.begin; });
    return next == all.begin() || (next - 1)->line == 0 ? nullptr : &*(next - 1);
}

Position SourceSet::position(FileId id, std::uint32_t offset) const
{
    const SourceFile& source = file(id);
    offset = std::min(offset, static_cast<std::uint32_t>(source.text.size()));
    auto line = std::upper_bound(source.lines.begin(), source.lines.end(), offset) - 1;
    Position position;
    position.line = static_cast<std::uint32_t>(line - source.lines.begin()) + 1;
    if (source.ascii) {
        position.column += offset - *line;
        return position;
    }
    for (std::uint32_t i = *line; i < offset; ++i) {
        if ((static_cast<unsigned char>(source.text[i]) & 0xC0) != 0x80) ++position.column;
    }
    return position;
}

void SourceSet::define(const std::string& parameter, std::string value)
{
    SourceFile& added = files[add("<-D " + parameter + ">", std::move(value), "").value];
    added.value_of = parameter;
    added.part_of = main;
}

}  // namespace anml
