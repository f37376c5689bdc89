#include "driver/emulator.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "commandline/signal_hold.h"
#include "commandline/streams.h"
#include "driver/dependencies.h"
#include "driver/print_diagnostics.h"
#include "driver/write_file.h"
#include "link/link.h"
#include "link/runtime_files.h"
#include "link/temporary_folder.h"

namespace anml {

namespace {

// What stands before the emulator's arguments on this command line: its usage and its results name what will be there
// again, and not a temporary file.
std::string own_name(const std::vector<std::string>& words)
{
    std::string name = "anmlc";
    for (std::size_t i = 1; i < words.size(); ++i) {
        const bool plain = words[i].find_first_of(" '\"\\$*?&|;<>()[]") == std::string::npos;
        name += plain ? " " + words[i] : fmt::format(" '{}'", words[i]);
    }
    return name + " --";
}

// Past a second the terminal says what takes so long, and how to do without; gone at the end.
class OptimisingNotice {
  public:
    explicit OptimisingNotice(OptLevel level)
    {
        if (level == OptLevel::O2 && isatty(STDERR_FILENO)) thread_ = std::jthread([this](auto stop) { wait(stop); });
    }
    ~OptimisingNotice()
    {
        if (!thread_.joinable()) return;
        thread_.request_stop();
        thread_.join();
        if (said_) commandline::say("\r\x1b[K");
    }
    OptimisingNotice(const OptimisingNotice&) = delete;
    OptimisingNotice& operator=(const OptimisingNotice&) = delete;

  private:
    void wait(const std::stop_token& stop)
    {
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any().wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
        if (stop.stop_requested()) return;
        commandline::say("optimising the event loop for this model (-O0: at once, for a slower emulator)");
        said_ = true;
    }

    bool said_ = false;
    std::jthread thread_;
};

}  // namespace

bool write_emulator(Session& session, const EmulatorOptions& options, std::string& text)
{
    using Form = EmulatorOptions::Form;
    const Plan* plan = session.plan();
    if (!plan || !session.filter_warnings()) return false;
    Compilation& c = session.compilation();
    // -c makes one file, which holds everything.
    CodegenOptions codegen{options.level,
                           options.form == Form::executable ? TablePlacement::apart : TablePlacement::within};
    if (options.level == OptLevel::O2 && has_bitcode()) {
        codegen.runtime = find_runtime_file(kRuntimeBitcode, "", c.diagnostics);
        if (codegen.runtime.empty()) return false;
    }
    std::optional<OptimisingNotice> notice(options.level);
    if (options.form == Form::llvm || options.form == Form::assembly) {
        auto dumped = options.form == Form::llvm ? dump_llvm(*plan, codegen, c.diagnostics)
                                                 : dump_assembly(*plan, codegen, c.diagnostics);
        session.done("codegen");
        if (dumped) text = std::move(*dumped);
        return dumped.has_value();
    }
    const auto object = generate_object(*plan, codegen, c.diagnostics);
    notice.reset();
    if (!object) return false;
    session.done("codegen");
    if (!keeps_inputs(options.output, c)) return false;
    if (options.form == Form::object) return write_file(options.output, object->bytes, c.diagnostics);
    if (!link_emulator(*object, {options.output, "", options.mpi, session.options().messages.verbose,
                                 options.commands_only},
                       c.diagnostics))
        return false;
    session.done("link");
    return true;
}

int compile_emulator(const BuildOptions& options, OptLevel level)
{
    const commandline::SignalHold hold;  // an interrupt leaves nothing behind
    const TemporaryFolder folder(folder_of_temporaries(), "anmlc-");
    if (folder.path().empty()) {
        commandline::say(fmt::format("anmlc: cannot make a temporary folder in {}: {}; TMPDIR names another place\n",
                                     folder_of_temporaries(), std::strerror(folder.error())));
        return -1;
    }
    const std::string stem = std::filesystem::path(options.sources.input).stem().string();
    EmulatorOptions emulator;
    emulator.level = level;
    emulator.output = fmt::format("{}/{}", folder.path(), options.sources.input == "-" ? "model" : stem);
    Compilation compilation;
    Session session(options, compilation);
    std::string none;
    const bool good = session.end(write_emulator(session, emulator, none));
    print_diagnostics(options.messages, compilation);
    if (!good) return -1;
    const int program = open(emulator.output.c_str(), O_PATH | O_CLOEXEC);
    if (program < 0)
        commandline::say(fmt::format("anmlc: cannot run `{}`: {}\n", emulator.output, std::strerror(errno)));
    return program;
}

int become_emulator(const CommandLine& line, int program, std::vector<std::string> words)
{
    words.insert(words.begin(), own_name(line.words));
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::signal(SIGXFSZ, SIG_DFL);  // main ignores it
    fexecve(program, arguments.data(), environ);
    commandline::say(
        fmt::format("anmlc: cannot run the emulator: {}; is {} mounted noexec? TMPDIR names another place\n",
                    std::strerror(errno), folder_of_temporaries()));
    return kExitErrors;
}

}  // namespace anml
