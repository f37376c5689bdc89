#include "app/figures.h"

#include "abi/records.h"
#include "app/cluster.h"

namespace anml::rt::app {

Figures figures_of(const abi::Image& image, const abi::WorkloadRow& workload)
{
#define ANML_FIGURES(name)        \
    case abi::RecordSchema::name: \
        return name::kFigures;
    switch (abi::schema_of(image, workload.record)) {
        ANML_WORKLOADS(ANML_FIGURES)
        default:
            return Figures::none;
    }
#undef ANML_FIGURES
}

}  // namespace anml::rt::app
