"""Virtual hosts send datagrams and bulk data to a real host."""
import json
import re
import unittest

from netlab import Lab, wait_until

MODEL = """
import std.ether
import std.traffic

model Traffic {
  endpoint server { address = 10.0.0.80 }
  router r
  host client[4]
  link client[*] -- r : ether.fast { delay = 1 ms }
  link entry: r -- server : ether.gigabit { delay = 1 ms }
  workload flow : traffic.WORKLOAD on client[*] { to = server, start_spread = 1 ms, ATTRIBUTES }
  run { duration = 3 s, warmup = 1 s }
}
"""

# Prints how many datagrams and different texts it has read, by then three seconds without any.
RECEIVER = """
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
s.bind(("10.0.0.80", 9))
print("ready", flush=True)
s.settimeout(8)
seen, sizes = [], set()
try:
    while True:
        data, sender = s.recvfrom(2048)
        s.settimeout(3)
        seen.append((sender, data.rstrip(b"\\0")))
        sizes.add(len(data))
except TimeoutError:
    print("read", len(seen), len(set(seen)), *sizes, flush=True)
"""

# The same of a group, of which it becomes a member.
MEMBER = RECEIVER.replace('s.bind(("10.0.0.80", 9))', """s.bind(("232.0.1.0", 9))
s.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton("232.0.1.0") + socket.inet_aton("10.0.0.80"))""")

MEMBER_IPV6 = RECEIVER.replace("AF_INET", "AF_INET6").replace('s.bind(("10.0.0.80", 9))', """s.bind(("ff3e::8000:0", 9))
s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, socket.inet_pton(socket.AF_INET6, "ff3e::8000:0") + socket.if_nametoindex("eth0").to_bytes(4, "little"))""")

# Reads whatever connects, and prints how much.
SINK = """
import selectors, socket
total = 0
listener = socket.create_server(("10.0.0.80", 9), backlog=16)
print("ready", flush=True)
choice = selectors.DefaultSelector()
choice.register(listener, selectors.EVENT_READ)
while True:
    for key, _ in choice.select():
        if key.fileobj is listener:
            choice.register(listener.accept()[0], selectors.EVENT_READ)
            continue
        try:
            data = key.fileobj.recv(1 << 16)
        except ConnectionResetError:
            data = b""
        total += len(data)
        if not data:
            choice.unregister(key.fileobj)
            key.fileobj.close()
            print("total", total, flush=True)
"""


