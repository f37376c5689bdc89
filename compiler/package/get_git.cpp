// git, as a program: a bare repository of its own, one fetch, and the tree of the commit as an archive.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/process.h"
#include "common/ascii.h"
#include "package/get.h"
#include "package/unpack.h"

namespace anml {

namespace {

bool is_ref_word(std::string_view word)
{
    const auto plain = [](char c) {
        return in_word(c) || c == '.' || c == '/' || c == '-' || c == '+' || c == '@' || c == '#' || c == '=';
    };
    return !word.empty() && word.front() != '-' && std::all_of(word.begin(), word.end(), plain) &&
           word.find("..") == word.npos && word.find("@{") == word.npos;
}

bool is_hex(std::string_view word, std::size_t least)
{
    const auto hex = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); };
    return word.size() >= least && word.size() <= 40 && std::all_of(word.begin(), word.end(), hex);
}

class Git {
  public:
    Git(const std::string& address, const std::string& staging)
        : address_(address), repository_(staging + "/repository"), staging_(staging)
    {
    }

    std::optional<Gotten> get(const std::string& at, std::string& problem)
    {
        env_ = find_program("env");
        program_ = find_program("git");
        if (program_.empty() || env_.empty()) return problem = "git is not installed", std::nullopt;
        if (!run({"init", "--quiet", "--bare", "--template=", repository_}, false))
            return problem = said_, std::nullopt;
        const std::size_t blank = at.find(' ');
        const std::string kind = at.substr(0, blank), word = blank == at.npos ? "" : at.substr(blank + 1);
        if (!at.empty() && !is_ref_word(word))
            return problem = fmt::format("`{}` is no name of a tag, branch or commit", word), std::nullopt;
        Gotten gotten;
        const bool good = at.empty()         ? fetch_one("HEAD")
                          : kind == "tag"    ? fetch_one("refs/tags/" + word)
                          : kind == "branch" ? fetch_one("refs/heads/" + word)
                          : kind == "rev"    ? fetch_commit(word)
                                             : fetch_any(word, gotten.at);
        if (!good && !at.empty() && no_ref()) said_ = missing(kind == "any" ? "tag, branch or commit" : kind, word);
        if (!good) return problem = said_, std::nullopt;
        if (!run({"rev-parse", "--verify", "--quiet", fmt::format("{}^{{commit}}", found_)}, true))
            return problem = kind == "any" && gotten.at.starts_with("rev ")
                                 ? missing("tag, branch or commit", word)
                                 : fmt::format("`{}` is no commit", word.empty() ? "HEAD" : word),
                   std::nullopt;
        gotten.commit = said_;
        if (gotten.at.starts_with("rev ")) gotten.at = "rev " + gotten.commit;
        if (kind != "any") gotten.at = at;
        const std::string archive = staging_ + "/tree.tar";
        gotten.folder = staging_ + "/tree";
        if (!run({"archive", "--format=tar", "--output=" + archive, gotten.commit}, true, true))
            return problem = said_, std::nullopt;
        if (problem = unpack(archive, gotten.folder); !problem.empty()) return std::nullopt;
        return gotten;
    }

  private:
    // `alone`: without anybody's settings, so that no filter is defined that attributes could name.
    bool run(std::vector<std::string> words, bool inside, bool alone = false)
    {
        std::vector<std::string> command{env_,
                                         "-u",
                                         "GIT_DIR",
                                         "-u",
                                         "GIT_WORK_TREE",
                                         "-u",
                                         "GIT_INDEX_FILE",
                                         "-u",
                                         "GIT_OBJECT_DIRECTORY",
                                         "-u",
                                         "GIT_TEMPLATE_DIR",
                                         "LC_ALL=C"};
        if (alone) command.insert(command.end(), {"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"});
        command.insert(command.end(), {program_, "-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never",
                                       "-c", "gc.auto=0", "-c", "maintenance.auto=false"});
        if (inside) command.push_back("--git-dir=" + repository_);
        command.insert(command.end(), words.begin(), words.end());
        const ProcessResult result = run_process(command);
        said_ = result.output.empty() ? result.problem : result.output;
        while (said_.ends_with('\n')) said_.pop_back();
        if (result.exit_code != 0 && said_.empty()) said_ = fmt::format("git ended with status {}", result.exit_code);
        return result.exit_code == 0;
    }

    static std::string missing(std::string_view what, std::string_view word)
    {
        return fmt::format("there is no {} `{}` there", what, word);
    }

    // Whether git has reached the repository, and did not find there what was asked for.
    bool no_ref() const { return said_.find("couldn't find remote ref") != said_.npos; }

    bool fetch_one(const std::string& ref)
    {
        found_ = "FETCH_HEAD";
        return run({"fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--depth=1", "--", address_, ref},
                   true);
    }

    // Not every server gives a commit that is not at the end of a branch: then all of them are fetched.
    bool fetch_commit(const std::string& commit)
    {
        if (commit.size() == 40 && fetch_one(commit)) return true;
        found_ = commit;
        return run({"fetch", "--quiet", "--no-recurse-submodules", "--", address_, "+refs/heads/*:refs/heads/*",
                    "+refs/tags/*:refs/tags/*"},
                   true);
    }

    bool fetch_any(const std::string& word, std::string& at)
    {
        at = "tag " + word;
        if (fetch_one("refs/tags/" + word)) return true;
        at = "branch " + word;
        if (fetch_one("refs/heads/" + word)) return true;
        at = "rev " + word;
        return is_hex(word, 7) && fetch_commit(word);
    }

    std::string address_, repository_, staging_, env_, program_;
    std::string said_;   // by the last one that ran
    std::string found_;  // what was asked for, in the repository
};

}  // namespace

std::optional<Gotten> get_git(const std::string& address, const std::string& at, const std::string& staging,
                              std::string& problem)
{
    return Git(address, staging).get(at, problem);
}

}  // namespace anml
