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
        table("node_rows", plan.node_rows),
        table("link_rows", plan.link_rows),
        table("keys", plan.keys),
        table("tables", plan.tables),
        table("ranges", plan.ranges),
        table("hops", plan.hops),
        table("columns", plan.columns),
        table("codes", plan.codes),
        table("alternatives", plan.alternatives),
        table("segments", plan.segments),
        table("steering", plan.steering),
        table("endpoints", plan.endpoints),
        table("endpoint_prefixes", plan.endpoint_prefixes),
        table("servers", plan.servers),
        table("documents", plan.documents),
        table("targets", plan.targets),
        table("workloads", plan.workloads),
        table("parameters", plan.parameters),
        table("requirements", plan.requirements),
        table("thresholds", plan.thresholds),
        table("measures", plan.measures),
        table("measured", plan.measured),
        table("node_names", plan.node_names),
        table("link_names", plan.link_names),
        table("workload_labels", plan.workload_labels),
        table("reports", plan.reports),
        table("report_words", plan.report_words),
        table("report_slices", plan.report_slices),
        table("report_hosts", plan.report_hosts),
        table("task_rows", plan.task_rows),
        table("timeline", plan.timeline),
        table("timeline_targets", plan.timeline_targets),
        table("epochs", plan.epochs),
        table("table_changes", plan.table_changes),
        table("column_changes", plan.column_changes),
        table("code_changes", plan.code_changes),
        table("traces", plan.traces),
        table("opportunities", plan.opportunities),
        table("files", plan.files),
        table("file_documents", plan.file_documents),
        table("arrivals", plan.arrivals),
        table("hashes", plan.hashes),
        table("requests", plan.requests),
        table("records", plan.records),
        table("record_words", plan.record_words),
        table("sampler_values", plan.sampler_values),
        samplers,
        bind.function,
    };
    static_assert(kNumbers + sizeof(pointers) == sizeof(abi::Image), "the image has a pointer that is not listed here");
    constexpr std::size_t kOrder[] = {
        offsetof(abi::Image, strings),
        offsetof(abi::Image, node_rows),
        offsetof(abi::Image, link_rows),
        offsetof(abi::Image, keys),
        offsetof(abi::Image, tables),
        offsetof(abi::Image, ranges),
        offsetof(abi::Image, hops),
        offsetof(abi::Image, columns),
        offsetof(abi::Image, codes),
        offsetof(abi::Image, alternatives),
        offsetof(abi::Image, segments),
        offsetof(abi::Image, steering),
        offsetof(abi::Image, endpoints),
        offsetof(abi::Image, endpoint_prefixes),
        offsetof(abi::Image, servers),
        offsetof(abi::Image, documents),
        offsetof(abi::Image, targets),
        offsetof(abi::Image, workloads),
        offsetof(abi::Image, parameters),
        offsetof(abi::Image, requirements),
        offsetof(abi::Image, thresholds),
        offsetof(abi::Image, measures),
        offsetof(abi::Image, measured),
        offsetof(abi::Image, node_names),
        offsetof(abi::Image, link_names),
        offsetof(abi::Image, workload_labels),
        offsetof(abi::Image, reports),
        offsetof(abi::Image, report_words),
        offsetof(abi::Image, report_slices),
        offsetof(abi::Image, report_hosts),
        offsetof(abi::Image, task_rows),
        offsetof(abi::Image, timeline),
        offsetof(abi::Image, timeline_targets),
        offsetof(abi::Image, epochs),
        offsetof(abi::Image, table_changes),
        offsetof(abi::Image, column_changes),
        offsetof(abi::Image, code_changes),
        offsetof(abi::Image, traces),
        offsetof(abi::Image, opportunities),
        offsetof(abi::Image, files),
        offsetof(abi::Image, file_documents),
        offsetof(abi::Image, arrivals),
        offsetof(abi::Image, hashes),
        offsetof(abi::Image, requests),
        offsetof(abi::Image, records),
        offsetof(abi::Image, record_words),
        offsetof(abi::Image, sampler_values),
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
