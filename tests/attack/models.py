#!/usr/bin/env python3
"""Deep, huge, circular and malformed models: every verb of anmlc says what is wrong, or does what it is asked, within bounds.

Without ANML_ALL the large sizes and most of the numbers are left out.
"""
import concurrent.futures
import os
import pathlib
import tempfile
import unittest

from arena import ALL, ANMLC, GIB, attempt

SIZES = (100, 1000, 100000) if ALL else (1000,)
IMPORTS = "".join(f"import std.{m}\n" for m in ("ether", "jitter", "loss", "tcp", "topology", "traffic", "web"))
TUNABLE = "(tunable T: number in 0 .. 1 = 1)"


def model(body="", parameters="", before="", link="rate = 1 Mbps", run="duration = 10 ms"):
    return f"""{IMPORTS}{before}model M{parameters} {{
  host a
  host b
  router r
  endpoint s {{ simulated = web.server() }}
  link x: a -- r {{ {link} }}
  link y: r -- b {{ rate = 1 Mbps }}
  link z: r -- s {{ rate = 1 Mbps }}
  {body}
  run {{ {run} }}
}}
"""


def around(opening, middle, closing, n):
    return opening * n + middle + closing * n


def chain(n, first, step):
    """n `let`s, each made of the one before."""
    return "".join(f"  let q{k} = {step.replace('Q', f'q{k - 1}') if k else first}\n" for k in range(n))


def functions(n, step, type="number"):
    return f"function f0(x: {type}): {type} = x\n" + "".join(
        f"function f{k}(x: {type}): {type} = {step.replace('F', f'f{k - 1}')}\n" for k in range(1, n + 1))


def nested_components(n, count, inside):
    return IMPORTS + "".join(f"component C{k} {{ C{k + 1} x{count} }}\n" for k in range(n)) + \
        f"component C{n} {{ {inside} }}\nmodel M {{\n  C0 c\n  run {{ duration = 1 ms }}\n}}\n"


