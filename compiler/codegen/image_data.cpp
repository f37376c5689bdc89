// Tables are byte arrays, one constant each: rows are plain little-endian structs, and an array of bytes is what LLVM
// handles fastest.
#include "codegen/image_data.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/GlobalVariable.h>

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace anml {
namespace {

constexpr std::size_t kTableAlignment = 64;

llvm::Constant* bytes(llvm::LLVMContext& context, const void* data, std::size_t size)
{
    return llvm::ConstantDataArray::getRaw(llvm::StringRef(static_cast<const char*>(data), size), size,
                                           llvm::Type::getInt8Ty(context));
}

llvm::Constant* table(llvm::Module& module, llvm::StringRef name, const void* data, std::size_t size)
{
    llvm::LLVMContext& context = module.getContext();
    if (size == 0) return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context));
    llvm::Constant* content = bytes(context, data, size);
    auto* variable = new llvm::GlobalVariable(module, content->getType(), true, llvm::GlobalValue::InternalLinkage,
                                              content, "anml_" + name);
    variable->setAlignment(llvm::Align(kTableAlignment));
    return variable;
}

template <class Rows>
llvm::Constant* table(llvm::Module& module, llvm::StringRef name, const Rows& rows)
{
    using Row = typename Rows::value_type;
    static_assert(std::is_trivially_copyable_v<Row>);
    return table(module, name, rows.data(), rows.size() * sizeof(Row));
}

// Whether the members at `offsets` follow one another from `first` on.
template <std::size_t count>
consteval bool in_order(const std::size_t (&offsets)[count], std::size_t first)
{
    for (std::size_t i = 0; i < count; ++i)
        if (offsets[i] != first + i * sizeof(void*)) return false;
    return true;
}

}  // namespace

void generate_image(llvm::Module& module, const Plan& plan, llvm::Function* bind)
{
    // The image is its numbers, as bytes, then the pointers in their order; see abi::Image.
    constexpr std::size_t kNumbers = offsetof(abi::Image, strings);
    static_assert(kNumbers % alignof(void*) == 0);
    llvm::Constant* pointers[] = {
        table(module, "strings", plan.strings),       table(module, "node_rows", plan.node_rows),
        table(module, "link_rows", plan.link_rows),   table(module, "tables", plan.tables),
        table(module, "ranges", plan.ranges),         table(module, "endpoints", plan.endpoints),
        table(module, "servers", plan.servers),       table(module, "documents", plan.documents),
        table(module, "targets", plan.targets),       table(module, "workloads", plan.workloads),
        table(module, "parameters", plan.parameters), table(module, "requirements", plan.requirements),
        table(module, "task_rows", plan.task_rows),   bind,
    };
    static_assert(kNumbers + sizeof(pointers) == sizeof(abi::Image), "the image has a pointer that is not listed here");
    constexpr std::size_t kOrder[] = {
        offsetof(abi::Image, strings),   offsetof(abi::Image, node_rows),  offsetof(abi::Image, link_rows),
        offsetof(abi::Image, tables),    offsetof(abi::Image, ranges),     offsetof(abi::Image, endpoints),
        offsetof(abi::Image, servers),   offsetof(abi::Image, documents),  offsetof(abi::Image, targets),
        offsetof(abi::Image, workloads), offsetof(abi::Image, parameters), offsetof(abi::Image, requirements),
        offsetof(abi::Image, task_rows), offsetof(abi::Image, bind),
    };
    static_assert(std::size(kOrder) == std::size(pointers) && in_order(kOrder, kNumbers),
                  "the pointers are listed in another order than the image has them");
    llvm::LLVMContext& context = module.getContext();
    auto* pointer = llvm::PointerType::getUnqual(context);
    llvm::Constant* numbers = bytes(context, &plan.header, kNumbers);
    llvm::Constant* list = llvm::ConstantArray::get(llvm::ArrayType::get(pointer, std::size(pointers)), pointers);
    llvm::Constant* image = llvm::ConstantStruct::getAnon({numbers, list});
    auto* variable = new llvm::GlobalVariable(module, image->getType(), true, llvm::GlobalValue::ExternalLinkage, image,
                                              "anml_image");
    variable->setAlignment(llvm::Align(kTableAlignment));
}

}  // namespace anml
