"""Models that are deep or whose parts are shared: each is compiled in time that grows with its text, or refused with a message. None ends in a crash. By every tool where ANML_ALL is set,
otherwise by those that have walks of their own."""
import os
import subprocess
import unittest

from emulators import ANMLC, EmulatorTest

DEEP = 20000 if "ANML_ALL" in os.environ else 10000
TUNABLE = "tunable T: time in 1 ms .. 2 ms = 1 ms, tunable U: number in 0 .. 0.9 = 0.5"


def chain(form, count=DEEP, backwards=False):
    """A line for each number, which may name the one before."""
    numbers = range(1, count + 1)
    return "\n".join(form.format(i=i, before=i - 1) for i in (reversed(numbers) if backwards else numbers))


def model(body, top="", parameters="", run="run { duration = 10 ms }"):
    return f"{top}\nmodel Deep{f'({parameters})' if parameters else ''} {{\n  router a\n  host b\n  {body}\n  {run}\n}}\n"


LINK = "link ab: a -- b { rate = 1 Gbps }"


def lets(first, step, use, parameters=TUNABLE, link=LINK):
    values = f"let x0 = {first}\n" + chain("let x{i} = " + step)
    return model(f"{values}\n{link}\n{use}", parameters=parameters)


# What compiles: values that are deep are no trouble.
FINE = {
    "sum in a delay": lets("T", "x{before} + 1 ns", "", link=f"link ab: a -- b {{ rate = 1 Gbps, delay = x{DEEP} }}"),
    "sum in a requirement": lets("T", "x{before} + 1 ns", f"require x{DEEP} < 1 s"),
    "sum beside a path": lets("T", "x{before} + 1 ns", f"require x{DEEP} + rtt(a, b) < 1 s"),
    "least of many": lets("U", "min(x{before}, U + {i})", f"require x{DEEP} < 1"),
    "squares": lets("U", "x{before} * x{before}", "require x40 < 1"),
    "squares of a path": model("let x0 = 0.5\n" + chain("let x{i} = x{before} * x{before}", 40) + f"\n{LINK}\n"
                               + "require " + " && ".join("(rtt(a, b) < 1 s && U < 1)" for _ in range(40)), parameters=TUNABLE),
    "choices": lets("U", "if U < 0.{i} then x{before} else x{before} + 1", "require x60 < 100"),
    "time of the timeline": lets("T", "x{before} + 1 ns", f"at x{DEEP} {{ ab {{ delay = 1 ms }} }}", link=LINK.replace("}", ", delay = 1 ms }")),
    "numbers": lets("0", "x{before} + 1", f"require x{DEEP} == {DEEP}", ""),
    "lines": model(f"{LINK}\n" + chain("require U < {i}"), parameters=TUNABLE),
}
# What may be refused, for it is followed by recursion somewhere.
BOTH = {}
for backwards in (False, True):
    order = "backwards" if backwards else "forwards"
    BOTH[f"functions {order}"] = model(f"{LINK}\nrequire f{DEEP}(1) > 0", "function f0(x: number): number = x\n" + chain("function f{i}(x: number): number = f{before}(x) + 1", backwards=backwards))
    BOTH[f"profiles {order}"] = model(f"link a -- b : p{DEEP}", "profile p0 : Link { rate = 1 Gbps }\n"
                                      + chain("profile p{i} : Link {{ rate = p{before}.rate }}", backwards=backwards))
    BOTH[f"schemas {order}"] = model("link a -- b : p", "schema S0 : Link {}\n" + chain("schema S{i} : S{before} {{ }}", 2000, backwards) + "\nprofile p : S2000 { rate = 1 Gbps }")
    BOTH[f"defaults {order}"] = model("link a -- b : p0", "schema S0 { v: number = 1 }\nprofile q0 : S0 {}\n" + chain("schema S{i} {{ v: number = q{before}.v }}\nprofile q{i} : S{i} {{}}", 2000, backwards)
                                      + "\nprofile p0 : Link { rate = q2000.v * 1 Gbps }")
    BOTH[f"processes {order}"] = model(f"link a -- b {{ rate = 1 Gbps, loss = p{DEEP} }}", "process p0 : ratio { yield uniform(0, 1) }\n" + chain("process p{i} : ratio {{ yield p{before} / 2 }}", backwards=backwards))
    BOTH[f"instances {order}"] = model(f"{LINK}\nC{DEEP} c\nlink x: c.r -- a {{ rate = 1 Gbps }}", "component C0 { router r }\n" + chain("component C{i} {{ router r\n C{before} c }}", backwards=backwards))
    BOTH[f"extensions {order}"] = model(f"{LINK}\nC{DEEP} c\nlink x: c.r -- a {{ rate = 1 Gbps }}", "component C0 { router r }\n" + chain("component C{i} : C{before} {{ }}", backwards=backwards))
