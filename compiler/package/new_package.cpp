#include "package/new_package.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "commandline/signal_hold.h"
#include "commandline/whole_file.h"
#include "package/manifest.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

// NAME stands for the package's name.
constexpr std::pair<std::string_view, std::string_view> kFiles[] = {
    {"anml.toml", R"([package]
name = "NAME"
version = "0.1.0"
description = "Offices with their networks"
# license = "MIT"

[dependencies]
)"},
    {".gitignore", "/.anml/\n*.runs/\n/report.xml\n"},
    {"README.md", R"(# NAME

Offices with their networks, as components for models.

    import NAME

    NAME.Office office(staff = 12)

The module is [NAME](src/NAME.anml); a model that uses it is [head_office](examples/head_office.anml).

`anmlc test` tests it, `anmlc doc` makes its pages.
)"},
    {"src/NAME.anml", R"(/// Offices with their networks.
edition 1

import std.ether

/// Desks on a switch, and a router that leads out.
///
/// Usage: `NAME.Office office(staff = 4)`
pub component Office(staff: int in 1 .. 200 = 4) {
  router gateway  // towards the world
  switch floor
  host   desk[staff]
  link lan:    desk[*] -- floor : ether.gigabit
  link uplink: floor -- gateway : ether.gigabit
  port desks = desk[*]
  require hops(desk[0], gateway) == 2
}
)"},
    {"examples/head_office.anml", R"(/// An office that reads a web site through a line of 50 Mbps.
edition 1

import NAME
import std.web

model HeadOffice(staff: int in 1 .. 200 = 8, line: rate = 50 Mbps) {
  NAME.Office office(staff = staff)

  endpoint site { simulated = web.server() }
  link wan: office.gateway -- site { rate = line, delay = 8 ms }
  workload browse : web.OpenLoop on office.desk[*] {
    server = site, documents = web.fixed(20 KB), interval = exponential(1 s)
  }
  require p95(browse) < 100 ms
  run { duration = 30 s, warmup = 2 s }
}
)"},
    {"tests/office.anml", R"(/// Each model here is a test: it is built and run, and what it requires has to hold.
edition 1

import NAME
import std.traffic

/// The compiler knows paths without running anything.
model Paths {
  NAME.Office office(staff = 3)
  require reachable(office.desk[0], office.desk[2])
  require hops(office.desk[0], office.desk[2]) == 2
  require bottleneck(office.desk[0], office.gateway) == 1 Gbps
  run { duration = 1 ms }
}

/// What is measured is known when the run ends.
model Pings {
  NAME.Office office
  workload ping : traffic.Ping on office.desk[*] { to = office.gateway, interval = 10 ms }
  require failed(ping) == 0
  require max_time(ping) < 1 ms else "slow inside of one building"
  run { duration = 1 s }
}
)"},
    {"tests/no_staff.anml", R"(/// An office without anybody is a mistake, and this is the error that is expected.
edition 1

import NAME

model NoStaff {
  NAME.Office office(staff = 0)  // expect: error(out-of-range)
  run { duration = 1 ms }
}
)"},
};

std::string with_name(std::string_view text, std::string_view name)
{
    std::string out(text);
    for (std::size_t at = 0; (at = out.find("NAME", at)) != out.npos; at += name.size()) out.replace(at, 4, name);
    return out;
}

}  // namespace

bool new_package(const std::string& folder, const std::string& name, std::vector<std::string>& made,
                 Diagnostics& diagnostics)
{
    const commandline::SignalHold hold;  // an interrupt leaves all of it or nothing
    std::vector<std::pair<std::string, std::string>> files;
    std::error_code error;
    for (const auto& [path, text] : kFiles)
        files.emplace_back(in_folder(folder, with_name(path, name)), with_name(text, name));
    for (const auto& [path, text] : files) {
        if (!fs::exists(fs::symlink_status(path, error))) continue;
        diagnostics.report(Diag::cannot_write_output, {},
                           fmt::format("`{}` is there already, and is not replaced", path));
        return false;
    }
    std::vector<fs::path> folders;  // that were made
    for (const auto& [path, text] : files) {
        std::vector<fs::path> missing;
        for (fs::path at = fs::path(path).parent_path(); !at.empty() && !fs::exists(at, error); at = at.parent_path())
            missing.push_back(at);
        error.clear();
        while (!error && !missing.empty()) {
            if (fs::create_directory(missing.back(), error)) folders.push_back(missing.back());
            missing.pop_back();
        }
        if (!error && commandline::write_whole(path, text)) {
            made.push_back(path);
            continue;
        }
        const std::string why = error ? error.message() : std::strerror(errno);
        diagnostics.report(Diag::cannot_write_output, {}, fmt::format("cannot write `{}`: {}", path, why));
        for (const std::string& done : made) fs::remove(done, error);
        for (auto at = folders.rbegin(); at != folders.rend(); ++at) fs::remove(*at, error);
        made.clear();
        return false;
    }
    return true;
}

}  // namespace anml
