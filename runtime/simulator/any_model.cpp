// The facts of no model in particular, for the event loop that is compiled as one for all of them (CMakeLists.txt).
#ifdef ANML_SPECIALISED
#include "abi/facts.h"

extern "C" {
extern const anml::abi::Facts anml_facts;
const anml::abi::Facts anml_facts{};
}
#endif
