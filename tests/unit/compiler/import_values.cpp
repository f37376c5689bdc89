// Rates, delays, lengths and character sets as foreign files have them.
#include <catch2/catch.hpp>

#include "base/values/quantity.h"
#include "import/graphs/read_graph.h"
#include "import/links/link_attributes.h"
#include "import/links/link_profiles.h"

namespace ANML_UNIT_FILE {

using namespace anml;

TEST_CASE("rates in the labels of network maps", "[import]")
{
    const std::pair<const char*, double> kRates[] = {
        {"155 Mbps", 155e6},
        {"155 Mbps OC-3", 155e6},
        {"45 Mbps DS-3", 45e6},
        {"10 Gbit/s", 10e9},
        {"2,5 Gbit/s", 2.5e9},
        {"2.5G", 2.5e9},
        {"10GE", 10e9},
        {"OC-3", 155.52e6},
        {"OC192c", 9953.28e6},
        {"STM-1", 155.52e6},
        {"STM16", 2488.32e6},
        {"E1", 2.048e6},
        {"E3", 34.368e6},
        {"T1", 1.544e6},
        {"T3", 44.736e6},
        {"DS-3", 44.736e6},
        {"DS0", 64e3},
        {"GigE", 1e9},
        {"Gigabit Ethernet", 1e9},
        {"Fast Ethernet", 100e6},
        {"100-155 Mbit/s", 155e6},
        {"2 x 10 Gbps", 20e9},
        {"2x10G", 20e9},
        {"64 kbps", 64e3},
        {"1,000 Mbps", 1e9},
        {"mbps 34", 0},
        {"34 mbps", 34e6},
        {"< 1 Gbps", 1e9},
        {"622M", 622e6},
        {"56 Kb/s", 56e3},
        {"10 Gigabit Ethernet", 10e9},
        {"9600 bps", 9600},
        {"link at 40Gb/s", 40e9},
        {"1 Tbps", 1e12},
        {"100baseT", 0},
        {"Gbps", 0},
    };
    for (const auto& [text, rate] : kRates) {
        INFO(text);
        CHECK(find_rate(text).value_or(0) == Approx(rate));
    }
    for (const char* text : {"", "Red Link", "Completion 2007-2008", "10 km", "10 m", "4 Trunks", "5 GHz", "Fibre",
                             "route 66", "T", "e", "0 Mbps", "OC-", "STM-99999", "E9", "2007"})
    {
        INFO(text);
        CHECK_FALSE(find_rate(text));
    }
    CHECK(find_rate("upgraded to 10 MB/s in 2007") == 80e6);
    CHECK_FALSE(find_rate("10 MBPS"));
    CHECK_FALSE(find_rate("a disk of 10 GB"));
}

TEST_CASE("rates as values: bits and bytes, SI and binary prefixes, seconds in their spellings", "[import]")
{
    const std::pair<const char*, double> kRates[] = {
        {"10 MB/s", 80e6},
        {"10 MBps", 80e6},
        {"10GB/s", 80e9},
        {"10 Mbps", 10e6},
        {"10 Mb/s", 10e6},
        {"10mbps", 10e6},
        {"10 Mbit", 10e6},
        {"10 Mbits/sec", 10e6},
        {"10 MBit/s", 10e6},
        {"10 Mbit per second", 10e6},
        {"10 megabits per second", 10e6},
        {"10 Megabytes/second", 80e6},
        {"81920 Kibit", 83886080},
        {"10 MiB/s", 83886080},
        {"1 Gib/s", 1073741824},
        {"1 gibibit per sec", 1073741824},
        {"2 TiB/s", 17592186044416},
        {"100 octets/s", 800},
        {"1 kbyte/s", 8000},
        {"9600 bit/s", 9600},
        {"9600bps", 9600},
        {"1 Gbit", 1e9},
        {"1 gigabit", 1e9},
        {"2,5 Gbit/s", 2.5e9},
        {"1,000 Mbps", 1e9},
        {"1e3 Mbps", 1e9},
        {".5 Gbps", 5e8},
        {"10\xC2\xA0Mbit/s", 10e6},
        {"2 x 10G", 20e9},
        {"4x10 GbE", 40e9},
        {"10 Gigabit Ethernet", 10e9},
        {"OC-3", 155.52e6},
        {"E1", 2.048e6},
        {"3 * STM-1", 466.56e6},
    };
    for (const auto& [text, rate] : kRates) {
        INFO(text);
        CHECK(read_rate(text).value_or(0) == Approx(rate).epsilon(1e-12));
    }
    for (const char* text : {"", "10", "10 MBPS", "10 GB", "10 bananas", "10 Mbps or so", "fast", "about 10 Mbps", "-10 Mbps",
                             "10 Mbit/h", "10 Mbit/s/km", "10 ms", "10 mb/ s s", "0x10 Mbps", "10 Mbps 20 Mbps"})
    {
        INFO(text);
        CHECK_FALSE(read_rate(text));
    }
}

TEST_CASE("delays and lengths with units", "[import]")
{
    CHECK(read_delay("10 ms").value() == Approx(0.01));
    CHECK(read_delay("250us").value() == Approx(250e-6));
    CHECK(read_delay("1.5s").value() == Approx(1.5));
    const std::pair<const char*, double> kDelays[] = {
        {"10 milliseconds", 10e-3}, {"10 msec", 10e-3}, {"10 MSecs", 10e-3}, {"250 usec", 250e-6},
        {"250 \xC2\xB5s", 250e-6},  {"250 \xCE\xBCs", 250e-6}, {"1 microsecond", 1e-6}, {"3 ns", 3e-9},
        {"3 nanosecs", 0},          {"3 nsecs", 3e-9},  {"2 min", 120},      {"2 minutes", 120},
        {"1.5 sec", 1.5},           {"1,5 seconds", 1.5}, {"1 h", 3600},     {"1 hour", 3600},
        {"0,125 s", 0.125},         {"1234,567 s", 1234.567}, {"1,234,567 s", 1234567}, {"1,234.5 s", 1234.5},
        {"0,250 s", 0.25},          {"12,345 s", 12345}};
    for (const auto& [text, seconds] : kDelays) {
        INFO(text);
        CHECK(read_delay(text).value_or(0) == Approx(seconds).epsilon(1e-12));
    }
    for (const char* text : {"10", "10 m", "10 MS", "10 Ms", "10 Mbps", "ten ms", "10 ms 3"}) {
        INFO(text);
        CHECK_FALSE(read_delay(text));
    }
    CHECK(read_ratio("5 %") == 0.05);
    CHECK(read_ratio("5%") == 0.05);
    CHECK(read_ratio("0.5 percent") == 0.005);
    CHECK(read_ratio("0.05") == 0.05);
    CHECK(read_ratio("1/1000") == 0.001);
    CHECK(read_ratio("100 ppm") == 1e-4);
    CHECK_FALSE(read_ratio("1/0"));
    CHECK_FALSE(read_ratio("5 %%"));
    CHECK(read_size("10 KB") == 10240);
    CHECK(read_size("10 KiB") == 10240);
    CHECK(read_size("10 kB") == 10000);
    CHECK(read_size("8 kbit") == 1000);
    CHECK(read_size("1500 bytes") == 1500);
    CHECK_FALSE(read_size("10 kb"));
    CHECK_FALSE(read_size("10 MB/s"));
    CHECK(read_length("3 kilometers") == 3000);
    CHECK(read_length("1 ft") == Approx(0.3048));
    CHECK_FALSE(read_delay("10 ms or so"));
    CHECK(read_length("173.5 km").value() == Approx(173500));
    CHECK(read_length("2 mi").value() == Approx(3218.688));
    CHECK_FALSE(read_length("173.5"));
    CHECK(read_number(" +1e3 ").value() == 1000);
    CHECK_FALSE(read_number("inf"));
    CHECK_FALSE(read_number("nan"));
    CHECK_FALSE(read_number("1 x"));
}

TEST_CASE("character sets", "[import]")
{
    bool assumed = true;
    CHECK(decode_text("K\xC3\xB6ln", assumed) == "K\xC3\xB6ln");
    CHECK_FALSE(assumed);
    CHECK(decode_text("\xEF\xBB\xBFx", assumed) == "x");
    CHECK(decode_text("K\xF6ln", assumed) == "K\xC3\xB6ln");
    CHECK(assumed);
    CHECK(decode_text("\x80", assumed) == "\xE2\x82\xAC");  // the euro sign of Windows-1252
    CHECK(decode_text(std::string("\xFF\xFEK\0\xF6\0", 6), assumed) == "K\xC3\xB6");
    CHECK(decode_text(std::string("\xFE\xFF\xD8\x3D\xDE\0", 6), assumed) == "\xF0\x9F\x98\x80");
    CHECK_FALSE(assumed);
    CHECK(decode_text("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\xE9", assumed).ends_with("\xC3\xA9"));
    CHECK_FALSE(assumed);
    CHECK(decode_text("\xC0\x80", assumed) == "\xC3\x80\xE2\x82\xAC");  // overlong: no UTF-8
    CHECK(decode_entities("Z&#252;rich &amp; K&ouml;ln &#x41; &nonsense; &") ==
          "Z\xC3\xBCrich & K\xC3\xB6ln A &nonsense; &");
}

TEST_CASE("figures as a person writes them", "[import]")
{
    CHECK(length_text(173480) == "173.48 km");
    CHECK(length_text(2104234) == "2104.2 km");
    CHECK(length_text(950) == "0.95 km");
    CHECK(length_text(0) == "0 km");
    CHECK(delay_text(0.003) == "3 ms");
    CHECK(delay_text(250e-9) == "250 ns");
    CHECK(delay_text(1.5) == "1.5 s");
    CHECK(rate_name(10e9) == "gbps_10");
    CHECK(rate_name(2.5e9) == "gbps_2_5");
    CHECK(rate_name(155.52e6) == "mbps_155_52");
    CHECK(model_name("a/sndlib-germany50.json") == "SndlibGermany50");
    CHECK(model_name("2010.gml") == "Network2010");
    CHECK(model_name("-") == "Imported");
}

}  // namespace ANML_UNIT_FILE
