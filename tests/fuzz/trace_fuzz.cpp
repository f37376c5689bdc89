// Any bytes as a Mahimahi trace: the reader ends with opportunities that ascend and end above 0, or with an error
// inside the text; the importer with a model that parses, or with an error that can be shown.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/files/link_trace.h"
#include "import/import_trace.h"
#include "source/render.h"

using namespace anml;

namespace {

void check(bool holds, const char* what)
{
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    std::vector<std::uint32_t> times;
    const TraceError wrong = read_trace(text, times);
    if (wrong.message.empty()) {
        check(!times.empty() && times.back() > 0, "a trace without length");
        check(std::is_sorted(times.begin(), times.end()), "times that do not ascend");
        check(mean_rate(times) > 0, "a trace without capacity");
        check(times.size() <= size, "more times than bytes");
    } else {
        check(wrong.begin <= wrong.end && wrong.end <= size, "an error outside the text");
        check(wrong.line <= size + 1, "an error behind the last line");
    }
    SourceSet sources;
    const FileId file = sources.add("fuzz", text, "");
    Diagnostics diagnostics;
    ImportOptions options;
    options.input = "fuzz \"\\.trace";
    options.model = "Fuzz";
    options.hosts = static_cast<std::uint32_t>(size % 3);
    const auto model = import_trace(options, sources, file, diagnostics);
    check(model.has_value() == wrong.message.empty(), "the importer and the reader disagree");
    check(model.has_value() != diagnostics.has_errors(), "neither a model nor an error");
    for (ErrorFormat format : {ErrorFormat::human, ErrorFormat::json})
        render_diagnostics(diagnostics, sources, format, true);
    return 0;
}
