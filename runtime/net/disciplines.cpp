#include "net/disciplines.h"

#include <cassert>

namespace anml::rt {

void Disciplines::declare(LinkId link, Discipline discipline, std::span<const double> fields)
{
    if (!links_) links_.emplace(count_);
    switch (discipline) {
#define ANML_DISCIPLINE(name, service)         \
    case Discipline::name:                     \
        if (!name##_) name##_.emplace(count_); \
        break;
#include "net/queue/disciplines.def"
#undef ANML_DISCIPLINE
    }
    declared_.insert_or_assign(link, Declared{discipline, {fields.begin(), fields.end()}});
}

const Disciplines::Declared* Disciplines::declared(LinkId link) const
{
    const auto at = declared_.find(link);
    return at == declared_.end() ? nullptr : &at->second;
}

void Disciplines::begin(LinkId link, LinkState& state, const Model& model)
{
    const Declared* const begins = declared(link);
    if (!begins) return;
    assert(!state.decided_elsewhere());  // a link that follows a trace has no other discipline
    DisciplinedLink& own = (*links_)[link];
    own.line = state;
    own.discipline = 1 + static_cast<std::uint32_t>(begins->discipline);
    own.near = model.near_end(link);
    own.expected = kNever;
    state.decide_elsewhere();
    change_parameters(link, begins->fields);
}

void Disciplines::change_parameters(LinkId link, [[maybe_unused]] std::span<const double> fields)
{
    const DisciplinedLink* const own = of(link);
    if (!own) return;
    switch (static_cast<Discipline>(own->discipline - 1)) {
#define ANML_DISCIPLINE(name, service)                                          \
    case Discipline::name:                                                      \
        (*name##_)[link].parameters = name::parameters_of(FieldReader(fields)); \
        break;
#include "net/queue/disciplines.def"
#undef ANML_DISCIPLINE
    }
}

}  // namespace anml::rt
