// Figures as sentences and pictures have them: three digits, with a unit.
#pragma once

#include <string>

namespace anml {

// "0.066", "12", "3.4": three digits are enough for a figure in a sentence.
std::string show(double figure);
std::string show_size(double bytes);
std::string show_rate(double bits_per_second);
std::string show_time(double ns);

}  // namespace anml
