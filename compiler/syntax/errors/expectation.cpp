// What would have fitted where a parse failed, and after what.
#include <fmt/format.h>

#include "AnmlLexer.h"
#include "syntax/errors/failure.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

namespace {

std::string_view token_text(std::size_t type)
{
    switch (type) {
        case AnmlLexer::AS:
            return "`as`";
        case AnmlLexer::IN:
            return "`in`";
        case AnmlLexer::ELSE:
            return "`else`";
        case AnmlLexer::THEN:
            return "`then`";
        case AnmlLexer::ON:
            return "`on`";
        case AnmlLexer::WHILE:
            return "`while`";
        case AnmlLexer::STATE:
            return "`state`";
        case AnmlLexer::YIELD:
            return "`yield`";
        case AnmlLexer::FROM:
            return "`from`";
        case AnmlLexer::EVERY:
            return "`every`";
        case AnmlLexer::OVERRIDE:
            return "`override`";
        case AnmlLexer::LBRACE:
            return "`{`";
        case AnmlLexer::RBRACE:
            return "`}`";
        case AnmlLexer::LPAREN:
            return "`(`";
        case AnmlLexer::RPAREN:
            return "`)`";
        case AnmlLexer::LBRACK:
            return "`[`";
        case AnmlLexer::RBRACK:
            return "`]`";
        case AnmlLexer::DUPLEX:
            return "`--`";
        case AnmlLexer::DIRECTED:
            return "`->`";
        case AnmlLexer::RANGE:
            return "`..`";
        case AnmlLexer::HALF_OPEN:
            return "`..<`";
        case AnmlLexer::COMMA:
            return "`,`";
        case AnmlLexer::COLON:
            return "`:`";
        case AnmlLexer::ASSIGN:
            return "`=`";
        case AnmlLexer::INTEGER:
            return "a whole number";
        case AnmlLexer::STRING:
            return "a string in double quotes";
        case AnmlLexer::IDENTIFIER:
            return "a name";
        default:
            return {};
    }
}

// How a construct is called in a message.
std::string_view rule_name(std::size_t rule)
{
    switch (rule) {
        case AnmlParser::RuleEdition_decl:
            return "edition";
        case AnmlParser::RuleImport_decl:
            return "import";
        case AnmlParser::RuleSchema_decl:
            return "schema";
        case AnmlParser::RuleAttribute_decl:
            return "attribute";
        case AnmlParser::RuleEnum_decl:
            return "enum";
        case AnmlParser::RuleProfile_decl:
            return "profile";
        case AnmlParser::RuleProcess_decl:
            return "process";
        case AnmlParser::RuleState_decl:
            return "state";
        case AnmlParser::RuleGraph_decl:
            return "graph";
        case AnmlParser::RuleFunction_decl:
            return "function";
        case AnmlParser::RuleBody_head:
        case AnmlParser::RuleComponent_decl:
            return "component";
        case AnmlParser::RuleParameter:
            return "parameter";
        case AnmlParser::RuleNode_decl:
            return "node";
        case AnmlParser::RuleInstance_decl:
            return "instance";
        case AnmlParser::RuleLink_decl:
            return "link";
        case AnmlParser::RuleWorkload_decl:
            return "workload";
        case AnmlParser::RuleAttribute:
            return "attribute";
        default:
            return {};
    }
}

}  // namespace

std::string found(const Failure& in)
{
    if (in.at_end()) return "the end of the file";
    if (in.is_keyword(in.failure.word)) return fmt::format("the keyword `{}`", in.text_of(in.failure.word));
    return fmt::format("`{}`", in.text_of(in.failure.word));
}

