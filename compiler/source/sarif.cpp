// The objects of a SARIF log. Section numbers are those of the OASIS standard.
#include "source/sarif.h"

#include <fmt/format.h>

#include <filesystem>

#include "source/remedies.h"
#include "source/render.h"

namespace anml {

namespace {

using nlohmann::json;

constexpr std::string_view kLibrary = "<std>/";
constexpr const char* kLibraryBase = "STDLIB";

// A relative reference of RFC 3986, 3.4.3, from the current folder for what lies below it, as code hosts want it, with
// anything unusual percent-encoded.
std::string uri(std::string_view given)
{
    namespace fs = std::filesystem;
    std::string path(given);
    if (!path.starts_with('<')) {
        std::error_code error;
        fs::path plain = fs::path(path).lexically_normal();
        if (const fs::path here = fs::current_path(error); plain.is_absolute() && !error)
            if (fs::path below = plain.lexically_relative(here); !below.empty() && *below.begin() != "..")
                plain = below;
        path = plain.generic_string();
    }
    std::string out;
    for (char c : path) {
        auto byte = static_cast<unsigned char>(c);
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     std::string_view("-._~/+,=@").find(c) != std::string_view::npos;
        out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return path.starts_with('/') ? "file://" + out : out;
}

json artifact(const std::string& path)
{
    if (path.starts_with(kLibrary)) return {{"uri", uri(path.substr(kLibrary.size()))}, {"uriBaseId", kLibraryBase}};
    return {{"uri", uri(path)}};
}

json region(Span span, const SourceSet& sources)
{
    Position begin = sources.position(span.file, span.begin), end = sources.position(span.file, span.end);
    return {{"startLine", begin.line},
            {"startColumn", begin.column},
            {"endLine", end.line},
            {"endColumn", end.column},
            {"byteOffset", sources.byte_of_file(span.file, span.begin)},
            {"byteLength", span.end - span.begin}};
}

json physical(Span span, const SourceSet& sources)
{
    return {{"artifactLocation", artifact(sources.file(span.file).path)}, {"region", region(span, sources)}};
}

std::string first_sentence(std::string_view text)
{
    const std::size_t end = text.find(". ");
    return std::string(end == text.npos ? text : text.substr(0, end + 1));
}

std::string help_page(Diag diag)
{
    return fmt::format("{}\n\n`anmlc explain {}` says the same.", diagnostic_explanation(diag), diagnostic_name(diag));
}

std::string message_text(const Diagnostic& d)
{
    std::string text = d.message;
    for (const std::string& note : d.notes) text += "\nnote: " + note;
    for (const std::string& help : d.helps) text += "\nhelp: " + help;
    return text;
}

}  // namespace

json SarifLog::result(const Diagnostic& d, const SourceSet& sources)
{
    rules_.insert(d.diag);
    json out = {{"ruleId", diagnostic_name(d.diag)},
                {"level", severity_name(d.severity)},
                {"message", {{"text", message_text(d)}}},
                {"locations", json::array()}};
    json location = json::object();
    if (d.span.valid()) {
        files_.insert(sources.file(d.span.file).path);
        location["physicalLocation"] = physical(d.span, sources);
        if (!d.label.empty()) location["message"] = {{"text", d.label}};
    }
    if (!d.instance.empty()) location["logicalLocations"] = {{{"fullyQualifiedName", d.instance}, {"kind", "member"}}};
    if (!d.span.valid() && !sources.files.empty()) {  // code hosts show none without a place
        files_.insert(sources.file(sources.main).path);
        location["physicalLocation"] = physical({sources.main, 0, 0}, sources);
    }
    if (!location.empty()) out["locations"].push_back(location);
    for (const Label& label : d.labels) {
        if (!label.span.valid()) continue;
        files_.insert(sources.file(label.span.file).path);
        out["relatedLocations"].push_back({{"id", out["relatedLocations"].size()},
                                           {"physicalLocation", physical(label.span, sources)},
                                           {"message", {{"text", label.text}}}});
    }
    for (const Fix& fix : as_written(sources, d.fixes)) {
        json changes = json::array();
        const auto change = [&](const Edit& edit) {
            json replacement = {{"deletedRegion", region(edit.span, sources)},
                                {"insertedContent", {{"text", edit.replacement}}}};
            changes.push_back({{"artifactLocation", artifact(sources.file(edit.span.file).path)},
                               {"replacements", {std::move(replacement)}}});
        };
        change(fix);
        for (const Edit& edit : fix.more) change(edit);
        out["fixes"].push_back(
            {{"description", {{"text", fix_title(sources, fix)}}}, {"artifactChanges", std::move(changes)}});
    }
    return out;
}

void SarifLog::add(const Diagnostics& diagnostics, const SourceSet& sources)
{
    for (const Diagnostic& d : in_order(diagnostics)) results_.push_back(result(d, sources));
    good_ = good_ && !diagnostics.has_errors();
}

std::string SarifLog::text() const
{
    json rules = json::array();
    for (Diag diag : rules_) {
        rules.push_back({{"id", diagnostic_name(diag)},
                         {"shortDescription", {{"text", first_sentence(diagnostic_explanation(diag))}}},
                         {"fullDescription", {{"text", diagnostic_explanation(diag)}}},
                         {"help", {{"text", diagnostic_explanation(diag)}, {"markdown", help_page(diag)}}},
                         {"defaultConfiguration", {{"level", severity_name(diagnostic_severity(diag))}}}});
    }
    json results = results_;  // 3.27.6: where the rule lies in the driver's list
    for (json& entry : results) {
        for (std::size_t i = 0; i < rules.size(); ++i)
            if (rules[i]["id"] == entry["ruleId"]) entry["ruleIndex"] = i;
    }
    json artifacts = json::array();
    for (const std::string& path : files_)
        artifacts.push_back({{"location", artifact(path)}, {"encoding", "UTF-8"}, {"sourceLanguage", "anml"}});
    json driver = {{"name", "anmlc"}, {"version", version_}, {"rules", rules}};
    json run = {{"tool", {{"driver", driver}}},
                {"invocations", {{{"executionSuccessful", good_}}}},
                {"columnKind", "unicodeCodePoints"},
                {"originalUriBaseIds",
                 {{kLibraryBase, {{"description", {{"text", "the standard library that is built into anmlc"}}}}}}},
                {"artifacts", artifacts},
                {"results", results}};
    json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", {run}}};
    return log.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace anml
