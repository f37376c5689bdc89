// The static files of SPECweb99, 36 to a directory: nine of each of four classes. Numbers are from 0.
#pragma once

#include <cstdint>

namespace anml::rt::specweb99 {

inline constexpr std::uint32_t kFiles = 9, kClasses = 4, kDirectory = kFiles * kClasses;

constexpr std::uint32_t class_of(std::uint32_t document) { return document % kDirectory / kFiles; }
constexpr std::uint32_t file_of(std::uint32_t document) { return document % kFiles; }

// Bytes: 102.4 of the first, ten times as many from class to class.
constexpr std::uint64_t size(std::uint32_t document)
{
    std::uint64_t tenths = 1024 * (file_of(document) + 1);
    for (std::uint32_t i = 0; i < class_of(document); ++i) tenths *= 10;
    return (tenths + 5) / 10;
}

// One of the first `shares`, which are cumulated; the last one takes the rest.
template <std::uint32_t count>
constexpr std::uint32_t drawn(const double (&shares)[count], double unit)
{
    std::uint32_t i = 0;
    while (i + 1 < count && unit >= shares[i]) ++i;
    return i;
}

// Of its directory, from two numbers in [0, 1).
constexpr std::uint32_t choose(double for_class, double for_file)
{
    constexpr double kOfClasses[kClasses] = {0.35, 0.85, 0.99, 1};
    constexpr double kOfFiles[kFiles] = {0.039, 0.098, 0.186, 0.304, 0.657, 0.775, 0.863, 0.941, 1};
    return drawn(kOfClasses, for_class) * kFiles + drawn(kOfFiles, for_file);
}

}  // namespace anml::rt::specweb99
