// Which file the entries of a long list belong to, where those of one file stand together.
#pragma once

#include <algorithm>
#include <vector>

#include "base/ids.h"

namespace anml {

class FileRuns {
  public:
    FileId at(std::size_t index) const
    {
        // A long list is that of one long file, the main one, which comes first.
        if (runs_.size() == 1 || index < runs_[1].first) return runs_[0].file;
        const auto next = std::upper_bound(runs_.begin(), runs_.end(), index,
                                           [](std::size_t at, const Run& run) { return at < run.first; });
        return (next - 1)->file;
    }
    void add(std::size_t index, FileId file)  // the entry behind the last one
    {
        if (runs_.empty() || runs_.back().file != file) runs_.push_back({index, file});
    }

  private:
    struct Run {
        std::size_t first;
        FileId file;
    };
    std::vector<Run> runs_;
};

}  // namespace anml
