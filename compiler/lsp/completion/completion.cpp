// Completion: what may stand at a place, with its type, unit and documentation. What fits the place comes first, and
// what cannot stand there is left out where the words around say so.
#include <algorithm>
#include <iterator>
#include <set>

#include "base/files/read_file.h"
#include "base/files/request_file.h"
#include "lsp/capabilities.h"
#include "lsp/completion/completion_items.h"
#include "lsp/completion/context.h"
#include "lsp/completion/values.h"
#include "source/known_modules.h"
#include "syntax/syntax_views.h"

namespace anml::lsp {

namespace {

template <std::size_t Count>
bool is_one_of(std::string_view word, const std::string_view (&words)[Count])
{
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

class Completion {
  public:
    Completion(Workspace& workspace, const Snapshot& snapshot, const CursorTokens& words, std::uint32_t offset,
               const Document& document)
        : workspace_(workspace),
          document_(document),
          s_(snapshot),
          w_(words),
          offset_(offset),
          context_(s_, w_, offset),
          items_(s_, w_, offset, document, workspace.client),
          values_(s_, w_, context_, items_)
    {
    }

    json run()
    {
        if (w_.in_string())
            requests();
        else if (!w_.in_comment())
            find();
        return items_.take();
    }

  private:
    void find()
    {
        if (w_.in_number()) return items_.units(context_.expected_type(w_.count()));
        if (w_.behind_number()) return items_.units(context_.expected_type(w_.count() - 1));
        if (const auto typed = imported()) return modules(*typed);
        if (w_.last() == ".") return values_.members(offset_);
        if (w_.last() == "@") return items_.words({"task", "changes"}, "annotation");
        if (names_something()) return;
        const std::size_t bracket = w_.open_before(w_.count());
        if (bracket == CursorTokens::kNone) return top_level();
        if (w_.word(bracket) == "(") return parentheses(bracket);
        if (w_.word(bracket) == "[" && ends_operand()) return items_.words({"for", "in", "if"}, "of each element");
        if (w_.word(bracket) == "[") return values_.add(context_.expected_type(w_.count()), paths_allowed());
        block(bracket);
    }

    // A name that nothing has yet is to be written.
    bool names_something() const
    {
        constexpr std::string_view kWords[] = {"component", "model",    "experiment", "schema", "enum",     "profile",
                                               "process",   "function", "graph",      "table",  "let",      "for",
                                               "workload",  "router",   "switch",     "host",   "endpoint", "state"};
        return w_.count() > 0 && is_one_of(w_.last(), kWords) &&
               (w_.cls(w_.count() - 1) == TokenClass::keyword || w_.last() == "table") && w_.last(1) != ":" &&
               w_.last(1) != "=";
    }

    std::string_view first_word() const
    {
        std::size_t at = context_.statement_here();
        if (w_.word(at) == "pub") ++at;
        return w_.word(at);
    }

    // So far as words say nothing else, an item begins here.
    bool begins() const { return w_.last() == "{" || w_.last() == "}" || w_.last() == "," || w_.prefix_starts_line(); }

    bool paths_allowed() const
    {
        const std::string_view first = first_word();
        return first == "require" || first == "measure" || first == "function";
    }

    // --- imports

    // What of a module's name stands before the place, up to its last dot; nothing: no `import` does.
    std::optional<std::string> imported() const
    {
        std::string typed;
        std::size_t i = w_.count();
        for (; i >= 2 && w_.word(i - 1) == "."; i -= 2) typed = std::string(w_.word(i - 2)) + "." + typed;
        if (i == 0 || w_.word(i - 1) != "import") return std::nullopt;
        return typed;
    }

    void modules(const std::string& typed)
    {
        const SourceOptions options{document_.path, workspace_.client.include_dirs};
        for (const KnownModule& module : known_modules(options, workspace_.texts())) {
            if (!module.name.starts_with(typed)) continue;
            const std::string_view rest = std::string_view(module.name).substr(typed.size());
            if (!rest.empty()) items_.module(rest, module.name, module.about);
        }
    }

    // --- between quotes

    // `p95(shop, "|")`: the requests of the files that the workload names.
    void requests()
    {
        constexpr std::size_t kMostBytes = std::size_t{4} << 20;
        constexpr std::string_view kFunction = "requests(";
        const std::size_t bracket = w_.open_before(w_.count());
        if (w_.last() != "," || bracket == CursorTokens::kNone || w_.word(bracket) != "(") return;
        const SyntaxId workload = find_declaration(s_, s_.sources.main, offset_, w_.word(bracket + 1));
        if (!workload.valid() || s_.tree.kind(workload) != SyntaxKind::workload_decl) return;
        const std::string_view text = s_.text(s_.tree.node(workload).span);
        const std::string folder = document_.path.substr(0, document_.path.rfind('/') + 1);
        for (std::size_t at = text.find(kFunction); at != text.npos; at = text.find(kFunction, at + 1)) {
            const std::size_t begin = text.find_first_not_of(" \t", at + kFunction.size());
            if (begin == text.npos || text[begin] != '"') continue;
            const std::string name(text.substr(begin + 1, text.find('"', begin + 1) - begin - 1));
            std::string bytes;
            const std::string path = name.starts_with('/') ? name : folder + name;
            if (!read_file(path, kMostBytes, Readable::files, bytes).empty()) continue;
            RequestFileReader reader(path.substr(0, path.rfind('/') + 1));
            for (std::string_view left = bytes; !left.empty();) {
                const std::size_t end = std::min(left.find('\n'), left.size());
                reader.take(left.substr(0, end));  // what is wrong there is said elsewhere
                left.remove_prefix(std::min(end + 1, left.size()));
            }
            reader.finish();
            for (const FileDocument& request : reader.documents)
                if (request.request->name.find_first_of("\"\\") == std::string::npos &&
                    seen_.insert(request.request->name).second)
                    items_.add(request.request->name, kConstant, '0', "a request of " + name);
        }
    }

    // --- outside of braces

    void top_level()
    {
        const std::string_view first = first_word();
        if (w_.last() == ":") return behind_colon(first);
        if (begins() || w_.last() == "pub") {
            items_.words({"component", "model", "experiment", "schema", "enum", "profile", "process", "function",
                          "graph", "table"},
                          "declaration");
            if (w_.last() != "pub") items_.words({"import", "pub", "edition"}, "declaration");
            return;
        }
        if (first == "function" || w_.last() == "=") return values_.add(std::nullopt, true);
        if (first == "import") items_.words({"as"}, "another name");
    }

    void behind_colon(std::string_view first)
    {
        // Nothing extends itself.
        const SyntaxId itself = find_declaration(s_, s_.sources.main, offset_, declared_name());
        const auto of_kind = [&](std::initializer_list<SyntaxKind> kinds) {
            items_.fitting([&](const VisibleName& name) {
                return name.declaration != itself && std::any_of(kinds.begin(), kinds.end(), [&](SyntaxKind kind) {
                           return items_.is_kind(name, kind);
                       });
            });
        };
        if (first == "experiment") return of_kind({SyntaxKind::model_decl});
        if (first == "model") return of_kind({SyntaxKind::component_decl, SyntaxKind::model_decl});
        if (first == "component") return of_kind({SyntaxKind::component_decl});
        if (first == "profile" || first == "table" || first == "schema") return of_kind({SyntaxKind::schema_decl});
        if (first == "workload") return schemas_of(s_.program.workload);
        items_.types(true);
    }

    // What the statement or declaration declares that the place is in.
    std::string_view declared_name() const
    {
        const std::size_t at = context_.statement_here();
        return w_.word(w_.word(at) == "pub" ? at + 2 : at + 1);
    }

    void schemas_of(SchemaId base)
    {
        items_.fitting([&](const VisibleName& name) {
            if (!items_.is_kind(name, SyntaxKind::schema_decl)) return false;
            const Schema* schema = schema_of(s_, name.declaration);
            if (!schema || !base.valid()) return true;
            const auto id = static_cast<std::size_t>(schema - s_.program.schemas.data());
            return id != base.value && s_.program.derives(SchemaId(id), base);
        });
    }

    // --- in parentheses

    void parentheses(std::size_t bracket)
    {
        if (context_.declares_parameters(bracket)) {
            if (w_.last() == ":" || w_.last() == "random" || (w_.last() == "component" && w_.last(1) == ":"))
                return items_.types(true);
            if (w_.last() == "(" || w_.last() == ",") return items_.words({"tunable"}, "of a model");
            if (w_.last() == "tunable") return;
            if (ends_operand() && !value_begun(bracket)) return items_.words({"in", "matching"}, "of its values");
            return values_.add(context_.expected_type(w_.count()), false);
        }
        if (ends_operand()) return condition();
        if (w_.last() != "=") {
            const SyntaxId called = context_.called(bracket);
            if (w_.last() == "(" || w_.last() == ",") items_.parameters(called, " = ", '0');
        }
        values_.add(context_.expected_type(w_.count()), paths_allowed());
    }

    // Whether the parameter that is being declared has its `=` or `in`.
    bool value_begun(std::size_t bracket) const
    {
        for (std::size_t i = w_.count(); i-- > bracket + 1 && w_.word(i) != ",";)
            if (w_.word(i) == "=" || w_.word(i) == "in") return true;
        return false;
    }

    // --- in braces

    void block(std::size_t bracket)
    {
        const Context::Head head = bracket == 0 ? Context::Head{} : context_.attributes_around(bracket);
        if (head.schema) {
            if (begins() && w_.last() != "=") return attributes(head);
            if (ends_operand()) return condition();
            return values_.add(context_.expected_type(w_.count()), false);
        }
        if (head.timeline) return timeline(bracket, head);
        if (head.first == "enum") return;
        if (head.first == "schema") return in_schema();
        if (head.first == "process") return in_process();
        if (w_.last() == "override") return overridden(bracket);
        if (!head.statements && head.first != "override") return in_instance(bracket);
        if (begins() && w_.last() != "=" && w_.last() != ":" && head.statements) return statements(bracket, head);
        in_statement(bracket);
    }

    void attributes(const Context::Head& head)
    {
        items_.attributes(head.schema, head.changes);
        if (s_.program.link.valid() && (head.first == "link" || head.changes))
            items_.words({"up", "down"}, "in one direction");
    }

    void in_schema()
    {
        if (w_.last() == ":" || w_.last() == "random") return items_.types(true);
        if (begins() && w_.last() != "=") return items_.words({"require", "trait", "extra"}, "of a schema");
        values_.add(context_.expected_type(w_.count()), false);
    }

    void in_process()
    {
        if (w_.last() == ":") return items_.types(false);
        if (begins() && w_.last() != "=") return items_.words({"state", "yield"}, "of a process");
        if (ends_operand()) return items_.words({"then"}, "the next value");
        values_.add(std::nullopt, false);
    }

    void statements(std::size_t bracket, const Context::Head& head)
    {
        const std::size_t body = context_.body_around(bracket);
        const bool experiment = head.first == "experiment";
        if (experiment)
            items_.words({"vary", "search", "measure", "require", "run", "override"}, "of an experiment", '0');
        items_.words(
            {"router",  "switch", "host", "endpoint", "link",  "let",    "for", "if",    "workload", "addressing",
             "routing", "route",  "port", "profile",  "label", "report", "at",  "every", "from",     "ramp"},
            "statement");
        if (!experiment) {
            items_.words({"require", "run"}, "statement");
            if (body != CursorTokens::kNone && !context_.base_of(body).empty())
                items_.words({"override"}, "statement");
        }
        for (const VisibleName& name : items_.names())
            if (name.module || items_.is_kind(name, SyntaxKind::component_decl) ||
                items_.is_kind(name, SyntaxKind::graph_decl))
                items_.add(name, experiment ? '8' : '2');
    }

    // `Lan net[2] { ... }`: overrides of an instance.
    void in_instance(std::size_t bracket)
    {
        const SyntaxId declared =
            find_declaration(s_, s_.sources.main, offset_, context_.dotted_at(w_.statement_of(bracket)));
        if (!component_of(s_, declared)) return in_statement(bracket);
        if (begins()) return items_.words({"override"}, "of an instance");
        if (w_.last() == ":") return values_.add(link_type(), false);
    }

    void overridden(std::size_t bracket)
    {
        SyntaxId declared =
            find_declaration(s_, s_.sources.main, offset_, context_.dotted_at(w_.statement_of(bracket)));
        const Component* component = component_of(s_, declared);
        if (const std::size_t body = context_.body_around(bracket); !component && body != CursorTokens::kNone) {
            declared = find_declaration(s_, s_.sources.main, offset_, context_.base_of(body));
            component = component_of(s_, declared);
        }
        if (!component) return;
        items_.members_of(*component, [](const Member& member) {
            const TypeKind kind = member.type.kind;
            return kind == TypeKind::node || kind == TypeKind::link || kind == TypeKind::workload ||
                   kind == TypeKind::instance;
        });
        if (component->is_model) items_.words({"run", "addressing", "routing"}, "of the model");
    }

    // The name, or the last word, behind which operators stand and no operand.
    bool ends_operand() const
    {
        if (w_.count() == 0) return false;
        const TokenClass cls = w_.cls(w_.count() - 1);
        const std::string_view last = w_.last();
        return cls == TokenClass::identifier || cls == TokenClass::literal || last == ")" || last == "]" ||
               last == "self";
    }

    void in_statement(std::size_t bracket)
    {
        const std::string_view first = first_word(), last = w_.last();
        const std::size_t begin = context_.statement_here();
        const auto has = [&](std::initializer_list<std::string_view> any) {
            for (std::size_t i = begin; i < w_.count(); ++i)
                if (std::find(any.begin(), any.end(), w_.word(i)) != any.end()) return true;
            return false;
        };
        if (first == "vary" || first == "search") {
            if (last == first) return factors(bracket, first == "vary");
            if (last != "in" && !has({"in"})) return items_.words({"in"}, "of a factor");
        }
        if (last == "measure") return values_.measures();
        if (first == "link") {
            const bool ends = has({"--", "->"});
            if (last == "link" || last == "--" || last == "->" || (last == ":" && !ends))
                return values_.add(Type{.kind = TypeKind::node}, false);
            if (last == ":") return values_.add(link_type(), false);
        }
        if (first == "workload") {
            if (last == ":") return schemas_of(s_.program.workload);
            if (last == "on") return values_.add(Type{.kind = TypeKind::node}, false);
            if (has({":"}) && !has({"on"})) return items_.words({"on"}, "the hosts");
        }
        if (first == "route" && (last == "route" || last == "to" || last == "via"))
            return values_.add(Type{.kind = TypeKind::node}, false);
        if (first == "profile" && last == ":") return behind_colon(first);
        if (first == "override" && last == ":") return values_.add(link_type(), false);
        if (ends_operand() && !is_word_between(first, last)) {
            if (first == "require") items_.words({"else"}, "what is said");
            if (first == "route") items_.words({"to", "via"}, "of a route");
            if (first == "from" || first == "every" || first == "ramp") items_.words({"to", "from", "every"}, "times");
            if (first == "for") items_.words({"in", "while"}, "of a loop");
            return condition();
        }
        values_.add(context_.expected_type(w_.count()), paths_allowed());
    }

    // Behind an operand: what an `if` before it goes on with.
    void condition()
    {
        for (std::size_t i = w_.count(); i-- > context_.statement_here();)
            if (w_.word(i) == "if") return items_.words({"then", "else"}, "of a condition");
    }

    // Names that stand between operands in such a statement.
    static bool is_word_between(std::string_view first, std::string_view word)
    {
        if (first == "route") return word == "to" || word == "via";
        return word == "to" && (first == "from" || first == "every" || first == "ramp");
    }

    std::optional<Type> link_type() const
    {
        return s_.program.link.valid() ? std::optional(Type{.kind = TypeKind::schema, .ref = s_.program.link.value})
                                       : std::nullopt;
    }

    void factors(std::size_t bracket, bool vary)
    {
        const std::size_t body = context_.body_around(bracket);
        if (body == CursorTokens::kNone) return;
        const SyntaxId model = find_declaration(s_, s_.sources.main, offset_, context_.base_of(body));
        items_.parameters(model, "", '0');
        if (vary) items_.add("server", kProperty, '1', "of `run`: a shell's command", "", "server");
    }

    // `at 5 s { uplink down, net { rate = 1 Mbps } }`
    void timeline(std::size_t bracket, const Context::Head& head)
    {
        std::size_t item = w_.count();
        int depth = 0;
        for (; item > bracket + 1; --item) {
            const std::string_view word = w_.word(item - 1);
            depth += (word == ")" || word == "]" || word == "}") - (word == "(" || word == "[" || word == "{");
            if (depth == 0 && (word == "," || word == "}")) break;
            if (depth == 0 && item < w_.count() && w_.starts_line(item)) break;
        }
        if (w_.word(item) == "require") return values_.add(std::nullopt, true);
        if (begins() || w_.last() == "--") {
            values_.subjects(w_.last() == "--");
            if (w_.last() != "--" && head.first != "ramp") items_.words({"require"}, "at that time");
            return;
        }
        if (head.first == "ramp" || !ends_operand()) return;
        const SyntaxId subject = find_declaration(s_, s_.sources.main, offset_, w_.word(item));
        const SyntaxKind kind = subject.valid() ? s_.tree.kind(subject) : SyntaxKind::none;
        if (kind != SyntaxKind::workload_decl) items_.words({"up", "down"}, "a link or a node", '0');
        if (kind != SyntaxKind::link_decl && kind != SyntaxKind::node_decl)
            items_.words({"on", "off"}, "a workload", '0');
    }

    Workspace& workspace_;
    const Document& document_;
    const Snapshot& s_;
    const CursorTokens& w_;
    std::uint32_t offset_;
    Context context_;
    CompletionItems items_;
    Values values_;
    std::set<std::string> seen_;
};

}  // namespace

json completion(Workspace& workspace, const json& params)
{
    Document& document = workspace.document(params);
    const PositionMap map(document.text, workspace.client.encoding);
    const std::uint32_t offset = map.offset(field(params, "position"));
    std::uint32_t then = offset;
    const Snapshot& snapshot = workspace.recent(document, then);
    if (snapshot.sources.files.empty()) return json::array();
    const CursorTokens words(document.text, offset);
    return Completion(workspace, snapshot, words, then, document).run();
}

}  // namespace anml::lsp
