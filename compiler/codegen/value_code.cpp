// One instruction for each expression that is not constant, children first; no fast-math flag anywhere.
#include "codegen/value_code.h"

#include <llvm/IR/IRBuilder.h>

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

    llvm::Value* truth(llvm::Value* flag) { return builder_.CreateUIToFP(flag, number_); }
    llvm::Value* is_true(llvm::Value* v) { return builder_.CreateFCmpUNE(v, llvm::ConstantFP::get(number_, 0)); }
    llvm::Value* unary(llvm::Intrinsic::ID id, llvm::Value* a) { return builder_.CreateUnaryIntrinsic(id, a); }

    llvm::Value* compute(const ValueNode& node, llvm::Value* a, llvm::Value* b, llvm::Value* c)
    {
        switch (node.op) {
            case ValueOp::constant:
                return llvm::ConstantFP::get(number_, node.value);
            case ValueOp::tunable:
                return builder_.CreateLoad(number_, place(tunables_, node.a));
            case ValueOp::add:
                return builder_.CreateFAdd(a, b);
            case ValueOp::sub:
                return builder_.CreateFSub(a, b);
            case ValueOp::mul:
                return builder_.CreateFMul(a, b);
            case ValueOp::div:
                return builder_.CreateFDiv(a, b);
            case ValueOp::rem:
                return builder_.CreateFRem(a, b);
            case ValueOp::neg:
                return builder_.CreateFNeg(a);
            case ValueOp::min:  // std::min: the first unless the second is less
                return builder_.CreateSelect(builder_.CreateFCmpOLT(b, a), b, a);
            case ValueOp::max:
                return builder_.CreateSelect(builder_.CreateFCmpOLT(a, b), b, a);
            case ValueOp::floor:
                return unary(llvm::Intrinsic::floor, a);
            case ValueOp::ceil:
                return unary(llvm::Intrinsic::ceil, a);
            case ValueOp::round:
                return unary(llvm::Intrinsic::round, a);
            case ValueOp::lt:
                return truth(builder_.CreateFCmpOLT(a, b));
            case ValueOp::le:
                return truth(builder_.CreateFCmpOLE(a, b));
            case ValueOp::gt:
                return truth(builder_.CreateFCmpOGT(a, b));
            case ValueOp::ge:
                return truth(builder_.CreateFCmpOGE(a, b));
            case ValueOp::eq:
                return truth(builder_.CreateFCmpOEQ(a, b));
            case ValueOp::ne:
                return truth(builder_.CreateFCmpUNE(a, b));
            case ValueOp::and_:
                return truth(builder_.CreateAnd(is_true(a), is_true(b)));
            case ValueOp::or_:
                return truth(builder_.CreateOr(is_true(a), is_true(b)));
            case ValueOp::not_:
                return truth(builder_.CreateNot(is_true(a)));
            case ValueOp::select:
                return builder_.CreateSelect(is_true(a), b, c);
        }
        llvm_unreachable("every operation has a case");
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
