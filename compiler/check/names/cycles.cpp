// Schemas, profiles, processes and functions that are made of each other for ever, through defaults, values and calls.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "check/names/names.h"

namespace anml {
namespace {

using Uses = std::map<Maker, std::vector<std::pair<Maker, Span>>>;

// What uses nothing, or only such as don't lead to a cycle either: of most programs everything.
std::set<Maker> makers_without_cycles(const Uses& uses)
{
    std::map<Maker, std::size_t> unsettled;  // uses
    std::map<Maker, std::vector<Maker>> users;
    for (const auto& [maker, used] : uses) {
        unsettled[maker] += used.size();
        for (const auto& [other, place] : used) {
            unsettled.try_emplace(other, 0);
            users[other].push_back(maker);
        }
    }
    std::set<Maker> settled;
    std::vector<Maker> todo;
    for (const auto& [maker, count] : unsettled)
        if (count == 0) todo.push_back(maker);
    while (!todo.empty()) {
        const Maker at = todo.back();
        todo.pop_back();
        settled.insert(at);
        for (const Maker& user : users[at])
            if (--unsettled[user] == 0) todo.push_back(user);
    }
    return settled;
}

std::string maker_name(const CheckedProgram& program, const Maker& maker)
{
    if (maker.kind == SymbolKind::process) return program.processes[maker.index].name;
    return maker.kind == SymbolKind::schema     ? program.schemas[maker.index].name
           : maker.kind == SymbolKind::function ? program.functions[maker.index].name
                                                : program.profiles[maker.index].name;
}

}  // namespace

void report_depth(Diagnostics& diagnostics, Span place)
{
    diagnostics.report(Diag::nesting_too_deep, place,
                       fmt::format("declarations are made of each other more than {} deep", kDeepestDeclarations));
}

void find_cycles(Checking& in)
{
    std::map<Maker, Progress> progress;
    std::map<Maker, std::uint32_t> depths;  // of what it is made of
    std::vector<Maker> path;
    // Each is entered once.
    const auto visit = [&](const auto& self, const Maker& maker) -> void {
        progress[maker] = Progress::active;
        path.push_back(maker);
        std::uint32_t depth = 0;
        for (const auto& [used, place] : in.uses[maker]) {
            if (progress[used] == Progress::untouched && path.size() < kDeepestDeclarations) self(self, used);
            const Progress seen = progress[used];
            depth = std::max(depth, depths[used] + 1);
            if (seen == Progress::untouched || depth >= kDeepestDeclarations) {
                report_depth(in.diagnostics, place);
                depth = 0;
            }
            if (seen == Progress::active) {
                std::string cycle;
                bool in_cycle = false, of_functions = true;
                for (const Maker& m : path) {
                    in_cycle = in_cycle || m == used;
                    if (!in_cycle) continue;
                    cycle += fmt::format("`{}` -> ", maker_name(in.program, m));
                    of_functions = of_functions && m.kind == SymbolKind::function;
                }
                if (of_functions) continue;  // ends where their conditions say, or at the deepest call
                in.report(Diag::recursive_declaration, place,
                          fmt::format("`{}` is made of itself: {}`{}`", maker_name(in.program, used), cycle,
                                      maker_name(in.program, used)));
            }
        }
        path.pop_back();
        depths[maker] = depth;
        progress[maker] = Progress::done;
    };
    std::vector<Maker> makers;
    for (const auto& [maker, used] : in.uses) makers.push_back(maker);
    for (const Maker& maker : makers)
        if (progress[maker] == Progress::untouched) visit(visit, maker);
}

void find_recursive_functions(Checking& in)
{
    const std::set<Maker> straight = makers_without_cycles(in.uses);
    for (std::uint32_t start = 0; start < in.program.functions.size(); ++start) {
        const Maker self{SymbolKind::function, start};
        if (straight.contains(self)) continue;
        std::set<Maker> seen;
        std::vector<Maker> todo{self};
        while (!todo.empty() && !seen.contains(self)) {
            const Maker at = todo.back();
            todo.pop_back();
            for (const auto& [used, place] : in.uses[at])
                if (seen.insert(used).second) todo.push_back(used);
        }
        Function& function = in.program.functions[start];
        function.recursive = seen.contains(self);
        if (function.recursive && function.asks_paths && !in.declared_as.contains(start))
            in.report(Diag::misplaced_path_function, function.span,
                      fmt::format("`{}` calls itself, and cannot ask for paths", function.name));
    }
}

}  // namespace anml
