"""Who does what in a random network, and what changes in it: a part of `RandomNetwork` (random_networks.py), which has what this draws from."""
import re

PAIRED = ("Cbr", "OnOff", "Ping", "Requests", "Bulk", "Flows")
# How often each is chosen. A new kind of workload is a line here and one in `of_std_traffic` or `of_the_web`.
KINDS = (("Cbr", 2), ("OnOff", 1), ("Ping", 2), ("Requests", 2), ("Bulk", 2), ("Flows", 2), ("ClosedLoop", 2), ("OpenLoop", 2), ("Browser", 1), ("Sessions", 1), ("SClient", 1))
# Together not so large that they are still under way long behind the last change: three hosts with a flow each 50 ms have 5 MB of 30 KB, which take a link of 200 Kbps 200 s.
SIZES = ("1 B", "exponential(20 KB)", "pareto(4 KB, 1.3)", "min(flows.web_search, 40 KB)", "min(flows.google_rpc, 50 KB)", "min(flows.fb_hadoop, 60 KB)", "min(flows.data_mining, 60 KB)",
         "min(flows.ali_storage, 60 KB)", "mixture([90 %, 10 %], [uniform(100 B, 2 KB), 150 KB])")


class RandomWorkloads:
    def traffic(self):
        self.of_balancer, self.callers_of = set(), {}  # workloads that ask the load balancer; of calls who calls, and how many nodes at a time
        for i in range(self.between(2, 6)):
            kind = self.some(*KINDS)
            said = self.of_std_traffic(kind) if kind in PAIRED else self.of_the_web(kind)
            if said:
                self.has(kind)
                if "= lb," in said[2]:
                    self.of_balancer.add(f"w{i}")
                self.say_workload(f"w{i}", kind, *said)
        for i, (caller, callees) in enumerate(self.callers):
            self.has("Calls")
            said, asked = self.calls(callees)
            self.callers_of[f"calls{i}"] = (caller, asked)
            if ("lb", callees[0][1]) in callees:
                self.of_balancer.add(f"calls{i}")
            self.say_workload(f"calls{i}", "Calls", "web.Calls", [caller], said)
        if self.fluid:
            for i in range(self.between(1, 3)):
                self.has("Background")
                self.say_workload(f"crowd{i}", "Background", "traffic.Background", *self.background())

    def say_workload(self, name, kind, schema, who, attributes):
        if self.family == "both" and kind != "Background" and self.chance(0.3):
            self.has("family")
            balanced = name in self.of_balancer or re.search(r"\blb\b", attributes)  # which is of IPv4
            attributes += f", family = {'ipv4' if balanced else self.pick('ipv4', 'ipv6')}"
        self.lines.append(f"workload {name} : {schema} on [{', '.join(who)}] {{ {attributes} }}")
        self.workloads.append((name, kind))

    def start(self):
        return (f", dscp = {self.pick(8, 10, 34, 46)}" if self.chance(0.3) else "") + self.pick("", ", start_spread = 0 s", ", start_spread = 500 ms")

    def who(self):
        return self.random.sample(self.askers, min(len(self.askers), self.between(1, 3)))

    def of_std_traffic(self, kind):
        who = self.who()
        others = [h for h in self.answerers if h not in who]
        balanced = self.balanced and self.chance(0.7)
        if kind == "Ping" and self.chance(0.3):
            others = self.routers
        if balanced:
            others = self.balanced
        if not others:
            return None
        to = self.random.sample(others, min(len(others), self.between(1, 2)))
        pairing = self.pick("each_time", "in_turn", "to_all", "at_random") if kind == "Flows" else "at_random"
        if len(to) == len(who) and self.chance(0.3):
            pairing = self.pick("in_order", "permutation")
        attributes = f"to = [{', '.join(to)}]" + (f", pairing = {pairing}" if len(to) > 1 else "")
        if kind != "Flows" and len(to) == 1:
            attributes = f"to = {to[0]}"
        fragments = "true" if self.chance(0.5) else "false"
        payload = self.pick(0, 56, 1000, 1472, 3000, 8000)
        if payload >= 1472 and kind in ("Cbr", "OnOff", "Ping", "Requests"):
            self.has("fragments" if fragments == "true" else "too long")
        distribution = self.pick("exponential(20 ms)", "20 ms", "pareto(8 ms, 1.5)")
        port = 9 if balanced else self.pick(9, 53)
        attributes += {
            "Cbr": lambda: f", payload = {payload} B, interval = {self.pick(2, 5, 20, 100)} ms, fragments = {fragments}",
            "OnOff": lambda: f", payload = {payload} B, rate = {self.pick(100, 2000)} Kbps, burst = exponential(100 ms), pause = pareto(50 ms, 1.5), fragments = {fragments}",
            "Ping": lambda: f", payload = {payload} B, interval = {self.pick(10, 50, 200)} ms, timeout = {self.pick(20, 1000)} ms, fragments = {fragments}"
                            + (f", ttl = {self.between(1, 3)}" if self.chance(0.3) else ""),
            "Requests": lambda: f", request = {self.pick(0, 64, 2000)} B, response = {payload} B, think = {distribution}, timeout = {self.pick(20, 500)} ms, fragments = {fragments}, port = {port}",
            "Bulk": lambda: f", size = {self.pick('20 KB', 'exponential(50 KB)', 'pareto(4 KB, 1.2)', '0 B')}, think = {distribution}{self.pick('', ', connect_timeout = 300 ms')}",
            "Flows": lambda: f", size = {self.pick(*SIZES)}, interval = exponential({self.pick(50, 300)} ms){self.pick('', ', connections = 2')}" if self.chance(0.8)
                             else ", size = uniform(1 KB, 30 KB), offered = 500 Kbps",
        }[kind]()
        return f"traffic.{kind}", who, attributes + self.start()

    def secure(self, scheme):
        return f", scheme = https{self.pick('', '', ', tls_version = tls12', ', resumption = false')}" if scheme == "https" else ""

    def of_the_web(self, kind):
        server, scheme = self.pick(*self.servers)
        documents = self.pick("web.fixed(1 KB)", "web.fixed(30 KB)", "[web.fixed(200 B), web.fixed(5 KB), web.fixed(100 KB)]", "web.catalogue(20, lognormal(4 KB, 1))")
        attributes = f"server = {server}, documents = {documents}{self.secure(scheme)}"
        if kind != "SClient":
            many = kind in ("Browser", "Sessions") or self.chance(0.5)
            if self.chance(0.25):
                self.has("HTTP/2")
                attributes += ", version = HTTP_2"
                if kind not in ("Browser", "Sessions"):
                    attributes += f", requests = {self.pick(3, 100)}{self.pick('', ', streams = 4') if kind == 'ClosedLoop' else ''}"
            elif many:
                attributes += f", requests = {self.pick(2, 100)}"
            if self.chance(0.2):
                attributes += ", cookies = true, redirects = 3, revalidate = true"
        attributes += self.pick("", ", timeout = 400 ms", ", connect_timeout = 300 ms") if kind != "SClient" else ", connect_timeout = 200 ms"
        attributes += {
            "ClosedLoop": lambda: f", think = {self.pick('0 s', '30 ms', 'exponential(50 ms)')}",
            "OpenLoop": lambda: f", interval = {self.pick('40 ms', 'exponential(40 ms)')}{self.pick('', ', connections = 2')}{self.pick('', '', ', schedule = [web.slope(1 s, 0, 2), web.slope(500 ms, 2, 1)]')}",
            "Browser": lambda: ", parts = web.catalogue(30, exponential(3 KB), path = \"/p\"), parts_per_page = round(uniform(0, 6)), pages = 2, think = exponential(100 ms)",
            "Sessions": lambda: ", parts = web.fixed(2 KB, \"/p\"), parts_per_page = 3, pages = 2, think = 50 ms, interval = exponential(200 ms)",
            "SClient": lambda: f", sockets = {self.between(1, 4)}",
        }[kind]()
        return f"web.{kind}", self.who(), attributes + self.start()

    def calls(self, callees):
        """What a server asks others for, all of one scheme."""
        scheme = callees[0][1]
        names = [name for name, other in callees if other == scheme]
        asked = self.between(0, min(len(names), 2))
        parts = [f"to = [{', '.join(names)}], documents = {self.pick('web.fixed(1 KB)', 'web.fixed(20 KB)', '[web.fixed(200 B), web.fixed(5 KB)]')}, pick = {self.pick('round_robin', 'at_random', 'least_busy')}",
                 f"fan_out = {asked}, wait_for = {self.pick(0, 1)}, timeout = {self.pick(20, 300, 5000)} ms"]
        if self.chance(0.5):
            parts.append(f"retries = {self.pick(1, 3)}, backoff = {self.pick('0 s', 'exponential(5 ms)')}" + self.pick("", ", budget = 20 %"))
        parts += [part for part in ("hits = 30 %", "breaker = 3, open_for = 100 ms", "connect_timeout = 200 ms", self.pick("requests = 1", "requests = 5", "version = HTTP_2, streams = 3")) if self.chance(0.3)]
        return ", ".join(parts) + self.secure(scheme), asked or len(names)

    def background(self):
        who = self.random.sample(self.wired, self.between(1, len(self.wired) - 1))
        others = [h for h in self.wired if h not in who]
        to = self.random.sample(others, min(len(others), self.between(1, 2)))
        attributes = f"to = [{', '.join(to)}], pairing = at_random, flows = {self.pick(1, 30, 1000000)}, flow_rate = {self.pick('10 bps', '20 Kbps', '2 Mbps')}"
        attributes += self.pick("", ", burst = 200 ms, step = 50 ms", ", burst = 100 ms, pause = 300 ms, step = 100 ms")
        return who, attributes + self.pick("", f", elastic = true, fill = {self.pick(0.5, 0.9)}")

    # What changes.

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
                what = self.some(("down", 3), ("change", 3), ("ramp", 1), ("node", 1), ("workload", 3), ("queue", 1), ("every", 1))
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
                    self.change_a_workload(begin, end)
        if self.workloads:
            say(f"at {self.BUSY:g} s {{ {', '.join(f'{name} off' for name, _ in self.workloads)} }}")

    def change_a_workload(self, begin, end):
        name, kind = self.pick(*self.workloads)
        choices = [f"{name} off"]
        if kind != "Calls":
            choices.append(f"{name} {{ active = {self.pick(0, 30, 70)} % }}")
        if kind in ("OpenLoop", "Flows", "Background"):
            choices.append(f"{name} {{ load = {self.pick(0, 0.5, 4)} }}")
        if kind in ("Cbr", "OnOff"):
            choices.append(f"{name} {{ rate = {self.pick(0, 50, 3000)} Kbps }}")
        self.lines.append(f"from {begin} ms to {end} ms {{ {self.pick(*choices)} }}")
