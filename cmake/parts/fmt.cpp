// fmt's functions that are no templates, compiled once. Debian's libfmt-dev has the shared library and headers that can define all
// of it in every file that includes them, which costs 5 s a file; emulators may not depend on the shared library.
#include <fmt/format-inl.h>

template auto fmt::detail::thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto fmt::detail::thousands_sep_impl<wchar_t>(locale_ref) -> thousands_sep_result<wchar_t>;
template auto fmt::detail::decimal_point_impl(locale_ref) -> char;
template auto fmt::detail::decimal_point_impl(locale_ref) -> wchar_t;
template auto fmt::detail::dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto fmt::detail::dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template fmt::detail::locale_ref::locale_ref(const std::locale&);
template std::locale fmt::detail::locale_ref::get<std::locale>() const;
template void fmt::detail::buffer<char>::append(const char*, const char*);
template void fmt::detail::vformat_to(buffer<char>&, string_view, basic_format_args<buffer_context<char>>, locale_ref);