def sized(n):
    """What grows with n: depth, breadth, length."""
    yield "parentheses", model(f"let q = {around('(', '1', ')', n)}")
    yield "signs", model(f"let q = {'- ' * n}1")
    yield "negations", model(f"require {'!' * n}true")
    yield "blocks", model(around("if true { ", "", " }", n))
    yield "else if", model("if false {}" + " else if false {}" * n)
    yield "if then else", model("let q = " + "if true then 1 else " * n + "2")
    yield "conditions in conditions", model("let q = " + "if " * n + "true" + " then true else false" * n)
    yield "loops", model("".join(f"for i{k} in 0 .. 0 {{ " for k in range(n)) + "}" * n)
    yield "lists", model(f"let q = {around('[', '1', ']', n)}")
    yield "calls", model(f"let q = {around('abs(', '1', ')', n)}")
    yield "indices", model(f"let q = a{'[0' * n}{']' * n}")
    yield "members", model(f"let q = a{'.b' * n}")
    yield "a long sum", model("let q = 1" + "+1" * n)
    yield "a long requirement", model("require 1" + "+1" * n + " > 0")
    yield "a long conjunction", model("require true" + " && true" * n)
    yield "comparisons", model("require 1" + " < 1" * n)
    yield "tolerances", model("require 1 == 1" + " ± 1" * n)
    yield "a sum over a tunable", model("require T" + "+T" * n + " > 0", TUNABLE)
    yield "a rate of a long sum", model("link a -- b { rate = (1" + "+T" * n + ") * 1 bps }", TUNABLE)
    yield "lets", model(chain(n, "1", "Q + 1"))
    yield "lets of a tunable", model(chain(n, "T", "Q + 1") + f"link a -- b {{ rate = q{n - 1} * 1 bps }}", TUNABLE)
    yield "lets of a requirement", model(chain(n, "T", "Q + 1") + f"require q{n - 1} > 0", TUNABLE)
    yield "lets of a distribution", model(chain(n, "uniform(0 ms, 1 ms)", "Q + 1 ns") + f"link a -- b {{ rate = 1 Mbps, jitter = q{n - 1} }}")
    yield "components in components", nested_components(n, "", "router r")
    yield "schemas", model(f"profile p : S{n - 1} {{ rate = 1 Mbps }}\n  link a -- b : p", before="schema S0 : Link {}\n" + "".join(
        f"schema S{k} : S{k - 1} {{}}\n" for k in range(1, n)))
    yield "components that extend", IMPORTS + "component S0 { router a\n router b\n link l: a -- b : ether.fast }\n" + "".join(
        f"component S{k} : S{k - 1} {{ override l {{ delay = {k % 7} ms }} }}\n" for k in range(1, n)) + \
        f"model M {{\n  S{n - 1} s\n  run {{ duration = 1 ms }}\n}}\n"
    yield "functions", model(f"let q = f{n}(1)", before=functions(n, "F(x) + 1"))
    yield "functions of a tunable", model(f"link a -- b {{ rate = f{n}(T) * 1 bps }}", TUNABLE, functions(n, "F(x) + 1"))
    yield "a function that calls itself", model(f"let q = f({n})", before="function f(x: int): int = if x == 0 then 0 else f(x - 1) + 1\n")
    yield "values of an enum", model(before="enum E { " + ", ".join(f"v{k}" for k in range(n)) + " }\n")
    yield "parameters", model(parameters="(" + ", ".join(f"p{k}: int = {f'p{k - 1}' if k else 1}" for k in range(n)) + ")")
    yield "tunables", model(parameters="(" + ", ".join(f"tunable p{k}: int in 1 .. 2 = 1" for k in range(n)) + ")")
    yield "the same attribute", model(link="rate = 1 Mbps, " + "delay = 1 ms, " * n)
    yield "imports", "import std.web\n" * n + model()
    yield "names of a module", "".join(f"import std.web as w{k}\n" for k in range(n)) + model()
    yield "instants", model("".join(f"  at {k} us {{ x {'up' if k % 2 else 'down'} }}\n" for k in range(n)))
    yield "rates over time", model("".join(f"  at {k} us {{ x {{ rate = {k + 1} bps }} }}\n" for k in range(n)))
    yield "states of a process", model(link="rate = 1 Mbps, loss = p()", before="process p() : ratio {\n" + "".join(
        f"  state s{k}: number = 0 then s{k} + 1\n" for k in range(n)) + "  yield 0\n}\n")
    yield "a sum of draws", model(link="rate = 1 Mbps, jitter = " + "uniform(0 ms, 1 ms) + " * n + " 1 ms")
    yield "a mixture", model(link="rate = 1 Mbps, jitter = mixture([" + ",".join(["1"] * n) + "], [" + ",".join(["1 ms"] * n) + "])")
    yield "hosts by name", model("".join(f"host h{k}\n" for k in range(n)))
    yield "requirements", model("require rtt(a, b) < 1 s\n" * n)
    yield "static routes", model("".join(f"  route r to 10.{k >> 16 & 255}.{k >> 8 & 255}.{k & 255} via b\n" for k in range(n)))
    yield "a long string", model(f'require "{"x" * n}" == "y" else "{"z" * n}"')
    yield "escapes", model('require true else "' + "\\q" * n + '"')
    yield "a long name", model(f"let {'q' * n} = 1\n  let `{'w' * n}` = 1")
    yield "a long number", model(f"let q = {'9' * n}\n  let w = 0.{'9' * n}\n  let v = 1e{'9' * n}")
    yield "a deep pattern", model(before=f'schema S : Link {{ s: string matching "{"(" * n}a{")" * n}" = "a" }}\n')
    yield "stars in a pattern", model(before=f'schema S : Link {{ s: string matching "{"(a*)*" * n}" = "{"a" * n}" }}\n')
    yield "repeats in a pattern", model(before=f'schema S : Link {{ s: string matching "a{{{n}}}" = "{"a" * n}" }}\n')
    yield "open braces", "model M " + "{ " * n
    yield "closing braces", model() + "}" * n
    yield "no words", "@#$%^&" * n
    yield "open comments", "/*" * n
    yield "mistakes", model("".join(f"  link nope{k} -- nada{k}\n" for k in range(n)))
    yield "the same name", model("let q = 1\n" * n)


