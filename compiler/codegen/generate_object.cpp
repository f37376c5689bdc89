// From the plan to a module, and from the module to an object file for this machine's baseline or a given processor.
#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <memory>

#include "codegen/codegen.h"
#include "codegen/image_data.h"
#include "codegen/model_facts.h"
#include "codegen/optimise.h"
#include "codegen/sampler_code.h"
#include "codegen/value_code.h"

namespace anml {
namespace {

// Links the bitcode at `path` into the module. Returns what is wrong, or "". It was linked and made internal when the
// runtime was built; only what the emulator enters it by is visible.
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

// The target and the module, or null: an error was reported.
struct Generated {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::TargetMachine> machine;
    std::unique_ptr<llvm::Module> module;
    std::vector<LargeTable> tables;  // apart from the module
};

std::unique_ptr<llvm::TargetMachine> make_machine(const CodegenOptions& wanted, std::string& error)
{
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    const std::string triple = llvm::sys::getProcessTriple();
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (target == nullptr) return nullptr;
    // The baseline of the architecture, not of this machine: an emulator may be taken elsewhere.
    const char* cpu = llvm::Triple(triple).getArch() == llvm::Triple::x86_64 ? "x86-64" : "generic";
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
    options.FunctionSections = options.DataSections = true;  // the linker drops what nobody refers to
    const auto effort = wanted.level == OptLevel::O0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
    return std::unique_ptr<llvm::TargetMachine>(
        target->createTargetMachine(triple, cpu, "", options, llvm::Reloc::PIC_, std::nullopt, effort));
}

// Fills in the module; returns what is wrong, or "".
std::string fill(Generated& result, const Plan& plan, const CodegenOptions& options)
{
    std::string error;
    result.machine = make_machine(options, error);
    if (result.machine == nullptr) return error;
    result.module = std::make_unique<llvm::Module>(plan.strings.c_str() + plan.header.model_name, result.context);
    llvm::Module& module = *result.module;
    module.setSourceFileName(plan.strings.c_str() + plan.header.source_file);
    module.setTargetTriple(result.machine->getTargetTriple().str());
    module.setDataLayout(result.machine->createDataLayout());
    module.setPICLevel(llvm::PICLevel::BigPIC);
    generate_image(module, plan, generate_bind(module, plan), generate_samplers(module, plan),
                   options.placement == TablePlacement::apart ? &result.tables : nullptr);
    refer_to_needs(module, plan);
    if (!options.runtime.empty()) {
        generate_facts(module, plan);
        error = link_runtime_code(module, options.runtime);
        if (!error.empty()) return error;
    }
    llvm::raw_string_ostream out(error);
    if (llvm::verifyModule(module, &out)) return error;
    if (options.level == OptLevel::O2) optimise(module, *result.machine);
    return "";
}

std::unique_ptr<Generated> generate(const Plan& plan, const CodegenOptions& options, Diagnostics& diagnostics)
{
    auto result = std::make_unique<Generated>();
    const std::string error = fill(*result, plan, options);
    if (error.empty()) return result;
    diagnostics.report(Diag::codegen_failed, {}, "cannot generate code for this machine").note(error);
    return nullptr;
}

std::optional<std::string> machine_code(Generated& generated, llvm::CodeGenFileType type, Diagnostics& diagnostics)
{
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream out(bytes);
    llvm::legacy::PassManager emission;
    if (generated.machine->addPassesToEmitFile(emission, out, nullptr, type)) {
        diagnostics.report(Diag::codegen_failed, {}, "cannot write code for this machine");
        return std::nullopt;
    }
    emission.run(*generated.module);
    return std::string(bytes.begin(), bytes.end());
}

}  // namespace

std::optional<ObjectFile> generate_object(const Plan& plan, const CodegenOptions& options, Diagnostics& diagnostics)
{
    const std::unique_ptr<Generated> generated = generate(plan, options, diagnostics);
    if (!generated) return std::nullopt;
    auto bytes = machine_code(*generated, llvm::CodeGenFileType::ObjectFile, diagnostics);
    if (!bytes) return std::nullopt;
    return ObjectFile{std::move(*bytes), std::move(generated->tables), speaks_tls(plan),
                      checks_content(plan) || plan.requests_hash};
}

std::optional<std::string> dump_assembly(const Plan& plan, const CodegenOptions& options, Diagnostics& diagnostics)
{
    const std::unique_ptr<Generated> generated = generate(plan, options, diagnostics);
    if (!generated) return std::nullopt;
    return machine_code(*generated, llvm::CodeGenFileType::AssemblyFile, diagnostics);
}

std::optional<std::string> dump_llvm(const Plan& plan, const CodegenOptions& options, Diagnostics& diagnostics)
{
    const std::unique_ptr<Generated> generated = generate(plan, options, diagnostics);
    if (!generated) return std::nullopt;
    std::string text;
    llvm::raw_string_ostream out(text);
    generated->module->print(out, nullptr);
    return text;
}

}  // namespace anml
