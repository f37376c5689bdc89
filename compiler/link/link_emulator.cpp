// Links in a private folder beside the output, so that the finished executable can be renamed into place: whoever looks
// sees either the old file or the whole new one.
#include <fmt/format.h>
#include <lld/Common/Driver.h>
#include <llvm/Support/raw_ostream.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "base/process.h"
#include "commandline/signal_hold.h"
#include "link/link.h"
#include "link/runtime_files.h"
#include "link/temporary_folder.h"

LLD_HAS_DRIVER(elf)

namespace anml {
namespace {

// What `ld.lld ARGUMENTS` would do, in a process of its own: lld may end it when it is out of memory, and leaves what
// it had to the system. Its messages are the output. The caller has no other thread.
ProcessResult run_linker(const std::vector<std::string>& arguments)
{
    return run_child([&] {
        std::vector<const char*> words = {"ld.lld"};
        for (const std::string& argument : arguments) words.push_back(argument.c_str());
        llvm::raw_fd_ostream out(1, false), problems(2, false, true);
        const bool good = lld::elf::link(words, out, problems, false, false);
        out.flush();
        return good ? 0 : 1;
    });
}

// What lies in the private folder. `dry`: names only.
class PrivateFiles {
  public:
    PrivateFiles(const std::string& beside, bool dry) : path_(folder_of(beside) + "/.anmlc-XXXXXX")
    {
        if (!dry) path_ = folder_.emplace(folder_of(beside), ".anmlc-").path();
    }

    int error() const { return folder_ ? folder_->error() : 0; }
    std::string object() const { return path_ + "/model.o"; }
    std::string tables() const { return path_ + "/tables.o"; }
    std::string executable() const { return path_ + "/emulator"; }

