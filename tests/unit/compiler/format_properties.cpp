// What holds for every text: formatting keeps the program, and a second pass changes nothing. On every .anml in the
// tree, on these with other white space and more comments, and on random programs.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "../tier.h"
#include "format_text.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using anml::testing::checked_format;
using anml::testing::everything;
using anml::testing::kSanitized;
using anml::testing::parse_text;
using anml::testing::Parsed;
namespace fs = std::filesystem;

namespace {

// Texts of the tree that parse, by path.
std::vector<std::pair<std::string, std::string>> tree_files()
{
    std::vector<std::pair<std::string, std::string>> files;
    for (const char* folder : {"stdlib", "examples", "tests"}) {
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(ANML_SOURCE_DIR) / folder)) {
            if (entry.path().extension() != ".anml") continue;
            std::ifstream in(entry.path(), std::ios::binary);
            std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
            if (parse_text(text).tree) files.emplace_back(entry.path().string(), std::move(text));
        }
    }
    return files;
}

class Mutator {
  public:
    explicit Mutator(std::uint32_t seed) : random_(seed) {}
    std::uint32_t below(std::uint32_t n) { return random_() % n; }

    // The text with other blanks wherever there are some, at the ends of lines too; line ends stay.
    std::string reblank(const Parsed& parsed)
    {
        return rejoin(parsed, [&](std::string_view gap) {
            std::string out;
            for (std::size_t i = 0; i < gap.size(); ++i) {
                if (gap[i] == '\n') out += std::string(below(3), ' ') + (below(9) == 0 ? "\r\n" : "\n");
            }
            bool some = !gap.empty();
            return out + std::string(some ? 1 + below(4) : 0, below(5) == 0 ? '\t' : ' ');
        });
    }

    // The text with comments in places where there was white space.
    std::string comment(const Parsed& parsed)
    {
        return rejoin(parsed, [&](std::string_view gap) {
            if (gap.empty() || below(6) != 0) return std::string(gap);
            const char* kComments[] = {"/* c */", "// c\n", "/* a\n b */", "/// d\n", "\n// own\n\n"};
            return std::string(gap) + kComments[below(5)] + std::string(below(2), ' ') + std::string(gap);
        });
    }

  private:
    template <class Other>
    std::string rejoin(const Parsed& parsed, Other&& other)
    {
        const std::string& text = parsed.sources.files[0].text;
        std::string out;
        std::uint32_t from = 0;
        for (std::size_t i = 0; i < parsed.tree->tokens.size(); ++i) {
            const Token token = parsed.tree->tokens[i];
            out += other(std::string_view(text).substr(from, token.span.begin - from));
            out += parsed.sources.text(token.span);
            from = token.span.end;
        }
        return out + "\n";
    }
    std::minstd_rand random_;
};

// Programs that no one would write, but that parse.
class Generator {
  public:
    explicit Generator(std::uint32_t seed) : random_(seed) {}

    std::string program()
    {
        out_.clear();
        for (std::uint32_t n = 1 + below(4); n > 0; --n) {
            one_of({"edition 1", "import a.b", "import a as b"});
            line();
        }
        one_of({"enum E", "enum Longer_name"});
        list("{", "}", false, [&] { name(); });
        line();
        out_ += "schema S : a.T ";
        block([&] {
            name(), gap(), out_ += ":", gap();
            one_of({"int", "random time", "D[]", "address?"});
            if (below(2)) gap(), out_ += "in ", range();
            if (below(2)) gap(), out_ += "= ", expression(2);
            if (below(4) == 0) out_ += ",";
        });
        line();
        out_ += "model M";
        if (below(3))
            list("(", ")", true, [&] {
                if (below(3) == 0) out_ += "tunable ";
                name(), out_ += ": int";
                if (below(2)) gap(), out_ += "= ", expression(2);
            });
        body(3);
        line();
        return out_;
    }

  private:
    std::uint32_t below(std::uint32_t n) { return random_() % n; }
    void one_of(std::initializer_list<const char*> words)
    {
        out_ += words.begin()[below(static_cast<std::uint32_t>(words.size()))];
    }
    void name() { one_of({"a", "bb", "a_rather_long_name_of_a_thing", "c1", "edge"}); }
    // White space that may be any, with comments.
    void gap()
    {
        one_of({" ", " ", " ", "  ", "\t", "\n", "\n\n\n", " /* c */ ", " // c\n ", "\n// own\n", "\n/* a\n   b */\n",
                " /// d\n"});
    }
    void line() { one_of({"\n", "\n", "\n\n", "  // end\n", " /* end */\n\n", "\n\n\n// own\n", "\n/// doc\n"}); }

