// Which links have a queue discipline, and what each discipline knows of its links. Models without take no memory for
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/zero_pages.h"
#include "net/link/link_state.h"
#include "net/model.h"
#include "net/queue/disciplines.h"

namespace anml::rt {

class Disciplines {
  public:
    explicit Disciplines(const Model& model);

    // A link is filled in: makes it what its record says, kNone: nothing, or a drop-tail queue of a link that shares a
    // buffer or the air. From then on `state` is busy for ever, and what it said of rate, bounds and busy time is the
    // DisciplinedLink's.
    void begin(LinkId link, LinkState& state, const Model& model, std::uint32_t record, bool shares);
    // Other parameters for the same discipline, which remembers what it knows of the link. One that was not used so far
    // has none to change.
    void change_parameters(LinkId link, const Model& model, std::uint32_t record);

    // Null: it has none.
    DisciplinedLink* of(LinkId link)
    {
        return present(kDisciplines | kShared) && links_ && (*links_)[link].discipline != 0 ? &(*links_)[link]
                                                                                            : nullptr;
    }
    const DisciplinedLink* of(LinkId link) const { return const_cast<Disciplines*>(this)->of(link); }

    // Calls f(OfService<...>{}, Disciplined<...>&) for the discipline of the link, unless that is drop-tail.
    template <class F>
    void visit([[maybe_unused]] LinkId link, const DisciplinedLink& own, [[maybe_unused]] F&& f)
    {
        switch (static_cast<Discipline>(own.discipline - 1)) {
#define ANML_DISCIPLINE(name, service)           \
    case Discipline::name:                       \
        assume_present(abi::RecordSchema::name); \
        return f(OfService<Service::service>{}, (*name##_)[link]);
#include "disciplines.def"
#undef ANML_DISCIPLINE
        }
    }

  private:
    // By directed link.
    std::optional<ZeroPages<DisciplinedLink>> links_;
#define ANML_DISCIPLINE(name, service) std::optional<ZeroPages<Disciplined<name::Parameters, name::State>>> name##_;
#include "disciplines.def"
#undef ANML_DISCIPLINE
};

}  // namespace anml::rt
