// A text as ANTLR's input, byte by byte and without a copy, so that positions are byte offsets.
#pragma once

#include <antlr4-runtime.h>

#include <string>
#include <string_view>

namespace anml {

class ByteStream final : public antlr4::CharStream {
  public:
    explicit ByteStream(std::string_view text) : text_(text) {}

    void consume() override { ++at_; }
    std::size_t LA(ssize_t i) override
    {
        std::size_t place = i > 0 ? at_ + static_cast<std::size_t>(i) - 1 : at_ - static_cast<std::size_t>(-i);
        return place < text_.size() ? static_cast<unsigned char>(text_[place]) : antlr4::IntStream::EOF;
    }
    ssize_t mark() override { return -1; }
    void release(ssize_t) override {}
    std::size_t index() override { return at_; }
    void seek(std::size_t index) override { at_ = index; }
    std::size_t size() override { return text_.size(); }
    std::string getSourceName() const override { return {}; }
    std::string getText(const antlr4::misc::Interval& interval) override
    {
        return std::string(text_.substr(static_cast<std::size_t>(interval.a), interval.length()));
    }
    std::string toString() const override { return std::string(text_); }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace anml
