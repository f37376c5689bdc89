"""Random models of everything at once: queues, impairments, laws of TCP, both families, MTUs, middleboxes, a timeline, convergence, workloads of many kinds.
Every workload is switched off at last, and what is under way has the time to end. The same seed is the same text."""
import random

LAWS = ("newreno", "cubic", "dctcp", "vegas", "scalable", "bbr", "bbr3")
FAIRNESS = ("flow", "source", "destination", "hosts", "flow_by_source", "flow_by_destination", "flow_by_both")
RATES = ((200, "Kbps"), (1, "Mbps"), (3, "Mbps"), (10, "Mbps"), (50, "Mbps"), (1, "Gbps"))


class RandomNetwork:
    """`text`: a model that ends, with everything off, `SILENT` before its end. What it has: `features`."""

    BUSY, SILENT = 3.0, 397.0  # seconds: queues of half a megabyte at 100 Kbps, and the pauses of TCP

    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        self.lines, self.links, self.directions, self.plain, self.workloads, self.features = [], [], [], [], [], set()
        self.family = self.some(("ipv4", 5), ("both", 3), ("ipv6", 1))
        # IPv6 does not have smaller links; some of IPv4 have.
        self.mtus = (1500, 1500, 9000, 1280) if self.family == "ipv6" else (1500, 1500, 1500, 9000, 1280, 576)
        self.profiles()
        self.nodes()
        self.traffic()
        self.timeline()
        self.text = "\n".join([*IMPORTS, f"model Random{seed} {{", *(" " + line for line in self.lines), "}"]) + "\n"

    def chance(self, p):
        return self.random.random() < p

    def pick(self, *choices):
        return self.random.choice(choices)

    def some(self, *weighted):
        return self.random.choices([w[0] for w in weighted], [w[1] for w in weighted])[0]

    def between(self, low, high):
        return self.random.randint(low, high)

    def has(self, feature):
        self.features.add(feature)

    # What hosts and links are like.

    def profiles(self):
        say = self.lines.append
        say(f"run {{ duration = {self.BUSY + self.SILENT:g} s }}")
        pool = {"ipv4": "", "both": "addressing { ipv6 = 2001:db8::/64 }", "ipv6": "addressing { pool = 2001:db8::/64 }"}[self.family]
        if pool:
            say(pool)
            self.has(self.family)
        metric, multipath = self.pick("delay", "hops", "cost"), self.pick("single", "ecmp")
        slow = ""
        if self.chance(0.35):
            slow = f", detection = {self.between(0, 80)} ms, flooding = {self.between(0, 20)} ms, computation = {self.between(0, 60)} ms"
            self.has("convergence")
        self.metric, self.multipath = metric, multipath
        say(f"routing {{ metric = {metric}, multipath = {multipath}{slow} }}")
        if multipath == "ecmp":
            self.has("ecmp")
        self.tcps = []
        for i in range(self.between(1, 3)):
            law = self.pick(*LAWS)
            self.has(law)
            parts = [f"congestion = {law}", f"ecn = {self.pick('none', 'accepted', 'offered')}", "maximum_rto = 60 s", f"time_wait = {self.pick(1, 60)} s"]
            parts += [part for part in (f"sack = {self.pick('true', 'false')}", f"timestamps = {self.pick('true', 'false')}", f"pacing = {self.pick('true', 'false')}",
                                        f"delayed_ack = {self.pick(0, 40, 200)} ms", f"byte_counting = {self.pick('true', 'false')}", f"adaptive = {self.pick('true', 'false')}",
                                        f"receive_buffer = {self.pick(8, 64, 3000)} KB", f"initial_window = {self.pick(1, 2, 10, 40)}", f"segment = {self.pick(200, 536, 1460)} B",
                                        "window_scaling = false") if self.chance(0.25)]
            self.tcps.append(f"law{i}")
            say(f"profile law{i} : Tcp {{ {', '.join(parts)} }}")

    def queue(self, rate):
        capacity = f"{self.pick(3, 8, 20, 64, 512)} KB"
        bits = "%g %s" % rate
        truth = self.pick("true", "false")
        kind = self.some(("droptail", 4), ("packets", 2), ("red", 1), ("adaptive_red", 1), ("codel", 1), ("pie", 1), ("fq_codel", 1), ("drr", 1), ("sfq", 1), ("threshold", 1),
                         ("token_bucket", 1), ("priority", 1), ("htb", 1))
        self.has(kind)
        half = f"{max(rate[0] // 2, 1)} {rate[1]}"
        return {
            "droptail": lambda: f"droptail({capacity})",
            "packets": lambda: f"droptail_packets({self.pick(1, 5, 20, 100)})",
            "red": lambda: f"queue.red({capacity}, ecn = {truth})",
            "adaptive_red": lambda: f"queue.adaptive_red(64 KB, rate = {bits}, ecn = {truth})",
            "codel": lambda: f"queue.codel({capacity}, ecn = {truth})",
            "pie": lambda: f"queue.pie({capacity}, ecn = {truth})",
            "fq_codel": lambda: f"queue.fq_codel(packets = {self.pick(8, 100, 10240)}, fairness = {self.pick(*FAIRNESS)}, ecn = {truth})",
            "drr": lambda: f"queue.drr({capacity}, flows = {self.pick(2, 64)}, fairness = {self.pick(*FAIRNESS)})",
            "sfq": lambda: f"queue.sfq(perturbation = {self.pick('0 s', '300 ms')}, fairness = {self.pick(*FAIRNESS)})",
            "threshold": lambda: f"queue.threshold({capacity}, mark = {self.pick(1500, 9000, 30000)} B, drop_others = {truth})",
            "token_bucket": lambda: f"queue.token_bucket({capacity}, rate = {half}, burst = {self.pick(2, 15)} KB)",
            "priority": lambda: f"queue.priority({capacity}, bands = {self.pick('class_selector', 'linux_prio', 'wifi', 'expedited')})",
            "htb": lambda: f"queue.htb({capacity}, rate = {half}, ceil = {bits}, by = {self.pick('source', 'destination', 'hosts', 'flow', 'dscp')})",
        }[kind]()

    def impairments(self):
        if not self.chance(0.3):
            return []
        self.has("impaired")
        return [part for part in (self.pick("loss = 1 %", "loss = loss.gilbert_elliott(p = 1 %, r = 30 %)", "loss = loss.bursts(2 %, length = 3)", "loss = loss.periodic(37)"),
                                  self.pick("corrupt = 0.5 %", "corrupt = if chance(10 %) then 5 % else 0"), "duplicate = 1 %", "reorder = 2 %", "reorder = 1 %, reorder_delay = exponential(3 ms)",
                                  self.pick("jitter = exponential(2 ms)", "jitter = jitter.correlated(2 ms, step = 500 us, correlation = 80 %)", "jitter = uniform(0 ms, 5 ms), in_order = false"))
                if self.chance(0.4)]

    def side(self):
        rate = self.pick(*RATES)
        return [f"rate = {rate[0]} {rate[1]}", f"queue = {self.queue(rate)}", *self.impairments()]

    def link(self, a, b, one_way=False):
        name = f"l{len(self.links)}"
        parts = [f"delay = {self.pick(0, 10, 200, 1000, 5000, 20000)} us"]
        mtu = self.pick(*self.mtus)
        if mtu != 1500:
            parts.append(f"mtu = {mtu} B")
            self.has(f"mtu {mtu}")
        if self.chance(0.3):
            parts.append(f"overhead = {self.pick(4, 38)} B")
        if self.metric == "cost":
            parts.append(f"cost = {self.between(1, 5)}")
        if self.multipath == "ecmp" and self.chance(0.3):
            parts.append(f"ecmp_weight = {self.between(2, 9)}")
            self.has("weights")
        if not one_way and self.chance(0.3):
            up, down = ([p for p in self.side() if not p.startswith("reorder = 1 %, ")] for _ in range(2))
            sides = f", up {{ {', '.join(up)} }} down {{ {', '.join(down)} }}"
        else:
            sides = ""
            parts += self.side()
        # Reordering is given once.
        seen, unique = set(), []
        for part in parts:
            key = part.split(" =")[0]
            if key not in seen:
                unique.append(part)
            seen.add(key)
        self.lines.append(f"link {name}: {a} {'->' if one_way else '--'} {b} {{ {', '.join(unique)}{sides} }}")
        self.links.append((name, a, b))
        if a != "home[*]":
            self.directions += [f"{name}>"] if one_way else [f"{name}>", f"{name}<"]
            if not sides and "queue = droptail(" in self.lines[-1]:
                self.plain.append(name)

    def tcp(self):
        return f"tcp = {self.pick(*self.tcps)}"

    def limits(self):
        return ["icmp_limits = icmp_limits()"] if self.chance(0.2) else []

    def node(self, kind, name, *attributes):
        self.lines.append(f"{kind} {name}" + (f" {{ {', '.join(attributes)} }}" if attributes else ""))

    def nodes(self):
        self.routers = [f"r{i}" for i in range(self.between(2, 6))]
        for name in self.routers:
            processing = []
            if self.chance(0.15):
                processing = [self.pick("processing = processing(service = exponential(200 us), packets = 20)", "processing = processing(delay = uniform(0 us, 50 us))",
                                        "processing = processing(service = 50 us, delay = 100 us)")]
                self.has("processing")
            self.node("router", name, *self.limits(), *processing)
        for i, name in enumerate(self.routers[1:], 1):
            self.link(name, self.routers[self.between(0, i - 1)])
        for _ in range(self.between(0, 4)):
            a, b = self.random.sample(self.routers, 2)
            if not any({a, b} == {x, y} for _, x, y in self.links):
                if self.chance(0.1):
                    self.has("one way")
                    self.link(a, b, one_way=True)
                else:
                    self.link(a, b)
        self.hosts = []
        for i in range(self.between(3, 7)):
            self.node("host", f"h{i}", self.tcp(), *self.limits())
            self.hosts.append(f"h{i}")
            if self.chance(0.2):
                self.node("switch", f"s{i}")
                self.link(f"h{i}", f"s{i}")
                self.link(f"s{i}", self.pick(*self.routers))
                self.has("switch")
            else:
                self.link(f"h{i}", self.pick(*self.routers))
            if self.chance(0.1) and len(self.routers) > 2:
                self.link(f"h{i}", self.pick(*self.routers))
                self.has("multihomed")
        self.servers = []
        for i in range(self.between(1, 2)):
            server = self.pick("web.server(service = exponential(2 ms), workers = 4)", "web.server(close = at_once, version = HTTP_2)", "web.event_driven(service = 1 ms, processors = 2, syn_cost = 20 us)",
                               "web.process_per_connection(service = exponential(1 ms), processes = 5, backlog = 3)", "web.server(workers = 2, hold = connection, keep_alive = 1 s)",
                               "web.server(etags = true, cookie = true, moved = true)")
            self.node("endpoint", f"e{i}", f"simulated = {server}", self.tcp())
            self.link(f"e{i}", self.pick(*self.routers))
            self.servers.append(f"e{i}")
        # Homes behind NATs, of which only those inside begin anything; and a firewall with a server behind it.
        self.homes = []
        if self.family != "ipv6" and self.chance(0.35):
            self.has("nat")
            count = self.between(1, 3)
            self.node("host", f"home[{count}]", self.tcp())
            options = [o for o in (f"filtering = {self.pick('endpoint_independent', 'address_dependent', 'address_and_port_dependent')}", "sessions = 6", "udp_timeout = 300 ms", "hairpinning = false",
                                   "first_port = 5000, last_port = 5010") if self.chance(0.3)]
            self.node("router", "box", f"middlebox = middlebox.nat({', '.join(['home[*]', *options])})", *self.limits())
            self.link("home[*]", "box")
            self.link("box", self.pick(*self.routers))
            self.homes = [f"home[{i}]" for i in range(count)]
        self.walled = []
        if self.chance(0.3):
            self.has("firewall")
            self.node("endpoint", "inner", "simulated = web.server()", self.tcp())
            self.node("host", "desk", self.tcp())
            rules = [r for r in ("middlebox.allow(destination = [inner], protocol = tcp, port = 80)", "middlebox.reject(protocol = icmp)", "middlebox.allow(source = [desk])",
                                 "middlebox.allow(protocol = udp, first_port = 1, last_port = 100)", "middlebox.reject(protocol = tcp, port = 9)") if self.chance(0.6)]
            self.node("router", "wall", f"middlebox = middlebox.firewall([{', '.join(rules)}], otherwise = {self.pick('allow', 'drop', 'reject')}{self.pick('', ', sessions = 8')})")
            self.link("inner", "wall")
            self.link("desk", "wall")
            self.link("wall", self.pick(*self.routers))
            self.servers.append("inner")
            self.walled = ["desk"]

    # Who does what.

    def traffic(self):
        # Whoever goes through a NAT or a firewall begins: hosts in front of them reach nothing inside.
        askers, answerers = self.hosts + self.homes + self.walled, self.hosts + self.walled
        for i in range(self.between(2, 6)):
            start = self.pick("", ", start_spread = 0 s", ", start_spread = 500 ms")
            kind = self.some(("Cbr", 2), ("OnOff", 1), ("Ping", 2), ("Requests", 2), ("Bulk", 2), ("Flows", 2), ("ClosedLoop", 2), ("OpenLoop", 2), ("Browser", 1), ("Sessions", 1), ("SClient", 1))
            self.has(kind)
            who = self.random.sample(askers, min(len(askers), self.between(1, 3)))
            dscp = f", dscp = {self.pick(8, 10, 34, 46)}" if self.chance(0.3) else ""
            if kind in ("Cbr", "OnOff", "Ping", "Requests", "Bulk", "Flows"):
                others = [h for h in answerers if h not in who]
                if kind == "Ping" and self.chance(0.3):
                    others = self.routers
                if not others:
                    continue
                to = self.random.sample(others, min(len(others), self.between(1, 2)))
                pairing = self.pick("each_time", "in_turn", "to_all", "at_random") if kind == "Flows" else "at_random"
                attributes = f"to = [{', '.join(to)}]" + (f", pairing = {pairing}" if len(to) > 1 else "")
                if kind != "Flows" and len(to) == 1:
                    attributes = f"to = {to[0]}"
                fragments = "true" if self.chance(0.5) else "false"
                payload = self.pick(0, 56, 1000, 1472, 3000, 8000)
                if payload >= 1472 and kind in ("Cbr", "OnOff", "Ping", "Requests"):
                    self.has("fragments" if fragments == "true" else "too long")
                distribution = self.pick("exponential(20 ms)", "20 ms", "pareto(8 ms, 1.5)")
                attributes += {
                    "Cbr": lambda: f", payload = {payload} B, interval = {self.pick(2, 5, 20, 100)} ms, fragments = {fragments}",
                    "OnOff": lambda: f", payload = {payload} B, rate = {self.pick(100, 2000)} Kbps, burst = exponential(100 ms), pause = pareto(50 ms, 1.5), fragments = {fragments}",
                    "Ping": lambda: f", payload = {payload} B, interval = {self.pick(10, 50, 200)} ms, timeout = {self.pick(20, 1000)} ms, fragments = {fragments}"
                                    + (f", ttl = {self.between(1, 3)}" if self.chance(0.3) else ""),
                    "Requests": lambda: f", request = {self.pick(0, 64, 2000)} B, response = {payload} B, think = {distribution}, timeout = {self.pick(20, 500)} ms, fragments = {fragments}, port = {self.pick(9, 53)}",
                    "Bulk": lambda: f", size = {self.pick('20 KB', 'exponential(50 KB)', 'pareto(4 KB, 1.2)', '0 B')}, think = {distribution}{self.pick('', ', connect_timeout = 300 ms')}",
                    "Flows": lambda: f", size = {self.pick('1 B', 'exponential(20 KB)', 'pareto(4 KB, 1.3)')}, interval = exponential({self.pick(50, 300)} ms){self.pick('', ', connections = 2')}",
                }[kind]()
                name = f"traffic.{kind}"
            else:
                documents = self.pick("web.fixed(1 KB)", "web.fixed(30 KB)", "[web.fixed(200 B), web.fixed(5 KB), web.fixed(100 KB)]", "web.catalogue(20, lognormal(4 KB, 1))")
                attributes = f"server = {self.pick(*self.servers)}, documents = {documents}"
                if kind != "SClient":
                    many = kind in ("Browser", "Sessions") or self.chance(0.5)
                    if self.chance(0.25):
                        attributes += ", version = HTTP_2" + (f", requests = {self.pick(3, 100)}" if many and kind not in ("Browser", "Sessions") else "")
                        if ", requests" not in attributes and kind not in ("Browser", "Sessions"):
                            attributes = attributes.replace(", version = HTTP_2", "")
                        else:
                            self.has("HTTP/2")
                    elif many:
                        attributes += f", requests = {self.pick(2, 100)}"
                    if self.chance(0.2):
                        attributes += ", cookies = true, redirects = 3, revalidate = true"
                attributes += self.pick("", ", timeout = 400 ms", ", connect_timeout = 300 ms") if kind != "SClient" else ", connect_timeout = 200 ms"
                attributes += {
                    "ClosedLoop": lambda: f", think = {self.pick('0 s', '30 ms', 'exponential(50 ms)')}",
                    "OpenLoop": lambda: f", interval = {self.pick('40 ms', 'exponential(40 ms)')}{self.pick('', ', connections = 2')}",
                    "Browser": lambda: ", parts = web.catalogue(30, exponential(3 KB), path = \"/p\"), parts_per_page = round(uniform(0, 6)), pages = 2, think = exponential(100 ms)",
                    "Sessions": lambda: ", parts = web.fixed(2 KB, \"/p\"), parts_per_page = 3, pages = 2, think = 50 ms, interval = exponential(200 ms)",
                    "SClient": lambda: f", sockets = {self.between(1, 4)}",
                }[kind]()
                name = f"web.{kind}"
            self.lines.append(f"workload w{i} : {name} on [{', '.join(who)}] {{ {attributes}{dscp}{start} }}")
            self.workloads.append((f"w{i}", kind))

    def timeline(self):
        say, inner = self.lines.append, [name for name, a, b in self.links if a[0] == b[0] == "r"]
        names = [name for name, a, b in self.links if a != "home[*]"]
        busy = int(self.BUSY * 1000)
        if self.chance(0.6):
            self.has("timeline")
            for _ in range(self.between(1, 4)):
                begin = self.between(0, busy - 600)
                end = begin + self.between(50, 500)
                name = self.pick(*(inner or names)) if self.chance(0.7) else self.pick(*names)
                what = self.some(("down", 3), ("change", 3), ("ramp", 1), ("node", 1), ("workload", 1), ("queue", 1), ("every", 1))
                if what == "queue" and not self.plain:
                    continue
                self.has(f"timeline: {what}")
                if what == "down":
                    say(f"from {begin} ms to {end} ms {{ {name} down }}")
                elif what == "node":
                    say(f"from {begin} ms to {end} ms {{ {self.pick(*self.routers)} down }}")
                elif what == "change":
                    say(f"from {begin} ms to {end} ms {{ {name} {{ rate = {self.pick(100, 700, 5000)} Kbps, delay = {self.between(0, 30)} ms{self.pick('', ', loss = 5 %', ', jitter = exponential(1 ms)')} }} }}")
                elif what == "queue":
                    say(f"at {begin} ms {{ {self.pick(*self.plain)} {{ queue = droptail({self.pick(2, 9, 100)} KB) }} }}")
                elif what == "ramp":
                    say(f"ramp from {begin} ms to {end} ms every 20 ms {{ {name} {{ delay = 0 ms .. {self.between(1, 20)} ms }} }}")
                elif what == "every":
                    say(f"every {self.between(100, 700)} ms from {begin} ms to {busy} ms as k {{ {name} {{ rate = (k + 1) * 300 Kbps }} }}")
                elif self.workloads:
                    say(f"from {begin} ms to {end} ms {{ {self.pick(*self.workloads)[0]} off }}")
        if self.workloads:
            say(f"at {self.BUSY:g} s {{ {', '.join(f'{name} off' for name, _ in self.workloads)} }}")


IMPORTS = [f"import std.{module}" for module in ("jitter", "loss", "middlebox", "queue", "traffic", "web")]
