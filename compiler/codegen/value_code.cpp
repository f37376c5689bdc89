// One instruction for each expression that is not constant, children first. Where there are many, in several functions,
// which hand what they share on in places behind the plan's values.
#include "codegen/value_code.h"

#include <llvm/IR/IRBuilder.h>

#include "base/values/value_walk.h"
#include "codegen/operation_code.h"

namespace anml {
namespace {

// LLVM's time for one function grows with the square of its length: so many operations are in one.
constexpr std::uint32_t kTogether = 1000;

class BindGenerator {
  public:
    BindGenerator(llvm::Module& module, const Plan& plan)
        : module_(module),
          plan_(plan),
          nodes_(plan.expressions.nodes()),
          builder_(module.getContext()),
          number_(builder_.getDoubleTy()),
          part_(nodes_.size(), abi::kNone),
          place_(nodes_.size(), abi::kNone),
          known_(nodes_.size())
    {
    }

    Bind run()
    {
        divide();
        llvm::Function* function = begin("anml_bind");
        copy_constants();
        for (ValueExprId id = 0; id < nodes_.size(); ++id)
            if (nodes_[id].op == ValueOp::tunable && place_[id] != abi::kNone) store(id, value_of(id));
        llvm::Function* within = function;
        for (ValueExprId id = 0; id < nodes_.size(); ++id) {
            if (part_[id] == abi::kNone) continue;
            if (parts_ > 1 && part_[id] != current_) within = begin_part(*function, within);
            current_ = part_[id];
            llvm::Value* computed = compute(id);
            known_[id] = {computed, current_};
            if (place_[id] != abi::kNone) store(id, computed);
        }
        if (within != function) builder_.CreateRetVoid();
        builder_.SetInsertPoint(&function->getEntryBlock());
        builder_.CreateRetVoid();
        return {function, value_count_};
    }

  private:
    static constexpr std::uint32_t kNoPart = abi::kNone - 1;

    // Operations to parts, in order; a place among the values for what is one, and for what another part reads.
    void divide()
    {
        std::uint32_t operations = 0;
        for (ValueExprId id = 0; id < nodes_.size(); ++id)
            if (nodes_[id].op != ValueOp::constant && nodes_[id].op != ValueOp::tunable)
                part_[id] = operations++ / kTogether;
        parts_ = (operations + kTogether - 1) / kTogether;
        if (parts_ == 1) current_ = 0;
        for (std::uint32_t i = 0; i < plan_.values.size(); ++i)
            if (!plan_.expressions.as_constant(plan_.values[i])) place_[plan_.values[i]] = i;
        value_count_ = static_cast<std::uint32_t>(plan_.values.size());
        for (ValueExprId id = 0; id < nodes_.size(); ++id)
            each_operand(plan_.expressions, id, [&](ValueExprId operand) {
                if (part_[operand] != abi::kNone && part_[operand] != part_[id] && place_[operand] == abi::kNone)
                    place_[operand] = value_count_++;
            });
    }

    llvm::Function* begin(const char* name)
    {
        llvm::Type* pointer = builder_.getPtrTy();
        auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer, pointer}, false);
        auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module_);
        function->addFnAttr(llvm::Attribute::NoUnwind);
        function->getArg(0)->setName("tunables");
        function->getArg(0)->addAttr(llvm::Attribute::ReadOnly);
        function->getArg(1)->setName("values");
        for (unsigned i = 0; i < 2; ++i) function->getArg(i)->addAttr(llvm::Attribute::NoAlias);
        builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", function));
        tunables_ = function->getArg(0);
        values_ = function->getArg(1);
        return function;
    }
    // A function of its own, which the first one calls.
    llvm::Function* begin_part(llvm::Function& first, llvm::Function* before)
    {
        if (before != &first) builder_.CreateRetVoid();
        llvm::Function* part = begin("anml_bind_part");
        part->addFnAttr(llvm::Attribute::NoInline);
        llvm::IRBuilder<>(&first.getEntryBlock()).CreateCall(part, {first.getArg(0), first.getArg(1)});
        return part;
    }

    llvm::Value* place(llvm::Value* base, std::size_t index)
    {
        return index == 0 ? base : builder_.CreateConstInBoundsGEP1_64(number_, base, index);
    }
    void store(ValueExprId id, llvm::Value* computed) { builder_.CreateStore(computed, place(values_, place_[id])); }
    // As a whole: a model may have many thousands.
    void copy_constants()
    {
        std::vector<double> constants;
        for (const ValueExprId id : plan_.values) constants.push_back(plan_.expressions.as_constant(id).value_or(0));
        if (constants.empty()) return;
        llvm::Constant* content = llvm::ConstantDataArray::get(module_.getContext(), constants);
        auto* variable = new llvm::GlobalVariable(module_, content->getType(), true, llvm::GlobalValue::InternalLinkage,
                                                  content, "anml_constants");
        const llvm::Align alignment(alignof(double));
        variable->setAlignment(alignment);
        builder_.CreateMemCpy(values_, alignment, variable, alignment, constants.size() * sizeof(double));
    }

    // In the part that is being made.
    llvm::Value* value_of(ValueExprId id)
    {
        const ValueNode& node = nodes_[id];
        if (node.op == ValueOp::constant) return llvm::ConstantFP::get(number_, node.value);
        if (known_[id].part != current_) {
            llvm::Value* at = node.op == ValueOp::tunable ? place(tunables_, node.a) : place(values_, place_[id]);
            known_[id] = {builder_.CreateLoad(number_, at), current_};
        }
        return known_[id].value;
    }
    llvm::Value* compute(ValueExprId id)
    {
        const ValueNode& node = nodes_[id];
        const int count = operand_count(node.op);
        const auto operand = [&](int i, ValueExprId of) { return i < count ? value_of(of) : nullptr; };
        llvm::Value *a = operand(0, node.a), *b = operand(1, node.b), *c = operand(2, node.c);
        return generate_operation(builder_, node.op, a, b, c);
    }

    struct Known {
        llvm::Value* value = nullptr;
        std::uint32_t part = abi::kNone;  // that it is known in
    };
    llvm::Module& module_;
    const Plan& plan_;
    const std::vector<ValueNode>& nodes_;
    llvm::IRBuilder<> builder_;
    llvm::Type* number_;
    llvm::Value *tunables_ = nullptr, *values_ = nullptr;
    // By node. kNone: of what is no operation; of what no other part reads and is no value.
    std::vector<std::uint32_t> part_, place_;
    std::vector<Known> known_;
    std::uint32_t parts_ = 0, current_ = kNoPart, value_count_ = 0;
};

}  // namespace

Bind generate_bind(llvm::Module& module, const Plan& plan) { return BindGenerator(module, plan).run(); }

}  // namespace anml
