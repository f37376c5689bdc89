// The formatter's style, construct by construct.
#include "format_text.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using anml::testing::checked_format;

TEST_CASE("blanks, blank lines and commas", "[format]")
{
    CHECK(checked_format("\n\nedition   1\n\n\n\nimport std.ether   as e\nenum  M{ a,b, }") ==
          "edition 1\n\nimport std.ether as e\nenum M { a, b }\n");
    CHECK(checked_format("schema T:B{\n\n x:int in 1..8=2,\n y:random time?\n z:D[ ]\n\n}") ==
          "schema T : B {\n  x: int in 1 .. 8 = 2\n  y: random time?\n  z: D[]\n}\n");
    CHECK(checked_format(
              "schema T{\n@changes( step,ramp )x:int\n trait  reply=1 B\ntrait request = 2B,\n trait:int\n}") ==
          "schema T {\n  @changes(step, ramp) x: int\n  trait reply   = 1 B\n  trait request = 2 B\n  trait: int\n}\n");
    CHECK(checked_format("component E { }\nmodel M( ){}") == "component E {}\nmodel M() {}\n");
    CHECK(checked_format("model M {\n  let a=10ms\n  let b=5%\n  let c=1.5  KB\n let d = -  -x\n}") ==
          "model M {\n  let a = 10 ms\n  let b = 5 %\n  let c = 1.5 KB\n  let d = - -x\n}\n");
}

TEST_CASE("types like those of other parameters", "[format]")
{
    CHECK(checked_format("function f( x :quantity[ ],low:random   like x) :like  x[] = [x*2 for x in xs]") ==
          "function f(x: quantity[], low: random like x): like x[] = [x * 2 for x in xs]\n");
}

TEST_CASE("labels and reports by them", "[format]")
{
    CHECK(checked_format(
              "model M {\nlabel  a[ i ].b ,c{name=\"x\" ,\nkey= y.z}\nreport  by a ,b\n label by { k = n }\n}") ==
          "model M {\n  label a[i].b, c { name = \"x\", key = y.z }\n  report by a, b\n  label by { k = n }\n}\n");
    // Names elsewhere.
    CHECK(checked_format("model M {\n label label( n=1 )\n report by\n host report\n let label = report.by\n}") ==
          "model M {\n  label  label(n = 1)\n  report by\n  host   report\n  let label = report.by\n}\n");
}

TEST_CASE("comprehensions", "[format]")
{
    CHECK(checked_format(
              "model M {\n  let a=[x*2  for x in [1,2]if x>1]\n  let b=[i for i ,x in xs for y in 0..<n]\n}") ==
          "model M {\n  let a = [x * 2 for x in [1, 2] if x > 1]\n  let b = [i for i, x in xs for y in 0 ..< n]\n}\n");
    const std::string name(70, 'n'), loop = "  for i in 0 ..< 3 { require i > 0 }\n}\n";
    const std::string broken = "model M {\n  let a = [\n    " + name +
                               "\n    for i, x in xs  // each\n    if x > 1\n    for y in 0 .. 8\n  ]\n" + loop;
    CHECK(checked_format("model M {\n  let a = [" + name + " for i, x in xs // each\n if x > 1 for y in 0..8]\n" +
                         loop) == broken);
    CHECK(checked_format(broken) == broken);
}

TEST_CASE("a line of a filled list is as long as it may be, and no longer", "[format]")
{
    for (std::size_t size = 5; size <= 30; ++size) {
        const std::string item = std::string(size - 4, 'n') + " = 1";
        std::string list = item;
        for (int i = 1; i < 60; ++i) list += ", " + item;
        const std::string text = checked_format("model M {\n  run { " + list + " }\n}\n");
        std::size_t longest = 0;
        for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
            longest = std::max(longest, text.find('\n', at) - at);
        CHECK(longest <= kLineWidth);
        CHECK(longest + size + 2 > kLineWidth);
    }
}

