#include "app/figure_kind.h"

#include "abi/records.h"
#include "app/cluster.h"

namespace anml::rt::app {

FigureKind figure_kind_of(const abi::Image& image, const abi::WorkloadRow& workload)
{
#define ANML_FIGURES(name)        \
    case abi::RecordSchema::name: \
        return name::kFigureKind;
    switch (abi::schema_of(image, workload.record)) {
        ANML_WORKLOADS(ANML_FIGURES)
        default:
            return FigureKind::none;
    }
#undef ANML_FIGURES
}

}  // namespace anml::rt::app
