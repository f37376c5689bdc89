// LLVM's own pipeline: the runtime's bitcode was simplified function by function when it was built.
#include "codegen/optimise.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/SCCP.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

namespace anml {
namespace {

// More than the usual 225: the event loop gains more than compiling loses (docs/decisions/0012-specialised-tier.md).
constexpr int kInlineThreshold = 600;

// What the facts rule out goes first, in one cheap turn over all functions: what the inliner and those behind it never
// see costs nothing.
void cut_absent(llvm::ModulePassManager& passes)
{
    passes.addPass(llvm::IPSCCPPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::SimplifyCFGPass()));
    passes.addPass(llvm::GlobalDCEPass());
}

}  // namespace

void optimise(llvm::Module& module, llvm::TargetMachine& machine)
{
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::PipelineTuningOptions tuning;
    tuning.InlinerThreshold = kInlineThreshold;
    // An event loop has nothing to vectorise: the code is the same without looking.
    tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = false;
    llvm::PassBuilder builder(&machine, tuning);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    llvm::ModulePassManager passes;
    cut_absent(passes);
    passes.addPass(builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2));
    passes.run(module, modules);
}

}  // namespace anml