class Traffic(unittest.TestCase):
    def live(self, lab, workload, attributes, program=None, **replaced):
        """Results of a live run, and the program that plays the server in a namespace of its own."""
        text = MODEL
        for old, new in replaced.items():
            text = text.replace(old, new)
        emulator = lab.compile(text.replace("WORKLOAD", workload).replace("ATTRIBUTES", attributes))
        host, inside = lab.host_outside(emulator)
        server = None
        if program:
            server = lab.start("python3", "-c", program, space=host)
            wait_until(lambda: "ready" in server.output(), 10, "the receiver")
        results = lab.folder / "live.json"
        lab.run_in(inside, emulator, "live", "--attach", "server=if:veth0", "--results", results)
        return json.loads(results.read_text()), server

    def test_datagrams_arrive(self):
        with Lab() as lab:
            results, server = self.live(lab, "Cbr", "payload = 100 B, interval = 5 ms", RECEIVER)
            server.wait(15)
            read, different, size = map(int, re.search(r"read (\d+) (\d+) (\d+)$", server.output(), re.M).groups())
            counted = results["workloads"][0]["datagrams"]
            self.assertEqual(size, 100)
            self.assertEqual(read, different)
            # The whole run of 3 s: 4 hosts, 200 a second each.
            self.assertAlmostEqual(read, 2400, delta=12)
            self.assertAlmostEqual(counted["received"], 1600, delta=12)
            self.assertEqual((counted["lost"], counted["refused"]), (0, 0))
            # Inside the emulator the delay is the model's.
            self.assertAlmostEqual(results["workloads"][0]["delay_seconds"]["min"],
                                   2e-3 + 128 * 8 / 100e6 + 128 * 8 / 1e9, delta=1e-8)

    def received_by(self, program, attributes, **replaced):
        """How many datagrams a real host has read, how many different ones, and the workloads' figures."""
        with Lab() as lab:
            results, server = self.live(lab, "Cbr", attributes, program, **replaced)
            server.wait(15)
            read, different, size = map(int, re.search(r"read (\d+) (\d+) (\d+)$", server.output(), re.M).groups())
            self.assertEqual(size, 100)
            return read, different, {w["name"]: w["datagrams"] for w in results["workloads"]}

    def test_a_real_member_of_a_group(self):
        """Frames to 01:00:5e, which its kernel takes once it has joined; the virtual member gets as many."""
        read, different, workloads = self.received_by(MEMBER, "pairing = multicast, payload = 100 B, interval = 5 ms", **{"to = server": "to = [server, client[3]]", "on client[*]": "on client[0 ..< 2]"})
        self.assertAlmostEqual(read, 1200, delta=6)
        self.assertEqual(read, different)
        self.assertAlmostEqual(workloads["flow"]["received"], 2 * 800, delta=12)
        self.assertEqual(workloads["flow"]["lost"], 0)

    def test_a_real_member_of_a_group_of_ipv6(self):
        """Frames to 33:33 and the group's last bits."""
        read, different, workloads = self.received_by(MEMBER_IPV6, "pairing = multicast, payload = 100 B, interval = 5 ms",
                                                      **{"to = server": "to = [server, client[3]]", "on client[*]": "on client[0 ..< 2]", "run { duration": "addressing { ipv6 = 2001:db8::/64 }\n  run { duration"})
        self.assertAlmostEqual(read, 1200, delta=6)
        self.assertEqual(read, different)
        self.assertEqual(workloads["flow"]["lost"], 0)

    def test_a_real_subscriber(self):
        """Of a relay on a virtual host, which sends on what two others send: copies have the numbers of their first senders."""
        relay = "workload copies : traffic.Relay on client[3] { listen = 9, to = server }\n  run { duration"
        read, different, workloads = self.received_by(RECEIVER, "payload = 100 B, interval = 5 ms", **{"to = server, start": "to = client[3], start", "on client[*]": "on client[0 ..< 2]", "run { duration": relay})
        self.assertAlmostEqual(read, 1200, delta=6)
        self.assertAlmostEqual(different, 600, delta=3)
        self.assertEqual((workloads["copies"]["lost"], workloads["copies"]["refused"]), (0, 0))

    def test_datagrams_are_refused(self):
        with Lab() as lab:
            results, _ = self.live(lab, "Cbr", "payload = 100 B, interval = 50 ms")
            self.assertGreater(results["workloads"][0]["datagrams"]["refused"], 0)

    def test_bulk_data_arrives(self):
        with Lab() as lab:
            results, server = self.live(lab, "Bulk", "size = 300 KB, transfers = 2, think = 1500 ms", SINK)
            workload = results["workloads"][0]
            self.assertEqual(workload["transfers"]["failed"], 0)
            totals = [int(total) for total in re.findall(r"total (\d+)", server.output())]
            self.assertEqual(totals[-1], 8 * 300 * 1024)
            self.assertEqual(workload["delivered_bytes"], 4 * 300 * 1024)  # the second round is behind the warm-up
            self.assertEqual(results["verdict_reasons"] if results["verdict"] == "failed" else [], [])

    def test_flows_are_complete_when_the_real_host_has_them(self):
        """It does not tell when it has the last byte: their senders count, and nothing is said of slow-downs and sizes."""
        with Lab() as lab:
            results, server = self.live(lab, "Flows", "size = 30 KB, interval = 100 ms", SINK)
            workload = results["workloads"][0]
            self.assertEqual(workload["transfers"]["failed"], 0)
            self.assertGreater(workload["transfers"]["completed"] + workload["transfers"]["in_progress"], 70)
            self.assertGreater(workload["transfers"]["completed"], 20)
            self.assertEqual(workload["transfer_time_seconds"]["samples"], workload["transfers"]["completed"])
            self.assertEqual((workload["slowdown"]["samples"], workload["sizes"]), (0, []))
            # A handshake and a window or two: round trips of 4 ms at least.
            self.assertGreater(workload["transfer_time_seconds"]["mean"], 8e-3)
            least = workload["transfers"]["completed"] * 30 * 1024
            wait_until(lambda: max(map(int, re.findall(r"total (\d+)", server.output())), default=0) >= least, 10, "what is complete at the real host")


if __name__ == "__main__":
    unittest.main()
