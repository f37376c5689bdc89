// The bitcode was linked and made internal when the runtime was built; only what the emulator enters it by is visible.
#include "codegen/runtime_code.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

namespace anml {

std::string link_runtime_code(llvm::Module& module, const std::string& path)
{
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer) return fmt::format("cannot read {}: {}", path, buffer.getError().message());
    auto code = llvm::parseBitcodeFile(**buffer, module.getContext());
    if (!code) return fmt::format("{}: {}", path, llvm::toString(code.takeError()));
    (*code)->setTargetTriple(module.getTargetTriple());
    if (llvm::Linker::linkModules(module, std::move(*code))) return fmt::format("cannot link {}", path);
    module.getNamedGlobal("anml_facts")->setLinkage(llvm::GlobalValue::InternalLinkage);
    return "";
}

}  // namespace anml
