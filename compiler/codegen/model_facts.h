// What holds for all of a model: constants of the code that is compiled with it.
#pragma once

#include <llvm/IR/Module.h>

#include "plan/plan.h"
#include "runtime/abi/facts.h"

namespace anml {

bool speaks_tls(const Plan& plan);      // a workload or a server of it
bool checks_content(const Plan& plan);  // a workload of it does, or may
abi::Facts facts_of(const Plan& plan);

// Defines `anml_facts`.
void generate_facts(llvm::Module& module, const Plan& plan);

// Refers to what of the runtime is only linked with models that need it.
void refer_to_needs(llvm::Module& module, const Plan& plan);

}  // namespace anml
