#include "lsp/documents/workspace.h"

#include <algorithm>
#include <filesystem>

#include "common/utf8.h"

namespace anml::lsp {

namespace {

constexpr std::size_t kMostEdits = 1000;  // beyond them a snapshot is too old to say anything

}  // namespace

Document& Workspace::open(const std::string& uri, std::string text, std::int64_t version)
{
    auto& document = documents_[uri];
    if (!document) document = std::make_unique<Document>();
    document->uri = uri;
    document->path = path_of_uri(uri);
    document->key = path_key(document->path);
    document->library = library_.holds(document->path);
    document->text = std::move(text);
    document->version = version;
    set_text(*document);
    forget_files();  // that it could not be found may have been the trouble
    return *document;
}

void Workspace::set_text(Document& document)
{
    if (document.text.starts_with(kByteOrderMark)) document.text.erase(0, kByteOrderMark.size());
    texts_[document.key] = document.text;
    invalidate(document.key);
}

void Workspace::invalidate(const std::string& key)
{
    for (auto& [uri, document] : documents_) {
        if (document->key == key || (document->snapshot && document->snapshot->files_read.contains(key)))
            document->outdate();
    }
}

void Workspace::change(Document& document, const json& changes, std::int64_t version)
{
    std::string now = document.text;
    std::vector<Document::Edit> edits;
    for (const json& change : changes) {
        const std::string& text = text_field(change, "text");
        auto size = static_cast<std::uint32_t>(text.size());
        ByteRange range{0, static_cast<std::uint32_t>(now.size())};
        if (change.contains("range")) {
            range = PositionMap(now, client.encoding).range(change.at("range"));
            now.replace(range.begin, range.end - range.begin, text);
        } else {  // the whole text, of which most may be as before
            const auto shorter = static_cast<std::ptrdiff_t>(std::min(now.size(), text.size()));
            const auto same = std::mismatch(now.begin(), now.begin() + shorter, text.begin()).first - now.begin();
            const auto tail = std::mismatch(now.rbegin(), now.rbegin() + (shorter - same), text.rbegin()).first -
                              now.rbegin();
            range = {static_cast<std::uint32_t>(same), range.end - static_cast<std::uint32_t>(tail)};
            size -= static_cast<std::uint32_t>(same + tail);
            now = text;
        }
        edits.push_back({range.begin, range.end, size});
    }
    document.text = std::move(now);
    document.edits.insert(document.edits.end(), edits.begin(), edits.end());
    document.version = version;
    set_text(document);
}

void Workspace::close(Document& document)
{
    texts_.erase(document.key);
    const std::string uri = document.uri;
    documents_.erase(uri);
    forget_files();
}

void Workspace::forget_files()
{
    for (auto& [uri, document] : documents_) document->outdate();
}

Document* Workspace::find(const std::string& uri)
{
    const auto found = documents_.find(uri);
    return found == documents_.end() ? nullptr : found->second.get();
}

Document& Workspace::document(const json& params)
{
    const std::string& uri = text_field(field(params, "textDocument"), "uri");
    if (Document* document = find(uri)) return *document;
    throw RequestError{error_code::invalid_params, "the document is not open: " + uri};
}

const Snapshot& Workspace::snapshot(Document& document)
{
    if (!document.fresh() && hurry) {
        if (document.snapshot) return *document.snapshot;
        throw NothingKnown();
    }
    if (!document.fresh())
        understood(document, std::make_shared<Snapshot>(
                                 document.path, ReadOptions{client.include_dirs, client.encoding}, texts_));
    return *document.snapshot;
}

void Workspace::understood(Document& document, std::shared_ptr<const Snapshot> snapshot)
{
    document.snapshot = std::move(snapshot);
    ++document.snapshots;
    document.stale = false;
    document.edits.clear();
}

Cursor Workspace::cursor(const json& params)
{
    Document& asked = document(params);
    if (hurry && asked.stale && asked.snapshot) {
        std::uint32_t offset = PositionMap(asked.text, client.encoding).offset(field(params, "position"));
        const Snapshot& last = recent(asked, offset);
        if (!last.parsed()) throw NothingKnown();
        return {asked, last, last.sources.main, offset};
    }
    const Snapshot& present = snapshot(asked);
    if (present.sources.files.empty()) throw RequestError{error_code::request_failed, "the file cannot be read"};
    const FileId file = present.sources.main;
    return {asked, present, file, present.positions(file).offset(field(params, "position"))};
}

const Snapshot& Workspace::recent(Document& document, std::uint32_t& offset)
{
    if (!document.snapshot || !document.snapshot->parsed() || document.edits.size() > kMostEdits)
        return snapshot(document);
    for (auto edit = document.edits.rbegin(); edit != document.edits.rend(); ++edit) {
        if (offset >= edit->begin + edit->size)
            offset = offset - edit->size + (edit->end - edit->begin);
        else if (offset > edit->begin)
            offset = std::min(offset, edit->end);
    }
    return *document.snapshot;
}

std::string Workspace::uri(const SourceFile& file) const
{
    if (file.path.starts_with("<")) {
        const std::string copy = library_.path(file.path);
        return copy.empty() ? "" : uri_of_path(copy);
    }
    const std::string key = path_key(file.path);
    for (const auto& [uri, document] : documents_)
        if (document->key == key) return uri;
    std::error_code error;
    const std::string absolute = std::filesystem::absolute(file.path, error).lexically_normal().string();
    return uri_of_path(error ? file.path : absolute);
}

json Workspace::location(const Snapshot& snapshot, Span span) const
{
    if (!span.valid()) return nullptr;
    const std::string where = uri(snapshot.sources.file(span.file));
    if (where.empty()) return nullptr;
    return {{"uri", where}, {"range", snapshot.positions(span.file).range_json(span.begin, span.end)}};
}

}  // namespace anml::lsp
