// Which of the partition's tasks run as one: an emulator needs no more tasks than threads, and every boundary costs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abi/image.h"
#include "net/model.h"

namespace anml::rt {

// By task of a partition into `tasks`, whose rows are given: the number, below `count`, of the joined task that it
// belongs to. Tasks are numbered in the order of the model's text, so that neighbours have adjacent numbers: runs of
// these are joined, of about equal weight and none empty. `count` is 1 .. `tasks`.
std::vector<std::uint32_t> join_tasks(std::span<const abi::TaskRow> rows, std::uint32_t tasks, std::uint32_t count);

// The joined tasks of a run, and which of them this process has: neighbours. Where there are fewer tasks than processes
// some have one that no node belongs to, numbered behind all others.
struct Division {
    Division(const Model& model, std::uint32_t tasks_each, std::uint32_t rank, std::uint32_t ranks);

    std::uint32_t count;                 // in all processes
    std::vector<std::uint32_t> joined;   // by task of the partition: its number
    std::vector<std::uint32_t> rank_of;  // by number: the process that has it
    std::uint32_t first, own;            // of this one
};

}  // namespace anml::rt
