// mutate SECONDS|COUNT SEED FOLDER...: every .anml of the folders, and every ```anml block of their .md pages, with one
// token dropped, doubled, swapped with its neighbour, renamed or replaced; each mutant goes through the compiler up to
// the plan, in this process.
//
// Fails if one crashes, takes more than two seconds, or if more than one in twenty of those with errors has more than
// three. A process of its own does the work, so that a crash is one mutant's and its text can be shown.
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "driver/run_checks.h"
#include "source/render.h"

using namespace anml;
namespace fs = std::filesystem;

namespace {

// Seconds for one mutant; a constellation's own text takes one, and a sanitizer ten times as long.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr unsigned kLongest = 20;
#else
constexpr unsigned kLongest = 2;
#endif
constexpr std::size_t kFew = 3;  // errors that one mistake may lead to
constexpr double kShare = 0.95;  // of the mutants with errors that have no more
constexpr std::size_t kShownTexts = 12;
constexpr std::size_t kUnknown = ~std::size_t{0};

struct Original {
    std::string name, text;
};

std::string read(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// A module has none.
std::string with_model(std::string text)
{
    return text.find("model ") == std::string::npos ? text + "model Empty { run { duration = 1 s } }\n" : text;
}

void add_page(const fs::path& path, std::vector<Original>& originals)
{
    const std::string page = read(path), open = "\n```anml\n", close = "\n```";
    for (std::size_t at = 0; (at = page.find(open, at)) != std::string::npos;) {
        const std::size_t begin = at + open.size(), end = page.find(close, begin);
        if (end == std::string::npos) return;
        std::string text = page.substr(begin, end + 1 - begin);
        originals.push_back(
            {fmt::format("{}:{}", path.string(), std::count(page.begin(), page.begin() + begin, '\n') + 1),
             with_model(text)});
        at = end;
    }
}

std::vector<Original> collect(char** first, char** last)
{
    std::vector<fs::path> paths;
    for (char** folder = first; folder != last; ++folder)
        for (const auto& entry : fs::recursive_directory_iterator(*folder)) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<Original> originals;
    for (const fs::path& path : paths) {
        if (path.extension() == ".anml") originals.push_back({path.string(), with_model(read(path))});
        if (path.extension() == ".md") add_page(path, originals);
    }
    return originals;
}

using Tokens = std::vector<std::pair<std::size_t, std::size_t>>;  // begin, end; comments left out

bool word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// A scan of its own, so that what the lexer gets wrong is not hidden: words, numbers with their unit, strings, marks.
Tokens tokens_of(const std::string& text)
{
    Tokens tokens;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const std::string two = text.substr(at, 2);
        if (std::isspace(static_cast<unsigned char>(text[at]))) {
            ++at;
            continue;
        }
        if (two == "//" || two == "/*") {
            const std::size_t end = two == "//" ? text.find('\n', at) : text.find("*/", at);
            at = end == std::string::npos ? text.size() : end + (two == "//" ? 0 : 2);
            continue;
        }
        if (text[at] == '"') {
            const std::size_t end = text.find('"', at + 1);
            at = end == std::string::npos ? text.size() : end + 1;
        } else if (word_char(text[at])) {
            while (at < text.size() && word_char(text[at])) ++at;
        } else {
            static const char* const kMarks[] = {"..<", "..", "--", "->", "==", "!=", "<=", ">=", "&&", "||"};
            at += 1;
            for (const char* mark : kMarks) {
                if (text.compare(begin, std::strlen(mark), mark) != 0) continue;
                at = begin + std::strlen(mark);
                break;
            }
        }
        tokens.push_back({begin, at});
    }
    return tokens;
}

struct Mutant {
    std::string text, what;
    std::size_t original = 0;
};

Mutant mutate(const Original& original, const Tokens& tokens, std::mt19937_64& random)
{
    const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    const auto at = [&](std::size_t i) {
        return original.text.substr(tokens[i].first, tokens[i].second - tokens[i].first);
    };
    const std::size_t i = pick(tokens.size());
    std::string text = original.text, token = at(i);
    const std::size_t begin = tokens[i].first, length = token.size();
    const std::size_t line = static_cast<std::size_t>(std::count(text.begin(), text.begin() + begin, '\n')) + 1;
    std::string what;
    switch (pick(5)) {
        case 0:
            text.erase(begin, length);
            what = fmt::format("without `{}`", token);
            break;
        case 1:
            text.insert(begin, token + " ");
            what = fmt::format("`{}` twice", token);
            break;
        case 2: {
            const std::size_t j = std::min(i + 1, tokens.size() - 1);
            const std::string next = at(j);
            if (j == i) break;
            text.replace(tokens[j].first, next.size(), token);
            text.replace(begin, length, next);
            what = fmt::format("`{}` and `{}` swapped", token, next);
            break;
        }
        case 3: {
            // A slip of the pen: a letter left out, doubled or changed in case.
            const std::size_t k = pick(token.size());
            const char c = token[k];
            if (pick(3) == 0)
                token.insert(k, 1, c);
            else if (pick(2) == 0 && token.size() > 1)
                token.erase(k, 1);
            else
                token[k] =
                    static_cast<char>(std::isupper(static_cast<unsigned char>(c)) ? std::tolower(c) : std::toupper(c));
            text.replace(begin, length, token);
            what = fmt::format("`{}` became `{}`", at(i), token);
            break;
        }
        default: {
            const std::string other = at(pick(tokens.size()));
            text.replace(begin, length, other);
            what = fmt::format("`{}` in place of `{}`", other, token);
        }
    }
    return {text, fmt::format("{}:{}: {}", original.name, line, what), 0};
}

struct Shared {
    std::uint64_t next = 0;  // mutant at work
    std::uint64_t done = 0, with_errors = 0, with_many = 0, shown = 0;
    std::uint64_t histogram[8] = {};
    char what[256] = {};
};

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

class Run {
  public:
    Run(std::vector<Original> originals, std::uint64_t seed, std::uint64_t count, double until, bool verbose)
        : originals_(std::move(originals)), seed_(seed), count_(count), until_(until), verbose_(verbose)
    {
        for (const Original& original : originals_) tokens_.push_back(tokens_of(original.text));
        baseline_.assign(originals_.size(), kUnknown);
        shared_ = static_cast<Shared*>(
            mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
        *shared_ = Shared{};
    }

    bool run()
    {
        std::size_t failures = 0;
        while (!finished() && failures < 5) {
            const pid_t child = fork();
            if (child == 0) {
                work();
                std::fflush(stdout);
                _exit(0);
            }
            int status = 0;
            waitpid(child, &status, 0);
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
            ++failures;
            const bool late = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
            fmt::print("{}: mutant {}, {}\n{}\n", late ? "TOO LONG" : "CRASH", shared_->next, shared_->what,
                       mutant(shared_->next).text);
            ++shared_->next;
        }
        const Shared& s = *shared_;
        const double share =
            s.with_errors == 0 ? 1 : 1 - static_cast<double>(s.with_many) / static_cast<double>(s.with_errors);
        fmt::print(
            "{} mutants of {} texts, seed {}: {} with errors, {:.2f} % of them with at most {}; {} crashed or took "
            "more than {} s\n",
            s.done, originals_.size(), seed_, s.with_errors, 100 * share, kFew, failures, kLongest);
        fmt::print("errors per mutant:");
        for (std::size_t i = 0; i < std::size(s.histogram); ++i)
            fmt::print(" {}{}: {}", i, i + 1 == std::size(s.histogram) ? "+" : "", s.histogram[i]);
        fmt::print("\n");
        return failures == 0 && share >= kShare && s.done > 0;
    }

  private:
    bool finished() const { return shared_->next >= count_ || seconds() > until_; }

    Mutant mutant(std::uint64_t number) const
    {
        std::mt19937_64 random(seed_ * 1000003 + number);
        const std::size_t which = random() % originals_.size();
        Mutant mutant;
        do mutant = mutate(originals_[which], tokens_[which], random);
        while (mutant.text == originals_[which].text);
        mutant.original = which;
        return mutant;
    }

    void work()
    {
        for (; !finished(); ++shared_->next) {
            const Mutant m = mutant(shared_->next);
            std::strncpy(shared_->what, m.what.c_str(), sizeof shared_->what - 1);
            // A file of the standard library has errors of its own where it is no module of it.
            std::size_t& before = baseline_[m.original];
            if (before == kUnknown) before = compile_text({originals_[m.original].text, "", 0});
            alarm(kLongest);
            const std::size_t all = compile_text(m), errors = all - std::min(all, before);
            alarm(0);
            ++shared_->done;
            ++shared_->histogram[std::min<std::size_t>(errors, std::size(shared_->histogram) - 1)];
            if (errors == 0) continue;
            ++shared_->with_errors;
            if (errors > kFew) ++shared_->with_many;
        }
    }

    // The errors that a user would see.
    std::size_t compile_text(const Mutant& m)
    {
        Compilation c;
        check_text(m.text, c);
        const std::string text = render_diagnostics(c.diagnostics, c.sources, ErrorFormat::human, false);
        const std::string brief = render_diagnostics(c.diagnostics, c.sources, ErrorFormat::brief, false);
        std::size_t errors = 0;
        for (std::size_t at = 0; (at = brief.find(": error: ", at)) != std::string::npos; ++at) ++errors;
        if (verbose_ && errors > kFew && shared_->shown++ < kShownTexts) fmt::print("---- {}\n{}\n", m.what, brief);
        return errors;
    }

    static void check_text(const std::string& text, Compilation& c)
    {
        // The text as a file in memory: `load_sources` reads what it imports.
        BuildOptions options;
        static const std::string path = fmt::format("/dev/shm/anml-mutant-{}.anml", getppid());
        std::ofstream(path, std::ios::binary) << text;
        options.sources.input = path;
        Session session(options, c);
        run_checks(session);
    }

    std::vector<Original> originals_;
    std::vector<Tokens> tokens_;
    std::vector<std::size_t> baseline_;  // errors of the originals
    std::uint64_t seed_, count_;
    double until_;
    bool verbose_;
    Shared* shared_;
};

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 4) {
        std::fputs("mutate SECONDSs|COUNT SEED FOLDER...\n", stderr);
        return 2;
    }
    const std::string amount = argv[1];
    const bool timed = amount.ends_with('s');
    const std::uint64_t count = timed ? ~std::uint64_t{0} : std::strtoull(argv[1], nullptr, 10);
    const double until = timed ? seconds() + std::strtod(argv[1], nullptr) : 1e300;
    Run run(collect(argv + 3, argv + argc), std::strtoull(argv[2], nullptr, 10), count, until,
            std::getenv("ANML_SHOW") != nullptr);
    const bool good = run.run();
    std::remove(fmt::format("/dev/shm/anml-mutant-{}.anml", getpid()).c_str());
    return good ? 0 : 1;
}
