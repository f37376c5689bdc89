// Rates, delays, lengths and character sets as foreign files have them.
#include <catch2/catch.hpp>

#include "base/quantity.h"
#include "import/link_attributes.h"
#include "import/link_profiles.h"
#include "import/read_graph.h"

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
        CHECK(read_rate(text).value_or(0) == Approx(rate));
    }
    for (const char* text : {"", "Red Link", "Completion 2007-2008", "10 km", "10 m", "4 Trunks", "5 GHz", "Fibre",
                             "route 66", "T", "e", "0 Mbps", "OC-", "STM-99999", "E9", "2007"})
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
    CHECK_FALSE(read_delay("10"));
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
