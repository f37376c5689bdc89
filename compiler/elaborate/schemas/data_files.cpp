// Files that attributes name: read when a schema's value is made, so that what is wrong with one is known wherever the
// text is checked. A file that several name is read once.
#include <fmt/format.h>

#include <algorithm>

#include "base/files/access_log.h"
#include "base/files/arrival_times.h"
#include "base/files/document_list.h"
#include "base/files/read_file.h"
#include "base/files/request_file.h"
#include "elaborate/schemas/schema_values.h"

namespace anml {
namespace {

constexpr std::size_t kLargestQuote = std::size_t{64} << 20;

struct WrongLine {
    LineError error;
    std::size_t begin = 0, size = 0, line = 0;
};
struct FileReading {
    std::string problem;  // why the file cannot be read, or what is wrong with it as a whole
    bool unreadable = false;
    std::uint64_t wrong_lines = 0;
    std::vector<WrongLine> wrong;  // of those the first, or as many as its reader says
};

// Stops at the first line that is wrong, unless such lines may be left out, or the reader goes on behind them.
template <class Reader>
FileReading read_with(Reader& reader, const std::string& path, std::size_t most, bool lenient)
{
    FileReading result;
    constexpr bool kGoesOn = requires { Reader::kMostErrors; };
    std::size_t most_wrong = 1, number = 0, whole = 0;
    if constexpr (kGoesOn) most_wrong = Reader::kMostErrors;
    result.problem = read_lines(path, most, [&](std::string_view line, std::size_t begin) {
        ++number;
        whole = begin + line.size();
        LineError error;
        if constexpr (kGoesOn)
            error = reader.take(line, begin);
        else
            error = reader.take(line);
        if (error.message.empty()) return true;
        ++result.wrong_lines;
        if (result.wrong.size() < most_wrong) result.wrong.push_back({std::move(error), begin, line.size(), number});
        return lenient || result.wrong.size() < most_wrong;
    });
    result.unreadable = !result.problem.empty();
    if constexpr (requires { reader.end(); })
        if (LineError error = !result.unreadable && result.wrong.size() < most_wrong ? reader.end() : LineError{};
            !error.message.empty())
        {
            ++result.wrong_lines;
            result.wrong.push_back({std::move(error), 0, whole, number});
        }
    if (!result.unreadable && (lenient || result.wrong_lines == 0)) result.problem = reader.finish();
    return result;
}

Diag diagnostic_of(abi::FieldKind kind)
{
    return kind == abi::FieldKind::document_list    ? Diag::invalid_list
           : kind == abi::FieldKind::optional_times ? Diag::invalid_times
                                                    : Diag::invalid_log;
}

// `line`: the one that is wrong, as far as it is known.
std::string_view help_of(abi::FieldKind kind, std::string_view path, std::string_view line = {})
{
    const bool marked = line.starts_with('#') || line.starts_with('?') || line.starts_with('<') ||
                        line.find("{{") != std::string_view::npos;
    if (kind == abi::FieldKind::document_list && is_request_file(path) && marked) return {};
    if (kind == abi::FieldKind::document_list && !is_request_file(path))
        for (const std::string_view method : {"GET ", "POST ", "PUT ", "PATCH ", "DELETE ", "###", "# @"})
            if (line.starts_with(method)) return "the name of a file of requests ends with `.http` or `.rest`";
    if (kind == abi::FieldKind::document_list && is_request_file(path))
        return "a request is `POST /path`, its header fields, an empty line and its body; `###` begins the next one";
    return kind == abi::FieldKind::document_list
               ? "a line is `/index.html,4096`, with a weight and a SHA-256 behind it "
                 "where they are known, or `4096 index.html`"
           : kind == abi::FieldKind::optional_times
               ? "a line is `12.5`, in seconds, with a client and a document behind it where they are known"
               : "a line is `10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 2326`; `unreadable = "
                 "skip` "
                 "leaves others out";
}

FileReading read_as(abi::FieldKind kind, bool lenient, DataFile& data)
{
    if (kind == abi::FieldKind::document_list && is_request_file(data.path)) {
        RequestFileReader reader(data.path.substr(0, data.path.rfind('/') + 1));
        FileReading result = read_with(reader, data.path, kLargestRequests, lenient);
        data.included = std::move(reader.included);
        data.documents = std::move(reader.documents);
        return result;
    }
    if (kind == abi::FieldKind::document_list) {
        DocumentListReader reader;
        FileReading result = read_with(reader, data.path, kLargestList, lenient);
        data.documents = std::move(reader.documents);
        return result;
    }
    if (kind == abi::FieldKind::optional_times) {
        ArrivalTimesReader reader;
        FileReading result = read_with(reader, data.path, kLargestTimes, lenient);
        data.arrivals = std::move(reader.arrivals);
        data.clients = reader.clients;
        return result;
    }
    AccessLogReader reader;
    FileReading result = read_with(reader, data.path, kLargestLog, lenient);
    data.documents = std::move(reader.documents);
    data.arrivals = std::move(reader.arrivals);
    data.clients = reader.clients;
    return result;
}

double mean_size(const DataFile& file, bool weighted)
{
    double sum = 0, all = 0;
    for (const FileDocument& d : file.documents) {
        const double weight = weighted ? d.weight : 1;
        sum += weight * static_cast<double>(d.size);
        all += weight;
    }
    return sum / all;
}

// Index into the network's files of what an attribute names; nullopt: none is named, or an error was reported.
std::optional<std::uint32_t> data_file(Elaboration& in, const SchemaValue& value, std::string_view name,
                                       abi::FieldKind kind)
{
    const auto* named = attribute_of(in.program, value, name).as<FileValue>();
    if (!named) return std::nullopt;
    const NamedFile& file = in.program.files[named->index];
    const auto* unreadable = attribute_of(in.program, value, "unreadable").as<EnumValue>();
    const bool lenient = kind == abi::FieldKind::optional_log && unreadable && unreadable->ordinal != 0;
    const auto [known, fresh] = in.data_files.try_emplace({file.path, kind, lenient}, std::nullopt);
    if (!fresh) return known->second;
    DataFile data;
    data.name = file.name;
    data.path = file.path;
    const FileReading reading = read_as(kind, lenient, data);
    if (reading.unreadable) {
        in.report(Diag::file_not_found, file.span, fmt::format("cannot read `{}`: {}", file.path, reading.problem))
            .help(similar_file(file.path).empty()
                      ? "a file is looked for beside the one that names it, then in the folders of -I"
                      : fmt::format("there is `{}`", similar_file(file.path)));
        return std::nullopt;
    }
    for (const WrongLine& wrong : reading.wrong) {
        const std::size_t end = wrong.begin + wrong.size;
        std::string text;
        const bool quotable = end <= kLargestQuote && read_file(file.path, end, Readable::files, text).empty();
        if (quotable) text.resize(std::min(text.size(), end));
        const std::string line = quotable ? text.substr(std::min(wrong.begin, text.size())) : "";
        const auto at = [&](std::size_t place) { return static_cast<std::uint32_t>(wrong.begin + place); };
        const Span span = quotable ? in.report.diagnostics.quote(file.path, std::move(text), at(wrong.error.begin),
                                                                 at(wrong.error.end))
                                   : file.span;
        const std::string where = quotable ? "" : fmt::format("`{}`, line {}: ", file.path, wrong.line);
        if (!lenient) {
            auto message = in.report(diagnostic_of(kind), span, where + wrong.error.message);
            message.also(file.span, "it is named here");
            if (const auto help = help_of(kind, file.path, line); !help.empty()) message.help(std::string(help));
            continue;
        }
        in.report(Diag::skipped_lines, span,
                  reading.wrong_lines == 1 ? fmt::format("{}a line is left out: {}", where, wrong.error.message)
                                           : fmt::format("{}{} lines are left out, the first here: {}", where,
                                                         reading.wrong_lines, wrong.error.message))
            .also(file.span, "it is named here");
        data.skipped = reading.wrong_lines;
    }
    if (reading.wrong_lines != 0 && !lenient) return std::nullopt;
    if (!reading.problem.empty()) {
        in.report(diagnostic_of(kind), file.span, fmt::format("`{}`: {}", file.path, reading.problem))
            .help(std::string(help_of(kind, file.path)));
        return std::nullopt;
    }
    known->second = static_cast<std::uint32_t>(in.network.files.size());
    in.network.files.push_back(std::make_shared<const DataFile>(std::move(data)));
    return known->second;
}

}  // namespace

RecordValue file_of(Elaboration& in, const SchemaValue& value, const abi::RecordField& field)
{
    if (const auto file = data_file(in, value, field.name, field.kind)) return RecordFile{*file};
    return std::monostate();
}

bool listed_documents(Elaboration& in, const SchemaValue& value, DocumentInfo& document)
{
    const auto file = data_file(in, value, "file", abi::FieldKind::document_list);
    if (!file) return false;
    const DataFile& listed = *in.network.files[*file];
    const auto* order = attribute_of(in.program, value, "order").as<EnumValue>();
    document.file = *file;
    document.count = static_cast<std::uint32_t>(listed.documents.size());
    if (listed.documents.front().request) return true;  // it does not say how long responses are
    document.size = {abi::DistributionKind::constant, in.constant(mean_size(listed, order && order->ordinal == 0)), 0};
    return true;
}

// The documents that the requests of a log ask for.
bool replayed(Elaboration& in, const SchemaValue& value, WorkloadInfo& info)
{
    if (attribute_of(in.program, value, "log").absent()) return true;
    const auto file = data_file(in, value, "log", abi::FieldKind::optional_log);
    if (!file) return false;
    const DataFile& log = *in.network.files[*file];
    DocumentInfo document;
    document.file = *file;
    document.count = static_cast<std::uint32_t>(log.documents.size());
    document.set = true;
    document.size = {abi::DistributionKind::constant, in.constant(mean_size(log, true)), 0};
    document.choice = {abi::DistributionKind::constant, in.constant(1), 0};
    info.documents.push_back(std::move(document));
    return true;
}

// Times name documents by their number.
bool has_asked_documents(Elaboration& in, const SchemaValue& value, const WorkloadInfo& info)
{
    const auto* named = attribute_of(in.program, value, "times").as<FileValue>();
    if (!named) return true;
    const auto file = data_file(in, value, "times", abi::FieldKind::optional_times);
    if (!file) return false;
    std::uint64_t documents = 0, most = 0;
    for (const DocumentInfo& d : info.documents) documents += d.count;
    for (const FileArrival& a : in.network.files[*file]->arrivals)
        if (a.document != abi::kNone) most = std::max<std::uint64_t>(most, a.document + 1);
    if (most <= documents) return true;
    in.report(Diag::invalid_times, in.program.files[named->index].span,
              fmt::format("`{}` asks for document {}, and the workload has {}", in.network.files[*file]->path, most,
                          documents))
        .help("documents are numbered from 1, through all of `documents`");
    return false;
}

// What bodies are compared with, where they are or may be.
bool has_hashes(const Network& network, const CheckedProgram& program, ReportOnce& report, const SchemaValue& value,
                Span place, const WorkloadInfo& info)
{
    if (network.values.as_constant(number_of(program, value, "check_content")) == 0.0) return true;
    const auto hashed = [](const FileDocument& d) { return d.sha256.has_value(); };
    for (const DocumentInfo& d : info.documents) {
        if (d.file == abi::kNone) continue;
        const std::vector<FileDocument>& listed = network.files[d.file]->documents;
        if (std::any_of(listed.begin(), listed.end(), hashed)) return true;
    }
    report(Diag::no_hash, place, fmt::format("`{}` has no document whose SHA-256 is known", info.name))
        .help(
            "a list has it behind the weight, `/index.html,4096,1,` and 64 digits, or in a column `sha256`: see "
            "`web.list`");
    return false;
}

// Calls of gRPC go over HTTP/2.
bool speaks_grpc(const Network& network, const CheckedProgram& program, ReportOnce& report, const SchemaValue& value,
                 Span place, const WorkloadInfo& info)
{
    const auto* version = attribute_of(program, value, "version").as<EnumValue>();
    if (version && version->ordinal != 0) return true;
    for (const DocumentInfo& d : info.documents) {
        if (d.file == abi::kNone) continue;
        for (const FileDocument& document : network.files[d.file]->documents) {
            if (!document.request || !document.request->grpc) continue;
            report(Diag::invalid_list, place,
                   fmt::format("`{}` is a call of gRPC, which goes over HTTP/2", document.request->name))
                .help("`version = HTTP_2`");
            return false;
        }
    }
    return true;
}

// Of one host, on average: the library cannot know it.
void replay_interval(Elaboration& in, const SchemaValue& value, WorkloadInfo& info)
{
    for (const auto& [name, kind] :
         {std::pair("log", abi::FieldKind::optional_log), std::pair("times", abi::FieldKind::optional_times)})
    {
        const auto file = data_file(in, value, name, kind);
        if (!file) continue;
        std::uint64_t hosts = 0;
        for (const TargetRange& range : info.targets) hosts += range.count;
        const std::vector<FileArrival>& arrivals = in.network.files[*file]->arrivals;
        constexpr double kLeast = 1000, kSecond = 1e9;  // ns; logs have whole seconds
        const double span = std::max(static_cast<double>(arrivals.back().at), kSecond);
        const double mean =
            span / static_cast<double>(arrivals.size()) * static_cast<double>(std::max<std::uint64_t>(hosts, 1));
        info.traits.interval = in.network.values.make(ValueOp::div, in.constant(std::max(mean, kLeast)),
                                                      number_of(in.program, value, "speed"));
    }
}

}  // namespace anml
