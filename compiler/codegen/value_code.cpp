// One instruction for each expression that is not constant, children first.
#include "codegen/value_code.h"

#include <llvm/IR/IRBuilder.h>

#include "codegen/operation_code.h"

namespace anml {
namespace {

class BindGenerator {
  public:
    BindGenerator(llvm::Module& module, const Plan& plan)
        : module_(module), plan_(plan), builder_(module.getContext()), number_(builder_.getDoubleTy())
    {
    }

    llvm::Function* run()
    {
        llvm::Type* pointer = builder_.getPtrTy();
        auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer, pointer}, false);
        auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "anml_bind", module_);
        function->addFnAttr(llvm::Attribute::NoUnwind);
        function->getArg(0)->setName("tunables");
        function->getArg(0)->addAttr(llvm::Attribute::ReadOnly);
        function->getArg(1)->setName("values");
        for (unsigned i = 0; i < 2; ++i) function->getArg(i)->addAttr(llvm::Attribute::NoAlias);
        builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", function));
        tunables_ = function->getArg(0);

        std::vector<llvm::Value*> computed;
        for (const ValueNode& node : plan_.expressions.nodes()) {
            const auto operand = [&](ValueExprId id, int index) -> llvm::Value* {
                return index < operand_count(node.op) ? computed[id] : nullptr;
            };
            computed.push_back(compute(node, operand(node.a, 0), operand(node.b, 1), operand(node.c, 2)));
        }
        store(computed, function->getArg(1));
        builder_.CreateRetVoid();
        return function;
    }

  private:
    llvm::Value* place(llvm::Value* base, std::size_t index)
    {
        return index == 0 ? base : builder_.CreateConstInBoundsGEP1_64(number_, base, index);
    }
    // Constants are copied as a whole: a model may have many thousands, and LLVM's time for as many stores grows with
    // their square.
    void store(const std::vector<llvm::Value*>& computed, llvm::Value* values)
    {
        std::vector<double> constants;
        for (const ValueExprId id : plan_.values) constants.push_back(plan_.expressions.as_constant(id).value_or(0));
        if (constants.empty()) return;
        llvm::Constant* content = llvm::ConstantDataArray::get(module_.getContext(), constants);
        auto* variable = new llvm::GlobalVariable(module_, content->getType(), true, llvm::GlobalValue::InternalLinkage,
                                                  content, "anml_constants");
        const llvm::Align alignment(alignof(double));
        variable->setAlignment(alignment);
        builder_.CreateMemCpy(values, alignment, variable, alignment, constants.size() * sizeof(double));
        for (std::size_t i = 0; i < plan_.values.size(); ++i) {
            if (!plan_.expressions.as_constant(plan_.values[i]))
                builder_.CreateStore(computed[plan_.values[i]], place(values, i));
        }
    }

    llvm::Value* compute(const ValueNode& node, llvm::Value* a, llvm::Value* b, llvm::Value* c)
    {
        if (node.op == ValueOp::constant) return llvm::ConstantFP::get(number_, node.value);
        if (node.op == ValueOp::tunable) return builder_.CreateLoad(number_, place(tunables_, node.a));
        return generate_operation(builder_, node.op, a, b, c);
    }

    llvm::Module& module_;
    const Plan& plan_;
    llvm::IRBuilder<> builder_;
    llvm::Type* number_;
    llvm::Value* tunables_ = nullptr;
};

}  // namespace

llvm::Function* generate_bind(llvm::Module& module, const Plan& plan) { return BindGenerator(module, plan).run(); }

}  // namespace anml
