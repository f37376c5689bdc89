// The registry of diagnostics, and the search for similar names.
#include "base/diagnostics.h"

#include <algorithm>
#include <array>
#include <utility>

#include "common/edit_distance.h"

namespace anml {

namespace {

struct DiagnosticKind {
    std::string_view name;
    Severity severity;
    std::string_view explanation;
};

constexpr DiagnosticKind kKinds[] = {
#define ANML_DIAGNOSTIC(id, name, severity, explanation) {name, severity, explanation},
#include "base/diagnostics.def"
#undef ANML_DIAGNOSTIC
};

const DiagnosticKind& kind_of(Diag diag) { return kKinds[static_cast<std::size_t>(diag)]; }

// A message quotes words of the text, and a word may be as long as that.
std::string without_middle(std::string message)
{
    constexpr std::size_t kLongest = 1000, kEnd = 200;
    if (message.size() <= kLongest) return message;
    const auto boundary = [&](std::size_t at) {
        while ((static_cast<unsigned char>(message[at]) & 0xC0) == 0x80) --at;
        return at;
    };
    return message.substr(0, boundary(kLongest - kEnd)) + " ... " + message.substr(boundary(message.size() - kEnd));
}

}  // namespace

std::string_view diagnostic_name(Diag diag) { return kind_of(diag).name; }
Severity diagnostic_severity(Diag diag) { return kind_of(diag).severity; }
std::string_view diagnostic_explanation(Diag diag) { return kind_of(diag).explanation; }

std::optional<Diag> find_diagnostic(std::string_view name)
{
    for (std::size_t i = 0; i < std::size(kKinds); ++i) {
        if (kKinds[i].name == name) return static_cast<Diag>(i);
    }
    return std::nullopt;
}

std::vector<std::string_view> diagnostic_names()
{
    std::vector<std::string_view> names;
    for (const DiagnosticKind& kind : kKinds) names.push_back(kind.name);
    return names;
}

Span Diagnostics::quote(std::string path, std::string text, std::uint32_t begin, std::uint32_t end)
{
    std::size_t at = 0;  // what is said of one text is shown in its order
    while (at < quotes_.size() && (quotes_[at].path != path || quotes_[at].text != text)) ++at;
    if (at == quotes_.size()) quotes_.push_back({std::move(path), std::move(text)});
    return {FileId(kFirstQuote + at), begin, end};
}

std::vector<QuotedText> Diagnostics::take_quotes() { return std::exchange(quotes_, {}); }

void Diagnostics::rename_file(FileId from, FileId to)
{
    const auto rename = [&](Span& span) {
        if (span.file == from) span.file = to;
    };
    for (Diagnostic& d : list_) {
        rename(d.span);
        for (Label& label : d.labels) rename(label.span);
    }
}

Diagnostics::Builder Diagnostics::report(Diag diag, Span span, std::string message)
{
    Diagnostic d{diag, diagnostic_severity(diag), span, without_middle(std::move(message)), {}, {}, {}, {}, {}, {}};
    if (d.severity == Severity::error) ++errors_;
    list_.push_back(std::move(d));
    return Builder(*this, list_.size() - 1);
}

Diagnostics::Builder& Diagnostics::Builder::write(Span span, std::string text)
{
    return help("write `" + text + "`").fix(span, std::move(text));
}

Diagnostics::Builder& Diagnostics::Builder::write_either(Span span, std::string a, std::string b)
{
    return help("write `" + a + "` or `" + b + "`").fix(span, std::move(a)).fix(span, std::move(b));
}

Diagnostics::Builder& Diagnostics::Builder::suggest(Span span, std::string_view name, std::string_view written)
{
    return help("there is `" + std::string(name) + "`").fix(span, std::string(written.empty() ? name : written));
}

void Diagnostics::append(Diagnostics other)
{
    errors_ += other.errors_;
    for (Diagnostic& d : other.list_) list_.push_back(std::move(d));
}

void Diagnostics::promote_warnings()
{
    for (Diagnostic& d : list_) {
        if (d.severity != Severity::warning) continue;
        d.severity = Severity::error;
        ++errors_;
    }
}

std::string_view similar_name(std::string_view seen, const std::vector<std::string_view>& candidates)
{
    constexpr std::size_t kLongest = 128;  // longer words are no slips of the pen
    if (seen.empty() || seen.size() > kLongest) return {};
    std::string_view best;
    std::size_t best_distance = 2 * std::max<std::size_t>(seen.size() / 3, 1) + 1;
    for (std::string_view candidate : candidates) {
        if (candidate == seen || candidate.size() > kLongest) continue;
        const std::size_t longer = std::max(seen.size(), candidate.size()) - std::min(seen.size(), candidate.size());
        if (2 * longer >= best_distance) continue;  // so many letters are missing
        std::size_t d = edit_distance(seen, candidate);
        // One letter for another is no similarity between names of one letter, unless only the case differs.
        if (std::min(seen.size(), candidate.size()) == 1 && d > 1) continue;
        if (d < best_distance) best = candidate, best_distance = d;
    }
    return best;
}

}  // namespace anml
