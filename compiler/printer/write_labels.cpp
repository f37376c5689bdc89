// Labels, of each thing those that hold for it: an expansion has no instances of which some could be said. What the
// model reports by.
#include <fmt/format.h>

#include "base/string_literal.h"
#include "elaborate/topology/label_table.h"
#include "printer/program_writer.h"

namespace anml {

void labels(ProgramWriter& in)
{
    for (const std::string_view key : label_keys(in.network)) {
        const Labels labels(in.network, key);
        const auto write = [&](const std::string& subject, std::string_view value, bool taken_away = false) {
            if (!value.empty() || taken_away)
                in.out += fmt::format("label {} {{ {} = {} }}\n", subject, quoted_name(key), string_literal(value));
        };
        in.out += "\n";
        for (std::uint32_t row = 0; row < in.network.nodes.size(); ++row)
            for (const LabelRun& run : labels.of_nodes(row))
                if (run.count > 0)
                    write(node_selection(in.network, {TargetRange{NodeRowId{row}, run.first, run.count}}), run.value,
                          run.taken_away);
        for (std::uint32_t row = 0; row < in.network.links.size(); ++row) {
            const LinkArray& link = in.network.links[row];
            for (const LabelRun& run : labels.of_links(row)) {
                if (run.count == 0) continue;
                const std::string chosen = !link.is_array   ? ""
                                           : run.count == 1 ? fmt::format("[{}]", run.first)
                                           : run.count == link.count
                                               ? std::string("[*]")
                                               : fmt::format("[{} .. {}]", run.first, run.first + run.count - 1);
                write(written_link_name(in.network, row) + chosen, run.value);
            }
        }
        for (std::size_t w = 0; w < in.network.workloads.size(); ++w)
            write(quoted_name(in.network.workloads[w].name), labels.of_workload(w));
    }
    if (!in.network.reports.empty()) in.out += "\n";
    for (const ReportInfo& report : in.network.reports) {
        std::string keys;
        for (const std::string& key : report.keys) keys += (keys.empty() ? "" : ", ") + quoted_name(key);
        in.out += fmt::format("report by {}\n", keys);
    }
}

}  // namespace anml
