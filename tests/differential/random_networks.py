"""Random models of everything at once: queues, impairments, laws of TCP, both families, MTUs, middleboxes, shared buffers, cells of access points and base stations, routes by
segments, fluid, convergence; random_workloads.py has who does what in them, and what changes. Every workload is switched off at last, and what is under way has the time to end. The same seed is the same text."""
import random

from random_workloads import RandomWorkloads

LAWS = ("newreno", "cubic", "dctcp", "vegas", "scalable", "bbr", "bbr3")
FAIRNESS = ("flow", "source", "destination", "hosts", "flow_by_source", "flow_by_destination", "flow_by_both")
DISCIPLINES = ("droptail", "droptail", "droptail", "droptail", "packets", "packets", "red", "adaptive_red", "codel", "pie", "fq_codel", "drr", "sfq", "threshold", "token_bucket", "priority", "htb", "htb_classes")
ON_AIR = ("droptail", "packets", "codel", "fq_codel", "drr", "sfq", "priority")  # disciplines that a radio can ask
CELLS = ("wifi.b()", "wifi.g(error = 3 %)", "wifi.n(frames = 8)", "wifi.ac()", "wifi.ac(error = 5 %)", "wifi.cell(retries = 1, error = 20 %)", "wifi.cell(cw_min = 0, cw_max = 3)")
STATIONS = ("cellular.lte()", "cellular.lte(scheduler = round_robin, error = 0 %)", "cellular.nr()", "cellular.nr(slot = 0.125 ms, blocks = 66)", "cellular.carrier(blocks = 1, retries = 0, error = 5 %)",
            "cellular.carrier(blocks = 3, request = 0 s, grant = 0 s, average = 5 ms)", "cellular.lte(error = 60 %)")
CONDITIONS = ("", ", dscp = 46", ", first_dscp = 8, last_dscp = 10", ", protocol = tcp", ", protocol = udp", ", protocol = icmp", ", protocol = tcp, port = 80", ", protocol = udp, first_port = 1, last_port = 40")  # of a class: which packets it has
RATES = ((200, "Kbps"), (1, "Mbps"), (3, "Mbps"), (10, "Mbps"), (50, "Mbps"), (1, "Gbps"))


