#include "report/schema.h"

#include <fmt/format.h>

#include <algorithm>

namespace anml {

namespace {

bool has_type(const Json& value, const std::string& type)
{
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "boolean") return value.is_boolean();
    return value.is_null();
}

// "a number", "an integer or null".
std::string type_words(const Json& types)
{
    std::string words;
    for (const Json& type : types.is_array() ? types : Json::array({types})) {
        const auto& word = type.get_ref<const std::string&>();
        const bool vowel = word == "object" || word == "array" || word == "integer";
        words += fmt::format("{}{}{}", words.empty() ? "" : " or ", word == "null" ? "" : vowel ? "an " : "a ", word);
    }
    return words;
}

class Matcher {
  public:
    explicit Matcher(const Json& schema) : root_(schema) {}

    std::optional<Mismatch> run(const Json& document)
    {
        if (!fits(document, root_)) return mismatch_;
        return std::nullopt;
    }

  private:
    bool fits(const Json& value, const Json& schema)
    {
        if (schema.contains("$ref"))  // "#/definitions/count"
            return fits(value, root_.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1))));
        if (schema.contains("oneOf") && !fits_one(value, schema["oneOf"])) return false;
        if (schema.contains("type")) {
            const Json& types = schema["type"];
            const auto fitting = [&](const Json& type) { return has_type(value, type); };
            if (types.is_array() ? std::none_of(types.begin(), types.end(), fitting) : !fitting(types))
                return fail(fmt::format("is {}, and should be {}", type_words(value.type_name()), type_words(types)));
        }
        if (schema.contains("const") && value != schema["const"])
            return fail(fmt::format("is {}, and should be {}", shown(value), schema["const"].dump()));
        if (schema.contains("enum")) {
            const Json& words = schema["enum"];
            if (std::find(words.begin(), words.end(), value) == words.end())
                return fail(fmt::format("is {}, which is none of {}", shown(value), words.dump()));
        }
        if (schema.contains("minimum") && value.is_number() && value < schema["minimum"])
            return fail(fmt::format("is {}, and should be at least {}", value.dump(), schema["minimum"].dump()));
        if (value.is_object()) return fits_object(value, schema);
        return !value.is_array() || fits_array(value, schema);
    }

    // A workload's keys are those of its `kind`; of other alternatives one fits.
    bool fits_one(const Json& value, const Json& schemas)
    {
        const std::size_t depth = mismatch_.path.size();
        for (const Json& schema : schemas) {
            if (!schema.contains("properties")) {
                if (fits(value, schema)) return true;
                mismatch_.path.resize(depth);
                continue;
            }
            const Json& kind = schema["properties"]["kind"];
            if (value.is_object() && value.contains("kind") && Matcher(kind).fits(value["kind"], kind))
                return fits(value, schema);
        }
        return fail("is of no known kind");
    }

    bool fits_object(const Json& value, const Json& schema)
    {
        if (schema.contains("required"))
            for (const Json& key : schema["required"])
                if (const auto& name = key.get_ref<const std::string&>(); !value.contains(name))
                    return fail(fmt::format("lacks `{}`", name));
        const bool others = schema.contains("additionalProperties") && schema["additionalProperties"].is_object();
        for (const auto& [key, member] : value.items()) {
            const Json* inner = nullptr;
            if (schema.contains("properties") && schema["properties"].contains(key))
                inner = &schema["properties"][key];
            else if (schema.contains("patternProperties"))
                inner = &*schema["patternProperties"].begin();
            else if (others)
                inner = &schema["additionalProperties"];
            if (inner && !fits_at(key, member, *inner)) return false;
        }
        return true;
    }

    bool fits_array(const Json& value, const Json& schema)
    {
        if (schema.contains("minItems") && value.size() < schema["minItems"])
            return fail(fmt::format("has {} elements, and should have {}", value.size(), schema["minItems"].dump()));
        if (!schema.contains("items")) return true;
        for (std::size_t i = 0; i < value.size(); ++i)
            if (!fits_at(fmt::to_string(i), value[i], schema["items"])) return false;
        return true;
    }

    bool fits_at(const std::string& step, const Json& value, const Json& schema)
    {
        mismatch_.path.push_back(step);
        if (!fits(value, schema)) return false;
        mismatch_.path.pop_back();
        return true;
    }

    bool fail(const std::string& what)
    {
        const std::string path = fmt::format("{}", fmt::join(mismatch_.path, "."));
        mismatch_.message = path.empty() ? "the document " + what : fmt::format("`{}` {}", path, what);
        return false;
    }

    static std::string shown(const Json& value)
    {
        constexpr std::size_t kMost = 40;
        std::string text = value.dump();
        return text.size() <= kMost ? text : fmt::format("a long {}", value.type_name());
    }

    const Json& root_;
    Mismatch mismatch_;
};

// Over a text that was parsed before.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) { blanks(); }

    // To the value of that name or index; false: there is none.
    bool enter(const std::string& step)
    {
        const bool object = peek() == '{';
        if (!object && peek() != '[') return false;
        std::size_t index = 0;
        for (++at_; blanks(), at_ < text_.size() && peek() != '}' && peek() != ']'; ++index) {
            std::string key = fmt::to_string(index);
            if (object) {
                const std::size_t begin = at_;
                skip();
                key = Json::parse(text_.substr(begin, at_ - begin)).get<std::string>();
                blanks();
                ++at_;  // the colon
                blanks();
            }
            if (key == step) return true;
            skip();
            blanks();
            if (peek() == ',') ++at_;
        }
        return false;
    }

    // Behind a value.
    void skip()
    {
        for (std::size_t depth = 0; at_ < text_.size();) {
            const char c = peek();
            if (c == '"') {
                for (++at_; peek() != '"'; ++at_)
                    if (peek() == '\\') ++at_;
                ++at_;
            } else if (c == '{' || c == '[') {
                ++depth, ++at_;
            } else if (c == '}' || c == ']') {
                --depth, ++at_;
            } else if (depth > 0) {
                ++at_;
            } else {
                at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
            }
            if (depth == 0) return;
        }
    }

    std::size_t at() const { return at_; }

  private:
    char peek() const { return at_ < text_.size() ? text_[at_] : '"'; }
    void blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<Mismatch> find_mismatch(const Json& document, const Json& schema)
{
    return Matcher(schema).run(document);
}

JsonPlace find_place(std::string_view text, const std::vector<std::string>& path)
{
    Scanner scanner(text);
    for (const std::string& step : path)
        if (!scanner.enter(step)) return {0, text.size()};
    const std::size_t begin = scanner.at();
    scanner.skip();
    return {begin, scanner.at()};
}

}  // namespace anml
