// From the plan to a module, and from the module to an object file for this machine's baseline.
#include <fmt/format.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <memory>

#include "codegen/codegen.h"
#include "codegen/image_data.h"
#include "codegen/value_code.h"

namespace anml {
namespace {

// The target and the module, or an error text.
struct Generated {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::TargetMachine> machine;
    std::unique_ptr<llvm::Module> module;
    std::vector<LargeTable> tables;  // apart from the module
    std::string error;
};

std::unique_ptr<llvm::TargetMachine> make_machine(OptLevel level, std::string& error)
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
    const auto effort = level == OptLevel::O0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
    return std::unique_ptr<llvm::TargetMachine>(
        target->createTargetMachine(triple, cpu, "", options, llvm::Reloc::PIC_, std::nullopt, effort));
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine)
{
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder(&machine);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

std::unique_ptr<Generated> generate(const Plan& plan, OptLevel level, TablePlacement placement)
{
    auto result = std::make_unique<Generated>();
    result->machine = make_machine(level, result->error);
    if (result->machine == nullptr) return result;
    result->module = std::make_unique<llvm::Module>(plan.strings.c_str() + plan.header.model_name, result->context);
    llvm::Module& module = *result->module;
    module.setSourceFileName(plan.strings.c_str() + plan.header.source_file);
    module.setTargetTriple(result->machine->getTargetTriple().str());
    module.setDataLayout(result->machine->createDataLayout());
    module.setPICLevel(llvm::PICLevel::BigPIC);
    generate_image(module, plan, generate_bind(module, plan),
                   placement == TablePlacement::apart ? &result->tables : nullptr);
    llvm::raw_string_ostream out(result->error);
    if (llvm::verifyModule(module, &out)) return result;
    if (level == OptLevel::O2) optimise(module, *result->machine);
    return result;
}

}  // namespace

std::optional<ObjectFile> generate_object(const Plan& plan, OptLevel level, TablePlacement placement,
                                          Diagnostics& diagnostics)
{
    const std::unique_ptr<Generated> generated = generate(plan, level, placement);
    if (!generated->error.empty()) {
        diagnostics.report(Diag::codegen_failed, {}, "cannot generate code for this machine").note(generated->error);
        return std::nullopt;
    }
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream out(bytes);
    llvm::legacy::PassManager emission;
    if (generated->machine->addPassesToEmitFile(emission, out, nullptr, llvm::CodeGenFileType::ObjectFile)) {
        diagnostics.report(Diag::codegen_failed, {}, "cannot write object files for this machine");
        return std::nullopt;
    }
    emission.run(*generated->module);
    return ObjectFile{std::string(bytes.begin(), bytes.end()), std::move(generated->tables)};
}

std::string dump_llvm(const Plan& plan, OptLevel level)
{
    const std::unique_ptr<Generated> generated = generate(plan, level, TablePlacement::apart);
    if (!generated->error.empty()) return fmt::format("; {}\n", generated->error);
    std::string text;
    llvm::raw_string_ostream out(text);
    generated->module->print(out, nullptr);
    return text;
}

}  // namespace anml