    template <class Item>
    void list(const char* open, const char* close, bool commas, Item&& item)
    {
        out_ += open;
        for (std::uint32_t n = below(6), i = 0; i < n; ++i) {
            gap();
            item();
            if (commas ? i + 1 < n || below(2) : below(2)) {
                if (below(4) == 0) gap();
                out_ += ",";
            } else {
                line();
            }
        }
        gap();
        out_ += close;
    }
    template <class Item>
    void block(Item&& item)
    {
        out_ += "{";
        for (std::uint32_t n = below(5); n > 0; --n) {
            line();
            item();
        }
        line();
        out_ += "}";
    }
    void attributes()
    {
        list("{", "}", false, [&] { name(), out_ += " = ", expression(3); });
    }
    void range()
    {
        expression(1);
        out_ += below(2) ? " .. " : " ..< ";
        expression(1);
    }
    void expression(int depth)
    {
        switch (below(depth <= 0 ? 3 : 11)) {
            case 0:
                one_of({"1", "2.5", "1e6", "10 ms", "3KB", "5 %", "\"a // b\"", "10.0.0.1", "10.0.0.0/8", "2001:db8::1",
                        "::/0", "true"});
                break;
            case 1:
            case 2:
                name();
                break;
            case 3:
                name(), out_ += ".", name(), out_ += "[";
                below(2) ? range() : expression(depth - 1);
                out_ += "]";
                break;
            case 4:
                name();
                list("(", ")", true, [&] {
                    if (below(3) == 0) name(), out_ += " = ";
                    expression(depth - 1);
                });
                break;
            case 5:
                one_of({"-", "!"});
                gap();
                out_ += "(";
                expression(depth - 1);
                out_ += ")";
                break;
            case 6:
                list("[", "]", true, [&] { expression(depth - 1); });
                break;
            case 7:
                out_ += "if ", expression(depth - 1), gap(), out_ += "then ", expression(depth - 1), gap();
                out_ += "else ", expression(depth - 1);
                break;
            default:
                expression(depth - 1);
                gap();
                one_of({"+", "-", "*", "/", "&&", "||", "%"});
                gap();
                expression(depth - 1);
                break;
        }
    }
    void body(int depth)
    {
        block([&] {
            switch (below(depth <= 0 ? 6 : 9)) {
                case 0:
                    if (below(4) == 0) out_ += "@task(\"a\")", gap();
                    one_of({"router", "host", "endpoint"});
                    gap(), name();
                    if (below(2)) out_ += "[", expression(1), out_ += "]";
                    if (below(2)) gap(), attributes();
                    break;
                case 1:
                    name(), out_ += " ", name();
                    if (below(2)) list("(", ")", true, [&] { expression(2); });
                    break;
                case 2:
                case 3:
                    out_ += "link", gap();
                    if (below(2)) name(), out_ += ":", gap();
                    name(), gap(), one_of({"--", "->"}), gap(), name();
                    if (below(2)) gap(), out_ += ": ", name();
                    if (below(2)) gap(), attributes();
                    break;
                case 4:
                    out_ += "require ", expression(3);
                    if (below(2)) gap(), out_ += "else \"no\"";
                    break;
                case 5:
                    out_ += "profile ", name(), gap(), out_ += ": Link ", attributes();
                    break;
                case 6:
                    out_ += "let x = ", expression(4);
                    break;
                case 7:
                    out_ += "for i in ", range(), out_ += " ", body(depth - 1);
                    break;
                default:
                    out_ += "if ", expression(2), gap(), body(depth - 1);
                    if (below(2)) gap(), out_ += "else ", body(depth - 1);
                    break;
            }
        });
    }

    std::minstd_rand random_;
    std::string out_;
};

}  // namespace

TEST_CASE("every file of the tree keeps its program, and the language's own are in the one style", "[format]")
{
    std::vector<std::pair<std::string, std::string>> files = tree_files();
    CHECK(files.size() > 50);
    for (const auto& [path, text] : files) {
        INFO(path);
        const std::string formatted = checked_format(text);
        if (path.find("/tests/file/") == std::string::npos) CHECK(formatted == text);
    }
}

TEST_CASE("other blanks make no difference, and comments stay", "[format]")
{
    std::uint32_t seed = 0;
    for (const auto& [path, text] : tree_files()) {
        if (++seed % 6 != 0 && kSanitized && !everything()) continue;
        INFO(path);
        Parsed parsed = parse_text(text);
        Mutator mutator(seed);
        std::string same = checked_format(text);
        if (text.find("/*") == std::string::npos) CHECK(checked_format(mutator.reblank(parsed)) == same);
        // A comment can part a number from its unit or operator; what no longer parses says nothing.
        std::string commented = mutator.comment(parsed);
        if (parse_text(commented).tree) checked_format(commented);
    }
}

TEST_CASE("random programs keep their meaning", "[format]")
{
    int parsed = 0;
    constexpr int kPrograms = kSanitized ? 200 : 600;
    for (int seed = 1; seed <= kPrograms; ++seed) {
        std::string text = Generator(static_cast<std::uint32_t>(seed)).program();
        if (!parse_text(text).tree) continue;
        ++parsed;
        checked_format(text);
    }
    CHECK(parsed > kPrograms / 3);
}

}  // namespace ANML_UNIT_FILE
