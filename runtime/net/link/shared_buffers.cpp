#include "net/link/shared_buffers.h"

#include "abi/records.h"

namespace anml::rt {

SharedBuffers::SharedBuffers(const Model& model) : model_(model), ports_(model.image().directed_links)
{
    const abi::Image& image = model.image();
    buffers_.resize(image.node_row_count);
    for (std::uint32_t row = 0; row < image.node_row_count; ++row)
        if (image.node_rows[row].buffer != kNone) buffers_[row].resize(image.node_rows[row].count);
}

bool SharedBuffers::begin(LinkId link)
{
    const abi::Image& image = model_.image();
    const NodeId node = model_.near_end(link);
    const std::uint32_t index = model_.row_of(node);
    const abi::NodeRow& row = image.node_rows[index];
    if (row.buffer == kNone) return false;
    std::unique_ptr<Buffer>& place = buffers_[index][node - row.first_node];
    if (!place) {
        const auto& record = abi::row_of<abi::record::buffer>(image, row.buffer);
        place = std::make_unique<Buffer>();
        place->capacity = model_.integer(record.capacity);
        place->alpha = model_.value(record.alpha);
    }
    ports_[link].buffer = place.get();
    return true;
}

void SharedBuffers::forget(Buffer& buffer, Time now)
{
    std::vector<Leaving>& leaving = buffer.leaving;
    while (!leaving.empty() && leaving.front().at <= now) {
        buffer.bytes -= leaving.front().bytes;
        ports_[leaving.front().port].bytes -= leaving.front().bytes;
        std::pop_heap(leaving.begin(), leaving.end(), later);
        leaving.pop_back();
    }
}

bool SharedBuffers::take(LinkId link, std::uint32_t bytes, Time now, const NetCounters& window)
{
    Port& port = ports_[link];
    Buffer& buffer = *port.buffer;
    const bool measured = window.in_window(now);
    if (measured && !buffer.watched) {
        forget(buffer, window.begin);
        buffer.highest = buffer.bytes;
        buffer.watched = true;
    }
    forget(buffer, now);
    const std::uint64_t room = buffer.capacity - buffer.bytes;
    if (bytes > room || static_cast<double>(port.bytes) >= buffer.alpha * static_cast<double>(room)) {
        buffer.dropped += measured;
        return false;
    }
    port.bytes += bytes;
    buffer.bytes += bytes;
    return true;
}

void SharedBuffers::keep(LinkId link, Time now, const NetCounters& window)
{
    Buffer& buffer = *ports_[link].buffer;
    if (window.in_window(now)) buffer.highest = std::max(buffer.highest, buffer.bytes);
}

void SharedBuffers::leave(LinkId link, std::uint32_t bytes, Time at)
{
    std::vector<Leaving>& leaving = ports_[link].buffer->leaving;
    leaving.push_back({at, link, bytes});
    std::push_heap(leaving.begin(), leaving.end(), later);
}

void SharedBuffers::clear(LinkId link)
{
    if (!shared(link)) return;
    Port& port = ports_[link];
    std::vector<Leaving>& leaving = port.buffer->leaving;
    std::erase_if(leaving, [&](const Leaving& packet) { return packet.port == link; });
    std::make_heap(leaving.begin(), leaving.end(), later);
    port.buffer->bytes -= port.bytes;
    port.bytes = 0;
}

std::vector<BufferCounters> SharedBuffers::counters(const NetCounters& window) const
{
    std::vector<BufferCounters> all;
    const abi::Image& image = model_.image();
    for (std::uint32_t row = 0; row < image.node_row_count; ++row)
        for (std::uint32_t element = 0; element < buffers_[row].size(); ++element) {
            const Buffer* const buffer = buffers_[row][element].get();
            if (!buffer) continue;
            std::uint64_t highest = buffer->highest;
            if (!buffer->watched) {  // nothing came in the window: what was there when it began is the most
                highest = buffer->bytes;
                for (const Leaving& packet : buffer->leaving)
                    if (packet.at <= window.begin) highest -= packet.bytes;
            }
            all.push_back({buffer->capacity, highest, buffer->dropped, image.node_rows[row].first_node + element});
        }
    return all;
}

}  // namespace anml::rt
