#include "experiment/experiment_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "experiment/run_folder.h"

namespace anml {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json manifest_of(const ExperimentRequest& request)
{
    Json factors = Json::array();
    for (const FactorInfo& f : request.info.factors) {
        Json factor = {{"name", f.name}, {"tunable", f.tunable}};
        if (f.levels.empty())
            factor["between"] = {exact_quantity(f.low, f.dim), exact_quantity(f.high, f.dim)};
        else
            factor["levels"] = f.levels;
        factors.push_back(std::move(factor));
    }
    utsname machine{};
    uname(&machine);
    const ExperimentInfo& info = request.info;
    Json json = {
        {"experiment_version", 1},
        {"experiment", request.name},
        {"model", info.model},
        {"factors", factors},
        {"measures", request.measures},
        {"defines", request.defines},
        {"repetitions", info.repetitions},
        {"precision", info.precision ? Json(*info.precision) : Json(nullptr)},
        {"resolution", info.resolution},
        {"batches", info.batches},
        {"stop", info.stop},
        {"seed", info.seed},
        {"seeds", "repetition i of every combination has the seed `seed` + i - 1"},
        {"mode", info.live ? "live" : "simulated"},
        {"server", info.server.empty() ? Json(nullptr) : Json(info.server)},
        {"anmlc", request.version},
        {"machine", {{"name", machine.nodename}, {"kernel", machine.release}, {"architecture", machine.machine}}}};
    if (info.find_warmup) json["find_warmup"] = true;
    return json;
}

}  // namespace

ExperimentFolder::~ExperimentFolder()
{
    if (lock_ >= 0) close(lock_);
}

std::string ExperimentFolder::take(const std::string& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    lock_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ < 0) return fmt::format("cannot make `{}`: {}", folder, std::strerror(errno));
    // Where the file system has no locks, runs that are handed to others are claimed by themselves.
    if (flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return fmt::format("another anmlc runs an experiment in `{}`", folder);
    return "";
}

std::string ExperimentFolder::begin(const ExperimentRequest& request, const SourceSet& sources)
{
    const std::string& folder = request.folder;
    if (std::string wrong = take(folder); !wrong.empty()) return wrong;
    std::error_code error;
    Json texts = Json::object();
    for (const SourceFile& file : sources.files)
        if (!file.path.starts_with("<std>/") && file.value_of.empty()) texts[file.path] = file.text;
    const Json manifest = manifest_of(request);
    if (const auto before = read_json(folder + "/experiment.json"); before && !request.fresh) {
        Json written = *before;
        written.erase("machine");
        written.erase("found_warmup");
        Json wanted = manifest;
        wanted.erase("machine");
        const auto model = read_json(folder + "/model/sources.json");
        if (written != wanted || !model || *model != texts)
            return fmt::format(
                "`{}` holds runs of another text or experiment: --fresh begins anew, -o chooses another folder",
                folder);
    } else if (fs::exists(folder, error) && !before && !fs::is_empty(folder, error)) {
        return fmt::format("`{}` is there already, and is no folder of an experiment", folder);
    }
    if (request.fresh)
        for (const char* name : {"/runs", "/pilots"}) fs::remove_all(folder + name, error);
    for (const char* name : {"/model", "/emulators", "/runs"}) {
        fs::create_directories(folder + name, error);
        if (error) return fmt::format("cannot make `{}{}`: {}", folder, name, error.message());
    }
    if (!write_json(folder + "/experiment.json", manifest) || !write_json(folder + "/model/sources.json", texts))
        return fmt::format("cannot write in `{}`", folder);
    return "";
}

bool ExperimentFolder::note_warmup(const std::string& folder, const Json& found)
{
    auto manifest = read_json(folder + "/experiment.json");
    if (!manifest || !manifest->is_object()) return false;
    (*manifest)["found_warmup"] = found;
    return write_json(folder + "/experiment.json", *manifest);
}

}  // namespace anml