std::string expectation(const Failure& in)
{
    std::vector<std::string> list;
    std::vector<bool> rest = in.failure.expected;
    auto drop = [&](std::initializer_list<std::size_t> types) {
        for (std::size_t type : types) rest[type] = false;
    };
    using L = AnmlLexer;
    if (in.expects_operator()) {
        // After a value an operator is always possible, and hardly ever what was forgotten.
        drop({L::PLUS, L::MINUS, L::TOLERANCE, L::STAR, L::SLASH, L::PERCENT, L::LESS, L::GREATER, L::AT_MOST,
              L::AT_LEAST, L::EQUAL, L::NOT_EQUAL, L::AND, L::OR, L::DOT, L::LPAREN, L::LBRACK});
    }
    if (in.rule(0) == AnmlParser::RuleFor_stmt) drop({L::COMMA});        // the number of an element: rare
    if (in.rule(0) == AnmlParser::RuleWorkload_decl) drop({L::LBRACK});  // in a loop
    if (in.rule(0) == AnmlParser::RuleBrackets && in.expects_statement()) drop({L::LBRACK});  // another index
    if (in.rule(0) == AnmlParser::RuleAttribute) drop({L::LBRACE});  // a direction's block: rare
    if (in.rule(0) == AnmlParser::RuleAttribute_decl && in.expects(L::COLON) &&
        in.text_of(in.failure.word - 1) != "trait")
        drop({L::IDENTIFIER});  // it is no trait
    // Behind the type of a parameter or function: `like x` is rare.
    if (in.expects(L::ASSIGN) && !in.expects_value() &&
        (in.inside(AnmlParser::RuleParameter) || in.inside(AnmlParser::RuleFunction_decl)))
        drop({L::IDENTIFIER});
    if (in.expects_statement()) {
        list.push_back("a statement");
        for (std::size_t type = 1; type < rest.size(); ++type) {
            if (begins_statement(static_cast<std::uint16_t>(type))) rest[type] = false;
        }
        drop({L::IF, L::IDENTIFIER, L::EVERY, L::FROM});
        if (rest[0]) list.push_back("`}`");
        rest[0] = false;
    } else if (in.expects(L::MODEL) && in.expects(L::IMPORT)) {
        list.push_back("a declaration");
        rest.assign(rest.size(), false);
    } else if (in.expects_value()) {
        const bool argument = in.rule(0) == AnmlParser::RuleArgument_list || in.rule(0) == AnmlParser::RuleAnnotation;
        list.push_back(argument ? "an argument" : "a value");
        drop({L::INTEGER, L::NUMBER, L::QUANTITY, L::STRING, L::ADDRESS, L::PREFIX, L::TRUE, L::FALSE, L::SELF,
              L::LPAREN, L::LBRACK, L::MINUS, L::NOT, L::IF, L::IDENTIFIER});
        if (rest[L::STAR]) list.push_back("`*`");
        drop({L::STAR});
    }
    if (rest[0] && in.inside(AnmlParser::RuleWhole_declaration)) list.push_back("the next declaration");
    if (rest[0] && in.inside(AnmlParser::RuleValue)) list.push_back("the end of the value");
    if (const std::string_view word = small_word(in); !word.empty() && rest[L::IDENTIFIER]) {
        list.emplace_back(word);
        drop({L::IDENTIFIER});
    }
    for (std::size_t type = 1; type < rest.size(); ++type) {
        if (!rest[type]) continue;
        if (std::string_view text = token_text(type); !text.empty()) list.emplace_back(text);
    }
    if (list.empty()) return "something else";
    std::string joined = list[0];
    for (std::size_t i = 1; i < list.size(); ++i) joined += (i + 1 == list.size() ? " or " : ", ") + list[i];
    return joined;
}

std::string_view small_word(const Failure& in)
{
    for (const ParseFailure::Rule& r : in.failure.rules) {
        switch (r.rule) {
            case AnmlParser::RuleFrom_stmt:
            case AnmlParser::RuleEvery_stmt:
            case AnmlParser::RuleRamp_stmt:
                return "`to`";
            case AnmlParser::RuleRoute_stmt:
                return r.children < 4 ? "`to`" : "`via`";
            case AnmlParser::RuleTimeline_item:
                return "`up`, `down`, `off`";
            case AnmlParser::RuleExpression:
            case AnmlParser::RuleSubject:
            case AnmlParser::RuleIdentifier:
                break;
            default:
                return {};
        }
    }
    return {};
}

std::string place(const Failure& in)
{
    const ParseFailure::Rule* at = nullptr;
    for (const ParseFailure::Rule& r : in.failure.rules) {
        if (!at && r.first_word < in.failure.word) at = &r;
    }
    if (!at || at->rule == AnmlParser::RuleBody_part || at->rule == AnmlParser::RuleBlock) return {};
    std::string_view name = rule_name(at->rule);
    if (at->rule == AnmlParser::RuleAttribute_decl && at->children == 2) name = "trait";
    bool after_name = at->last_child == AnmlParser::RuleIdentifier && at->children <= 2 && in.rule(0) == at->rule;
    if (at->rule == AnmlParser::RuleLink_decl) after_name = at->children == 2 && plain_name(in, at->first_word + 1);
    if (after_name && (at->rule == AnmlParser::RuleFor_stmt || at->rule == AnmlParser::RuleFor_clause))
        return " after the loop variable";
    if (after_name && !name.empty()) return fmt::format(" after the {}'s name", name);
    return fmt::format(" after `{}`", in.text_of(in.failure.word - 1));
}

bool plain_name(const Failure& in, std::uint32_t first)
{
    if (first >= in.failure.word || in.type_of(first) != AnmlLexer::IDENTIFIER) return false;
    if (first + 1 == in.failure.word) return true;
    return in.type_of(first + 1) == AnmlLexer::LBRACK && in.file.partner(first + 1) == in.failure.word - 1;
}

}  // namespace anml
