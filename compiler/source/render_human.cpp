// The message with the text that it is about: the lines, carets under the place, dashes under second places, and their
// labels, hung below each other where they would collide.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "source/render.h"

namespace anml {

namespace {

constexpr std::size_t kWidest = 160;  // columns of source text that are shown; a longer line is cut around the place
constexpr std::size_t kContext = 40;  // columns kept left of the place when a line is cut
constexpr std::size_t kTab = 4;
constexpr std::size_t kLongestLine = 1u << 16;  // bytes

struct Palette {
    bool on = false;
    std::string_view bold() const { return on ? "\x1b[1m" : ""; }
    std::string_view gutter() const { return on ? "\x1b[1;34m" : ""; }
    std::string_view second() const { return on ? "\x1b[1;36m" : ""; }
    std::string_view help() const { return on ? "\x1b[1;32m" : ""; }
    std::string_view reset() const { return on ? "\x1b[0m" : ""; }
    std::string_view severity(Severity s) const
    {
        if (!on) return "";
        return s == Severity::error ? "\x1b[1;31m" : s == Severity::warning ? "\x1b[1;33m" : "\x1b[1;32m";
    }
};

// A line as it is shown: tabs widened, what cannot be printed replaced; `column` maps its bytes to columns.
struct ShownLine {
    std::string text;
    std::vector<std::size_t> column;  // by byte, and one past the end
    std::vector<std::size_t> offset;  // by column: byte in `text`; and one past the end
};

ShownLine show(std::string_view line)
{
    ShownLine shown;
    std::size_t column = 0;
    auto put = [&](std::string_view cell) {
        shown.offset.push_back(shown.text.size());
        shown.text += cell;
        ++column;
    };
    for (std::size_t i = 0; i < line.size();) {
        auto c = static_cast<unsigned char>(line[i]);
        std::size_t length = c < 0x80 ? 1 : c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC2 ? 2 : 0;
        bool whole = length > 0 && i + length <= line.size();
        for (std::size_t k = 1; whole && k < length; ++k)
            whole = (static_cast<unsigned char>(line[i + k]) & 0xC0) == 0x80;
        if (!whole) length = 1;
        for (std::size_t k = 0; k < length; ++k) shown.column.push_back(column);
        if (c == '\t') {
            for (std::size_t k = 0; k < kTab; ++k) put(" ");
        } else if (!whole || c < 0x20 || c == 0x7F) {
            put("\uFFFD");
        } else {
            put(line.substr(i, length));
        }
        i += length;
    }
    shown.column.push_back(column);
    shown.offset.push_back(shown.text.size());
    return shown;
}

struct Mark {
    std::size_t from = 0, to = 0;  // columns, to > from
    bool primary = false;
    std::string text;
};

class Renderer {
  public:
    Renderer(const Diagnostic& d, const SourceSet& sources, bool color) : d_(d), sources_(sources), paint_{color} {}

    std::string run()
    {
        headline();
        collect();
        std::uint32_t last = 1;
        for (const auto& [file, lines] : places_) last = std::max(last, lines.rbegin()->first);
        width_ = std::to_string(last).size();
        if (d_.span.valid()) {
            snippet(d_.span.file, "-->");
            for (const auto& [file, lines] : places_) {
                if (file != d_.span.file) snippet(file, ":::");
            }
        }
        bool rest = !d_.instance.empty() || !d_.notes.empty() || !d_.helps.empty();
        if (rest && d_.span.valid()) bar();
        if (!d_.instance.empty()) remark("in", d_.instance, paint_.bold());
        for (const std::string& note : d_.notes) remark("note", note, paint_.bold());
        for (const std::string& help : d_.helps) remark("help", help, paint_.help());
        return std::move(out_);
    }

  private:
    template <class... Args>
    void put(fmt::format_string<Args...> format, Args&&... args)
    {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    }

    void headline()
    {
        std::string_view word = d_.severity == Severity::error     ? "error"
                                : d_.severity == Severity::warning ? "warning"
                                                                   : "note";
        put("{}{}[{}]{}{}: {}{}\n", paint_.severity(d_.severity), word, diagnostic_name(d_.diag), paint_.reset(),
            paint_.bold(), d_.message, paint_.reset());
    }

