// A function for each sampler, which walks its tree. A branch of an `if` draws only where it is taken.
#include "codegen/sampler_code.h"

#include <llvm/IR/IRBuilder.h>

#include "codegen/operation_code.h"
#include "common/sampling.h"

namespace anml {
namespace {

class SamplerGenerator {
  public:
    SamplerGenerator(llvm::Module& module, const Plan& plan)
        : module_(module), plan_(plan), builder_(module.getContext()), number_(builder_.getDoubleTy())
    {
    }

    llvm::Constant* run()
    {
        llvm::PointerType* pointer = builder_.getPtrTy();
        if (plan_.samplers.empty()) return llvm::ConstantPointerNull::get(pointer);
        for (const EmpiricalTable& table : plan_.samples) tables_.push_back(table_of(table));
        std::vector<llvm::Constant*> functions;
        for (const SampleTree& tree : plan_.samplers) functions.push_back(function(tree));
        llvm::Constant* list =
            llvm::ConstantArray::get(llvm::ArrayType::get(pointer, functions.size()), std::move(functions));
        return new llvm::GlobalVariable(module_, list->getType(), true, llvm::GlobalValue::InternalLinkage, list,
                                        "anml_samplers");
    }

  private:
    // The cumulated weights, then the values.
    llvm::Constant* table_of(const EmpiricalTable& table)
    {
        std::vector<double> numbers = table.cumulated;
        numbers.insert(numbers.end(), table.values.begin(), table.values.end());
        llvm::Constant* content = llvm::ConstantDataArray::get(module_.getContext(), numbers);
        return new llvm::GlobalVariable(module_, content->getType(), true, llvm::GlobalValue::InternalLinkage, content,
                                        "anml_samples");
    }

    llvm::Function* function(const SampleTree& tree)
    {
        llvm::Type* pointer = builder_.getPtrTy();
        auto* type = llvm::FunctionType::get(number_, {pointer, pointer, pointer}, false);
        function_ = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "anml_sampler", module_);
        function_->addFnAttr(llvm::Attribute::NoUnwind);
        draws_ = function_->getArg(0);
        values_ = function_->getArg(1);
        state_ = function_->getArg(2);
        draws_->setName("draws");
        values_->setName("values");
        state_->setName("state");
        builder_.SetInsertPoint(block("entry"));
        tree_ = &tree;
        builder_.CreateRet(draw(tree.root));
        return function_;
    }

    llvm::BasicBlock* block(const char* name)
    {
        return llvm::BasicBlock::Create(module_.getContext(), name, function_);
    }

    llvm::Value* call(const char* name, std::initializer_list<llvm::Value*> arguments)
    {
        std::vector<llvm::Type*> types;
        for (llvm::Value* argument : arguments) types.push_back(argument->getType());
        const auto callee = module_.getOrInsertFunction(name, llvm::FunctionType::get(number_, types, false));
        return builder_.CreateCall(callee, std::vector<llvm::Value*>(arguments));
    }

    llvm::Value* word(std::uint32_t index) { return builder_.CreateConstInBoundsGEP1_64(number_, state_, index); }

    llvm::Value* draw(std::uint32_t id)
    {
        const SampleNode& node = tree_->nodes[id];
        switch (node.op) {
            case ValueOp::constant:
                return llvm::ConstantFP::get(number_, node.value);
            case ValueOp::tunable:
                return builder_.CreateLoad(number_, builder_.CreateConstInBoundsGEP1_64(number_, values_, node.a));
            case ValueOp::unit:
                return call("anml_unit", {draws_});
            case ValueOp::empirical:
                return call(plan_.samples[node.a].linear ? "anml_cumulative" : "anml_empirical",
                            {draws_, tables_[node.a], builder_.getInt64(plan_.samples[node.a].values.size())});
            case ValueOp::state:
                return builder_.CreateLoad(number_, word(node.a));
            case ValueOp::select:
                return select(node);
            case ValueOp::truncate:
                return truncate(node);
            case ValueOp::process:
                return process(node);
            default:
                break;
        }
        const int operands = operand_count(node.op);
        llvm::Value* a = draw(node.a);
        llvm::Value* b = operands > 1 ? draw(node.b) : nullptr;
        switch (node.op) {
            case ValueOp::normal:
                return call("anml_normal", {a});
            case ValueOp::zipf:
                return call("anml_zipf", {draws_, a, b});
            default:
                return generate_operation(builder_, node.op, a, b, nullptr);
        }
    }

