// From layout events to lines: a group that fits stays in one line, the outermost that does not is broken first.
#include <utility>

#include "format/format.h"
#include "format/layout_event.h"

namespace anml {

std::size_t text_width(std::string_view text)
{
    std::size_t width = 0;
    for (char c : text) width += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return width;
}

namespace {

using Kind = LayoutEvent::Kind;

class LineBreaker {
  public:
    explicit LineBreaker(const std::vector<LayoutEvent>& events) : events_(events) {}

    std::vector<FormattedLine> run()
    {
        for (at_ = 0; at_ < events_.size(); ++at_) event(events_[at_]);
        if (!line_.text.empty() || !line_.comment.empty()) end_line();
        return std::move(lines_);
    }

  private:
    bool flat() const { return !flat_.empty() && flat_.back(); }

    void event(const LayoutEvent& e)
    {
        switch (e.kind) {
            case Kind::text:
                add_text(e.text);
                break;
            case Kind::comment:
                line_.comment += (line_.comment.empty() ? "" : " ") + e.text;
                break;
            case Kind::line:
                flat() ? append(" ") : end_line();
                break;
            case Kind::soft:
                if (!flat()) end_line();
                break;
            case Kind::item:
                flat() ? append(", ") : end_line();
                break;
            case Kind::fill:
                flat() || (!e.broken && column_ + 2 + width(at_ + 1, e.partner) <= kLineWidth) ? append(", ")
                                                                                               : end_line();
                break;
            case Kind::end_fill:
                break;
            case Kind::hard:
                end_line();
                break;
            case Kind::blank:
                end_line();
                lines_.emplace_back();
                break;
            case Kind::trailing_comma:
                if (!flat()) append(",");
                break;
            case Kind::cell:
                if (!flat() && e.amount > 0 && !cell_fits()) {
                    end_line();
                    extra_ = e.amount;
                    break;
                }
                append(" ");
                if (!flat()) line_.cells.push_back({e.form, e.column, line_.text.size()});
                break;
            case Kind::begin_group:
                flat_.push_back(flat() || (!e.broken && fits(e)));
                break;
            case Kind::end_group:
                flat_.pop_back();
                break;
            case Kind::begin_indent:
                indents_.push_back(indent() + e.amount);
                break;
            case Kind::end_indent:
                indents_.pop_back();
                break;
        }
    }

    std::size_t indent() const { return indents_.empty() ? 0 : indents_.back(); }

    void append(std::string_view text)
    {
        if (line_.text.empty()) {
            line_.indent = indent() + std::exchange(extra_, 0);
            if (!line_.verbatim) column_ = line_.indent;
        }
        line_.text += text;
        column_ += text_width(text);
    }

    // A comment of several lines keeps them as they are.
    void add_text(std::string_view text)
    {
        for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
            append(text.substr(0, end));
            end_line();
            line_.verbatim = true;
            column_ = 0;
        }
        append(text);
    }

    void end_line()
    {
        while (line_.text.ends_with(' ') || line_.text.ends_with('\t')) line_.text.pop_back();
        lines_.push_back(std::move(line_));
        line_ = {};
        column_ = indent();
    }

    // Of the events [from, to) in one line.
    std::size_t width(std::size_t from, std::size_t to) const
    {
        std::size_t sum = 0;
        for (std::size_t i = from; i < to; ++i) sum += flat_width(events_[i]);
        return sum;
    }

    static std::size_t flat_width(const LayoutEvent& e)
    {
        switch (e.kind) {
            case Kind::text:
                return text_width(e.text);
            case Kind::line:
            case Kind::cell:
                return 1;
            case Kind::item:
            case Kind::fill:
                return 2;
            default:
                return 0;
        }
    }

    // The column that begins here, up to where the line may end.
    bool cell_fits() const
    {
        std::size_t sum = column_ + 1;
        for (std::size_t i = at_ + 1; i < events_.size(); ++i) {
            Kind kind = events_[i].kind;
            if (kind == Kind::line || kind == Kind::soft || kind == Kind::hard || kind == Kind::blank) break;
            sum += flat_width(events_[i]);
        }
        return sum <= kLineWidth;
    }

    // The group in one line, and behind it what cannot be in a new one.
    bool fits(const LayoutEvent& group) const
    {
        std::size_t sum = line_.text.empty() && !line_.verbatim ? indent() : column_;
        std::size_t i = at_ + 1;
        for (; i < group.partner && sum <= kLineWidth; ++i) sum += flat_width(events_[i]);
        for (; i < events_.size() && sum <= kLineWidth; ++i) {
            Kind kind = events_[i].kind;
            if (kind == Kind::line || kind == Kind::soft || kind == Kind::item || kind == Kind::fill ||
                kind == Kind::hard || kind == Kind::blank)
            {
                break;
            }
            sum += kind == Kind::trailing_comma ? 1 : flat_width(events_[i]);
        }
        return sum <= kLineWidth;
    }

    const std::vector<LayoutEvent>& events_;
    std::size_t at_ = 0;
    std::vector<bool> flat_;  // by open group
    std::vector<std::size_t> indents_;
    std::vector<FormattedLine> lines_;
    FormattedLine line_;
    std::size_t column_ = 0;
    std::size_t extra_ = 0;  // indentation of the next line
};

}  // namespace

std::vector<FormattedLine> break_lines(const std::vector<LayoutEvent>& events) { return LineBreaker(events).run(); }

}  // namespace anml
