"""words_as_names.py ANMLC: the words that mean something in a few places alone (grammar/AnmlLexer.g4, `table` to `from`) are names in each place
where a name may stand, and words where they are words. Each text is checked with an ordinary name first: with that it has no error either."""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
keywords = re.findall(r"^\w+ +: '([a-z]+)' ;", (ROOT / "grammar/AnmlLexer.g4").read_text(), re.M)
WORDS = keywords[keywords.index("table"):keywords.index("from") + 1]
assert len(WORDS) == 10, WORDS

RATE = "{ rate = 1 Mbps, delay = 1 ms }"
TOP = "import std.ether\nimport std.traffic\n"
NET = f"  host a\n  host b\n  link a -- b {RATE}\n"
RUN = "  run { duration = 10 s }\n"


def model(body, top="", name="M"):
    return f"{TOP}{top}model {name} {{\n{NET}{body}\n{RUN}}}\n"


DECLARATIONS = {  # W: the name
    "model": model("", name="W"),
    "component": model("  W x\n  W y[2]\n  W z(3)", "component W(n: int = 1) { host h[n] }\n"),
    "component with overrides": model("  W x { override h { position = geo(1, 2) } }\n  W y[2](3) {\n    override l { rate = 2 Mbps }\n  }", f"component W(n: int = 1) {{\n  host h\n  host i[n]\n  link l: h -- i[0] {RATE}\n}}\n"),
    "base": model("  D x", "component W(n: int = 1) { host h[n] }\ncomponent D : W(2) { host i }\n"),
    "component first in a block": model("  for i in 0 ..< 1 { W x[i] }\n  if true { W y }\n  if true {\n    W z\n  }", "component W { host h }\n"),
    "component after others": model("  C c[2]\n  W x\n  let v = 1\n  W y\n  W z\n  require rtt(a, b) < 1 s\n  W u\n  C d(2)\n  W t", "component C(n: int = 1) { host h[n] }\ncomponent W { host h }\n"),
    "component parameter": model("  D x(inner = W)", "component W { host h }\ncomponent D(inner: component W) { inner i }\n"),
    "named argument": model("  C c(W = 2)\n  C d(\n    W = 2)", "component C(W: int) { host h[W] }\n"),
    "parameter of a model": f"{TOP}model M(W: int = 2, tunable x: time = 1 ms) {{\n{NET}  host h[W]\n{RUN}}}\n",
    "tunable": f"{TOP}model M(tunable W: time in 0 s .. 1 s = 1 ms) {{\n  host a\n  host b\n  link a -- b {{ rate = 1 Mbps, delay = W }}\n{RUN}}}\n",
    "instance": model(f"  C W\n  link W.h -- a {RATE}\n  link a --\n    W.h {RATE}", "component C { host h }\n"),
    "array of instances": model(f"  C W[2](1)\n  link W[0].h[0] -- a {RATE}\n  link W[1].h[0] -- a {RATE}\n  require rtt(a,\n    W[0].h[0]) < 1 s", "component C(n: int) { host h[n] }\n"),
    "router": model(f"  router W\n  link W -- a {RATE}\n  link a -- W {RATE}\n  link b --\n    W {RATE}"),
    "host": model(f"  host W {{ position = geo(1, 2) }}\n  link W -- a {RATE}"),
    "hosts": model(f"  host W[2]\n  link W[*] -- a {RATE}\n  link b --\n    W[0] {RATE}\n  link b --\n    W[1]\n    {RATE}"),
    "switch": model(f"  switch W\n  link W -- a {RATE}"),
    "endpoint": model(f"  endpoint W\n  link W -- a {RATE}"),
    "link": model(f"  link W: a -- b {RATE}\n  at 1 s {{ W down }}\n  at 2 s {{\n    W up\n    W {{ rate = 2 Mbps }}\n    W {{ up {{ rate = 3 Mbps }} }}\n  }}\n  from 3 s to 4 s {{ W down, W {{ delay = 3 ms }} }}"),
    "links": model(f"  for i in 0 ..< 2 {{ link W[i]: a -- b {RATE} }}\n  at 1 s {{\n    W[0] {{ rate = 2 Mbps }}\n    W[1] down\n    W[0] {{\n      rate = 1 Mbps\n    }}\n  }}\n  every 3 s {{ W[0] down, W[1] {{ rate = 1 Mbps }} }}\n  ramp from 5 s to 6 s {{\n    W[0] {{ rate = 1 Mbps .. 2 Mbps }}\n  }}"),
    "workload": model("  workload W : traffic.Ping on a { to = b }\n  at 1 s { W off }\n  at 2 s {\n    W on\n    W off\n  }\n  require mean_time(W) < 1 s\n  require mean_time(\n    W) < 1 s"),
    "let": model("  let W = 2\n  let x = W + W * W - -W\n  let y = [W, 3,\n    W, W\n  ]\n  let z = x +\n    W\n  let q = if W > 1 then W else W\n  let p = [\n    W\n  ]\n  host h[W]"),
    "list": model("  let W = [1, 2]\n  let x = [\n    W[0], 3,\n    W[1]]\n  let y = 1 +\n    W[0]\n  for i in W { router k[i] }"),
    "loop": model("  for W in 0 ..< 2 { router r[W] }\n  for i, W in [1, 2] { router s[W] }\n  for W, i in [1, 2] { router t[W] }\n  let x = [W * 2 for W in [1, 2] if W > 1]\n  let y = [W + v for W, v in [1, 2]]"),
    "function": model("  let x = W(2)\n  let y = 1 +\n    W(2)", "function W(n: int) : int = n\n"),
    "parameter of a function": model("  let x = f(2)\n  let y = f(W = 3)", "function f(W: int) : int = W +\n  W\n"),
    "profile": model("  link a -- b : W\n  link x: a -- b : W { rate = 3 Mbps }\n  link a -- b\n    : W", f"profile W : Link {RATE}\n"),
    "profile with parameters": model("  link a -- b : W(1 ms)\n  link a -- b : W(d = 1 ms)", "profile W(d: time) : Link { rate = 1 Mbps, delay = d }\n"),
    "parameter of a profile": model("  link a -- b : p(W = 1 ms)", "profile p(W: time) : Link { rate = 1 Mbps, delay = W }\n"),
    "profile in a component": model(f"  profile W : Link {RATE}\n  link a -- b : W"),
    "profile of a profile": model("  link a -- b : q", f"profile W : Link {RATE}\nprofile q : W {{ rate = 2 Mbps }}\n"),
    "schema": model("  let v = p.x", "schema W { x : int, y : W?\n  z : W?\n}\nschema V { a : W\n  b : W, c : W[]\n  d : W? }\nschema U : W { q : int = 1 }\nprofile p : W { x = 1 }\n"),
    "attribute": model("  let v = p.W\n  let u = p.\n    W", "schema S {\n  W : int\n  y : int = 2 }\nschema T { W : int, q : int = self.W }\nschema V { q : int = 3\n  W : int = 4\n  require self.W > 1 }\nschema O { W : int? }\nprofile p : S { W = 1 }\nprofile r : S {\n  y = 1,\n  W = 1\n}\n"),
    "enum": model("  let v = W.one", "enum W { one, two }\n"),
    "value of an enum": model("  let v = E.W\n  let w = v == E.W\n  let p = P", "enum E { W, two }\nenum F {\n  W\n  two\n}\nenum G { one, W }\nschema S { e : E }\nprofile P : S { e = W }\n"),
    "process": model("", "process W(m: time) : time {\n  state s : time = m then s\n  yield s\n}\n"),
    "state": model("", "process p(m: time) : time {\n  state W : time = m then W\n  yield\n    W\n}\n"),
    "port": model(f"  C c\n  link c.W -- a {RATE}", "component C {\n  host h\n  port W = h\n}\n"),
    "member": model(f"  C c\n  link c.W -- a {RATE}\n  link a -- c.\n    W {RATE}", "component C { host W }\n"),
    "override": model("  D c", "component C {\n  host W\n}\ncomponent D : C { override W { position = geo(1, 2) } }\n"),
    "import": model("  link a -- b : W.fast", "import std.ether as W\n"),
    "import before others": model("  link a -- b : W.fast", "import std.ether as W\nimport std.web\nenum E { x }\n"),
    "region": model("  router r\n  routing W on a { metric = hops }"),
    "number of a time": model(RUN + "  let t = [1 Mbps, 2 Mbps, 3 Mbps, 4 Mbps, 5 Mbps]\n  link l: a -- b { rate = 9 Mbps, delay = 1 ms }\n  every 2 s as W { l { rate = t[W] } }").replace(f"}}\n{RUN}}}", "}\n}"),
    "subject of a label": model("  host W\n  label W { k = \"v\" }\n  label b, W { k2 = \"v\" }\n  label W, b { k3 = \"v\" }\n  label b,\n    W { k4 = \"v\" }"),
    "subjects of a label": model("  C W[2]\n  label W[0], b, W[*].h { k = \"v\" }\n  label W[1].h { k2 = \"v\" }\n  label [a, W[0].h] { k3 = \"v\" }", "component C { host h }\n"),
    "key of a label": model("  label b { W = \"v\" }\n  label a {\n    W = \"v\", k = \"w\"\n  }"),
    "key of a report": 'import std.web\n' + model("  endpoint s { simulated = web.server() }\n  link s -- a { rate = 1 Mbps, delay = 1 ms }\n  workload w : web.ClosedLoop on a { server = s, documents = web.fixed(1 KB), think = 1 s }\n  label a { W = \"v\", k = \"w\" }\n  report by W\n  report by k, W\n  report by W, k"),
    "factor": f"{TOP}model M(W: int = 2) {{\n{NET}  workload w : traffic.Ping on a {{ to = b }}\n{RUN}}}\nexperiment E : M {{\n  vary W in [1, 2]\n}}\n",
    "experiment": f"{TOP}model M(n: int = 2) {{\n{NET}  workload w : traffic.Ping on a {{ to = b }}\n{RUN}}}\nexperiment W : M {{\n  vary n in [1, 2]\n}}\n",
}
WORDS_IN_PLACE = {  # what they say where they are words
    "pub": TOP + f"pub component C {{ host h }}\npub profile p : Link {RATE}\npub function f(x: int) : int = x\npub enum E {{ one }}\n" + model("").replace(TOP, ""),
    "extra": model("", "schema S { a : int\n  extra }\nschema T { extra, a : int }\nschema U {\n  a : int?\n  extra\n  label : string?\n}\nschema V { a : host?\n  extra\n}\n"),
    "label": model("  label a { k = \"v\" } label b { k = \"w\" }\n  label [a, b] { k2 = \"v\" }"),
    "times": model("""  let at = 1 s
  let from = 2 s
  let every = 3 s
  link l: a -- b { rate = 9 Mbps, delay = 1 ms }
  at at { l down } at 2 s { l up }
  at (at + from) * 3 { l down, l up }
  at if true then 9 s else at { l up }
  every every from from to from + 1 s as k { l up }
  every every {
    l up
  }
  every 5 s
    from 4 s { l up }
  from from to every { l down }
  from from + 3 s
    to every + 4 s { l down }
  ramp from from to every every at { l { rate = 1 Mbps .. 2 Mbps } }"""),
    "process and state": "process process(state: time) : time {\n  state at : time = state then at state from : time = state then at\n  yield at + from\n}\n" + model(""),
    "extra beside itself": model("", "schema S { extra : int, extra }\n"),
}


