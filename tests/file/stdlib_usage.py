"""stdlib_usage.py ANMLC: a file of the library has one construct, with a doc comment and a usage line that compiles, in a model with the nodes that it
names. A schema and the profile that makes one in a line stand together, and so do a construct and functions of its own, `waxman_links` in `waxman.anml`.
The prelude, whose names need no module, is the only file of several."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "differential"))
import batch  # noqa: E402

LOADS = pathlib.Path(__file__).resolve().parents[1] / "data/loads"  # files that usages name

ROOT = pathlib.Path(__file__).resolve().parents[2] / "stdlib" / "std"
MODULES = sorted(folder.name for folder in ROOT.iterdir() if folder.is_dir())
DECLARATION = re.compile(r"^(profile|component|schema|enum|process|function) (\w+)", re.M)
SITE = """  endpoint server{}
  router gate
  host client[8]
  link client[*] -- gate : ether.fast
  link gate -- server    : ether.fast
"""
BROWSE = "  workload w : web.ClosedLoop on client[*] {{ server = server, {} }}"
failed, count = [], 0


def statements(line):
    """The usage line as statements of a model, with the nodes that it names."""
    if line.startswith("simulated = web.message_server"):
        return SITE.format(f" {{ {line} }}") + "  workload w : web.Socket on client[*] { server = server }"
    if line.startswith("simulated ="):
        return SITE.format(f" {{ {line} }}") + BROWSE.format("documents = web.fixed(1 KB)")
    if line.startswith("documents ="):
        return SITE.format("") + BROWSE.format(line)
    if line.startswith("workload") and "web.Calls" in line:
        tiers = "".join(f"  endpoint {tier} {{ simulated = web.server() }}\n" for tier in ("front", "back[2]"))
        links = "".join(f"  link {tier} -- gate : ether.fast\n" for tier in ("front", "back[*]"))
        return SITE.format("") + tiers + links + BROWSE.format("documents = web.fixed(1 KB)").replace("= server", "= front") + f"\n  {line}"
    if line.startswith("workload") and "traffic.Background" in line:
        return SITE.format("").replace("endpoint", "host") + f"  {line}"
    if line.startswith("workload") and "traffic.Relay" in line:
        say = "workload say : traffic.Cbr on client[7] { to = client[0], port = 5004, interval = 20 ms }"
        return SITE.format("") + f"  {say}\n  {line}"
    if line.startswith("workload"):
        edges = "  endpoint edge[2]\n  link edge[*] -- gate : ether.fast\n" if "edge[*]" in line else ""
        return SITE.format("") + edges + f"  {line}"
    if line.startswith("host pc[8]"):
        return f"  {line}\n  switch lan\n  link pc[*] -- lan : ether.fast\n  workload w : traffic.Bulk on pc[*] {{ to = pc[*], pairing = permutation }}"
    if re.match(r"(loss|jitter|queue) =", line):
        return f"  router a\n  router b\n  link a -- b {{ rate = 1 Mbps, {line} }}"
    back_ends = "  endpoint site[2]\n  link site[*] -- gate : ether.fast\n"
    if line.startswith("radio ="):
        return SITE.format("") + f"  switch ap {{ {line} }}\n  host sta\n  link sta -- ap : wifi.air(11 Mbps)\n  link ap -- gate : ether.fast"
    if line.startswith("middlebox ="):
        return SITE.format("") + back_ends + f"  router box {{ {line} }}\n  link box -- gate : ether.fast"
    if line.startswith("middlebox."):
        box = "load_balancer" if ".back_end(" in line else "firewall"
        return SITE.format("") + back_ends + f"  let x = middlebox.{box}([{line}])"
    if line.startswith("web.origin("):
        return SITE.format("") + f"  let x = {line}"
    if "wlan." in line:
        return f"  host pc[8]\n  access.Medium wlan\n  {line}"
    ends = re.search(r"link \w+: (\w+) -- (\w+)", line)
    if ends:
        return "".join(f"  router {name}\n" for name in ends.groups()) + f"  {line}"
    if re.match(r"(for|if|let|router) |topology\.|access\.Medium", line):
        return f"  {line}".replace("{ ... }", "{}")
    return f"  let x = {line}"


def compiles(name, line):
    global count
    text = statements(line)
    imports = "".join(f"import std.{m}\n" for m in MODULES if re.search(rf"\b{m}\.", text))
    model = f"{imports}\nmodel Usage {{\n{text}\n  run {{ duration = 1 s }}\n}}\n"
    done = batch.run(sys.argv[1], ["check", f"-I{LOADS}", "-"], input=model)
    count += 1
    if done.returncode != 0 or (done.stderr and not line.startswith("router")):
        failed.append(f"{name}: {line}\n{model}\n{done.stderr}")


files = [path for path in sorted(ROOT.rglob("*.anml")) if path.name not in ("prelude.anml", "_about.anml")]
for path in files:
    name, text = path.relative_to(ROOT), path.read_text()
    declared = [re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", found[1]).lower() for found in DECLARATION.findall(text)]
    usage = re.search(r"Usage: `([^`]*)`", text)
    if path.stem not in declared or any(d != path.stem and not d.startswith(path.stem + "_") for d in declared) or not usage:
        failed.append(f"{name}: declares {declared}, usage {usage and usage[1]}")
        continue
    compiles(name, usage[1])
print("\n".join(failed) or f"{count} usage lines compile")
sys.exit(bool(failed) or count != len(files) or count < 60)
