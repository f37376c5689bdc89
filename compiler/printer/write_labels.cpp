// Labels, of each thing those that hold for it: an expansion has no instances of which some could be said. What the
// model reports by.
#include <fmt/format.h>

#include "base/string_literal.h"
#include "elaborate/topology/label_table.h"
#include "printer/program_writer.h"

namespace anml {

void ProgramWriter::labels()
{
    for (const std::string_view key : label_keys(network_)) {
        const Labels labels(network_, key);
        const auto write = [&](const std::string& subject, std::string_view value, bool taken_away = false) {
            if (!value.empty() || taken_away)
                out_ += fmt::format("label {} {{ {} = {} }}\n", subject, quoted_name(key), string_literal(value));
        };
        out_ += "\n";
        for (std::uint32_t row = 0; row < network_.nodes.size(); ++row)
            for (const LabelRun& run : labels.of_nodes(row))
                if (run.count > 0)
                    write(node_selection(network_, {TargetRange{NodeRowId{row}, run.first, run.count}}), run.value,
                          run.taken_away);
        for (std::uint32_t row = 0; row < network_.links.size(); ++row) {
            const LinkArray& link = network_.links[row];
            for (const LabelRun& run : labels.of_links(row)) {
                if (run.count == 0) continue;
                const std::string chosen = !link.is_array   ? ""
                                           : run.count == 1 ? fmt::format("[{}]", run.first)
                                           : run.count == link.count
                                               ? std::string("[*]")
                                               : fmt::format("[{} .. {}]", run.first, run.first + run.count - 1);
                write(link_name(row) + chosen, run.value);
            }
        }
        for (std::size_t w = 0; w < network_.workloads.size(); ++w)
            write(quoted_name(network_.workloads[w].name), labels.of_workload(w));
    }
    if (!network_.reports.empty()) out_ += "\n";
    for (const ReportInfo& report : network_.reports) {
        std::string keys;
        for (const std::string& key : report.keys) keys += (keys.empty() ? "" : ", ") + quoted_name(key);
        out_ += fmt::format("report by {}\n", keys);
    }
}

}  // namespace anml
