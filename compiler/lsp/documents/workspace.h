// The documents that the client has open, and what is understood of them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lsp/documents/library_copy.h"
#include "lsp/documents/snapshot.h"

namespace anml::lsp {

// What the client can do, as it said when it began.
struct Client {
    Encoding encoding = Encoding::utf16;
    bool markdown = true;
    bool snippets = false;
    bool related = false;        // information of diagnostics
    bool hierarchical = false;   // symbols of documents
    bool refresh_hints = false;  // asks for inlay hints again when it is told to
    bool watches = false;        // files that it is told to
    bool lint = true;            // options of ours
    bool checked = false;        // wants to hear when a text was checked
    std::vector<std::string> include_dirs;
    std::vector<std::string> folders;  // of the workspace, paths
};

struct Document {
    std::string uri, path, key;
    std::string text;
    std::int64_t version = 0;
    bool library = false;  // a copy of a module of the standard library: there to be read
    std::shared_ptr<const Snapshot> snapshot;
    std::uint64_t snapshots = 0;  // that were made
    bool stale = true;            // the snapshot is of an older text
    std::uint64_t texts = 0;      // so often it became so
    bool fresh() const { return snapshot && !stale; }
    void outdate() { stale = true, ++texts; }
    // Since the snapshot: bytes [begin, end) of the text at that time were replaced by so many others.
    struct Edit {
        std::uint32_t begin, end, size;
    };
    std::vector<Edit> edits;
    Facts facts;  // what the later stages say, of the text of that version
    std::int64_t facts_of = -1;
};

// Where a request asks.
struct Cursor {
    Document& document;
    const Snapshot& snapshot;
    FileId file;
    std::uint32_t offset;
};

struct NothingKnown {};  // thrown where a request in a hurry is the first about a document

class Workspace {
  public:
    Client client;

    Document& open(const std::string& uri, std::string text, std::int64_t version);
    void change(Document& document, const json& changes, std::int64_t version);
    void close(Document& document);
    void forget_files();  // something changed that is not open

    Document* find(const std::string& uri);
    Document& document(const json& params);  // of its textDocument; throws RequestError
    std::map<std::string, std::unique_ptr<Document>>& documents() { return documents_; }
    const UnsavedTexts& texts() const { return texts_; }

    const Snapshot& snapshot(Document& document);  // of the present text
    void understood(Document& document, std::shared_ptr<const Snapshot> snapshot);  // the same, made elsewhere
    // That is not waited for: the last one is taken, if there is one, and Cursor's offset is where it was there.
    bool hurry = false;
    Cursor cursor(const json& params);             // of its textDocument and position
    // The last one that was made, if there is one, which may be of an older text; with where the offset was there.
    const Snapshot& recent(Document& document, std::uint32_t& offset);

    // The URI that the client knows the file by; "": it has none.
    std::string uri(const SourceFile& file) const;
    json location(const Snapshot& snapshot, Span span) const;  // null: nowhere to go
    // What `made` says of the tree of every .anml file below the workspace's folders and of every open one, without what
    // it imports: of files that are not open kept until they change.
    using SymbolsOf = json (*)(const Workspace& workspace, const Snapshot& snapshot);
    std::vector<json> symbols(SymbolsOf made);
    // What `symbols` keeps, for the process that this one was forked of; "": nothing new.
    std::string learned() const;
    void learn(std::string_view text);
    // Those of which the text has the word, and that import the file, as a snapshot each.
    std::vector<std::shared_ptr<const Snapshot>> others_with(const std::string& word, const std::string& key);
    LibraryCopy& library() const { return library_; }

  private:
    std::vector<std::string> closed_files() const;  // paths
    void invalidate(const std::string& key);
    void set_text(Document& document);

    std::map<std::string, std::unique_ptr<Document>> documents_;  // by URI
    UnsavedTexts texts_;
    mutable LibraryCopy library_;
    struct Closed {
        std::int64_t changed = 0;  // of its time
        std::string symbols;       // JSON
        bool fresh = false;        // made by this process
    };
    std::map<std::string, Closed> closed_;  // files that are not open, by path
    bool closed_changed_ = false;
};

}  // namespace anml::lsp
