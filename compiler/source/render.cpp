// The order of diagnostics, the short format, JSON lines and annotations.
#include "source/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "source/remedies.h"

namespace anml {

std::string_view severity_name(Severity severity)
{
    switch (severity) {
        case Severity::note:
            return "note";
        case Severity::warning:
            return "warning";
        case Severity::error:
            break;
    }
    return "error";
}

std::vector<Diagnostic> in_order(const Diagnostics& diagnostics)
{
    std::vector<std::pair<std::pair<std::uint64_t, std::uint32_t>, std::size_t>> order;
    for (std::size_t i = 0; i < diagnostics.list().size(); ++i) {
        const Span& span = diagnostics.list()[i].span;
        order.push_back({{span.valid() ? std::uint64_t{span.file.value} + 1 : 0, span.begin}, i});
    }
    std::sort(order.begin(), order.end());
    std::vector<Diagnostic> merged;
    std::vector<std::size_t> repeated;
    for (const auto& [place, index] : order) {
        const Diagnostic& d = diagnostics.list()[index];
        auto same = [&](const Diagnostic& m) { return m.diag == d.diag && m.span == d.span && m.message == d.message; };
        bool found = false;
        for (std::size_t i = merged.size(); d.span.valid() && i-- > 0 && merged[i].span == d.span;) {
            if (!same(merged[i])) continue;
            ++repeated[i];
            found = true;
            break;
        }
        if (found) continue;
        merged.push_back(d);
        repeated.push_back(0);
    }
    for (std::size_t i = 0; i < merged.size(); ++i) {
        if (repeated[i] == 0 || merged[i].instance.empty()) continue;
        merged[i].notes.push_back(
            fmt::format("the same in {} more instance{}", repeated[i], repeated[i] == 1 ? "" : "s"));
    }
    return merged;
}

namespace {

nlohmann::json place_of(Span span, const SourceSet& sources)
{
    if (!span.valid()) return nullptr;
    Position begin = sources.position(span.file, span.begin), end = sources.position(span.file, span.end);
    nlohmann::json place = {{"file", sources.file(span.file).path},
                            {"line", begin.line},
                            {"column", begin.column},
                            {"end_line", end.line},
                            {"end_column", end.column},
                            {"byte_begin", sources.byte_of_file(span.file, span.begin)},
                            {"byte_end", sources.byte_of_file(span.file, span.end)}};
    if (const GeneratorLine* made = sources.generator_line(span))
        place["generator"] = {{"file", made->file}, {"line", made->line}};
    return place;
}

}  // namespace

std::string render_brief(const Diagnostic& d, const SourceSet& sources)
{
    std::string place = "anmlc";
    if (d.span.valid()) {
        Position at = sources.position(d.span.file, d.span.begin);
        const GeneratorLine* made = sources.generator_line(d.span);
        place = made ? fmt::format("{}:{}", made->file, made->line)
                     : fmt::format("{}:{}:{}", sources.file(d.span.file).path, at.line, at.column);
    }
    std::string instance = d.instance.empty() ? "" : fmt::format(" (in {})", d.instance);
    return fmt::format("{}: {}: {}{} [{}]\n", place, severity_name(d.severity), d.message, instance,
                       diagnostic_name(d.diag));
}

std::string render_json(const Diagnostic& d, const SourceSet& sources)
{
    nlohmann::json labels = nlohmann::json::array();
    for (const Label& label : d.labels)
        labels.push_back({{"place", place_of(label.span, sources)}, {"text", label.text}});
    nlohmann::json fixes = nlohmann::json::array();
    for (const Fix& fix : as_written(sources, d.fixes)) {
        fixes.push_back({{"place", place_of(fix.span, sources)}, {"replacement", fix.replacement}});
        for (const Edit& edit : fix.more)
            fixes.back()["more"].push_back(
                {{"place", place_of(edit.span, sources)}, {"replacement", edit.replacement}});
        if (fix.asked) fixes.back()["asked"] = true;
    }
    nlohmann::json json = {{"name", diagnostic_name(d.diag)},
                           {"severity", severity_name(d.severity)},
                           {"message", d.message},
                           {"place", place_of(d.span, sources)},
                           {"label", d.label},
                           {"labels", labels},
                           {"notes", d.notes},
                           {"helps", d.helps},
                           {"fixes", fixes},
                           {"instance", d.instance},
                           {"rendered", render_human(d, sources, false)}};
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

namespace {

// As the runner's workflow commands want it: data on one line, and in properties no separators.
std::string escaped(std::string_view text, bool property)
{
    std::string out;
    for (const char c : text) {
        if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
            out += fmt::format("%{:02X}", static_cast<unsigned>(c));
        else
            out += c;
    }
    return out;
}

}  // namespace

std::string render_github(const Diagnostic& d, const SourceSet& sources)
{
    std::string place;
    if (d.span.valid()) {
        const GeneratorLine* made = sources.generator_line(d.span);
        const Position begin = sources.position(d.span.file, d.span.begin),
                       end = sources.position(d.span.file, d.span.end);
        if (made)
            place = fmt::format("file={},line={},", escaped(made->file, true), made->line);
        else
            place = fmt::format("file={},line={},endLine={},", escaped(sources.file(d.span.file).path, true),
                                begin.line, end.line);
        if (!made && begin.line == end.line) place += fmt::format("col={},endColumn={},", begin.column, end.column);
    }
    std::string text = d.message;
    if (!d.instance.empty()) text += fmt::format(" (in {})", d.instance);
    for (const std::string& note : d.notes) text += "\nnote: " + note;
    for (const std::string& help : d.helps) text += "\nhelp: " + help;
    const std::string_view kind = d.severity == Severity::note ? "notice" : severity_name(d.severity);
    return fmt::format("::{} {}title={}::{}\n", kind, place, diagnostic_name(d.diag), escaped(text, false));
}

std::string render_diagnostics(const Diagnostics& diagnostics, const SourceSet& sources, ErrorFormat format, bool color)
{
    constexpr std::size_t kMostShown = 200;  // to people, of each severity
    const bool for_programs = format == ErrorFormat::json || format == ErrorFormat::github;
    std::map<Severity, std::size_t> seen;
    std::string out;
    for (const Diagnostic& d : in_order(diagnostics)) {
        if (++seen[d.severity] > kMostShown && !for_programs) continue;
        switch (format) {
            case ErrorFormat::human:
                out += render_human(d, sources, color) + "\n";
                break;
            case ErrorFormat::brief:
                out += render_brief(d, sources);
                break;
            case ErrorFormat::json:
                out += render_json(d, sources);
                break;
            case ErrorFormat::github:
                out += render_github(d, sources);
                break;
            case ErrorFormat::sarif:
                break;
        }
    }
    for (const auto& [severity, count] : seen)
        if (count > kMostShown && !for_programs)
            out += fmt::format("anmlc: {} more {}s; --error-format=json shows all\n", count - kMostShown,
                               severity_name(severity));
    return out;
}

}  // namespace anml
