// Random edits of a text that the language server holds: after each, what the warm workspace says of it against what
// the compiler says of the same text from the beginning, in one process, as far as `check`; and whether memory stays:
// what is resident, and between two files what is in use.
// lsp_edits [--count N] [--seed N]
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/read_file.h"
#include "commandline/own_stack.h"
#include "driver/session.h"
#include "lsp/capabilities.h"
#include "lsp/documents/diagnostics.h"

namespace {

namespace fs = std::filesystem;
using namespace anml;
using anml::lsp::json;

constexpr std::size_t kLargest = 20'000;       // bytes of a text
constexpr std::uint64_t kEditsOfAFile = 50;    // then another one is opened
constexpr std::size_t kMostGrown = 64u << 20;  // bytes that may be added once the first third is done
constexpr std::size_t kMostKept = 1u << 20;    // bytes in use that may be added: of the grammar, which ANTLR learns
constexpr std::uint64_t kShown = 20;           // lines of the record
constexpr std::string_view kFragments[] = {"{",
                                           "}",
                                           "(",
                                           ")",
                                           "[",
                                           "]",
                                           ",",
                                           ":",
                                           "=",
                                           " ",
                                           "\n",
                                           ".",
                                           "..",
                                           "--",
                                           "\"",
                                           "//",
                                           "/*",
                                           "*/",
                                           "///",
                                           "@",
                                           "`",
                                           "1",
                                           "10 ms",
                                           "5 Mbps",
                                           "host",
                                           "link",
                                           "model ",
                                           "x",
                                           "self.",
                                           "require ",
                                           "1e999",
                                           "\u00e9",
                                           "\U0001F6A9",
                                           "\r",
                                           "\t",
                                           "%",
                                           "-1",
                                           "if ",
                                           " else ",
                                           "run {}",
                                           "random ",
                                           "tunable ",
                                           "2001:db8::1",
                                           "import std.web",
                                           "import nowhere.at_all",
                                           "component X {",
                                           "for i in 0 ..< 3 {"};

struct Edit {
    std::size_t begin = 0, end = 0;
    std::string text;
};

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    std::size_t below(std::size_t bound) { return bound == 0 ? 0 : engine_() % bound; }

  private:
    std::mt19937_64 engine_;
};

bool inside_character(const std::string& text, std::size_t at)
{
    return at > 0 && at < text.size() &&
           ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80 || (text[at - 1] == '\r' && text[at] == '\n'));
}

// Between two characters, where a position is.
std::size_t place_in(const std::string& text, std::size_t at)
{
    while (inside_character(text, at)) --at;
    return at;
}

Edit mutated(const std::string& text, const std::string& original, Random& random)
{
    if (random.below(12) == 0) return {0, text.size(), original};
    const std::size_t at = place_in(text, random.below(text.size() + 1));
    const auto behind = [&](std::size_t count) { return place_in(text, std::min(text.size(), at + count)); };
    const auto fragment = [&] { return std::string(kFragments[random.below(std::size(kFragments))]); };
    std::size_t begin = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    begin = begin == std::string::npos ? 0 : begin + 1;
    const std::size_t newline = text.find('\n', at), end = newline == std::string::npos ? text.size() : newline + 1;
    switch (random.below(6)) {
        case 0:
            return {at, std::max(at, behind(1 + random.below(11))), ""};
        case 1:
        case 2:
            return {at, at, fragment()};
        case 3:
            return {at, std::max(at, behind(1 + random.below(3))), fragment()};
        case 4:  // a line twice
            return {end, end, text.substr(begin, end - begin)};
        default:  // a line less
            return {begin, end, ""};
    }
}

