#include "net/radio/air.h"

#include "abi/records.h"
#include "net/link/shared_buffers.h"
#include "net/net.h"
#include "net/radio/cellular.h"
#include "net/radio/wifi.h"

namespace anml::rt {

bool AirCell::waiting(Net& k, const AirPort& port) { return k.network.disciplines.of(port.link)->packets != 0; }

Waiting AirCell::take(Net& k, AirPort& port)
{
    DisciplinedLink& link = *k.network.disciplines.of(port.link);
    if (link.packets == 0) return {};
    LinkQueue queue(k, k.waiting, k.now, port.link, link);
    return link.discipline == DisciplinedLink::kDroptail ? queue.pop(port.queue) : k.take_next(port.link, queue);
}

void AirCell::lose_queue(Net& k, AirPort& port)
{
    LinkQueue queue(k, k.waiting, k.now, port.link, *k.network.disciplines.of(port.link));
    while (!port.queue.empty()) k.lose(port.link, queue.pop(port.queue).packet);
}

void AirCell::deliver(Net& k, const AirPort& port, const Waiting& packet, Time start, Time end)
{
    if (SharedBuffers* const room = k.shared(port.link)) room->leave(port.link, packet.bytes, end);
    k.begin_transmission(k.links[port.link], port.link, k.packets[packet.packet], packet.packet, start, end,
                         packet.since);
}

void AirCell::give_up(Net& k, const AirPort& port, const Waiting& packet)
{
    if (SharedBuffers* const room = k.shared(port.link)) room->give_back(port.link, packet.bytes);
    counters.lost += k.measuring();
    k.drop(k.packets[packet.packet], packet.packet, DropReason::lost);
}

int access_point_side(const Model& model, LinkId link)
{
    const abi::Image& image = model.image();
    if (image.link_rows[model.link_row_of(link)].wired != 0) return -1;
    const std::uint32_t rows[] = {model.row_of(model.near_end(link)), model.row_of(model.far_end(link))};
    for (int side = 0; side < 2; ++side)
        if (image.node_rows[rows[side]].radio != kNone && image.node_rows[rows[1 - side]].kind == abi::NodeKind::host)
            return side;
    return -1;
}

Airs::Airs(const Model& model) : model_(model), ports_(model.image().directed_links)
{
    const abi::Image& image = model.image();
    cells_.resize(image.node_row_count);
    for (std::uint32_t row = 0; row < image.node_row_count; ++row)
        if (image.node_rows[row].radio != kNone) cells_[row].resize(image.node_rows[row].count);
}

Airs::~Airs() = default;

bool Airs::begin(LinkId link)
{
    const int side = access_point_side(model_, link);
    if (side < 0) return false;
    const abi::Image& image = model_.image();
    const NodeId node = side == 0 ? model_.near_end(link) : model_.far_end(link);
    const std::uint32_t row_number = model_.row_of(node);
    const abi::NodeRow& row = image.node_rows[row_number];
    std::unique_ptr<AirCell>& cell = cells_[row_number][node - row.first_node];
    if (!cell) {
        if (abi::schema_of(image, row.radio) == abi::RecordSchema::wifi)
            cell = std::make_unique<WifiCell>(model_, node, row.radio);
        else
            cell = std::make_unique<CellularCell>(model_, node, row.radio);
    }
    ports_[link] = &cell->begin(link, side == 0);
    return true;
}

bool Airs::admit(Net& k, LinkId link, const Waiting& packet)
{
    LinkQueue queue(k, k.waiting, k.now, link, *k.network.disciplines.of(link));
    if (!queue.has_room(packet.bytes)) return false;
    queue.push(ports_[link]->queue, packet);
    return true;
}

void Airs::offered(Net& k, LinkId link) { ports_[link]->cell.offered(k, *ports_[link]); }

void Airs::act(Net& k, NodeId access_point)
{
    const std::uint32_t row = k.model.row_of(access_point);
    cells_[row][access_point - k.image.node_rows[row].first_node]->act(k);
}

void Airs::clear(Net& k, LinkId link) { ports_[link]->cell.clear(k, *ports_[link]); }

std::vector<AirCounters> Airs::counters() const
{
    std::vector<AirCounters> all;
    for (const auto& row : cells_)
        for (const std::unique_ptr<AirCell>& cell : row)
            if (cell) all.push_back(cell->counters);
    return all;
}

}  // namespace anml::rt
