#include "app/web_client/body_check.h"

#include <algorithm>

#include "app/cluster.h"
#include "app/web_client/transaction.h"
#include "net/web_clients.h"

namespace anml::rt::app {

BodyChecks::BodyChecks(const Model& model)
{
    const abi::Image& image = model.image();
    for (std::uint32_t i = 0; facts.checks_content && i < image.workload_count; ++i) {
        if (!web_clients::is_one(image, image.workloads[i], web_clients::kPages | web_clients::kLoops)) continue;
        const auto& values = abi::row_of<transaction::Values>(image, image.workloads[i].record);
        if (model.value(values.check_content) == 0) continue;
        asking.resize(image.workload_count);
        asking[i] = true;
    }
    if (asking.empty()) return;
    // The library looks around when it is first called: behind `drop_privileges` that is too late.
    hashes.emplace_back(anml_new_sha256());
    free.push_back(0);
}

namespace body_check {

namespace {

constexpr std::uint32_t kNoneYet = kNone - 1;

}  // namespace

void begin(Cluster& k, Client& client)
{
    if (!facts.checks_content || !k.body_checks.asks(client.workload)) return;
    end(k, client);
    if (transaction::method(k, client) == http::Method::get && k.model.documents().hash(client.document) &&
        k.attached(transaction::server(k, client)))
        client.check = kNoneYet;
}

bool wanted(const Client& client) { return facts.checks_content && client.check != kNone; }

tls::Hash* hash(Cluster& k, Client& client)
{
    if (!wanted(client)) return nullptr;
    BodyChecks& all = k.body_checks;
    if (client.check == kNoneYet) {
        if (all.free.empty()) {
            all.free.push_back(static_cast<std::uint32_t>(all.hashes.size()));
            all.hashes.emplace_back(anml_new_sha256());
        }
        client.check = all.free.back();
        all.free.pop_back();
        all.hashes[client.check]->begin();
    }
    return all.hashes[client.check].get();
}

void compare(Cluster& k, Client& client, WorkloadStatistics& statistics)
{
    const std::array<std::uint8_t, 32> found = hash(k, client)->end();
    ++statistics.checked_content;
    if (std::ranges::equal(found, k.model.documents().hash(client.document)->bytes)) return;
    ++statistics.unexpected_content;
    statistics.first_unexpected_content.add({k.now, client.document, found});
}

void end(Cluster& k, Client& client)
{
    if (!wanted(client)) return;
    if (client.check != kNoneYet) k.body_checks.free.push_back(client.check);
    client.check = kNone;
}

}  // namespace body_check

}  // namespace anml::rt::app
