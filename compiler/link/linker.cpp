#include "link/linker.h"

#include <lld/Common/Driver.h>
#include <llvm/Support/raw_ostream.h>

LLD_HAS_DRIVER(elf)

namespace anml {

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

}  // namespace anml