def check(texts):
    requests = "".join(json.dumps({"arguments": ["check", "--error-format=short", "-"], "input": text}) + "\n" for text in texts)
    done = subprocess.run([sys.argv[1], "--batch"], input=requests, capture_output=True, text=True, check=True)
    return [(answer["status"], answer["stderr"]) for answer in map(json.loads, done.stdout.splitlines())]


def named(text, name):
    return re.sub(r"\bW\b", name, text)


cases = [(place, "plain", named(text, "plain")) for place, text in DECLARATIONS.items()]
cases += [(place, word, named(text, word)) for place, text in DECLARATIONS.items() for word in WORDS]
cases += [(f"the word `{word}`", "itself", text) for word, text in WORDS_IN_PLACE.items()]
pairs = [(v, w) for v in WORDS for w in WORDS if v != w]
cases += [("two subjects", f"{v}, {w}", model(f"  host {v}\n  host {w}\n  label {v}, {w} {{ {w} = \"v\", {v} = \"w\" }}\n  label {v} {{ k = \"v\" }} label {w} {{ k = \"v\" }}")) for v, w in pairs]
cases += [("component and instance", f"{v} {w}", model(f"  {v} {w}\n  {v} x\n  link {w}.h -- a {RATE}\n  {v} {w}_s[2]", f"component {v} {{ host h }}\n")) for v, w in pairs]
cases += [("module and profile", f"{v}.{w}", model(f"  {v} {w}(h = 2)\n  let x = 1", f"component {v}(h: int) {{ host {w}[h] }}\n")) for v, w in pairs]
answers = check(text for _, _, text in cases)
# What nothing reads is no matter here.
found = [[line for line in said.splitlines() if ": error: " in line and "[dead-attribute]" not in line] for _, said in answers]
wrong = [f"{place}, {word}: {errors[0]}\n{text}" for (place, word, text), errors in zip(cases, found) if errors]
if wrong:
    sys.exit("\n".join(wrong) + f"\n{len(wrong)} of {len(cases)} texts are wrong")
print(f"{len(cases)} texts")