def doubled(n=60):
    """What takes 2^n where somebody expands it."""
    yield "lets", model(chain(n, "1", "Q + Q"))
    yield "lets of a rate", model(chain(n, "T", "Q * Q") + f"link a -- b {{ rate = (1 + q{n - 1}) * 1 bps }}", TUNABLE)
    yield "lets of a delay", model(chain(n, "T", "Q * Q") + f"link a -- b {{ rate = 1 bps, delay = q{n - 1} * 1 ms }}", TUNABLE)
    yield "lets of a choice", model(chain(n, "T", "if Q > 1 then Q else Q") + f"link a -- b {{ rate = (1 + q{n - 1}) * 1 bps }}", TUNABLE)
    yield "lets of draws", model(chain(n, "uniform(0 ms, 1 ms)", "Q + Q") + f"link a -- b {{ rate = 1 Mbps, jitter = q{n - 1} }}")
    yield "lets of choices", model(chain(n, "uniform(0 ms, 1 ms)", "if Q > 1 ms then Q else Q") + f"link a -- b {{ rate = 1 Mbps, jitter = q{n - 1} }}")
    yield "lists", model(chain(n, "[1]", "[Q, Q]"))
    yield "nodes", model(chain(n, "[a]", "[Q, Q]"))
    yield "a function of ints", model(f"let q = f({n})", before="function f(x: int): int = if x == 0 then 1 else f(x - 1) + f(x - 1)\n")
    yield "a function of a tunable", model(f"link a -- b {{ rate = (1 + f({n}, T)) * 1 bps }}", TUNABLE,
                                           "function f(x: int, t: number): number = if x == 0 then t else f(x - 1, t) + f(x - 1, t)\n")
    yield "functions", model(f"let q = f{n}(1)", before=functions(n, "F(x) + F(x)"))
    yield "functions of draws", model(f"link a -- b {{ rate = 1 Mbps, jitter = f{n}(uniform(0 ms, 1 ms)) }}",
                                      before=functions(n, "F(x) + F(x)", "random time"))
    yield "components", nested_components(n, "[2]", "router r")
    yield "empty components", nested_components(n, "[2]", "")
    yield "loops", model("".join(f"for i{k} in 0 .. 999 {{ " for k in range(6)) + "let q = 1 " + "}" * 6)


def circular():
    yield "components", IMPORTS + "component A { B b }\ncomponent B { A a }\nmodel M {\n  A a\n  run { duration = 1 s }\n}\n"
    yield "components that extend", "component A : B {}\ncomponent B : A {}\nmodel M {\n  A a\n  run { duration = 1 s }\n}\n"
    yield "models", "model A : B {}\nmodel B : A {}\n"
    yield "schemas", model(before="schema A : B {}\nschema B : A {}\n")
    yield "profiles", model("link a -- b : p(1)", before="profile p(x: int) : Link { rate = q(x).rate }\nprofile q(x: int) : Link { rate = p(x).rate }\n")
    yield "attributes", model("link a -- b : p", before="profile p : Link { rate = 1 bps * (self.delay / 1 s), delay = self.rate / 1 bps * 1 s }\n")
    yield "functions", model("let q = f(1)", before="function f(x: int): int = g(x)\nfunction g(x: int): int = f(x)\n")
    yield "a function without end", model("let q = f(1)", before="function f(x: int): int = f(x + 1) + 1\n")
    yield "a function of times without end", model("let q = f(1 s)", before="function f(x: time): time = f(x + 1 s) + 1 s\n")
    yield "processes", model(link="rate = 1 Mbps, loss = p()", before="process p() : ratio { yield q() }\nprocess q() : ratio { yield p() }\n")
    yield "defaults", model(parameters="(a: int = b, b: int = a)")
    yield "components that are passed", IMPORTS + "component I { router r }\ncomponent A(x: component I = A) : I { x y }\nmodel M {\n  A a\n  run { duration = 1 s }\n}\n"
    yield "ports", IMPORTS + "component A { port x = y\n port y = x }\nmodel M {\n  A a\n  run { duration = 1 s }\n}\n"
    yield "routes", model("router q\n  link q -- r : ether.fast\n  route q to 9.9.9.9 via r\n  route r to 9.9.9.9 via q")
    yield "links without delay", IMPORTS + "model M {\n  router r[64]\n  for i in 0 ..< 64 { link r[i] -- r[(i + 1) % 64] : ether.fast }\n  run { duration = 1 s }\n}\n"