    void collect()
    {
        if (!d_.span.valid()) return;
        add(d_.span, d_.label, true);
        for (const Label& label : d_.labels) {
            if (label.span.valid()) add(label.span, label.text, false);
        }
    }

    std::string_view line_text(FileId file, std::uint32_t line) const
    {
        const SourceFile& source = sources_.file(file);
        std::size_t begin = source.lines[line - 1];
        std::size_t end = line < source.lines.size() ? source.lines[line] : source.text.size();
        std::string_view text = std::string_view(source.text).substr(begin, end - begin);
        while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
        return text;
    }

    // A line of a foreign file may be as long as the file: what lies far from the place is not looked at.
    struct Window {
        std::size_t begin;  // byte of the file
        std::string_view text;
    };
    Window window(FileId file, std::uint32_t line) const
    {
        Window result{sources_.file(file).lines[line - 1], line_text(file, line)};
        if (result.text.size() <= kLongestLine || file != d_.span.file) {
            result.text = result.text.substr(0, kLongestLine);
            return result;
        }
        const std::size_t at = d_.span.begin > result.begin ? d_.span.begin - result.begin : 0;
        const std::size_t skipped = std::min(at > kLongestLine / 2 ? at - kLongestLine / 2 : 0, result.text.size());
        return {result.begin + skipped, result.text.substr(skipped, kLongestLine)};
    }

    // A span of several lines is marked on its first one.
    void add(Span span, const std::string& text, bool primary)
    {
        std::uint32_t line = sources_.position(span.file, span.begin).line;
        const Window seen = window(span.file, line);
        ShownLine shown = show(seen.text);
        std::size_t start = seen.begin;
        auto column = [&](std::size_t byte) {
            return shown.column[std::min(byte > start ? byte - start : 0, shown.column.size() - 1)];
        };
        Mark mark{column(span.begin), column(std::max(span.end, span.begin)), primary, text};
        mark.to = std::max(mark.to, mark.from + 1);
        places_[span.file][line].push_back(std::move(mark));
    }

    void snippet(FileId file, std::string_view arrow)
    {
        const auto& lines = places_.at(file);
        std::uint32_t line = lines.begin()->first;
        std::size_t column = 0;
        if (file == d_.span.file) {
            Position at = sources_.position(file, d_.span.begin);
            line = at.line;
            column = at.column;
        } else {
            column = lines.begin()->second.front().from + 1;
        }
        const GeneratorLine* made = file == d_.span.file ? sources_.generator_line(d_.span) : nullptr;
        const std::string by = made ? fmt::format("{}:{}, which made ", made->file, made->line) : "";
        put("{:>{}}{}{}{} {}{}:{}:{}\n", "", width_, paint_.gutter(), arrow, paint_.reset(), by,
            sources_.file(file).path, line, column);
        bar();
        std::uint32_t previous = 0;
        for (const auto& [number, marks] : lines) {
            if (previous != 0 && number == previous + 2) {
                source_line(number - 1, show(window(file, number - 1).text), 0);
            } else if (previous != 0 && number > previous + 2) {
                put("{}...{}\n", paint_.gutter(), paint_.reset());
            }
            marked_line(file, number, marks);
            previous = number;
        }
    }

    void bar() { put("{:>{}} {}|{}\n", "", width_, paint_.gutter(), paint_.reset()); }

    void source_line(std::uint32_t number, const ShownLine& shown, std::size_t cut)
    {
        std::size_t columns = shown.offset.size() - 1;
        std::size_t last = std::min(columns, cut + kWidest);
        std::string_view text = std::string_view(shown.text).substr(shown.offset[std::min(cut, columns)]);
        text = text.substr(0, shown.offset[last] - shown.offset[std::min(cut, columns)]);
        put("{}{:>{}} |{} {}{}{}", paint_.gutter(), number, width_, paint_.reset(), cut ? "... " : "", text,
            last < columns ? " ..." : "");
        while (out_.back() == ' ') out_.pop_back();
        out_ += '\n';
    }

