// The parts of an imported model's text: its profiles, one for each rate that its links have, and the whole.
#pragma once

#include <map>
#include <string>

#include "import/import.h"

namespace anml {

// The speed of light in glass, two thirds of that in vacuum: 200 000 km/s.
inline constexpr double kFibreSpeed = 2e8;  // m/s

std::string length_text(double metres);  // "173.5 km"
std::string delay_text(double seconds);  // "1.25 ms"
double link_delay(const ImportedLink& link, double assumed);  // s, in the direction of `from` to `to`
// What the file says of the one direction or the other, "1.25 ms".
std::string said_delay(const ImportedLink& link);
std::string said_delay_back(const ImportedLink& link);

class LinkProfiles {
  public:
    LinkProfiles(const ImportedNetwork& network, const ImportOptions& options, ImportLosses& losses);

    std::string declarations() const;                 // of the profiles
    std::string use(const ImportedLink& link) const;  // what stands right of the ends: ": gbps_10(173.5 km)"
    std::vector<std::string> names() const;

  private:
    struct Profile {
        std::string name;
        double rate = 0, longest_delay = 0;  // bit/s, s
        bool assumed = false;                // the file says no rate
        bool takes_length = false;           // some link has a length
        bool lacks_length = false;           // some link has neither length nor delay
        // Whether the bandwidth-delay product needs more than the usual queue.
        bool long_queue() const { return 2 * rate * longest_delay / 8 > kUsualQueue; }
    };
    static double key(const ImportedLink& link) { return link.rate.value_or(0); }

    std::map<double, Profile> profiles_;  // by rate; 0: not said
    double delay_ = 0;                    // s, where nothing is said
};

// The network as the text of a model with its traffic; unformatted. Counts what it guesses and leaves out. `file`: its
// name, for the comment at the top. `program`: what the file says besides, in place of traffic of ours.
std::string write_model(const ImportedNetwork& network, const ImportOptions& options, const LinkProfiles& profiles,
                        const std::string& file, const GraphProgram* program, ImportLosses& losses);

}  // namespace anml