TEST_CASE("columns of consecutive lines", "[format]")
{
    CHECK(checked_format("model M(\nN: int = 8,\n  mtu: size = 1 KB,\n tunable D: time = 1 ms\n) {\n"
                         "host c[2] { address = 10.0.0.1 }\nSub net(1)\nrouter rr { address = 10.0.0.2 }\n"
                         "link a: x -- y : p { mtu = 1 KB }\nlink bcd[i]: x.y -- z : pq\n\nlink e -- f : q\n}") ==
          "model M(\n  N:   int = 8,\n  mtu: size = 1 KB,\n  tunable D: time = 1 ms,\n) {\n"
          "  host   c[2] { address = 10.0.0.1 }\n  Sub    net(1)\n  router rr { address = 10.0.0.2 }\n"
          "  link a:      x -- y   : p { mtu = 1 KB }\n  link bcd[i]: x.y -- z : pq\n\n  link e -- f : q\n}\n");
    CHECK(checked_format("model M {\n  run {\n    duration = 1 s\n    warmup = 0 s\n    a = 1, bcdef = 2\n  }\n}") ==
          "model M {\n  run {\n    duration = 1 s\n    warmup   = 0 s\n    a = 1, bcdef = 2\n  }\n}\n");
    CHECK(checked_format("enum E {\n  a // one\n  bcd      // two\n}") ==
          "enum E {\n  a    // one\n  bcd  // two\n}\n");
    CHECK(checked_format("model M {\n  router r\n  @ task( \"a\" )  router x\n  @task(\"a\")\n  Sub s[2]\n}") ==
          "model M {\n  router r\n  @task(\"a\") router x\n  @task(\"a\") Sub    s[2]\n}\n");
    // Not where it would make a line too long.
    std::string name(106, 'n');
    CHECK(checked_format("model M {\n  link a: x -- y : p\n  link " + name + ": x -- y\n}") ==
          "model M {\n  link a: x -- y : p\n  link " + name + ": x -- y\n}\n");
}

TEST_CASE("where lines break", "[format]")
{
    // As the author has them, in blocks; a single statement may share a line with its braces.
    CHECK(checked_format("model M {\n  for i in 0..<3 {router r}\n if x { router a  router b } else { host c }\n}") ==
          "model M {\n  for i in 0 ..< 3 { router r }\n  if x {\n    router a\n    router b\n  } else { host c }\n}\n");
    CHECK(checked_format("component C(a: int,\n  b: int) {}") == "component C(a: int, b: int) {}\n");
    CHECK(checked_format("component C(\na: int, b: int) {}") == "component C(\n  a: int,\n  b: int,\n) {}\n");
    CHECK(checked_format("profile p : Link { rate = 1 bps,\n delay = 0 s }") ==
          "profile p : Link { rate = 1 bps, delay = 0 s }\n");
    // What does not fit.
    std::string a(50, 'a'), b(50, 'b'), c(50, 'c');
    CHECK(checked_format("model M {\n  run { " + a + " = 1, " + b + " = 2, " + c + " = 3 }\n}") ==
          "model M {\n  run {\n    " + a + " = 1, " + b + " = 2\n    " + c + " = 3\n  }\n}\n");
    CHECK(checked_format("model M {\n  let x = f(" + a + ", " + b + ", " + c + ")\n}") ==
          "model M {\n  let x = f(\n    " + a + ",\n    " + b + ",\n    " + c + ",\n  )\n}\n");
    CHECK(checked_format("model M {\n  require " + a + " + " + b + " * 2 + " + c + " > 0 else \"no\"\n}") ==
          "model M {\n  require " + a + "\n      + " + b + " * 2\n      + " + c +
              "\n      > 0\n      else \"no\"\n}\n");
    CHECK(checked_format("model M {\n  link " + a + ": " + b + " -- " + c + " : p { x = 1 }\n}") ==
          "model M {\n  link " + a + ": " + b + " -- " + c + "\n      : p { x = 1 }\n}\n");
}

TEST_CASE("comments stay where they belong", "[format]")
{
    CHECK(
        checked_format("model M(a: int // first\n, b: int) { // open\n  let x = f(1, // one\n  2)\n /* c */ router r\n"
                       "  // last\n}\n// end") ==
        "model M(\n  a: int,  // first\n  b: int,\n) {  // open\n  let x = f(\n    1,  // one\n    2,\n  )\n"
        "  /* c */ router r\n  // last\n}\n// end\n");
    CHECK(checked_format("model M {\n  let x = a /* why */ + b // sum\n  let y = a + // left\n    b\n}") ==
          "model M {\n  let x = a /* why */ + b  // sum\n  let y = a\n      +  // left\n      b\n}\n");
    CHECK(checked_format("/* one\n     two */\n\n\n// three\nmodel M {\n\n  // four\n\n\n  router r\n}") ==
          "/* one\n     two */\n\n// three\nmodel M {\n  // four\n\n  router r\n}\n");
    CHECK(checked_format("// alone") == "// alone\n");
    CHECK(checked_format("") == "");
}

TEST_CASE("a percent sign keeps its meaning", "[format]")
{
    checked_format("model M {\n  let a = 7\n    % -2\n  let b = 5 %\n  (x)\n}");
    checked_format(
        "model M {\n  let a = 7 /* c */ % 2\n  let b = 7\n % /* c */ 2\n  let c = if x then 5 % else 7 % 2\n}");
}

}  // namespace ANML_UNIT_FILE