    void marked_line(FileId file, std::uint32_t number, std::vector<Mark> marks)
    {
        ShownLine shown = show(window(file, number).text);
        std::size_t first = marks.front().from;
        for (const Mark& mark : marks) {
            if (mark.primary) first = mark.from;
        }
        std::size_t cut = shown.offset.size() > kWidest && first > kWidest - kContext ? first - kContext : 0;
        source_line(number, shown, cut);
        std::size_t shift = cut ? 4 : 0;
        std::vector<Mark> visible;
        for (Mark& mark : marks) {
            if (mark.from < cut || mark.from > cut + kWidest) continue;
            mark.to = std::min(mark.to, cut + kWidest + 1) - cut + shift;
            mark.from = mark.from - cut + shift;
            visible.push_back(std::move(mark));
        }
        std::sort(visible.begin(), visible.end(), [](const Mark& a, const Mark& b) {
            return std::tie(a.from, a.to, a.text) < std::tie(b.from, b.to, b.text);
        });
        if (!visible.empty()) labels(visible);
    }

    // One row of carets, the last label behind it, the others below, each at the end of a dropped line.
    void labels(const std::vector<Mark>& marks)
    {
        std::size_t end = 0;
        for (const Mark& mark : marks) end = std::max(end, mark.to);
        std::string cells(end, ' ');
        for (bool primary : {false, true}) {  // carets over dashes
            for (const Mark& mark : marks) {
                if (mark.primary == primary)
                    std::fill(cells.begin() + mark.from, cells.begin() + mark.to, primary ? '^' : '-');
            }
        }
        const Mark& last = marks.back();
        bool inline_label = !last.text.empty() && last.to == end;
        begin_row();
        paint_cells(cells);
        if (inline_label) put(" {}{}{}", tint(last), last.text, paint_.reset());
        out_ += '\n';
        std::vector<const Mark*> hanging;
        for (const Mark& mark : marks) {
            if (!mark.text.empty() && !(inline_label && &mark == &last)) hanging.push_back(&mark);
        }
        if (hanging.empty()) return;
        drop(hanging, hanging.size(), {});
        for (std::size_t i = hanging.size(); i-- > 0;) drop(hanging, i, hanging[i]);
    }

    std::string_view tint(const Mark& mark) const
    {
        return mark.primary ? paint_.severity(d_.severity) : paint_.second();
    }

    void begin_row() { put("{:>{}} {}|{} ", "", width_, paint_.gutter(), paint_.reset()); }

    void paint_cells(const std::string& cells)
    {
        for (std::size_t i = 0; i < cells.size();) {
            std::size_t end = std::min(cells.find_first_not_of(cells[i], i), cells.size());
            std::string_view color = cells[i] == '^'   ? paint_.severity(d_.severity)
                                     : cells[i] == '-' ? paint_.second()
                                                       : "";
            put("{}{}{}", color, cells.substr(i, end - i), color.empty() ? "" : paint_.reset());
            i = end;
        }
    }

    // A row with a `|` under the first `bars` marks, and then the text of one.
    void drop(const std::vector<const Mark*>& marks, std::size_t bars, const Mark* text)
    {
        begin_row();
        std::size_t at = 0;
        for (std::size_t i = 0; i < bars; ++i) {
            if (marks[i]->from < at || (text && marks[i]->from >= text->from)) continue;
            put("{:>{}}{}|{}", "", marks[i]->from - at, tint(*marks[i]), paint_.reset());
            at = marks[i]->from + 1;
        }
        if (text)
            put("{:>{}}{}{}{}", "", text->from - std::min(at, text->from), tint(*text), text->text, paint_.reset());
        out_ += '\n';
    }

    void remark(std::string_view word, std::string_view text, std::string_view color)
    {
        // Further lines of a remark are indented below its first one.
        std::string indented;
        for (char c : text) {
            indented += c;
            if (c == '\n') indented.append(width_ + word.size() + 5, ' ');
        }
        put("{:>{}} {}={} {}{}{}: {}\n", "", width_, paint_.gutter(), paint_.reset(), color, word, paint_.reset(),
            indented);
    }

    const Diagnostic& d_;
    const SourceSet& sources_;
    Palette paint_;
    std::map<FileId, std::map<std::uint32_t, std::vector<Mark>>> places_;
    std::size_t width_ = 1;
    std::string out_;
};

}  // namespace

std::string render_human(const Diagnostic& diagnostic, const SourceSet& sources, bool color)
{
    return Renderer(diagnostic, sources, color).run();
}

}  // namespace anml
