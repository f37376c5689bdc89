// An array job of Slurm's, and the record of those that an experiment's folder has: launch/slurm.json.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiment/launch/slurm_tasks.h"

namespace anml {

// Each task does so many of the runs that are named.
struct Submission {
    std::string number;  // of the submission: its files are launch/NUMBER.*
    std::size_t each = 1;
    std::string job;  // "12", or "12;cluster"; "": whether Slurm has it is not known
    std::vector<std::string> names;
    std::map<std::string, std::size_t> places;  // of names
    SlurmTasks tasks;                           // as Slurm said last
    bool over = false;                          // nothing more is to be known of it
    double unheard_since = 0;                   // s; 0: Slurm has answered
    std::string refusal;                        // what was said instead of an answer

    void add(std::string name)
    {
        places.emplace(name, names.size());
        names.push_back(std::move(name));
    }
    std::string id() const { return job.substr(0, job.find(';')); }
    std::size_t count() const { return (names.size() + each - 1) / each; }  // of tasks
    std::size_t task_of(std::size_t place) const { return place / each + 1; }
    const SlurmTask* task(std::size_t index) const;  // null: Slurm has none such
    bool may_live() const;                           // as Slurm said last; true where it does not answer
    std::vector<std::string> command(const char* tool) const;
};

std::vector<std::string> lines_of(const std::string& text);  // without empty ones
bool is_job(const std::string& text);                        // "12", or "12;cluster"

// Adds those of the record `path` that are not known yet, also of other processes.
void read_submissions(const std::string& path, std::vector<Submission>& into);
// Without those that are over. "": written; else why not.
std::string write_submissions(const std::string& path, const std::vector<Submission>& submissions);

}  // namespace anml