NUMBERS = ["0", "-1", "0.5", "2147483648", "4294967296", "268435456", "1073741824", "9007199254740993", "9223372036854775808", "1e18", "1e308",
           "(1e308 * 1e308)", "1/0", "-0", "5 % 0", "sqrt(-1)", "log(0)", "exp(1000)", "pow(10, 400)", "pow(0, -1)", "floor(1e308)", "round(5, 0)",
           "ceil(1e308, 1e-308)"]
NUMBERED = [
    "host q[{}]", "host q[{}]\n  link q[*] -- r {{ rate = 1 Mbps }}", "C q[{}]", "E q[{}]", "host q[4]\n  link q[{}] -- r {{ rate = 1 Mbps }}",
    "host q[4]\n  link q[0 .. {}] -- r {{ rate = 1 Mbps }}", "host q[4]\n  link q[{} ..< 4] -- r {{ rate = 1 Mbps }}", "let q = [1, 2, 3][{}]",
    "link hop[{}]: a -- b {{ rate = 1 Mbps }}", "for i in 0 .. {} {{ require i >= 0 }}", "for i in {} .. 9007199254740992 while i < 3 {{ let q = i }}",
    "router q {{ position = plane({0}, {0}) }}", "router q {{ position = geo({0}, {0}) }}", "let q = subnet(10.0.0.0/8, 24, {})",
    "let q = subnet(10.0.0.0/8, {}, 0)", "let q = draw(1, {})", "require 1 / ({}) > T", "require ({}) / T > 1", "at ({}) * 1 s {{ x down }}",
    "every ({}) * 1 ns from 0 s to 10 s {{ x {{ rate = 2 Mbps }} }}", "from 0 s to ({}) * 1 s {{ x down }}",
    "ramp from 0 s to ({}) * 1 s every 1 ns {{ x {{ rate = 1 Mbps .. 2 Mbps }} }}", "workload w : web.ClosedLoop on a {{ server = s, documents = web.catalogue({}, 1 KB) }}",
    "topology.FullMesh t({})", "topology.Tree t(depth = {}, fanout = 2)", "topology.FatTree t(k = {})", "topology.Grid t({0}, {0})", "topology.Ring t({})",
    "topology.ErdosRenyi t({}, 50 %)", "topology.BarabasiAlbert t({}, 2)", "topology.Waxman t({})",
]


def numbered():
    every = 1 if ALL else 11
    cases = [(form, number) for form in NUMBERED for number in NUMBERS]
    for form, number in cases[::every]:
        yield f"{form[:40]} {number}", model(form.format(number), "(tunable T: number in -1 .. 1 = 0.5)", "component C { router z }\ncomponent E { }\n")


