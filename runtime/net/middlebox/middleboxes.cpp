#include "net/middlebox/middleboxes.h"

#include "abi/records.h"
#include "middlebox_headers.h"

namespace anml::rt {

namespace {

std::unique_ptr<Middlebox> make_middlebox(const Model& model, std::uint32_t record)
{
    switch (abi::schema_of(model.image(), record)) {
#define ANML_MIDDLEBOX(name)      \
    case abi::RecordSchema::name: \
        return name::make(model, record);
#include "middleboxes.def"
#undef ANML_MIDDLEBOX
        default:
            return nullptr;  // the compiler makes no such record a node's
    }
}

}  // namespace

void Middlebox::translated(const Net&) {}
void Middlebox::without_way(const Net&, const Packet&) {}
std::vector<BackEndCounters> Middlebox::back_ends(Time) { return {}; }

Middleboxes::Middleboxes(const Model& model) : model_(model)
{
    const abi::Image& image = model.image();
    boxes_.resize(image.node_row_count);
    for (std::uint32_t row = 0; row < image.node_row_count; ++row)
        if (image.node_rows[row].middlebox != kNone) boxes_[row].resize(image.node_rows[row].count);
}

Middlebox& Middleboxes::of(const Net& k, const node::Self& self)
{
    std::unique_ptr<Middlebox>& box = boxes_[static_cast<std::size_t>(&self.row - k.image.node_rows)][self.element()];
    if (!box) box = make_middlebox(model_, self.row.middlebox);
    return *box;
}

std::vector<MiddleboxCounters> Middleboxes::counters(Time now) const
{
    std::vector<MiddleboxCounters> all;
    const abi::Image& image = model_.image();
    for (std::uint32_t row = 0; row < image.node_row_count; ++row)
        for (std::uint32_t element = 0; element < boxes_[row].size(); ++element)
            if (Middlebox* box = boxes_[row][element].get())
                all.push_back({image.node_rows[row].first_node + element,
                               image.records[image.node_rows[row].middlebox].schema, box->figures(now),
                               box->back_ends(now)});
    return all;
}

}  // namespace anml::rt
