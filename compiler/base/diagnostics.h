// Diagnostics: what the stages report. A message says what was seen, lower case, no full stop; `help`
// says how to mend it. Every kind is registered in diagnostics.def under a kebab-case name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace anml {

enum class Severity : std::uint8_t { note, warning, error };

enum class Diag : std::uint16_t {
#define ANML_DIAGNOSTIC(id, name, severity, explanation) id,
#include "base/diagnostics.def"
#undef ANML_DIAGNOSTIC
};

std::string_view diagnostic_name(Diag diag);
Severity diagnostic_severity(Diag diag);
std::string_view diagnostic_explanation(Diag diag);  // long text for --explain
std::optional<Diag> find_diagnostic(std::string_view name);
std::vector<std::string_view> diagnostic_names();  // in the order of the stages

struct Label {
    Span span;
    std::string text;
};

// Where a change is made. All but the first are found in the text (as_written in source/remedies.h).
enum class EditAt : std::uint8_t {
    span,       // in place of it; empty: there
    lines,      // it goes, and its lines where nothing else stands on them
    attribute,  // the attribute goes whose value it is
    block_end,  // a line more in the block that ends with it
    setting,    // an attribute and its value in the braces of that statement, instead of the value that it has there
    import,     // the import of a module, in its file
};

struct Edit {
    Span span;
    std::string replacement;
    EditAt at = EditAt::span;
};

// A change of the text that mends it, where there is one that a program may make. Several fixes are alternatives.
struct Fix : Edit {
    std::vector<Edit> more{};  // belongs to it, elsewhere
    bool asked = false;  // it takes away what somebody wrote, or guesses: made when it is asked for, not with others
};

struct Diagnostic {
    Diag diag;
    Severity severity;
    Span span;
    std::string message;
    std::string label;          // text under the caret, may be empty
    std::vector<Label> labels;  // second places
    std::vector<std::string> notes;
    std::vector<std::string> helps;
    std::vector<Fix> fixes;
    std::string instance;  // path of the instance it happened in ("net[3].tor"), may be empty
};

// What a message shows of a file that is no source: a list, a log. Its places have file numbers of their own until
// adopt_quotes (source/source_set.h) makes it one.
struct QuotedText {
    std::string path, text;
};
inline constexpr std::uint32_t kFirstQuote = 1u << 30;

class Diagnostics {
  public:
    class Builder {
      public:
        Builder& label(std::string text) { return d().label = std::move(text), *this; }
        Builder& also(Span span, std::string text) { return d().labels.push_back({span, std::move(text)}), *this; }
        Builder& note(std::string text) { return d().notes.push_back(std::move(text)), *this; }
        Builder& help(std::string text) { return d().helps.push_back(std::move(text)), *this; }
        Builder& fix(Span span, std::string text) { return fix(Edit{span, std::move(text)}); }
        Builder& fix(Fix fix) { return d().fixes.push_back(std::move(fix)), *this; }
        Builder& fix(Edit edit) { return fix(Fix{std::move(edit), {}, false}); }
        Builder& fix_when_asked(Edit edit) { return fix(Fix{std::move(edit), {}, true}); }
        // "write `x`", and the change.
        Builder& write(Span span, std::string text);
        // "write `a` or `b`", and both changes.
        Builder& write_either(Span span, std::string a, std::string b);
        // Of two changes that are proposed there the one of which this is true.
        template <class Predicate>
        Builder& keep_if(Span span, Predicate&& predicate)
        {
            if (d().fixes.size() != 2 || d().fixes[0].span != span || d().fixes[1].span != span) return *this;
            const bool first = predicate(d().fixes[0].replacement);
            if (first == predicate(d().fixes[1].replacement)) return *this;
            const std::string kept = d().fixes[first ? 0 : 1].replacement;
            d().fixes.clear();
            d().helps.clear();
            return write(span, kept);
        }
        // A name that was meant perhaps. `written`: as it stands in the text, where that is another than the name.
        Builder& suggest(Span span, std::string_view name, std::string_view written = {});
        Builder& in(std::string path) { return d().instance = std::move(path), *this; }

      private:
        friend class Diagnostics;
        Builder(Diagnostics& owner, std::size_t index) : owner_(owner), index_(index) {}
        Diagnostic& d() { return owner_.list_[index_]; }
        Diagnostics& owner_;
        std::size_t index_;
    };

    Builder report(Diag diag, Span span, std::string message);
    // Adds to the one that has this place in the list.
    Builder amend(std::size_t index) { return {*this, index}; }
    const std::vector<Diagnostic>& list() const { return list_; }
    std::size_t errors() const { return errors_; }
    bool has_errors() const { return errors_ != 0; }
    // Whether the next message still says which name was meant. Looking for it takes as long as there are names, so
    // behind many errors nobody does.
    bool suggests() const { return errors_ <= kMostSuggestions; }
    // Takes warnings out.
    template <class Predicate>
    void remove_if(Predicate&& predicate)
    {
        std::erase_if(list_, [&](const Diagnostic& d) { return d.severity != Severity::error && predicate(d); });
    }
    // Takes anything out, errors too: what is a consequence of another error.
    template <class Predicate>
    void drop_if(Predicate&& predicate)
    {
        errors_ -=
            std::erase_if(list_, [&](const Diagnostic& d) { return d.severity == Severity::error && predicate(d); });
        remove_if(predicate);
    }
    // Errors become notes, without fixes.
    template <class Predicate>
    void excuse_if(Predicate&& predicate)
    {
        for (Diagnostic& d : list_) {
            if (d.severity != Severity::error || !predicate(d)) continue;
            d.severity = Severity::note;
            d.fixes.clear();
            --errors_;
        }
    }
    void promote_warnings();  // to errors
    Span quote(std::string path, std::string text, std::uint32_t begin, std::uint32_t end);
    std::vector<QuotedText> take_quotes();
    void rename_file(FileId from, FileId to);
    void append(Diagnostics other);

  private:
    static constexpr std::size_t kMostSuggestions = 50;

    std::vector<Diagnostic> list_;
    std::vector<QuotedText> quotes_;
    std::size_t errors_ = 0;
};

// The candidate nearest to `seen` (edit distance at most a third of its length), or "". Ask `suggests` before the
// candidates are gathered, where their number is not bounded.
std::string_view similar_name(std::string_view seen, const std::vector<std::string_view>& candidates);

}  // namespace anml