class RandomNetwork(RandomWorkloads):
    """`text`: a model that ends, with everything off, `SILENT` before its end. What it has: `features`."""

    BUSY, SILENT = 3.0, 397.0  # seconds: queues of half a megabyte at 100 Kbps, and the pauses of TCP

    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        self.lines, self.links, self.directions, self.plain, self.workloads, self.features = [], [], [], [], [], set()
        self.hosts, self.one_way = [], set()  # of the latter: links
        self.labels = 0  # bytes that segments add to a packet, at most
        self.clean = []  # links that no timeline changes
        self.fluid = self.chance(0.25)  # there is a fluid between the hosts on wires: their links have drop-tail in bytes, and nothing that decides by packets
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
            parts = [f"congestion = {law}", f"ecn = {self.pick('none', 'accepted', 'offered', 'accurate')}", "maximum_rto = 60 s", f"time_wait = {self.pick(1, 60)} s"]
            parts += [part for part in (f"sack = {self.pick('true', 'false')}", f"timestamps = {self.pick('true', 'false')}", f"pacing = {self.pick('true', 'false')}",
                                        f"delayed_ack = {self.pick(0, 40, 200)} ms", f"byte_counting = {self.pick('true', 'false')}", f"adaptive = {self.pick('true', 'false')}", f"frto = {self.pick('true', 'false')}",
                                        f"receive_buffer = {self.pick(8, 64, 3000)} KB", f"initial_window = {self.pick(1, 2, 10, 40)}", f"segment = {self.pick(200, 536, 1460)} B",
                                        f"mtu_probing = {self.pick('black_holes', 'always')}", "nagle = true", "fast_open = true", f"keep_alive = {self.pick(50, 500, 5000)} ms, keep_alive_interval = 100 ms",
                                        "window_scaling = false") if self.chance(0.25)]
            self.features |= {part.split(" =")[0] for part in parts if part.startswith(("mtu_probing", "frto", "fast_open"))} | ({"accurate ECN"} if "ecn = accurate" in parts else set())
            self.tcps.append(f"law{i}")
            say(f"profile law{i} : Tcp {{ {', '.join(parts)} }}")

    def queue(self, rate, kinds=DISCIPLINES):
        capacity = f"{self.pick(3, 8, 20, 64, 512)} KB"
        bits = "%g %s" % rate
        truth = self.pick("true", "false")
        kind = self.pick(*kinds)
        self.has(kind)
        half = f"{max(rate[0] // 2, 1)} {rate[1]}"
        return {
            "droptail": lambda: f"droptail({capacity})",
            "packets": lambda: f"droptail(packets = {self.pick(1, 5, 20, 100)})",
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
            "htb_classes": lambda: f"queue.htb_classes({capacity}, [{', '.join(self.classes(*rate))}])",
            "htb": lambda: f"queue.htb({capacity}, rate = {half}, ceil = {bits}, by = {self.pick('source', 'destination', 'hosts', 'flow', 'dscp')})",
        }[kind]()

    def classes(self, rate, unit):
        """Of a link of this rate, in a tree: some of them have others below."""
        kbps = rate * {"Kbps": 1, "Mbps": 1000, "Gbps": 1000000}[unit]
        parents = [None]
        for i in range(1, self.between(1, 6)):
            parents.append(self.pick(None, *(j for j in range(i) if j % 3 == 0)))
        made = []
        for i, parent in enumerate(parents):
            attributes = f'"c{i}", rate = {kbps // self.pick(2, 4, 8)} Kbps, ceil = {kbps // self.pick(1, 1, 2)} Kbps{self.pick("", ", burst = 2 KB")}'
            if parent is not None:
                attributes += f', parent = "c{parent}"'
            if i not in parents:  # a leaf, that has packets
                attributes += self.pick("", ", priority = 1") + self.pick(*CONDITIONS, *(f", {end} = [{host}]" for end in ("source", "destination") for host in self.hosts[:2]))
            made.append(f"queue.htb_class({attributes})")
        return made

    def impairments(self):
        if not self.chance(0.3):
            return []
        self.has("impaired")
        return [part for part in (self.pick("loss = 1 %", "loss = loss.gilbert_elliott(p = 1 %, r = 30 %)", "loss = loss.bursts(2 %, length = 3)", "loss = loss.periodic(37)"),
                                  self.pick("corrupt = 0.5 %", "corrupt = if chance(10 %) then 5 % else 0"), "duplicate = 1 %", "reorder = 2 %", "reorder = 1 %, reorder_delay = exponential(3 ms)",
                                  self.pick("jitter = exponential(2 ms)", "jitter = jitter.correlated(2 ms, step = 500 us, correlation = 80 %)", "jitter = uniform(0 ms, 5 ms), in_order = false"))
                if self.chance(0.4)]

    def side(self, kinds=DISCIPLINES):
        rate = self.pick(*RATES)
        return [f"rate = {rate[0]} {rate[1]}", f"queue = {self.queue(rate, kinds)}", *self.impairments()]

    def wire(self, a, b, **options):
        """A link that the fluid may take, if there is one."""
        self.link(a, b, kinds=("droptail",) if self.fluid else DISCIPLINES, **options)

    def clean_link(self, a, b):
        """One that loses nothing but by its queue, and that no timeline changes: its captures have all that arrives. Its name."""
        name = f"c{len(self.lines)}"
        self.lines.append(f"link {name}: {a} -- {b} {{ rate = {self.pick(3, 50, 1000)} Mbps, delay = {self.pick(10, 1000, 5000)} us, queue = droptail({self.pick(8, 64, 512)} KB) }}")
        self.clean.append((name, a, b))
        return name

    def air(self, station, point, profile):
        name = f"l{len(self.links)}"
        rate = self.pick((1, "Mbps"), (11, "Mbps"), (65, "Mbps"), (866.7, "Mbps"))
        parts = [f"queue = {self.queue(rate, ON_AIR)}"] if self.chance(0.6) else []
        parts += self.pick([], [], ["loss = 1 %"], ["duplicate = 1 %"], ["delay = 1 ms"])
        self.lines.append(f"link {name}: {station} -- {point} : {profile}({rate[0]} {rate[1]}{self.pick('', ', overhead = 36 B', ', packets = 5')})" + (f" {{ {', '.join(parts)} }}" if parts else ""))
        self.links.append((name, station, point))
        self.directions += [f"{name}>", f"{name}<"]

    def link(self, a, b, one_way=False, kinds=DISCIPLINES):
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
            up, down = ([p for p in self.side(kinds) if not p.startswith("reorder = 1 %, ")] for _ in range(2))
            sides = f", up {{ {', '.join(up)} }} down {{ {', '.join(down)} }}"
        else:
            sides = ""
            parts += self.side(kinds)
        # Reordering is given once.
        seen, unique = set(), []
        for part in parts:
            key = part.split(" =")[0]
            if key not in seen:
                unique.append(part)
            seen.add(key)
        self.lines.append(f"link {name}: {a} {'->' if one_way else '--'} {b} {{ {', '.join(unique)}{sides} }}")
        self.links.append((name, a, b))
        if one_way:
            self.one_way.add(name)
        if a != "home[*]":
            self.directions += [f"{name}>"] if one_way else [f"{name}>", f"{name}<"]
            if not sides and "queue = droptail(" in self.lines[-1]:
                self.plain.append(name)

    def tcp(self):
        return f"tcp = {self.pick(*self.tcps)}"

    def buffer(self):
        if self.fluid or not self.chance(0.2):
            return []
        self.has("shared buffer")
        return [f"buffer = shared_buffer({self.pick(4, 20, 64, 300)} KB, alpha = {self.pick(0.25, 1, 8)})"]

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
            self.node("router", name, *self.limits(), *processing, *self.buffer())
        for i, name in enumerate(self.routers[1:], 1):
            self.wire(name, self.routers[self.between(0, i - 1)])
        for _ in range(self.between(0, 4)):
            a, b = self.random.sample(self.routers, 2)
            if not any({a, b} == {x, y} for _, x, y in self.links):
                if self.chance(0.1):
                    self.has("one way")
                    self.wire(a, b, one_way=True)
                else:
                    self.wire(a, b)
        for i in range(self.between(3, 7)):
            self.node("host", f"h{i}", self.tcp(), *self.limits())
            self.hosts.append(f"h{i}")
            if self.chance(0.2):
                self.node("switch", f"s{i}", *self.buffer())
                self.wire(f"h{i}", f"s{i}")
                self.wire(f"s{i}", self.pick(*self.routers))
                self.has("switch")
            else:
                self.wire(f"h{i}", self.pick(*self.routers))
            if self.chance(0.1) and len(self.routers) > 2:
                self.wire(f"h{i}", self.pick(*self.routers))
                self.has("multihomed")
        self.wired, self.balanced = list(self.hosts), []
        self.sites()
        self.homes_behind_nat()
        self.behind_a_firewall()
        self.cell()
        self.base_station()
        self.load_balancer()
        self.segments()
        # Whoever goes through a NAT or a firewall begins: hosts in front of them reach nothing inside.
        self.askers = self.hosts + self.homes + self.walled
        self.answerers = self.hosts + self.walled

    # Endpoints with simulated servers; the name and the scheme of each.

    def server(self, scheme, version=""):
        """A server's attributes. All that belong together have the same `version`."""
        secure = ", scheme = https" if scheme == "https" else ""
        if secure:
            self.has("https")
            secure += self.pick("", "", ", handshake = 500 us", ", tls_version = tls12", ", resumption = false")
        return self.pick(f"web.server(service = exponential(2 ms), workers = 4{version}{secure})", f"web.server(close = at_once{version or self.pick('', ', version = HTTP_2')}{secure})",
                         f"web.server(service = 1 ms, processors = 2, syn_cost = 20 us{version}{secure})", f"web.server(workers = 2, hold = connection, keep_alive = 1 s{version}{secure})",
                         f"web.server(etags = true, cookie = true, moved = true{version}{secure})", f"web.server(service = exponential(1 ms), workers = 5, backlog = 3{version}{secure})",
                         *([] if secure or version else ["web.event_driven(service = 1 ms, processors = 2, syn_cost = 20 us)",
                                                         "web.process_per_connection(service = exponential(1 ms), processes = 5, backlog = 3)"]))

    def sites(self):
        self.servers, self.callers = [], []
        scheme = self.some(("http", 3), ("https", 1))
        for i in range(self.between(1, 3)):
            self.node("endpoint", f"e{i}", f"simulated = {self.server(scheme)}", self.tcp())
            self.link(f"e{i}", self.pick(*self.routers))
            self.servers.append((f"e{i}", scheme))
        # A server that calls these.
        if self.chance(0.35):
            self.node("endpoint", "front", f"simulated = {self.server('http')}", self.tcp())
            self.link("front", self.pick(*self.routers))
            self.callers.append(("front", list(self.servers)))
            if self.chance(0.3) and len(self.servers) > 1:  # one of them calls another one
                self.callers.append(("e0", [self.servers[1]]))
            self.servers += [("front", "http")] * 3

    def homes_behind_nat(self):
        self.homes = []
        if self.family == "ipv6" or not self.chance(0.35):
            return
        self.has("nat")
        count = self.between(1, 3)
        self.node("host", f"home[{count}]", self.tcp())
        options = [o for o in (f"filtering = {self.pick('endpoint_independent', 'address_dependent', 'address_and_port_dependent')}", "sessions = 6", "udp_timeout = 300 ms", "hairpinning = false",
                               "first_port = 5000, last_port = 5010", "clamp_mss = true") if self.chance(0.3)]
        self.node("router", "box", f"middlebox = middlebox.nat({', '.join(['home[*]', *options])})", *self.limits(), *self.buffer())
        self.link("home[*]", "box")
        self.link("box", self.pick(*self.routers))
        self.homes = [f"home[{i}]" for i in range(count)]

    def behind_a_firewall(self):
        self.walled = []
        if not self.chance(0.3):
            return
        self.has("firewall")
        self.node("endpoint", "inner", "simulated = web.server()", self.tcp())
        self.node("host", "desk", self.tcp())
        rules = [r for r in ("middlebox.allow(destination = [inner], protocol = tcp, port = 80)", "middlebox.reject(protocol = icmp)", "middlebox.allow(source = [desk])",
                             "middlebox.allow(protocol = udp, first_port = 1, last_port = 100)", "middlebox.reject(protocol = tcp, port = 9)") if self.chance(0.6)]
        self.node("router", "wall", f"middlebox = middlebox.firewall([{', '.join(rules)}], otherwise = {self.pick('allow', 'drop', 'reject')}{self.pick('', ', sessions = 8')})")
        self.link("inner", "wall")
        self.link("desk", "wall")
        self.link("wall", self.pick(*self.routers))
        self.servers.append(("inner", "http"))
        self.walled = ["desk"]

    def cell(self):
        """Stations of an access point: hosts as others."""
        if not self.chance(0.35):
            return
        self.has("cell")
        self.node(self.pick("switch", "router"), "ap", f"radio = {self.pick(*CELLS)}", *self.buffer())
        self.link("ap", self.pick(*self.routers))
        for i in range(self.between(1, 4)):
            self.node("host", f"st{i}", self.tcp())
            self.air(f"st{i}", "ap", "wifi.air")
            self.hosts.append(f"st{i}")

    def base_station(self):
        """Its phones: hosts as others."""
        if not self.chance(0.35):
            return
        self.has("base station")
        self.mast = self.pick(*STATIONS)
        self.node(self.pick("switch", "router"), "mast", f"radio = {self.mast}", *self.buffer())
        self.link("mast", self.pick(*self.routers))
        for i in range(self.between(1, 4)):
            self.node("host", f"ph{i}", self.tcp())
            self.air(f"ph{i}", "mast", "cellular.air")
            self.hosts.append(f"ph{i}")

    def segments(self):
        """Lists of segments of one or two routers. The last one is the router that the destination is beside, and has none itself: packets come to no list again."""
        if self.fluid or len(self.routers) < 3 or not self.chance(0.35):
            return
        heads = self.random.sample(self.routers, self.between(1, 2))
        between = [link for link in self.links if link[1] in self.routers and link[2] in self.routers]
        ends = [(a, b) for _, a, b in self.links if a[0] in "he" and b in self.routers and b not in heads and sum(a == other for _, other, _ in self.links) == 1]
        for end, last in self.random.sample(ends, min(len(ends), 2)):
            for head in heads:
                for _ in range(self.between(1, 2)):
                    way, at = [], head
                    for _ in range(self.between(0, 3)):
                        out = [(name, b if a == at else a) for name, a, b in between if a == at or b == at and name not in self.one_way]
                        if out and self.chance(0.6):
                            name, at = self.pick(*out)
                            way.append(name)
                        else:
                            at = self.pick(*(r for r in self.routers if r != at))
                            way.append(at)
                    if at != last:
                        way.append(last)
                    size = self.pick(0, 4, 4, 40)
                    self.labels = max(self.labels, size * len(way))
                    options = [f"label_size = {size} B"] * (size != 4) + [o for o in (f"weight = {self.between(2, 5)}", "without = drop") if self.chance(0.3)]
                    self.lines.append(f"route {head} to {end} via [{', '.join(way)}]" + (f" {{ {', '.join(options)} }}" if options else ""))
                    self.has("segments")

    def load_balancer(self):
        """One of web servers, or of hosts. Nothing but what it sends goes to its back ends, all links to it are clean: what arrives there is what captures of them have."""
        self.balancer_links, self.beside = [], []  # directions into it, back ends that only such a link leads to
        if self.family == "ipv6" or not self.chance(0.4):
            return
        web = self.chance(0.6)
        scheme = self.some(("http", 2), ("https", 1)) if web else ""
        self.has("load balancer of servers" if web else "load balancer of hosts")
        version = self.pick("", ", version = HTTP_2")
        count = self.between(1, 4)
        for i in range(count):
            if web:
                self.node("endpoint", f"b{i}", f"simulated = {self.server(scheme, version)}", self.tcp())
            else:
                self.node("host", f"b{i}", self.tcp())
        back_ends = ", ".join(f"middlebox.back_end(b{i}{self.pick('', ', weight = 3')})" for i in range(count))
        options = [o for o in (f"max_fails = {self.pick(1, 3)}, fail_timeout = {self.pick(200, 2000)} ms", f"sessions = {self.pick(3, 20)}", "udp_timeout = 300 ms",
                               "tcp_transitory_timeout = 500 ms", "tcp_timeout = 2 s") if self.chance(0.3)]
        self.forgets = any("timeout =" in o and "fail" not in o for o in options)  # what comes of a session that is over
        port = 443 if scheme == "https" else 80 if web else 9
        scheduling = self.pick("round_robin", "least_connections", "source_hash", "flow_hash")
        self.node("router", "lb", f"middlebox = middlebox.load_balancer([{back_ends}], scheduling = {scheduling}, port = {port}{''.join(', ' + o for o in options)})")
        self.balancer_links.append(self.clean_link(self.pick(*self.routers), "lb") + ">")
        for i in range(count):
            if self.chance(0.6):  # at a port of it
                self.balancer_links.append(self.clean_link(f"b{i}", "lb") + ">")
                self.beside.append(f"b{i}")
            else:  # anywhere
                self.link(f"b{i}", self.pick(*self.routers))
        if web:
            self.servers += [("lb", scheme)] * 4
            if self.callers and self.chance(0.4) and self.callers[0][0] == "front":
                self.callers[0] = ("front", [("lb", scheme)])
        else:
            self.balanced = ["lb"]


IMPORTS = [f"import std.{module}" for module in ("cellular", "flows", "jitter", "loss", "middlebox", "queue", "traffic", "web", "wifi")]
