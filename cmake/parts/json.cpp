// nlohmann's JSON, compiled once.
#define ANML_INSTANCE template
#include "json_instances.h"
