// Profiles of imported links, and the text of each link.
#include "import/links/link_profiles.h"

#include <fmt/format.h>

#include <cmath>

namespace anml {

namespace {

constexpr double kUsualMtu = 1500;  // B, the default of the schema Link

// At most `decimals` of them, without trailing zeros.
std::string rounded(double value, int decimals)
{
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text.find('.') != std::string::npos) {
        while (text.back() == '0') text.pop_back();
        if (text.back() == '.') text.pop_back();
    }
    return text;
}

std::string shown_rate(double rate) { return exact_quantity(rate, dimension::rate); }

}  // namespace

std::string length_text(double metres)
{
    const double km = metres / 1000;
    return fmt::format("{} km", rounded(km, km < 10 ? 3 : km < 1000 ? 2 : 1));
}

std::string delay_text(double seconds)
{
    const double ns = std::round(seconds * 1e9);
    if (ns < 1000) return fmt::format("{} ns", rounded(ns, 0));
    if (ns < 1e6) return fmt::format("{} us", rounded(ns / 1e3, 3));
    if (ns < 1e9) return fmt::format("{} ms", rounded(ns / 1e6, 6));
    return fmt::format("{} s", rounded(ns / 1e9, 9));
}

std::string said_delay(const ImportedLink& link)
{
    return link.exact_delay.empty() ? delay_text(*link.delay) : link.exact_delay;
}

std::string said_delay_back(const ImportedLink& link)
{
    return link.exact_delay_back.empty() ? delay_text(*link.delay_back) : link.exact_delay_back;
}

double link_delay(const ImportedLink& link, double assumed)
{
    return link.delay ? *link.delay : link.length ? *link.length / kFibreSpeed : assumed;
}

LinkProfiles::LinkProfiles(const ImportedNetwork& network, const ImportOptions& options, ImportLosses& losses)
    : delay_(options.delay * 1e-9)
{
    for (const ImportedLink& link : network.links) {
        Profile& profile = profiles_[key(link)];
        profile.rate = link.rate.value_or(options.rate);
        profile.assumed = !link.rate;
        profile.name = link.rate ? rate_name(*link.rate) : "assumed";
        if (!link.rate)
            ++losses.guesses[fmt::format("rates of links, {} where the file says none,", shown_rate(options.rate))];
        profile.longest_delay = std::max(profile.longest_delay, link_delay(link, delay_));
        if (link.delay) continue;
        (link.length ? profile.takes_length : profile.lacks_length) = true;
        if (!link.length)
            ++losses.guesses[fmt::format("delays of links, {} where the file says neither delay nor length nor places,",
                                         delay_text(delay_))];
    }
}

std::vector<std::string> LinkProfiles::names() const
{
    std::vector<std::string> result;
    for (const auto& [rate, profile] : profiles_) result.push_back(profile.name);
    return result;
}

std::string LinkProfiles::declarations() const
{
    std::string out;
    for (const auto& [rate, profile] : profiles_) {
        if (profile.assumed) out += "/// The file does not say the rate of these links.\n";
        out += fmt::format("profile {}", profile.name);
        if (profile.takes_length)
            out += profile.lacks_length ? fmt::format("(distance: length = {})", length_text(delay_ * kFibreSpeed))
                                        : "(distance: length)";
        out += fmt::format(" : Link {{ rate = {}", shown_rate(profile.rate));
        if (profile.takes_length)
            out += ", delay = distance / (200000 km / 1 s)";
        else if (profile.lacks_length)
            out += fmt::format(", delay = {}", delay_text(delay_));
        // Room for the bandwidth-delay product of the longest of them.
        if (profile.long_queue()) out += ", queue = droptail(max(512 KB, 2 * self.rate * self.delay))";
        out += " }\n";
    }
    return out;
}

std::string LinkProfiles::use(const ImportedLink& link) const
{
    const Profile& profile = profiles_.at(key(link));
    std::string out = fmt::format(": {}", profile.name);
    if (profile.takes_length && !link.delay && link.length) out += fmt::format("({})", length_text(*link.length));
    if (profile.takes_length && link.delay && !profile.lacks_length) out += "(0 km)";
    std::string own;
    const auto add = [&](std::string text) { own += (own.empty() ? "" : ", ") + std::move(text); };
    if (link.delay) add("delay = " + said_delay(link));
    if (link.mtu && *link.mtu != kUsualMtu) add(fmt::format("mtu = {} B", std::round(*link.mtu)));
    const auto queue_text = [](double bytes) { return exact_quantity(bytes, dimension::size); };
    const bool packets = link.details.contains("queue");
    if (link.queue && !packets && (*link.queue != kUsualQueue || profile.long_queue()))
        add(fmt::format("queue = droptail({})", queue_text(*link.queue)));
    if (link.overhead && *link.overhead != 0) add(fmt::format("overhead = {} B", std::round(*link.overhead)));
    LinkDetails there = link.details, back = link.details_back;
    const double rate = link.rate.value_or(profile.rate);
    settle_rates(there, back, rate, link.rate_back.value_or(rate));
    if (link.delay_back && *link.delay_back != link_delay(link, delay_)) back["delay"] = said_delay_back(link);
    if (link.queue_back && !back.contains("queue") && (packets || *link.queue_back != link.queue))
        back["queue"] = fmt::format("droptail({})", queue_text(*link.queue_back));
    if (const std::string details = link_details(there, back); !details.empty()) add(details);
#define ANML_LINK_TRUTH(name, ...) \
    if (link.name) add(#name " = true");
#include "base/link_attributes.def"
    if (link.relation != AsRelation::none) add(fmt::format("relation = {}", as_relation_name(link.relation)));
    if (!own.empty()) out += fmt::format(" {{ {} }}", own);
    return out;
}

}  // namespace anml