    llvm::Value* select(const SampleNode& node)
    {
        llvm::Value* condition = is_true(builder_, draw(node.a));
        llvm::BasicBlock *then = block("then"), *otherwise = block("else"), *end = block("end");
        builder_.CreateCondBr(condition, then, otherwise);
        builder_.SetInsertPoint(then);
        llvm::Value* a = draw(node.b);
        llvm::BasicBlock* then_end = builder_.GetInsertBlock();
        builder_.CreateBr(end);
        builder_.SetInsertPoint(otherwise);
        llvm::Value* b = draw(node.c);
        llvm::BasicBlock* otherwise_end = builder_.GetInsertBlock();
        builder_.CreateBr(end);
        builder_.SetInsertPoint(end);
        llvm::PHINode* result = builder_.CreatePHI(number_, 2);
        result->addIncoming(a, then_end);
        result->addIncoming(b, otherwise_end);
        return result;
    }

    // Draws until a sample is within the bounds, but not for ever.
    llvm::Value* truncate(const SampleNode& node)
    {
        llvm::Value *low = draw(node.b), *high = draw(node.c);
        llvm::BasicBlock *before = builder_.GetInsertBlock(), *again = block("again"), *outside = block("outside"),
                         *nearest = block("nearest"), *end = block("end");
        builder_.CreateBr(again);
        builder_.SetInsertPoint(again);
        llvm::PHINode* tries = builder_.CreatePHI(builder_.getInt32Ty(), 2);
        tries->addIncoming(builder_.getInt32(1), before);
        llvm::Value* sample = draw(node.a);
        llvm::Value* within =
            builder_.CreateAnd(builder_.CreateFCmpOGE(sample, low), builder_.CreateFCmpOLE(sample, high));
        llvm::BasicBlock* drawn = builder_.GetInsertBlock();
        builder_.CreateCondBr(within, end, outside);
        builder_.SetInsertPoint(outside);
        tries->addIncoming(builder_.CreateAdd(tries, builder_.getInt32(1)), outside);
        builder_.CreateCondBr(builder_.CreateICmpULT(tries, builder_.getInt32(rt::kTruncatedDraws)), again, nearest);
        builder_.SetInsertPoint(nearest);
        llvm::Value* bound = builder_.CreateSelect(builder_.CreateFCmpOLT(sample, low), low, high);
        builder_.CreateBr(end);
        builder_.SetInsertPoint(end);
        llvm::PHINode* result = builder_.CreatePHI(number_, 2);
        result->addIncoming(sample, drawn);
        result->addIncoming(bound, nearest);
        return result;
    }

    llvm::Value* process(const SampleNode& node)
    {
        const SampleTree::Process& process = tree_->processes[node.b];
        llvm::Value* began = builder_.CreateLoad(number_, word(process.first_word));
        llvm::BasicBlock *first = block("first"), *then = block("then");
        builder_.CreateCondBr(is_true(builder_, began), then, first);
        builder_.SetInsertPoint(first);
        std::uint32_t at = process.first_word;
        for (const std::uint32_t initial : process.initial) builder_.CreateStore(draw(initial), word(++at));
        builder_.CreateStore(llvm::ConstantFP::get(number_, 1), word(process.first_word));
        builder_.CreateBr(then);
        builder_.SetInsertPoint(then);
        llvm::Value* yielded = draw(node.a);
        std::vector<llvm::Value*> next;
        for (const std::uint32_t id : process.next) next.push_back(draw(id));
        at = process.first_word;
        for (llvm::Value* value : next) builder_.CreateStore(value, word(++at));
        return yielded;
    }

    llvm::Module& module_;
    const Plan& plan_;
    llvm::IRBuilder<> builder_;
    llvm::Type* number_;
    std::vector<llvm::Constant*> tables_;
    const SampleTree* tree_ = nullptr;
    llvm::Function* function_ = nullptr;
    llvm::Value *draws_ = nullptr, *values_ = nullptr, *state_ = nullptr;
};

}  // namespace

llvm::Constant* generate_samplers(llvm::Module& module, const Plan& plan)
{
    return SamplerGenerator(module, plan).run();
}

}  // namespace anml
