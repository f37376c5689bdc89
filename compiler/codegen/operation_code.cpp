// No fast-math flag anywhere.
#include "codegen/operation_code.h"

#include <llvm/IR/Module.h>

namespace anml {

llvm::Value* is_true(llvm::IRBuilder<>& builder, llvm::Value* value)
{
    return builder.CreateFCmpUNE(value, llvm::ConstantFP::get(builder.getDoubleTy(), 0));
}

llvm::Value* generate_operation(llvm::IRBuilder<>& builder, ValueOp op, llvm::Value* a, llvm::Value* b, llvm::Value* c)
{
    const auto truth = [&](llvm::Value* flag) { return builder.CreateUIToFP(flag, builder.getDoubleTy()); };
    const auto unary = [&](llvm::Intrinsic::ID id) { return builder.CreateUnaryIntrinsic(id, a); };
    const auto call = [&](const char* name) {
        const bool two = operand_count(op) == 2;
        llvm::Type* number = builder.getDoubleTy();
        const std::vector<llvm::Type*> types(two ? 2 : 1, number);
        const auto callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
            name, llvm::FunctionType::get(number, types, false));
        return builder.CreateCall(callee, two ? std::vector<llvm::Value*>{a, b} : std::vector<llvm::Value*>{a});
    };
    switch (op) {
        case ValueOp::add:
            return builder.CreateFAdd(a, b);
        case ValueOp::sub:
            return builder.CreateFSub(a, b);
        case ValueOp::mul:
            return builder.CreateFMul(a, b);
        case ValueOp::div:
            return builder.CreateFDiv(a, b);
        case ValueOp::rem:
            return builder.CreateFRem(a, b);
        case ValueOp::neg:
            return builder.CreateFNeg(a);
        case ValueOp::min:  // std::min: the first unless the second is less
            return builder.CreateSelect(builder.CreateFCmpOLT(b, a), b, a);
        case ValueOp::max:
            return builder.CreateSelect(builder.CreateFCmpOLT(a, b), b, a);
        case ValueOp::floor:
            return unary(llvm::Intrinsic::floor);
        case ValueOp::ceil:
            return unary(llvm::Intrinsic::ceil);
        case ValueOp::round:
            return unary(llvm::Intrinsic::round);
        case ValueOp::abs:
            return unary(llvm::Intrinsic::fabs);
        case ValueOp::sqrt:
            return unary(llvm::Intrinsic::sqrt);
        case ValueOp::log:
            return call("anml_log");
        case ValueOp::exp:
            return call("anml_exp");
        case ValueOp::pow:
            return call("anml_pow");
        case ValueOp::power:
            return call("anml_power");
        case ValueOp::sin:
            return call("anml_sin");
        case ValueOp::cos:
            return call("anml_cos");
        case ValueOp::lt:
            return truth(builder.CreateFCmpOLT(a, b));
        case ValueOp::le:
            return truth(builder.CreateFCmpOLE(a, b));
        case ValueOp::gt:
            return truth(builder.CreateFCmpOGT(a, b));
        case ValueOp::ge:
            return truth(builder.CreateFCmpOGE(a, b));
        case ValueOp::eq:
            return truth(builder.CreateFCmpOEQ(a, b));
        case ValueOp::ne:
            return truth(builder.CreateFCmpUNE(a, b));
        case ValueOp::and_:
            return truth(builder.CreateAnd(is_true(builder, a), is_true(builder, b)));
        case ValueOp::or_:
            return truth(builder.CreateOr(is_true(builder, a), is_true(builder, b)));
        case ValueOp::not_:
            return truth(builder.CreateNot(is_true(builder, a)));
        case ValueOp::select:
            return builder.CreateSelect(is_true(builder, a), b, c);
        default:
            llvm_unreachable("leaves and draws have code of their own");
    }
}

}  // namespace anml
