#include "common/decimal.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

namespace anml {
namespace {

// A decimal number times a whole one, digit by digit from the right.
std::string product(std::string_view digits, std::uint64_t factor)
{
    std::string result;
    std::uint64_t carry = 0;
    for (std::size_t i = digits.size(); i-- > 0;) {
        carry += static_cast<std::uint64_t>(digits[i] - '0') * factor;
        result += static_cast<char>('0' + carry % 10);
        carry /= 10;
    }
    for (; carry > 0; carry /= 10) result += static_cast<char>('0' + carry % 10);
    std::reverse(result.begin(), result.end());
    return result;
}

}  // namespace

std::optional<double> read_decimal(std::string_view digits, std::uint64_t factor, int exponent)
{
    constexpr std::int64_t kFar = 1'000'000'000;
    std::string mantissa;
    std::int64_t power = exponent;
    bool any = false, fraction = false;
    std::size_t i = 0;
    for (; i < digits.size(); ++i) {
        const char c = digits[i];
        if (c == '.' && !fraction) {
            fraction = true;
        } else if (c >= '0' && c <= '9') {
            any = true;
            power -= fraction;
            if (c != '0' || !mantissa.empty()) mantissa += c;
        } else {
            break;
        }
    }
    if (!any) return std::nullopt;
    if (i < digits.size()) {
        if (digits[i] != 'e' && digits[i] != 'E') return std::nullopt;
        ++i;
        const bool negative = i < digits.size() && digits[i] == '-';
        if (i < digits.size() && (digits[i] == '-' || digits[i] == '+')) ++i;
        if (i == digits.size()) return std::nullopt;
        std::int64_t given = 0;
        for (; i < digits.size(); ++i) {
            if (digits[i] < '0' || digits[i] > '9') return std::nullopt;
            if (given < kFar) given = given * 10 + (digits[i] - '0');
        }
        power += negative ? -given : given;
    }
    if (factor != 1) mantissa = product(mantissa, factor);
    // The number is below 10^size, and its first digit stands one place below.
    const std::int64_t size = static_cast<std::int64_t>(mantissa.size()) + power;
    if (mantissa.empty() || factor == 0 || size < -400) return 0.0;
    if (size > 400) return std::numeric_limits<double>::infinity();
    mantissa += 'e';
    mantissa += std::to_string(power);
    double value = 0;
    const auto parsed = std::from_chars(mantissa.data(), mantissa.data() + mantissa.size(), value);
    if (parsed.ec == std::errc::result_out_of_range)
        return size > 0 ? std::numeric_limits<double>::infinity() : 0.0;
    return value;
}

}  // namespace anml
