#include "base/files/proto_file.h"

#include <fmt/format.h>
#include <google/protobuf/any.pb.h>
#include <google/protobuf/compiler/importer.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor_database.h>
#include <google/protobuf/duration.pb.h>
#include <google/protobuf/empty.pb.h>
#include <google/protobuf/field_mask.pb.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/timestamp.pb.h>
#include <google/protobuf/wrappers.pb.h>

#include <map>
#include <set>
#include <vector>

#include "base/diagnostics.h"
#include "base/files/data_file.h"

namespace anml {

namespace {

namespace pb = google::protobuf;

// A file's text, for as long as it is read.
class TextStream : public pb::io::ArrayInputStream {
  public:
    explicit TextStream(std::unique_ptr<std::string> text)
        : ArrayInputStream(text->data(), static_cast<int>(text->size())), text_(std::move(text))
    {
    }

  private:
    std::unique_ptr<std::string> text_;
};

// libprotobuf's parser calls itself for what stands within something, however deep: is it deeper than anybody writes?
bool too_deep(const std::string& text)
{
    class Ignored : public pb::io::ErrorCollector {
        void AddError(int, pb::io::ColumnNumber, const std::string&) override {}
    } ignored;
    constexpr int kMost = 100;
    pb::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
    pb::io::Tokenizer tokens(&stream, &ignored);
    int depth = 0;
    while (tokens.Next()) {
        const std::string& token = tokens.current().text;
        if (token.size() != 1) continue;
        depth += std::string_view("{<[(").find(token) != std::string_view::npos;
        depth -= depth > 0 && std::string_view("}>])").find(token) != std::string_view::npos;
        if (depth > kMost) return true;
    }
    return false;
}

constexpr std::size_t kMostSaid = 300;  // of what libprotobuf says

class FirstProblem : public pb::compiler::MultiFileErrorCollector, public pb::DescriptorPool::ErrorCollector {
  public:
    std::string text;

    void AddError(const std::string& file, int line, int, const std::string& message) override
    {
        if (text.empty())
            text = line < 0 ? fmt::format("`{}`: {}", shown(file), message.substr(0, kMostSaid))
                            : fmt::format("`{}`, line {}: {}", shown(file), line + 1, message.substr(0, kMostSaid));
    }
    void AddError(const std::string& file, const std::string& element, const pb::Message*, ErrorLocation,
                  const std::string& message) override
    {
        if (text.empty())
            text = fmt::format("`{}`: `{}`: {}", shown(file), shown(element), message.substr(0, kMostSaid));
    }
};

// Imports are looked for in the folders of the file that was named, from its own on.
class Folders : public pb::compiler::SourceTree {
  public:
    explicit Folders(ProtoFiles::Read read) : read_(std::move(read)) {}

    std::string named;      // the file that is added
    std::string last_error;  // of it, if it cannot be read

    pb::io::ZeroCopyInputStream* Open(const std::string& file) override
    {
        auto text = std::make_unique<std::string>();
        if (file == named) {
            last_error = read_(file, *text);
            if (last_error.empty() && too_deep(*text)) last_error = "messages lie within each other too deep";
            return last_error.empty() ? new TextStream(std::move(text)) : nullptr;
        }
        std::string folder = named;
        while (true) {
            const std::size_t slash = folder.rfind('/');
            folder.resize(slash == folder.npos ? 0 : slash);
            const std::string path = folder.empty() ? file : fmt::format("{}/{}", folder, file);
            if (read_(path, *text).empty() && !too_deep(*text)) return new TextStream(std::move(text));
            if (folder.empty()) return nullptr;
        }
    }
    std::string GetLastErrorMessage() override { return "it is not found"; }

  private:
    ProtoFiles::Read read_;
};

// What protoc has beside it: naming them has them linked.
const pb::DescriptorPool& well_known()
{
    for (const pb::Descriptor* type :
         {pb::Any::descriptor(), pb::Duration::descriptor(), pb::Empty::descriptor(), pb::FieldMask::descriptor(),
          pb::Struct::descriptor(), pb::Timestamp::descriptor(), pb::StringValue::descriptor()})
        static_cast<void>(type);
    return *pb::DescriptorPool::generated_pool();
}

}  // namespace

struct ProtoFiles::State {
    explicit State(Read read) : folders(std::move(read)), source(&folders)
    {
        pb::SetLogHandler(nullptr);
        source.RecordErrorsTo(&problem);
    }

    Folders folders;
    FirstProblem problem;
    pb::DescriptorPoolDatabase built_in{well_known()};
    pb::compiler::SourceTreeDescriptorDatabase source;
    pb::MergedDescriptorDatabase both{&built_in, &source};
    pb::DescriptorPool pool{&both, &problem};
    std::vector<const pb::FileDescriptor*> files;
};

ProtoFiles::ProtoFiles(Read read) : state_(std::make_unique<State>(std::move(read))) {}
ProtoFiles::~ProtoFiles() = default;

std::string ProtoFiles::add(std::string_view named)
{
    State& all = *state_;
    for (const pb::FileDescriptor* file : all.files)  // it may be what another one imports
        if (named == file->name() || named.ends_with("/" + file->name())) return "";
    all.folders.named = named;
    all.folders.last_error.clear();
    all.problem.text.clear();
    const pb::FileDescriptor* const found = all.pool.FindFileByName(all.folders.named);
    if (!found && !all.folders.last_error.empty()) return all.folders.last_error;
    if (!found) return all.problem.text.empty() ? "it cannot be read" : all.problem.text;
    std::set<const pb::FileDescriptor*> seen(all.files.begin(), all.files.end());
    std::vector<const pb::FileDescriptor*> left{found};
    while (!left.empty()) {
        const pb::FileDescriptor* const file = left.back();
        left.pop_back();
        if (!seen.insert(file).second) continue;
        all.files.push_back(file);
        for (int i = 0; i < file->dependency_count(); ++i) left.push_back(file->dependency(i));
    }
    return "";
}

const pb::MethodDescriptor* ProtoFiles::method(std::string_view path, std::string& problem) const
{
    const std::size_t slash = path.rfind('/');
    if (!path.starts_with('/') || slash == 0) {
        problem = fmt::format("`{}` names no method: `GRPC host/package.Service/Method`", shown(path));
        return nullptr;
    }
    const std::string_view service = path.substr(1, slash - 1), method = path.substr(slash + 1);
    std::vector<std::string_view> names;
    const pb::ServiceDescriptor* found = nullptr;
    for (const pb::FileDescriptor* file : state_->files)
        for (int i = 0; i < file->service_count(); ++i) {
            names.push_back(file->service(i)->full_name());
            if (names.back() == service) found = file->service(i);
        }
    const auto unknown = [&](std::string_view what, std::string_view name) {
        const std::string_view meant = similar_name(name, names);
        problem = fmt::format("no {} is called `{}`{}", what, shown(name),
                              !meant.empty()  ? fmt::format(": did you mean `{}`?", meant)
                              : names.empty() ? ": `proto < service.proto` above it names the file that defines it"
                                              : fmt::format(": there is `{}`", shown(names.front())));
        return nullptr;
    };
    if (!found) return unknown("service", service);
    names.clear();
    for (int i = 0; i < found->method_count(); ++i) {
        if (found->method(i)->name() == method) return found->method(i);
        names.push_back(found->method(i)->name());
    }
    return unknown(fmt::format("method of `{}`", service), method);
}

}  // namespace anml
