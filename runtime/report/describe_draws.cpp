#include "report/describe_draws.h"

#include <fmt/format.h>

#include "net/model.h"
#include "report/quantity.h"

namespace anml::rt {

std::string describe_distribution(const Model& model, const abi::Distribution& distribution, abi::Unit unit)
{
    const auto a = [&] { return format_quantity(model.value(distribution.a), unit); };
    switch (distribution.kind) {
        case abi::DistributionKind::constant:
            return a();
        case abi::DistributionKind::uniform:
            return fmt::format("uniform in {} .. {}", a(), format_quantity(model.value(distribution.b), unit));
        case abi::DistributionKind::exponential:
            return fmt::format("exponential with mean {}", a());
        case abi::DistributionKind::computed:
            break;
    }
    return "drawn from an expression";
}

std::string describe_impairment(const Model& model, std::uint32_t impairment)
{
    if (impairment == abi::kNone) return "";
    const abi::ImpairmentRow& row = model.image().impairments[impairment];
    std::string text;
    const auto add = [&](std::string_view name, const abi::Distribution& d, abi::Unit unit) {
        if (d.kind == abi::DistributionKind::constant && model.value(d.a) == 0) return;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, describe_distribution(model, d, unit));
    };
    add("loss", row.loss, abi::Unit::none);
    add("corrupt", row.corrupt, abi::Unit::none);
    add("duplicate", row.duplicate, abi::Unit::none);
    add("reorder", row.reorder, abi::Unit::none);
    add("jitter", row.jitter, abi::Unit::time);
    return text;
}

}  // namespace anml::rt
