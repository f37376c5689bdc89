#include "import/yaml_json.h"

#include <fmt/format.h>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "import/graphs/foreign_graph.h"

namespace anml {

namespace {

using YamlValue = nlohmann::ordered_json;

constexpr std::size_t kLargestDocument = 4u << 20, kMostYamlValues = 1'000'000;

struct YamlLimit {
    std::size_t offset;
    std::string message;
};

// Values, and as many for long texts as their bytes are worth.
std::size_t size_of(const YamlValue& value)
{
    std::size_t all = 1;
    if (value.is_string()) all += value.get_ref<const std::string&>().size() / 16;
    if (value.is_structured())
        for (const auto& each : value) all += size_of(each);
    return all;
}

YamlValue plain(const std::string& text)
{
    if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return nullptr;
    if (text == "true" || text == "True" || text == "TRUE") return true;
    if (text == "false" || text == "False" || text == "FALSE") return false;
    if (YamlValue::accept(text)) {
        YamlValue number = YamlValue::parse(text);
        if (number.is_number()) return number;
    }
    return text;
}

class JsonBuilder : public YAML::EventHandler {
  public:
    YamlValue whole;

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(mark, anchor, nullptr); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override
    {
        const auto known = anchors_.find(anchor);
        add(mark, 0, known == anchors_.end() ? YamlValue() : known->second);
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& text) override
    {
        add(mark, anchor, tag == "?" ? plain(text) : YamlValue(text));
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override
    {
        open(mark, anchor, YamlValue::array());
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override
    {
        open(mark, anchor, YamlValue::object());
    }
    void OnMapEnd() override { close(); }

  private:
    struct Open {
        YamlValue value;
        YAML::anchor_t anchor;
        std::string key;
        bool has_key = false;
        std::size_t offset;
    };

    static std::size_t place(const YAML::Mark& mark) { return static_cast<std::size_t>(std::max(mark.pos, 0)); }

    void open(const YAML::Mark& mark, YAML::anchor_t anchor, YamlValue value)
    {
        if (open_.size() == kDeepestGraph)
            throw YamlLimit{place(mark), fmt::format("values are nested more than {} deep", kDeepestGraph)};
        open_.push_back({std::move(value), anchor, "", false, place(mark)});
    }
    void close()
    {
        Open done = std::move(open_.back());
        open_.pop_back();
        put(done.offset, done.anchor, std::move(done.value), 1);
    }
    void add(const YAML::Mark& mark, YAML::anchor_t anchor, YamlValue value)
    {
        const std::size_t size = size_of(value);
        put(place(mark), anchor, std::move(value), size);
    }
    void put(std::size_t offset, YAML::anchor_t anchor, YamlValue value, std::size_t size)
    {
        if ((values_ += size) > kMostYamlValues)
            throw YamlLimit{offset, fmt::format("the file has more than {} values", kMostYamlValues)};
        if (anchor) {
            values_ += size_of(value);
            anchors_[anchor] = value;
        }
        if (open_.empty()) {
            whole = std::move(value);
            return;
        }
        Open& in = open_.back();
        if (in.value.is_array()) {
            in.value.push_back(std::move(value));
        } else if (in.has_key) {
            in.value[in.key] = std::move(value);
            in.has_key = false;
        } else {
            in.key = value.is_string() ? value.get<std::string>() : value.dump();
            in.has_key = true;
        }
    }

    std::map<YAML::anchor_t, YamlValue> anchors_;
    std::vector<Open> open_;
    std::size_t values_ = 0;
};

}  // namespace

YamlProblem read_yaml(std::string_view text, nlohmann::ordered_json& whole)
{
    if (text.size() > kLargestDocument)
        return {fmt::format("the file is larger than {} MiB", kLargestDocument >> 20), 0};
    JsonBuilder builder;
    try {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(builder)) return {"the file is empty", 0};
    } catch (const YamlLimit& limit) {
        return {limit.message, limit.offset};
    } catch (const YAML::Exception& error) {
        return {fmt::format("this is not well-formed YAML: {}", error.msg),
                static_cast<std::size_t>(std::max(error.mark.pos, 0))};
    }
    whole = std::move(builder.whole);
    return {};
}

}  // namespace anml
