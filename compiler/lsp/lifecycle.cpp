// What the client can do, and what the server does for it.
#include <filesystem>

#include "lsp/capabilities.h"
#include "lsp/server.h"

namespace anml::lsp {

namespace {

// The value at the end of a path of names; null where there is none.
json at(const json& from, std::initializer_list<const char*> path)
{
    const json* here = &from;
    for (const char* name : path) {
        if (!here->is_object() || !here->contains(name)) return nullptr;
        here = &(*here)[name];
    }
    return *here;
}

bool yes(const json& from, std::initializer_list<const char*> path) { return at(from, path) == json(true); }

bool among(const json& list, std::string_view word)
{
    for (const json& one : list)
        if (one == word) return true;
    return false;
}

}  // namespace

json Server::initialize(const json& params)
{
    Client& client = workspace_.client;
    const json can = at(params, {"capabilities"});
    // The client names them in its order; without a word of it, they count UTF-16 units.
    for (const json& encoding : at(can, {"general", "positionEncodings"})) {
        if (encoding == "utf-8")
            client.encoding = Encoding::utf8;
        else if (encoding == "utf-16")
            client.encoding = Encoding::utf16;
        else if (encoding == "utf-32")
            client.encoding = Encoding::utf32;
        else
            continue;
        break;
    }
    const json formats = at(can, {"textDocument", "hover", "contentFormat"});
    client.markdown = !formats.is_array() || formats.empty() || among(formats, "markdown");
    client.snippets = yes(can, {"textDocument", "completion", "completionItem", "snippetSupport"});
    client.related = yes(can, {"textDocument", "publishDiagnostics", "relatedInformation"});
    client.hierarchical = yes(can, {"textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport"});
    client.refresh_hints = yes(can, {"workspace", "inlayHint", "refreshSupport"});
    client.watches = yes(can, {"workspace", "didChangeWatchedFiles", "dynamicRegistration"});
    if (const json process = at(params, {"processId"}); process.is_number_integer()) parent_ = process.get<long>();

    const json options = at(params, {"initializationOptions"});
    if (const json lint = at(options, {"lint"}); lint.is_boolean()) client.lint = lint.get<bool>();
    client.checked = yes(options, {"reportChecked"});
    for (const json& folder : at(options, {"includeDirs"}))
        if (folder.is_string()) client.include_dirs.push_back(folder.get<std::string>());
    for (const json& folder : at(params, {"workspaceFolders"}))
        if (folder.is_object() && folder.value("uri", json()).is_string())
            client.folders.push_back(path_of_uri(folder["uri"].get<std::string>()));
    if (const json root = at(params, {"rootUri"}); client.folders.empty() && root.is_string())
        client.folders.push_back(path_of_uri(root.get<std::string>()));
    // A folder is named from the workspace's first one.
    for (std::string& folder : client.include_dirs)
        if (!client.folders.empty() && std::filesystem::path(folder).is_relative())
            folder = (std::filesystem::path(client.folders.front()) / folder).string();

    state_ = State::initialized;
    return {{"capabilities", capabilities()}, {"serverInfo", {{"name", "anmlc"}, {"version", tools_.version}}}};
}

// Models, what packages are made of, and tables: what changes of them while nobody types.
void Server::watch_files()
{
    if (!workspace_.client.watches) return;
    json watchers = json::array();
    for (const char* glob : {"**/*.anml", "**/anml.toml", "**/anml.lock", "**/*.csv"})
        watchers.push_back({{"globPattern", glob}});
    const json registration = {
        {"id", "files"}, {"method", "workspace/didChangeWatchedFiles"}, {"registerOptions", {{"watchers", watchers}}}};
    send({{"jsonrpc", "2.0"},
          {"id", "watch-files"},
          {"method", "client/registerCapability"},
          {"params", {{"registrations", json::array({registration})}}}});
}

json Server::capabilities() const
{
    return {
        {"positionEncoding", encoding_name(workspace_.client.encoding)},
        {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", {{"includeText", false}}}}},
        {"codeActionProvider", {{"codeActionKinds", {"quickfix", "source.fixAll"}}}},
        {"definitionProvider", true},
        {"referencesProvider", true},
        {"documentHighlightProvider", true},
        {"renameProvider", {{"prepareProvider", true}}},
        {"hoverProvider", true},
        {"documentSymbolProvider", true},
        {"workspaceSymbolProvider", true},
        {"completionProvider", {{"triggerCharacters", {".", "@"}}}},
        {"signatureHelpProvider", {{"triggerCharacters", {"(", ","}}}},
        {"documentFormattingProvider", true},
        {"documentRangeFormattingProvider", true},
        {"documentOnTypeFormattingProvider", {{"firstTriggerCharacter", "}"}, {"moreTriggerCharacter", {"\n"}}}},
        {"semanticTokensProvider", {{"legend", semantic_tokens_legend()}, {"full", true}, {"range", true}}},
        {"foldingRangeProvider", true},
        {"selectionRangeProvider", true},
        {"inlayHintProvider", true},
        {"codeLensProvider", json::object()},
        {"callHierarchyProvider", true},
        {"experimental", {{"anml", {{"graph", true}, {"checked", true}}}}},
    };
}

}  // namespace anml::lsp
