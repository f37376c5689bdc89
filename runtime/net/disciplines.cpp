#include "net/disciplines.h"

#include <cassert>
#include <vector>

#include "net/record.h"

namespace anml::rt {

namespace {

// The numbers of a record, in the order of its layout; of a choice its place, of a list where it lies.
std::vector<double> fields_of(const Model& model, std::uint32_t record)
{
    std::vector<double> fields;
    each_field(model.image(), record, [&](const abi::RecordField& field, const std::uint32_t* words) {
        if (field.kind == abi::FieldKind::records)
            fields.insert(fields.end(), words, words + abi::words_of(field.kind));
        else
            fields.push_back(field.kind == abi::FieldKind::choice ? *words : model.value(*words));
    });
    return fields;
}

}  // namespace

Disciplines::Disciplines(const Model& model)
{
    const abi::Image& image = model.image();
    for (std::uint32_t row = 0; row < image.node_row_count && !links_; ++row)
        if (image.node_rows[row].buffer != kNone || image.node_rows[row].radio != kNone)
            links_.emplace(image.directed_links);
    for (std::uint32_t record = 0; record < image.record_count; ++record) {
        switch (abi::schema_of(image, record)) {
#define ANML_DISCIPLINE(name, service)                       \
    case abi::RecordSchema::name:                            \
        if (!links_) links_.emplace(image.directed_links);   \
        if (!name##_) name##_.emplace(image.directed_links); \
        break;
#include "disciplines.def"
#undef ANML_DISCIPLINE
            default:
                break;
        }
    }
}

void Disciplines::begin(LinkId link, LinkState& state, const Model& model, std::uint32_t record, bool shares)
{
    if (record == kNone && !shares) return;
    assert(!state.decided_elsewhere());  // a link that follows a trace has no other discipline
    DisciplinedLink& own = (*links_)[link];
    own.line = state;
    own.discipline = record == kNone ? DisciplinedLink::kDroptail : 1 + model.image().records[record].schema;
    own.near = model.near_end(link);
    own.expected = kNever;
    state.decide_elsewhere();
    change_parameters(link, model, record);
}

void Disciplines::change_parameters(LinkId link, const Model& model, std::uint32_t record)
{
    const DisciplinedLink* const own = of(link);
    if (!own || record == kNone) return;
    [[maybe_unused]] const std::vector<double> fields = fields_of(model, record);
    switch (static_cast<Discipline>(own->discipline - 1)) {
#define ANML_DISCIPLINE(name, service)                                          \
    case Discipline::name:                                                      \
        (*name##_)[link].parameters = name::parameters_of(FieldReader(fields)); \
        break;
#include "disciplines.def"
#undef ANML_DISCIPLINE
    }
}

}  // namespace anml::rt
