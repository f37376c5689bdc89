"""Workloads that the timeline switches off and on again begin as at the start, whatever they waited for before."""
import unittest

from emulators import EmulatorTest, run

MODEL = """
import std.traffic
import std.web

model Switched {
  host client
  endpoint server { simulated = web.server(close = at_once) }
  host sink
  router r
  link access: client -- r { rate = 1 Gbps, delay = 1 ms }
  link server -- r { rate = 1 Gbps }
  link sink -- r { rate = 1 Gbps }
  workload w : WORKLOAD
  TIMELINE
  run { duration = 25 s }
}
"""
OUTAGE = "from 1 s to 2 s { w off }"
WEB = "server = server, documents = web.fixed(1 KB), start_spread = 0 s"
PARTS = 'parts = web.fixed(1 KB, "/part"), parts_per_page = 0'
# Of each workload one that pauses for 10 s: what tells that it begins something, and how long that takes (s).
CASES = {
    "closed": (f"web.ClosedLoop on client {{ {WEB}, think = 10 s }}", "syn", 0.005),
    "kept": (f"web.ClosedLoop on client {{ {WEB}, think = 10 s, requests = 100 }}", "data", 0.005),
    "open": (f"web.OpenLoop on client {{ {WEB}, interval = 10 s }}", "syn", 0),
    "browser": (f"web.Browser on client {{ {WEB}, {PARTS}, pages = 1000, think = 10 s }}", "data", 0.005),
    "pause": (f"web.Browser on client {{ {WEB}, {PARTS}, pages = 1, pause = 10 s }}", "syn", 0.005),
    "sessions": (f"web.Sessions on client {{ {WEB}, {PARTS}, pages = 1, interval = 10 s }}", "syn", 0),
    "bulk": ("traffic.Bulk on client { to = sink, size = 1 KB, think = 10 s, start_spread = 0 s }", "syn", 0.005),
    "cbr": ("traffic.Cbr on client { to = sink, payload = 100 B, interval = 10 s, start_spread = 0 s }", "udp", 0),
    "ping": ("traffic.Ping on client { to = sink, interval = 10 s, start_spread = 0 s }", "echo", 0),
    "requests": ("traffic.Requests on client { to = sink, think = 10 s, start_spread = 0 s }", "udp", 0.003),
}
FILTERS = {"syn": "tcp.flags.syn==1 && tcp.flags.ack==0", "data": "tcp.dstport==80 && tcp.len>0", "udp": "udp && udp.srcport!=7 && ip.src==10.0.0.1", "echo": "icmp.type==8"}


class Switching(EmulatorTest):

    def begun(self, workload, what, timeline):
        """When the host begins something, in seconds."""
        capture = self.fresh("access.pcap")
        run(self.compile(MODEL.replace("WORKLOAD", workload).replace("TIMELINE", timeline)), "simulate", "--capture", f"access={capture}")
        lines = run("tshark", "-n", "-r", capture, "-Y", FILTERS[what], "-T", "fields", "-e", "frame.time_epoch").stdout.split()
        times = []
        for time in map(float, lines):
            if not times or time - times[-1] > 0.1:
                times.append(time)
        return times

    def expect(self, found, expected, slack, name):
        self.assertEqual(len(found), len(expected), f"{name}: {found}")
        for a, b in zip(found, expected):
            self.assertTrue(-1e-6 <= a - b <= slack + 1e-5, f"{name}: {found}, not {expected}")

    def test_what_pauses_begins_when_it_is_switched_on(self):
        for name, (workload, what, takes) in CASES.items():
            self.expect(self.begun(workload, what, OUTAGE), [0, 2, 12, 22], 3 * takes, name)
            self.expect(self.begun(workload, what, ""), [0, 10, 20], 3 * takes, name)

    def test_a_period_begins_when_it_is_switched_on(self):
        """10 ms of sending, every 10.01 s."""
        workload = ("traffic.OnOff on client { to = sink, payload = 100 B, interval = 4 ms, burst = 10 ms, pause = 10 s, "
                    "start_spread = 0 s }")
        self.expect(self.begun(workload, "udp", OUTAGE), [0, 2, 12.01, 22.02], 0.002, "on_off")

    def test_what_is_under_way_goes_on(self):
        """A transfer of 10 s, switched off and on in its midst: the next one comes a think time behind its end, and no sooner."""
        workload = "traffic.Bulk on client { to = sink, size = 1250 KB, think = 3 s, start_spread = 0 s }"
        text = MODEL.replace("1 Gbps", "1 Mbps").replace("WORKLOAD", workload).replace("TIMELINE", OUTAGE)
        capture = self.fresh("access.pcap")
        run(self.compile(text), "simulate", "--capture", f"access={capture}")
        syns = run("tshark", "-n", "-r", capture, "-Y", FILTERS["syn"], "-T", "fields", "-e", "frame.time_epoch").stdout.split()
        self.assertEqual(len(syns), 2, syns)
        self.assertGreater(float(syns[1]), 13)

    def test_switched_off_before_it_begins(self):
        """What waits for its first time is no exception; off once more, it does not begin."""
        workload = "traffic.Bulk on client { to = sink, size = 1 KB, think = 10 s, start_spread = 0 s }"
        self.expect(self.begun(workload, "syn", "from 1 s to 2 s { w off }\n  from 3 s to 15 s { w off }"), [0, 2, 15], 0.02, "twice")

    def test_however_it_is_run(self):
        """Many hosts, all workloads: alike for every number of tasks and threads."""
        text = MODEL.replace("host client", "host client[8]").replace("client -- r", "client[*] -- r").replace("workload w : WORKLOAD", "")
        names = []
        for name, (workload, _, _) in CASES.items():
            names.append(name)
            text = text.replace("TIMELINE", f"workload {name} : {workload}\n  TIMELINE".replace("on client", "on client[*]")
                                .replace(", start_spread = 0 s", ""))
        text = text.replace("TIMELINE", "from 1 s to 2 s { " + ", ".join(f"{name} off" for name in names) + " }")
        self.however_it_is_run(text, "workloads")


if __name__ == "__main__":
    unittest.main()