BOTH["sum that is drawn"] = lets("uniform(0, 1)", "x{before} + 0", "", link="link ab: a -- b { rate = 1 Gbps, loss = min(1, x%d) }" % DEEP)
BOTH["processes of the two before"] = model("link a -- b { rate = 1 Gbps, loss = p60 }", "process p0 : ratio { yield uniform(0, 1) }\nprocess p1 : ratio { yield p0 }\n"
                                           + "\n".join(f"process p{i} : ratio {{ yield (p{i - 1} + p{i - 2}) / 2 }}" for i in range(2, 61)))
for name, text in {"else if": "if 1 > 2 { host h }" + " else if 1 > 2 { host h }" * DEEP, "else": "require " + "if 1 > 2 then true else " * DEEP + "true",
                   "brackets": "require " + "(" * DEEP + "true" + ")" * DEEP, "negations": "require " + "!" * DEEP + "true", "signs": "require 1 > " + "-" * DEEP + "1",
                   "sums": "require 1 < " + "1 + " * DEEP + "1", "lists": "let l = " + "[" * DEEP + "]" * DEEP, "ifs": "if true { " * DEEP + "}" * DEEP,
                   "indices": "require a" + "[0]" * DEEP + " == 1", "members": "require a" + ".b" * DEEP + " == 1", "calls": "require " + "min(1, " * DEEP + "1" + ")" * DEEP + " == 1",
                   "blocks": "link a -- b " + "{ up " * DEEP + "}" * DEEP}.items():
    BOTH[name] = model(f"{LINK}\n{text}")
TOOLS = [["lint"], ["--emit=anml", "-o", "-"], ["graph", "-o", "graph.json"], ["-O0", "-o", "emu"]]
if "ANML_ALL" in os.environ:
    TOOLS += [["check"], ["fmt", "--check"], ["--emit=network", "-o", "-"]]


class Deep(EmulatorTest):
    def invoke(self, *command):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=120, cwd=self.folder)
        self.assertIn(done.returncode, (0, 1), f"{command}\n{done.stderr[-1000:]}")
        return done

    def each_tool(self, text):
        path = self.fresh("model.anml")
        path.write_text(text)
        return {tool[0]: self.invoke(ANMLC, *tool, path) for tool in TOOLS}

    def test_fine(self):
        for name, text in FINE.items():
            with self.subTest(name):
                done = self.each_tool(text)
                for tool, result in done.items():
                    if tool not in ("fmt", "--emit=anml"):  # which may find it laid out otherwise, or too long to write
                        self.assertEqual(result.returncode, 0, f"{tool}\n{result.stderr[-1000:]}")
                subprocess.run([self.folder / "emu", "simulate"], check=True, capture_output=True, timeout=60)

    def test_either(self):
        for name, text in BOTH.items():
            with self.subTest(name):
                for tool, result in self.each_tool(text).items():
                    if tool != "fmt":
                        self.assertEqual(result.returncode == 1, "error" in result.stderr, f"{tool}\n{result.stderr[-1000:]}")

    def test_imports(self):
        """Files that import each other in a row, and in a circle."""
        for i in range(2000):
            (self.folder / f"m{i}.anml").write_text(f"import m{(i + 1) % 2000}\nfunction f{i}(): number = {i}\n")
        (self.folder / "model.anml").write_text("import m0\n" + model(LINK))
        for tool in TOOLS:
            self.invoke(ANMLC, *tool, self.folder / "model.anml")


if __name__ == "__main__":
    unittest.main()
