// Tables are byte arrays, one constant each: rows are plain little-endian structs, and an array of bytes is what LLVM
// handles fastest. What is too large even for that goes into an object of its own.
#include "codegen/image_data.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/GlobalVariable.h>

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace anml {
namespace {

llvm::Constant* bytes(llvm::LLVMContext& context, const void* data, std::size_t size)
{
    return llvm::ConstantDataArray::getRaw(llvm::StringRef(static_cast<const char*>(data), size), size,
                                           llvm::Type::getInt8Ty(context));
}

// The tables of a module: each is a constant of it, or declared and listed in `apart`.
struct Tables {
    llvm::Module& module;
    std::vector<LargeTable>* apart;

    template <class Rows>
    llvm::Constant* operator()(llvm::StringRef name, const Rows& rows) const
    {
        using Row = typename Rows::value_type;
        static_assert(std::is_trivially_copyable_v<Row>);
        return make("anml_" + name.str(), rows.data(), rows.size() * sizeof(Row));
    }

  private:
    llvm::Constant* make(const std::string& symbol, const void* data, std::size_t size) const
    {
        llvm::LLVMContext& context = module.getContext();
        if (size == 0) return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context));
        const bool within = apart == nullptr || size < kLargeTable;
        auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(context), size);
        auto* variable = new llvm::GlobalVariable(
            module, type, true, within ? llvm::GlobalValue::InternalLinkage : llvm::GlobalValue::ExternalLinkage,
            within ? bytes(context, data, size) : nullptr, symbol);
        variable->setAlignment(llvm::Align(kTableAlignment));
        if (!within) {
            variable->setVisibility(llvm::GlobalValue::HiddenVisibility);
            apart->push_back({symbol, {static_cast<const char*>(data), size}});
        }
        return variable;
    }
};

// Whether the members at `offsets` follow one another from `first` on.
template <std::size_t count>
consteval bool in_order(const std::size_t (&offsets)[count], std::size_t first)
{
    for (std::size_t i = 0; i < count; ++i)
        if (offsets[i] != first + i * sizeof(void*)) return false;
    return true;
}

}  // namespace

void generate_image(llvm::Module& module, const Plan& plan, const Bind& bind, llvm::Constant* samplers,
                    std::vector<LargeTable>* apart)
{
    const Tables table{module, apart};
    // The image is its numbers, as bytes, then the pointers in their order; see abi::Image.
    constexpr std::size_t kNumbers = offsetof(abi::Image, strings);
    static_assert(kNumbers % alignof(void*) == 0);
    // Bytes that no member has would be of no value in particular.
    static_assert(offsetof(abi::Image, expected_hops) == 2 * sizeof(std::uint32_t) && sizeof(abi::EndpointRow) == 40);
    llvm::Constant* pointers[] = {
        table("strings", plan.strings),
#define ANML_TABLE(row, rows, count) table(#rows, plan.rows),
#include "runtime/abi/image_tables.def"
        samplers,
        bind.function,
    };
    static_assert(kNumbers + sizeof(pointers) == sizeof(abi::Image), "the image has a pointer that is not listed here");
    constexpr std::size_t kOrder[] = {
        offsetof(abi::Image, strings),
#define ANML_TABLE(row, rows, count) offsetof(abi::Image, rows),
#include "runtime/abi/image_tables.def"
        offsetof(abi::Image, samplers),
        offsetof(abi::Image, bind),
    };
    static_assert(std::size(kOrder) == std::size(pointers) && in_order(kOrder, kNumbers),
                  "the pointers are listed in another order than the image has them");
    llvm::LLVMContext& context = module.getContext();
    auto* pointer = llvm::PointerType::getUnqual(context);
    abi::Image header = plan.header;
    header.value_count = bind.value_count;
    llvm::Constant* numbers = bytes(context, &header, kNumbers);
    llvm::Constant* list = llvm::ConstantArray::get(llvm::ArrayType::get(pointer, std::size(pointers)), pointers);
    llvm::Constant* image = llvm::ConstantStruct::getAnon({numbers, list});
    auto* variable = new llvm::GlobalVariable(module, image->getType(), true, llvm::GlobalValue::ExternalLinkage, image,
                                              "anml_image");
    variable->setAlignment(llvm::Align(kTableAlignment));
}

}  // namespace anml
