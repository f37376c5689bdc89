#include "lsp/documents/diagnostics.h"

#include <fmt/format.h>

#include <memory>

#include "source/remedies.h"
#include "source/render.h"

namespace anml::lsp {

namespace {

class Writer {
  public:
    Writer(const SourceSet& sources, const Workspace& workspace) : sources_(sources), workspace_(workspace) {}

    const std::string& uri(FileId file)
    {
        const auto [entry, fresh] = uris_.try_emplace(file.value);
        if (fresh) entry->second = workspace_.uri(sources_.file(file));
        return entry->second;
    }

    json location(Span span) { return {{"uri", uri(span.file)}, {"range", range(span)}}; }

    json range(Span span)
    {
        auto& map = maps_[span.file.value];
        if (!map) map = std::make_unique<PositionMap>(sources_.file(span.file).text, workspace_.client.encoding);
        return map->range_json(span.begin, span.end);
    }

    bool is_real(Span span) const { return span.valid() && !sources_.file(span.file).path.starts_with("<"); }

    // Where it is shown.
    Span place(const Diagnostic& d) const
    {
        if (is_real(d.span)) return d.span;
        for (const Label& label : d.labels)
            if (is_real(label.span)) return label.span;
        return {sources_.main, 0, 0};
    }

    std::string message(const Diagnostic& d) const
    {
        const bool expected = d.severity == Severity::note && diagnostic_severity(d.diag) == Severity::error;
        std::string text = expected ? "as expected: " + d.message : d.message;
        if (!d.label.empty()) text += "\n" + d.label;
        if (d.span.valid() && !is_real(d.span)) {
            const Position at = sources_.position(d.span.file, d.span.begin);
            text += fmt::format("\nat {}:{}:{}", sources_.file(d.span.file).path, at.line, at.column);
        }
        if (!d.instance.empty()) text += fmt::format("\nin {}", d.instance);
        for (const std::string& note : d.notes) text += "\nnote: " + note;
        for (const std::string& help : d.helps) text += "\nhelp: " + help;
        return text;
    }

    json diagnostic(const Diagnostic& d)
    {
        json out = {{"range", range(place(d))},
                    {"severity", d.severity == Severity::error     ? 1
                                 : d.severity == Severity::warning ? 2
                                                                   : 3},
                    {"code", diagnostic_name(d.diag)},
                    {"source", "anmlc"},
                    {"message", message(d)}};
        if (d.diag == Diag::unused_declaration) out["tags"] = {1};  // Unnecessary
        if (workspace_.client.related)
            for (const Label& label : d.labels) {
                if (!label.span.valid() || uri(label.span.file).empty()) continue;
                out["relatedInformation"].push_back({{"location", location(label.span)}, {"message", label.text}});
            }
        for (const Fix& fix : as_written(sources_, d.fixes)) {
            json edits = json::object();
            bool real = add(fix, edits);
            for (const Edit& edit : fix.more) real = real && add(edit, edits);
            if (real)
                out["data"]["fixes"].push_back(
                    {{"title", fix_title(sources_, fix)}, {"edits", edits}, {"asked", fix.asked}});
        }
        if (d.severity == Severity::warning && d.diag != Diag::needless_allowance && is_real(d.span) &&
            !sources_.file(d.span.file).foreign)
        {
            json edits = json::object();
            add(allowance_of(sources_, d.span, diagnostic_name(d.diag)), edits);
            out["data"]["allow"] = {{"title", fmt::format("allow `{}` here", diagnostic_name(d.diag))},
                                    {"edits", edits}};
        }
        return out;
    }

  private:
    bool add(const Edit& edit, json& edits)
    {
        if (!is_real(edit.span) || uri(edit.span.file).empty()) return false;
        edits[uri(edit.span.file)].push_back({{"range", range(edit.span)}, {"newText", edit.replacement}});
        return true;
    }

    const SourceSet& sources_;
    const Workspace& workspace_;
    std::map<std::uint32_t, std::unique_ptr<PositionMap>> maps_;  // by file
    std::map<std::uint32_t, std::string> uris_;                   // the same
};

}  // namespace

DiagnosticsByUri diagnostics_json(const Diagnostics& diagnostics, const SourceSet& sources, const Workspace& workspace)
{
    DiagnosticsByUri all;
    if (sources.files.empty()) return all;
    Writer writer(sources, workspace);
    for (const Diagnostic& d : in_order(diagnostics)) {
        json& list = all[writer.uri(writer.place(d).file)];
        json made = writer.diagnostic(d);
        if (list.is_null()) list = json::array();
        list.push_back(std::move(made));
    }
    return all;
}

}  // namespace anml::lsp