std::size_t memory()
{
    std::size_t all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Bytes that were allocated and not freed.
std::size_t in_use()
{
    const struct mallinfo2 all = ::mallinfo2();
    return all.uordblks + all.hblkhd;
}

class Edits {
  public:
    Edits(std::uint64_t count, std::uint64_t seed) : count_(count), random_(seed) {}

    int run()
    {
        find_corpus();
        if (corpus_.empty()) return std::fputs("no text to edit\n", stderr), 1;
        workspace_.client.related = true;
        const auto begun = std::chrono::steady_clock::now();
        std::size_t early = 0, most = 0;
        for (std::uint64_t i = 0; i < count_; ++i) {
            if (i % kEditsOfAFile == 0) another_file(i);
            edit();
            ask();
            if (!compare(i)) return 1;
            const std::size_t used = memory();
            if (i == count_ / 3) early = used;
            if (i >= count_ / 3) most = std::max(most, used);
            if (i % std::max<std::uint64_t>(1, count_ / kShown) == 0) {
                const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begun;
                std::printf("%8llu edits %8.1f s %6zu MiB\n", static_cast<unsigned long long>(i), time.count(),
                            used >> 20);
                std::fflush(stdout);
            }
        }
        std::printf(
            "%llu edits, %llu of them without errors; memory %zu MiB, then at most %zu MiB; without a text %zu KiB in "
            "use, then at most %zu KiB\n",
            static_cast<unsigned long long>(count_), static_cast<unsigned long long>(good_), early >> 20, most >> 20,
            without_text_ >> 10, most_without_text_ >> 10);
        if (good_ == 0) return std::fputs("no text was without errors: nothing was tried\n", stderr), 1;
#ifndef ANML_SANITIZED
        if (most > early + kMostGrown) return std::fputs("the server's memory grows\n", stderr), 1;
        if (most_without_text_ > without_text_ + kMostKept)
            return std::fputs("something of texts is kept that are closed\n", stderr), 1;
#endif
        return 0;
    }

  private:
    void find_corpus()
    {
        for (const char* folder : {"examples", "stdlib"})
            for (const auto& entry : fs::recursive_directory_iterator(fs::path(ANML_SOURCE_DIR) / folder))
                if (entry.path().extension() == ".anml" && entry.file_size() < kLargest)
                    corpus_.push_back(entry.path().string());
        std::sort(corpus_.begin(), corpus_.end());
    }

    void another_file(std::uint64_t round)
    {
        if (document_) workspace_.close(*document_);
        if (round > count_ / 3) {
            if (without_text_ == 0) without_text_ = in_use();
            most_without_text_ = std::max(most_without_text_, in_use());
        }
        constexpr lsp::Encoding kEncodings[] = {lsp::Encoding::utf8, lsp::Encoding::utf16, lsp::Encoding::utf32};
        workspace_.client.encoding = kEncodings[round / kEditsOfAFile % std::size(kEncodings)];
        const std::string& path = corpus_[random_.below(corpus_.size())];
        original_.clear();
        read_text(path, kLargest, Readable::files, original_);
        text_ = original_;
        document_ = &workspace_.open(lsp::uri_of_path(path), text_, 1);
        workspace_.snapshot(*document_);
    }

    void edit()
    {
        json changes = json::array();
        std::string now = text_;
        for (std::size_t left = 1 + random_.below(3); left > 0; --left) {
            const Edit edit = mutated(now, original_, random_);
            const lsp::PositionMap map(now, workspace_.client.encoding);
            changes.push_back({{"range", map.range_json(static_cast<std::uint32_t>(edit.begin),
                                                        static_cast<std::uint32_t>(edit.end))},
                               {"text", edit.text}});
            now.replace(edit.begin, edit.end - edit.begin, edit.text);
        }
        if (now.size() > 2 * kLargest) return;
        text_ = std::move(now);
        workspace_.change(*document_, changes, ++version_);
    }

    // Requests, which have to be answered whatever the text: one before it is looked at again, and one behind.
    void ask()
    {
        using Request = json (*)(lsp::Workspace&, const json&);
        constexpr Request kRequests[] = {lsp::hover,          lsp::completion,       lsp::signature_help,
                                         lsp::definition,     lsp::references,       lsp::document_highlight,
                                         lsp::folding_ranges, lsp::document_symbols, lsp::semantic_tokens,
                                         lsp::code_lenses,    lsp::formatting,       lsp::prepare_call_hierarchy};
        const std::size_t at = place_in(text_, random_.below(text_.size() + 1));
        const lsp::PositionMap map(text_, workspace_.client.encoding);
        const json where = map.range_json(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at))["start"];
        const json params = {{"textDocument", {{"uri", document_->uri}}},
                             {"position", where},
                             {"options", json::object()},
                             {"context", {{"includeDeclaration", true}}}};
        for (int i = 0; i < 2; ++i) {
            try {
                kRequests[random_.below(std::size(kRequests))](workspace_, params);
            } catch (const lsp::RequestError&) {  // an answer, too
            }
        }
    }

    bool compare(std::uint64_t round)
    {
        const lsp::Snapshot& warm = workspace_.snapshot(*document_);
        const auto said = lsp::diagnostics_json(warm.diagnostics, warm.sources, workspace_);
        const UnsavedTexts texts{{document_->key, text_}};
        BuildOptions options;
        options.sources = {document_->path, {}};
        options.unsaved = &texts;
        Compilation cold;
        Session session(options, cold);
        const bool good = session.end(session.program() != nullptr);
        const auto expected = lsp::diagnostics_json(cold.diagnostics, cold.sources, workspace_);
        good_ += good;
        if (document_->text == text_ && said == expected && warm.good == good) return true;
        const std::string path = (fs::temp_directory_path() / "lsp-edit.anml").string();
        std::ofstream(path) << text_;
        std::fprintf(stderr, "edit %llu of %s, which is now %s: the server says (%s)\n%s\nand the compiler (%s)\n%s\n",
                     static_cast<unsigned long long>(round), document_->path.c_str(), path.c_str(),
                     warm.good ? "no error" : "errors", json(said).dump(1).c_str(), good ? "no error" : "errors",
                     json(expected).dump(1).c_str());
        if (document_->text != text_) std::fputs("the server's text is another one\n", stderr);
        return false;
    }

    std::uint64_t count_, good_ = 0;
    std::size_t without_text_ = 0, most_without_text_ = 0;  // bytes in use, at first and at most
    std::int64_t version_ = 1;
    Random random_;
    std::vector<std::string> corpus_;
    lsp::Workspace workspace_;
    lsp::Document* document_ = nullptr;
    std::string text_, original_;
};

}  // namespace

int main(int argc, char** argv)
{
    std::uint64_t count = 2000, seed = 1;
    for (int i = 1; i < argc; i += 2) {
        const std::string_view word = argv[i];
        if (i + 1 == argc || (word != "--count" && word != "--seed"))
            return std::fputs("usage: lsp_edits [--count N] [--seed N]\n", stderr), 2;
        (word == "--count" ? count : seed) = std::strtoull(argv[i + 1], nullptr, 10);
    }
    return anml::commandline::on_own_stack([&] { return Edits(count, seed).run(); });
}