  private:
    std::optional<TemporaryFolder> folder_;
    std::string path_;
};

// A new file with what write(std::FILE*) puts into it: errno, or 0.
template <class Write>
int make_file(const std::string& path, Write write)
{
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return errno;
    const int error = write(file) ? 0 : errno;
    return std::fclose(file) != 0 && error == 0 ? errno : error;
}

int write_objects(const ObjectFile& object, const PrivateFiles& files)
{
    const int error = make_file(files.object(), [&](std::FILE* file) {
        return std::fwrite(object.bytes.data(), 1, object.bytes.size(), file) == object.bytes.size();
    });
    if (error != 0 || object.tables.empty()) return error;
    return make_file(files.tables(),
                     [&](std::FILE* file) { return write_table_object(file, object.bytes, object.tables); });
}

constexpr bool kSanitized = std::string_view(ANML_SANITIZE) != "";

// The program and what it is given. `parts`: the folder of what every program of this system begins and ends with.
// `mpi`: the folder of the plugin, "": it is not looked for.
std::vector<std::string> link_command(const ObjectFile& object, const PrivateFiles& files, const std::string& runtime,
                                      const std::string& parts, const std::string& mpi)
{
    // A build with sanitizers needs the driver that it was made with, for their libraries.
    std::vector<std::string> command = {kSanitized ? ANML_BUILD_DRIVER : "ld.lld", "-o", files.executable(), "-pie"};
    const auto add = [&](std::initializer_list<std::string> words) { command.insert(command.end(), words); };
    const std::string to_linker = kSanitized ? "-Wl," : "";
    if (!kSanitized) {
        add({"-dynamic-linker", ANML_LOADER, "--eh-frame-hdr", "--hash-style=gnu"});
        // A fifth of the processor time: more threads, merged strings and a mapped output bring nothing at this size.
        add({"--threads=1", "-O0", "--no-mmap-output-file"});
        for (const char* part : {"Scrt1.o", "crti.o", "crtbeginS.o"}) command.push_back(parts + "/" + part);
    }
    command.push_back(files.object());
    if (!object.tables.empty()) command.push_back(files.tables());
    command.push_back("-L" + folder_of(runtime));
    // Where a model has no use for it nothing of it is linked, or looked at.
    if (object.secured) command.push_back(to_linker + "--undefined=anml_tls_library");
    if (object.hashes) command.push_back(to_linker + "--undefined=anml_new_sha256");
    if (object.secured || object.hashes) command.push_back("-lanmltls");
    command.push_back("-lanmlrt");
    command.push_back(to_linker + "--gc-sections");
    if (!mpi.empty()) command.push_back(to_linker + "--rpath=" + mpi);
    // It meets bytes of strangers: nothing that steers it stays writable, and no stack is executed.
    for (const char* word : {"relro", "now", "noexecstack"}) {
        if (kSanitized)
            command.push_back(std::string("-Wl,-z,") + word);
        else
            add({"-z", word});
    }
    if (kSanitized) {
        add({"-pthread", "-fsanitize=" ANML_SANITIZE, "-B" ANML_LLVM_TOOLS, "-fuse-ld=lld"});
        return command;
    }
    // Only the C library is looked for when it starts.
    for (const char* part : {"libstdc++.a", "libgcc.a", "libgcc_eh.a", "libc_nonshared.a"})
        command.push_back(parts + "/" + part);
    command.push_back("--as-needed");
    for (const char* part : {"libm.so.6", "libc.so.6", ANML_LOADER_NAME, "crtendS.o", "crtn.o"})
        command.push_back(parts + "/" + part);
    return command;
}

std::string joined(const std::vector<std::string>& command)
{
    std::string line;
    for (const std::string& argument : command) (line += line.empty() ? "" : " ") += argument;
    return line;
}

void report_failure(const ProcessResult& result, Diagnostics& diagnostics)
{
    constexpr std::size_t kMostLines = 12, kLongestLine = 300;  // a file that is no object may be one line
    const std::string why = result.problem.empty() ? fmt::format("exited with {}", result.exit_code) : result.problem;
    auto builder =
        diagnostics.report(Diag::link_failed, {}, fmt::format("cannot link the emulator: the linker {}", why));
    std::size_t begin = 0, lines = 0;
    while (begin < result.output.size() && lines < kMostLines) {
        const std::size_t end = std::min(result.output.find('\n', begin), result.output.size());
        const bool whole = end - begin <= kLongestLine;
        builder.note(result.output.substr(begin, std::min(end - begin, kLongestLine)) + (whole ? "" : " ..."));
        begin = end + 1;
        ++lines;
    }
    builder.help("-v shows the whole command");
}

std::string whole_path(const std::string& path)
{
    char* const whole = realpath(path.c_str(), nullptr);
    const std::string result = whole ? whole : path;
    std::free(whole);
    return result;
}

bool cannot_write(const std::string& path, const std::string& why, Diagnostics& diagnostics)
{
    diagnostics.report(Diag::cannot_write_output, {}, fmt::format("cannot write `{}`: {}", path, why));
    return false;
}

}  // namespace

bool link_emulator(const ObjectFile& object, const LinkOptions& options, Diagnostics& diagnostics)
{
    struct stat existing{};
    if (stat(options.output.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode)) {
        return cannot_write(options.output, S_ISDIR(existing.st_mode) ? "it is a folder" : "it is not a regular file",
                            diagnostics);
    }
    const std::string runtime = find_runtime_file(kRuntimeArchive, options.runtime_dir, diagnostics);
    if (runtime.empty()) return false;
    if ((object.secured || object.hashes) && find_runtime_file(kTlsArchive, options.runtime_dir, diagnostics).empty())
        return false;
    const std::string last_part = find_runtime_file("link/crtn.o", "", diagnostics);
    if (last_part.empty()) return false;
    std::string mpi;
    if (options.mpi) {
        mpi = find_runtime_file(kMpiPlugin, options.runtime_dir, diagnostics);
        if (mpi.empty()) return false;
        mpi = whole_path(folder_of(mpi));
    }
    const commandline::SignalHold hold;  // nothing may stay behind when the user interrupts
    const PrivateFiles files(options.output, options.dry);
    if (files.error() != 0) return cannot_write(options.output, std::strerror(files.error()), diagnostics);
    const std::vector<std::string> command = link_command(object, files, runtime, folder_of(last_part), mpi);
    if (options.verbose || options.dry) std::fputs((joined(command) + "\n").c_str(), stderr);
    if (options.dry) return true;
    if (const int error = write_objects(object, files); error != 0) {
        return cannot_write(options.output, std::strerror(error), diagnostics);
    }
    const ProcessResult result = kSanitized ? run_process(command) : run_linker({command.begin() + 1, command.end()});
    if (result.exit_code != 0) {
        report_failure(result, diagnostics);
        return false;
    }
    if (std::rename(files.executable().c_str(), options.output.c_str()) != 0) {
        return cannot_write(options.output, std::strerror(errno), diagnostics);
    }
    return true;
}

}  // namespace anml
