// anmlc --batch: command lines from standard input, each in a copy of a process that has the library's grammar warm.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "commandline/streams.h"
#include "driver/options/command_line.h"
#include "reporting/report.h"
#include "source/embedded_modules.h"
#include "syntax/syntax_tree.h"

namespace anml {

namespace {

using RunCommand = std::function<int(int argc, char** argv)>;

// What a command line reads or writes, in memory; -1 where none is to be had.
int file_in_memory(const std::string& content)
{
    const int file = memfd_create("anmlc", MFD_CLOEXEC);
    for (std::size_t at = 0; file >= 0 && at < content.size();) {
        const ssize_t n = write(file, content.data() + at, content.size() - at);
        if (n < 0 && errno != EINTR) break;
        if (n > 0) at += static_cast<std::size_t>(n);
    }
    if (file >= 0) lseek(file, 0, SEEK_SET);
    return file;
}

std::string take_content(int file)
{
    std::string content(static_cast<std::size_t>(std::max<off_t>(lseek(file, 0, SEEK_END), 0)), '\0');
    std::size_t at = 0;
    while (at < content.size()) {
        const ssize_t n = pread(file, content.data() + at, content.size() - at, static_cast<off_t>(at));
        if (n <= 0) break;
        at += static_cast<std::size_t>(n);
    }
    close(file);
    return content;
}

// In the copy: never returns.
[[noreturn]] void be_command(const Json& request, const int files[3], const RunCommand& run)
{
    for (int i = 0; i < 3; ++i)
        if (dup2(files[i], i) < 0) _exit(kExitInternal);
    std::vector<std::string> words{"anmlc"};
    for (const Json& word : request.at("arguments")) words.push_back(word.get<std::string>());
    if (const std::string folder = request.value("directory", "."); chdir(folder.c_str()) != 0) {
        commandline::say("anmlc: cannot work in " + folder + ": " + std::strerror(errno) + "\n");
        _exit(kExitUsage);
    }
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const int status = run(static_cast<int>(words.size()), pointers.data());
    std::fflush(nullptr);
    _exit(status);
}

// What is wrong with it, or nothing.
std::string mistake_in(const Json& request)
{
    const auto is_text = [](const Json& value) { return value.is_string(); };
    if (!request.is_object()) return "a request is an object";
    const auto arguments = request.find("arguments");
    if (arguments == request.end() || !arguments->is_array() ||
        !std::all_of(arguments->begin(), arguments->end(), is_text))
        return "`arguments` is a list of texts";
    for (const char* key : {"directory", "input"})
        if (request.contains(key) && !request[key].is_string()) return std::string("`") + key + "` is a text";
    return "";
}

Json answer_to(const Json& request, const RunCommand& run)
{
    if (std::string mistake = mistake_in(request); !mistake.empty())
        return {{"status", kExitUsage}, {"stdout", ""}, {"stderr", "anmlc: " + mistake + "\n"}};
    const int files[3] = {file_in_memory(request.value("input", "")), file_in_memory(""), file_in_memory("")};
    const pid_t process = fork();
    if (process == 0) be_command(request, files, run);
    int how = 0;
    while (process > 0 && waitpid(process, &how, 0) < 0 && errno == EINTR) {
    }
    close(files[0]);
    const int status = process < 0 ? kExitErrors : WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    return {{"status", status}, {"stdout", take_content(files[1])}, {"stderr", take_content(files[2])}};
}

}  // namespace

int run_batch(const RunCommand& run)
{
    {  // the parser learns its decisions from texts: each copy has learnt those of the library
        SourceSet library;
        for (const EmbeddedModule& m : embedded_modules())
            library.add(std::string(m.path), std::string(m.text), std::string(m.module));
        Diagnostics ignored;
        (void)parse(library, ignored);
    }
    for (std::string line; std::getline(std::cin, line);) {
        const Json answer = answer_to(Json::parse(line, nullptr, false), run);
        std::cout << answer.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
        if (!std::cout) return kExitErrors;
    }
    return 0;
}

}  // namespace anml
