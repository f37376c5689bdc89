// Regular expressions of responses, and values of attributes in HTML: what they find, and that neither takes long or
// allocates, whatever the text is.
#include "common/regular_expression.h"

#include <catch2/catch.hpp>
#include <chrono>

#include "../tier.h"
#include "app/http/html_attribute.h"