def odd_texts():
    plain = model()
    yield "nothing", b""
    yield "a mark only", b"\xef\xbb\xbf"
    yield "two marks", b"\xef\xbb\xbf\xef\xbb\xbf" + plain.encode()
    yield "returns", plain.replace("\n", "\r").encode()
    yield "form feeds", plain.replace("\n", "\f\n").encode()
    yield "separators of Unicode", plain.replace("\n", "\u2028").encode()
    yield "right to left", model("let \u202eabc = 1").encode()
    yield "no width", model("let a\u200bb = 1").encode()
    yield "UTF-16", plain.encode("utf-16")
    yield "surrogates", plain.encode() + b"\xed\xa0\x80"
    yield "overlong", plain.encode() + b"\xc0\x80"
    yield "cut", "let q = \u00e9".encode()[:-1]
    yield "a program", pathlib.Path(ANMLC).read_bytes()[:1 << 20]
    yield "NULs", b"\0" * (1 << 20)
    yield "a long line", b"model M { /* " + b"x" * (50 << 20)
    yield "many lines", b"\n" * (20 << 20)
    yield "generator", b'// line "x" 99999999999999999999\nmodel M {\n x\n}\n// line "' + b"y" * 100000 + b'" -5\nx\n'
    yield "dots", b"import .\nimport ..\nimport std.\nimport std\nimport a..b\nimport `/etc/passwd`\nimport `../../etc/passwd`\n"


# The known crashers of an earlier version, and what later attacks found.
def found():
    yield "a client with TCP of its own, and a server's", model(
        "endpoint t { simulated = web.server(), tcp = tcp.linux }\n  host pc[2]\n  link pc[*] -- t { rate = 1 Mbps }\n"
        "  workload w : web.ClosedLoop on pc[0] { server = t, documents = web.fixed(1 KB) }")
    yield "no clients, and a server with TCP", model(
        "endpoint t { simulated = web.server(), tcp = tcp.linux }\n  host pc[0]\n  link t -- r { rate = 1 Mbps }\n"
        "  workload w : web.ClosedLoop on pc[*] { server = t, documents = web.fixed(1 KB) }")
    yield "squares of a tunable in a requirement", model(chain(40, "T", "Q * Q") + "require q39 <= 1", TUNABLE)


VERBS = [["check"], ["lint"]]
LATER = [["fmt", "--check"], ["doc"], ["analyze"], ["graph", "--format=svg"], *([f"--emit={k}"] for k in ("ast", "checked", "network", "anml", "routes", "tasks", "plan"))]


class Models(unittest.TestCase):
    def attack(self, cases, verbs, memory=3 * GIB, seconds=60):
        def one(case, verb):
            name, text = case
            with tempfile.TemporaryDirectory(prefix="anml-attack-") as folder:
                path = os.path.join(folder, "m.anml")
                pathlib.Path(path).write_bytes(text if isinstance(text, bytes) else text.encode())
                tried = attempt([ANMLC, *verb, "--error-format=short", path], cwd=folder, memory=memory, seconds=seconds)
                left = sorted(set(os.listdir(folder)) - {"m.anml"})
                return tried.fault or (f"{left} left behind" if left else "")

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [(case[0], verb, pool.submit(one, case, verb)) for case in cases for verb in verbs]
            for name, verb, job in jobs:
                with self.subTest(name, verb=verb[0]):
                    self.assertEqual(job.result(), "")

    def test_sizes(self):
        for n in SIZES:
            with self.subTest(n=n):
                self.attack(list(sized(n)), [["check"]] if n == SIZES[-1] and not ALL else VERBS)

    def test_small_ones_by_all_verbs(self):
        self.attack(list(sized(20))[::1 if ALL else 6] + list(circular())[::1 if ALL else 4], [*VERBS, *LATER])

    def test_doubled(self):
        self.attack(doubled(), VERBS if ALL else [["check"]])

    def test_circular(self):
        self.attack(circular(), VERBS if ALL else [["check"]])

    def test_numbers(self):
        self.attack(numbered(), VERBS if ALL else [["check"]])

    def test_odd_texts(self):
        self.attack(odd_texts(), [["check"], ["fmt", "--check"]])

    def test_found_before(self):
        self.attack(found(), VERBS)


if __name__ == "__main__":
    unittest.main()
