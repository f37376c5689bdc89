"""One live run divided between processes, each in a network namespace of its own as on a machine of its own: real hosts
at either end measure the model's times, one way too, and virtual clients of one process a real server at another."""
import functools
import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest

import jsonschema

from netlab import ROOT, Lab, by_the_clock, info, main, median, ping, wait_until

TWO_ENDS = """
import std.ether

model TwoEnds(tunable D: time in 0.1 ms .. 100 ms = 10 ms) {
  endpoint left  { address = 10.1.0.1 }
  endpoint right { address = 10.2.0.1 }
  router r[4]
  link a: left -- r[0] : ether.gigabit { delay = 0.1 ms }
  link near: r[0] -- r[1] : ether.gigabit { delay = 0.2 ms }
  link far: r[1] -- r[2] { rate = 1 Gbps, delay = D }
  link back: r[2] -- r[3] : ether.gigabit { delay = 0.2 ms }
  link b: r[3] -- right : ether.gigabit { delay = 0.1 ms }
  run { duration = 60 s }
}
"""
ONE_WAY = 0.1 + 0.2 + 10 + 0.2 + 0.1  # ms

CLIENTS = """
import std.ether
import std.web

model Clients {
  host client[40]
  router edge
  router core
  endpoint server { address = 10.2.0.1 }
  link access: client[*] -- edge { rate = 20 Mbps, delay = 2 ms }
  link wan: edge -- core { rate = 200 Mbps, delay = 15 ms }
  link last: core -- server : ether.gigabit { delay = 0.1 ms }
  workload web : web.ClosedLoop on client[*] {
    server = server, documents = web.fixed(64 KB, "/64k"), think = exponential(200 ms)
  }
  require mean_time(web) < 10 s
  run { duration = 4 s, warmup = 1 s }
}
"""

STAR = """
import std.ether
import std.web

model Star {
  host a[10]
  host b[10]
  router ra
  router rb
  router core
  endpoint server { address = 10.2.0.1 }
  link a_access: a[*] -- ra { rate = 20 Mbps, delay = 2 ms }
  link b_access: b[*] -- rb { rate = 20 Mbps, delay = 2 ms }
  link a_wan: ra -- core { rate = 200 Mbps, delay = 30 ms }
  link b_wan: rb -- core { rate = 200 Mbps, delay = 30 ms }
  link last: core -- server : ether.gigabit { delay = 0.1 ms }
  workload of_a : web.ClosedLoop on a[*] { server = server, documents = web.fixed(1 KB, "/1k"), think = 200 ms }
  workload of_b : web.ClosedLoop on b[*] { server = server, documents = web.fixed(1 KB, "/1k"), think = 200 ms }
  require mean_time(of_a) < 10 s
  run { duration = 60 s }
}
"""

# One way by one clock: CLOCK_MONOTONIC is that of the machine, whatever clocks the emulators are made to have.
RECEIVER = """
import socket, struct, sys, time
own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
own.bind(("0.0.0.0", 7))
print("ready", flush=True)
for _ in range(int(sys.argv[1])):
    data = own.recv(100)
    print(time.clock_gettime_ns(time.CLOCK_MONOTONIC) - struct.unpack("q", data)[0], flush=True)
"""
SENDER = """
import socket, struct, sys, time
own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(int(sys.argv[2])):
    own.sendto(struct.pack("q", time.clock_gettime_ns(time.CLOCK_MONOTONIC)), (sys.argv[1], 7))
    time.sleep(0.01)
"""


class Divided(unittest.TestCase):
    def two_machines(self, lab):
        """Two namespaces for emulators, `a` and `b`, joined by a network of their own."""
        a, b = lab.namespace("a"), lab.namespace("b")
        lab.veth(a, "m0", b, "m1")
        lab.run_in(a, "ip", "addr", "add", "10.99.0.1/24", "dev", "m0")
        lab.run_in(b, "ip", "addr", "add", "10.99.0.2/24", "dev", "m1")
        return a, b

    def real_host(self, lab, space, emulator, address, device):
        host = lab.namespace(device)
        lab.veth(host, "eth0", space, device)
        lab.run_in(host, "ip", "addr", "add", f"{address}/32", "dev", "eth0")
        lab.run_in(host, "ip", "route", "add", "10.0.0.0/8", "via", info(emulator)["gateway"], "dev", "eth0", "onlink")
        return host

    def two_ends(self, lab):
        """The model of two ends, its two machines, and the real hosts beside them."""
        emulator = lab.compile(TWO_ENDS)
        a, b = self.two_machines(lab)
        left, right = (self.real_host(lab, *host) for host in ((a, emulator, "10.1.0.1", "vl"), (b, emulator, "10.2.0.1", "vr")))
        return emulator, a, b, left, right

    def start_two(self, lab, emulator, a, b, of_a, of_b, ahead=()):
        """Process 0 in `a`, the other one in `b`, whose clock is set apart by what `ahead` says."""
        first = lab.start(emulator, "live", "--listen", "10.99.0.1:7000", *of_a, space=a)
        second = lab.start(*ahead, emulator, "live", "--join", "10.99.0.1:7000", *of_b, space=b)
        return first, second

    def one_way(self, lab, source, target, address, count=100):
        """The shortest in ms: other work on the machine only adds to it."""
        receiver = lab.start(sys.executable, "-c", RECEIVER, count, space=target)
        wait_until(lambda: "ready" in receiver.output(), 5, "the receiver")
        lab.run_in(source, sys.executable, "-c", SENDER, address, count)
        wait_until(lambda: len(receiver.output().split()) > count, 5, "all datagrams")
        return min(float(word) / 1e6 for word in receiver.output().split()[1:])

    @by_the_clock("round trips within 0.5 ms, and one way")
    def test_real_hosts_at_both_ends(self):
        with Lab() as lab:
            emulator, a, b, left, right = self.two_ends(lab)
            results = lab.folder / "r.json"
            far = [lab.folder / f"far{i}.pcap" for i in (0, 1)]
            # The other machine has been up for longer: its clock shows more.
            first, second = self.start_two(lab, emulator, a, b, ("--attach", "left=if:vl", "--for", "60s", "--results", results,
                                                                 "--capture", f"far={far[0]}"),
                                           ("--attach", "right=if:vr", "--for", "60s", "--capture", f"far={far[1]}"),
                                           ahead=("unshare", "-T", "--monotonic", 5000))
            wait_until(lambda: ping(lab, left, "10.2.0.1", 1), 15, "the first reply: " + first.output() + second.output())
            for host, other in ((left, "10.2.0.1"), (right, "10.1.0.1")):
                times = ping(lab, host, other, 40)
                self.assertEqual(len(times), 40)
                self.assertAlmostEqual(median(times), 2 * ONE_WAY, delta=0.5)
            there = self.one_way(lab, left, right, "10.2.0.1")
            back = self.one_way(lab, right, left, "10.1.0.1")
            self.assertEqual(first.stop(), 130, first.output())
            self.assertEqual(second.wait(10), 130, second.output())
            found = json.loads(results.read_text())
            jsonschema.validate(found, json.loads((ROOT / "docs/results.schema.json").read_text()))
            live = found["live"]
            self.assertEqual([p["nodes"] for p in live["processes"]], [3, 3])
            error = live["processes"][1]["clock_error_seconds"] * 1000
            print(f"there {there:.3f} ms, back {back:.3f} ms, model {ONE_WAY} ms, clocks within {error:.3f} ms")
            self.assertLess(error, 0.5)
            for measured in (there, back):
                self.assertGreater(measured, ONE_WAY - error - 0.005)
                self.assertLess(measured, ONE_WAY + error + 0.4)
            self.assertAlmostEqual(live["processes"][1]["shortest_delay_seconds"], 0.010)
            self.assertEqual([e["name"] for e in live["endpoints"]], ["left", "right"])
            for endpoint in live["endpoints"]:
                self.assertGreater(endpoint["released"], 100)
            self.compare_captures(*far)
            text = first.output()
            self.assertIn("--capture far: without what process 1 sends", text)
            self.assertRegex(text, r"processes +0 \(10\.99\.0\.1\): 3 nodes")
            self.assertRegex(text, r"1 \(10\.99\.0\.2\): 3 nodes.*clock within")

    def ask_while_it_runs(self, lab, emulator, a, b):
        """What is asked of a process is about its part; what would change the run is refused."""
        socket = ("--control", lab.folder / "b.sock")
        wait_until(lambda: lab.run_in(b, emulator, "ctl", *socket, "list", check=False).returncode == 0, 15, "a process that answers")
        captured = lab.folder / "last.pcapng"
        lab.run_in(b, "sh", "-c", f"{emulator} ctl --control {socket[1]} capture 'last<' --count 20 > {captured}")
        shown = subprocess.run(["tcpdump", "-n", "-r", captured], capture_output=True, text=True, check=True).stdout
        self.assertEqual(len(re.findall(r"IP 10\.2\.0\.1\.80 > ", shown)), 20)
        refused = [lab.run_in(b, emulator, "ctl", *socket, *words, check=False)
                   for words in (("capture", "access>"), ("workload", "web", "stop"))]
        self.assertEqual([one.returncode for one in refused], [1, 1])
        self.assertIn("process 0 sends what it carries", refused[0].stderr)
        self.assertIn("--changes", refused[1].stderr)
        seen = json.loads(lab.run_in(b, emulator, "ctl", *socket, "--json", "watch", "last<", "--for", "2s").stdout.splitlines()[-1])
        self.assertGreater(seen["links"][0]["bits_per_second"], 1e6)

    def compare_captures(self, there, back):
        """Each process has what it sends over the link; by the run's one clock a reply leaves the far end later than its
        request left the near one, by that link and what is behind it."""
        sent = [subprocess.run(["tcpdump", "-n", "-tt", "--nano", "-r", path, "icmp"], capture_output=True, text=True, check=True)
                .stdout.splitlines() for path in (there, back)]
        requests, replies = ({line.split("seq ")[1].split(",")[0] + line.split("id ")[1].split(",")[0]: float(line.split()[0])
                              for line in lines if f"10.{host}.0.1 > " in line and f"echo {kind}" in line}
                             for lines, host, kind in zip(sent, (1, 2), ("request", "reply")))
        self.assertGreater(len(requests), 40)
        self.assertEqual(requests.keys(), replies.keys())
        self.assertFalse([line for line in sent[0] if " 10.2.0.1 > " in line] + [line for line in sent[1] if " 10.1.0.1 > " in line])
        self.assertAlmostEqual(median([(replies[key] - requests[key]) * 1000 for key in requests]), 10 + 2 * 0.3, delta=0.5)

    @by_the_clock("transactions and their mean time, within 2 %")
    def test_clients_here_and_their_server_there(self):
        with Lab() as lab:
            emulator = lab.compile(CLIENTS)
            a, b = self.two_machines(lab)
            server = self.real_host(lab, b, emulator, "10.2.0.1", "vs")
            lab.start(*lab.nginx({"/64k": 65536}), "-g", "daemon off;", space=server)
            alone, divided = lab.folder / "alone.json", lab.folder / "divided.json"
            live = lab.start(emulator, "live", "--attach", "server=if:vs", "--results", alone, space=b)
            self.assertEqual(live.wait(30), 0, live.output())
            # Here all share two processors, which two that look at the clock all the time would have for themselves.
            alike = ("--pace", "sleep", "--batches", "4")
            first, second = self.start_two(lab, emulator, a, b, ("--own", "edge", "--watch", *alike, "--results", divided),
                                           ("--attach", "server=if:vs", "--control", lab.folder / "b.sock", *alike))
            self.ask_while_it_runs(lab, emulator, a, b)
            self.assertEqual(first.wait(40), 0, first.output() + second.output())
            self.assertEqual(second.wait(10), 0, second.output())
            one, two = (json.loads(path.read_text()) for path in (alone, divided))
            self.assertEqual([p["nodes"] for p in two["live"]["processes"]], [41, 2])
            web = [results["workloads"][0] for results in (one, two)]
            done = [w["transactions"]["completed"] for w in web]
            self.assertGreater(done[0], 300)
            self.assertAlmostEqual(done[0], done[1], delta=0.15 * done[0])
            self.assertEqual([w["transactions"]["failed"] for w in web], [0, 0])
            self.assertEqual(two["batches"]["count"], 4)
            for values in two["batches"]["measures"].values():
                self.assertAlmostEqual(values[0] / values[-1], 1, delta=0.5)
            means = [w["response_time_seconds"]["mean"] for w in web]
            print("means, alone and divided:", means, two["verdict"])
            # Apart by no more than what the runs themselves say of their lateness, on a machine that is busy.
            late = sum(touched["may_be_high"] for results in (one, two) for touched in results["live"]["touched"]
                       if touched["figure"] == "response_time_seconds.mean")
            self.assertAlmostEqual(means[0], means[1], delta=(0.02 + late) * means[0])
            # Two processes and a server share the processors here, and may be late; the clocks are no reason.
            self.assertFalse([reason for reason in two["verdict_reasons"] if "one-way" in reason], two["verdict_reasons"])

    def test_what_does_not_fit(self):
        with Lab() as lab:
            emulator, a, b, _, _ = self.two_ends(lab)
            left, right = ("--attach", "left=if:vl"), ("--attach", "right=if:vr")
            first = lab.start(emulator, "live", "--listen", "10.99.0.1:7000", *left, space=a)
            wait_until(lambda: "waits for 1 more" in first.output(), 5, "the first process")

            def refused(*options):
                done = lab.run_in(b, emulator, "live", "--join", "10.99.0.1:7000", *options, check=False)
                self.assertEqual(done.returncode, 1, done.stderr)
                return done.stderr

            # Strangers say what they like; the run waits for those that it knows.
            for noise in (b"GET / HTTP/1.1\r\n\r\n", b"\x05\0\0\0\0{\"a\":", bytes(range(256)) * 64, b"\xff" * 9,
                          b'\x02\0\0\0\0{}', b'\x04\0\0\0\0null', b'\x21\0\0\0\0{"anml":"x","alike":3,"port":[{}]}'):
                lab.run_in(b, sys.executable, "-c", "import socket,sys\ns=socket.create_connection(('10.99.0.1',7000))\n"
                           "s.sendall(bytes.fromhex(sys.argv[1]))\ns.settimeout(0.2)\ntry: s.recv(10)\nexcept OSError: pass", noise.hex())
            self.assertIn("--seed is `2`, and `1` at process 0", refused(*right, "--seed", "2"))
            self.assertIn("the duration (--for)", refused(*right, "--for", "9s"))
            self.assertIn("--set D is `20 ms`, and `10 ms` at process 0", refused(*right, "--set", "D=20ms"))
            self.assertIn("no node is called", refused(*right, "--own", "rr"))
            self.assertIn("--batches is `4`, and `0` at process 0", refused(*right, "--batches", "4"))
            self.assertIsNone(first.process.poll(), first.output())
            self.assertEqual(first.stop(), 130)
            self.assertIn("stopped before all processes had come", first.output())
            first, second = self.start_two(lab, emulator, a, b, left, (*right, "--capture", f"a={lab.folder / 'a.pcap'}"))
            self.assertEqual((first.wait(10), second.wait(10)), (1, 1), first.output() + second.output())
            self.assertIn("--capture a: process 0 sends what it carries: capture it there", second.output())
            self.assertFalse((lab.folder / "a.pcap").exists())
            # A network that is slower than the links which it carries.
            short = functools.reduce(lambda text, delay: text.replace(delay, "1 us"), ("0.1 ms", "0.2 ms", "10 ms"), TWO_ENDS)
            quick = lab.compile(short, name="quick")
            first, second = self.start_two(lab, quick, a, b, left, right)
            self.assertEqual((first.wait(10), second.wait(10)), (1, 1), first.output() + second.output())
            self.assertIn("the network takes", first.output())
            self.assertIn("divide the model where links are slower", first.output())
            # The interfaces are as they were.
            for space, device in ((a, "vl"), (b, "vr")):
                self.assertNotIn("PROMISC", lab.run_in(space, "ip", "link", "show", device).stdout)

    def test_one_of_them_ends(self):
        with Lab() as lab:
            emulator, a, b, left, _ = self.two_ends(lab)
            results = lab.folder / "r.json"
            of_a, of_b = ("--attach", "left=if:vl", "--results", results), ("--attach", "right=if:vr")

            def running():
                first, second = self.start_two(lab, emulator, a, b, of_a, of_b)
                wait_until(lambda: ping(lab, left, "10.2.0.1", 1), 15, "the first reply")
                return first, second

            # Ctrl-C at the other one ends both, with results.
            first, second = running()
            self.assertEqual(second.stop(), 130, second.output())
            self.assertEqual(first.wait(10), 130, first.output())
            self.assertTrue(json.loads(results.read_text())["interrupted"])
            # Killed: the first says so, and fails.
            first, second = running()
            second.process.kill()
            self.assertEqual(first.wait(15), 1, first.output())
            self.assertIn("process 1 (10.99.0.2) has gone", first.output())
            found = json.loads(results.read_text())
            jsonschema.validate(found, json.loads((ROOT / "docs/results.schema.json").read_text()))
            self.assertIn("has gone", found["error"])
            # What it had counted itself is there.
            self.assertEqual([(p["nodes"], p["counted"]) for p in found["live"]["processes"]], [(3, True), (3, False)])
            self.assertEqual([e["name"] for e in found["live"]["endpoints"]], ["left"])
            self.assertGreater(found["live"]["released"], 0)
            first, second = running()
            first.process.kill()
            self.assertEqual(second.wait(15), 1, second.output())
            self.assertIn("process 0 (10.99.0.1) has gone", second.output())
            # Its device goes: the run ends everywhere, and why is in the results.
            first, second = running()
            lab.run_in(b, "ip", "link", "delete", "vr")
            self.assertEqual(first.wait(15), 1, first.output())
            self.assertEqual(second.wait(15), 1, second.output())
            self.assertIn("vr", json.loads(results.read_text())["error"])

    def test_three_of_which_two_share_no_link(self):
        """Beyond the time for which one may be silent; then one is killed, and the results have what the other two counted."""
        with Lab() as lab:
            emulator = lab.compile(STAR)
            (lab.folder / "1k").write_bytes(b"x" * 1024)
            results = lab.folder / "r.json"
            alone = lab.namespace("alone")
            server = (sys.executable, "-m", "http.server", "80", "--bind", "10.2.0.1", "--directory", lab.folder)
            first = lab.start(emulator, "live", "--listen", "127.0.0.1:7000", "--processes", "3", "--batches", "30", "--results", results,
                              "--sandbox", "server", "--", *server, space=alone)
            others = [lab.start(emulator, "live", "--join", "127.0.0.1:7000", "--batches", "30", "--own", own, space=alone)
                      for own in ("a", "b")]
            wait_until(lambda: others[1].output().count("is simulated") + others[1].output().count("are simulated") > 0, 20, "the meeting")
            time.sleep(13)
            for one in (first, *others):
                self.assertIsNone(one.process.poll(), one.output())
            others[1].process.kill()
            self.assertEqual(first.wait(15), 1, first.output())
            self.assertEqual(others[0].wait(15), 1, others[0].output())
            found = json.loads(results.read_text())
            jsonschema.validate(found, json.loads((ROOT / "docs/results.schema.json").read_text()))
            self.assertRegex(found["error"], r"^(process [12] \(127\.0\.0\.1\): )?process [12] \(127\.0\.0\.1\) has gone$")  # the other may say so first
            self.assertEqual(sorted(p["counted"] for p in found["live"]["processes"]), [False, True, True])
            self.assertEqual(sorted(w["transactions"]["completed"] > 20 for w in found["workloads"]), [False, True])
            self.assertIn(found["batches"]["count"], range(2, 30))

    def test_a_run_that_lags_is_ended(self):
        """Two that look at the clock all the time share a processor, so that each exchange between them takes a turn of it: by the
        clock the run hardly goes on. It ends all the same when one is told to, with the status of that signal."""
        with Lab() as lab:
            emulator, a, b, _, _ = self.two_ends(lab)
            results = lab.folder / "r.json"
            slow = ("taskset", "-c", min(os.sched_getaffinity(0)), emulator, "live", "--set", "D=0.2ms", "--pace", "spin", "--for", "60s")
            first = lab.start(*slow, "--listen", "10.99.0.1:7000", "--attach", "left=if:vl", "--results", results, space=a)
            second = lab.start(*slow, "--join", "10.99.0.1:7000", "--attach", "right=if:vr", space=b)
            wait_until(lambda: "simulated here" in second.output(), 15, "the meeting")
            time.sleep(4)
            second.process.send_signal(signal.SIGTERM)
            self.assertEqual(first.wait(9), 143, first.output())
            self.assertEqual(second.wait(9), 143, second.output())
            found = json.loads(results.read_text())
            self.assertTrue(found["interrupted"])
            self.assertGreater(max(p["longest_lag_seconds"] for p in found["live"]["processes"]), 0.5)

    def test_a_network_that_stalls(self):
        """The network between them is cut for a moment, again and again: what crosses comes late, and the verdict says so."""
        with Lab() as lab:
            emulator, a, b, left, _ = self.two_ends(lab)
            results = lab.folder / "r.json"
            first, second = self.start_two(lab, emulator, a, b, ("--attach", "left=if:vl", "--results", results), ("--attach", "right=if:vr"))
            wait_until(lambda: ping(lab, left, "10.2.0.1", 1), 15, "the first reply")
            lab.start("ping", "-n", "-i", "0.01", "10.2.0.1", space=left)
            for _ in range(4):
                time.sleep(0.7)
                lab.run_in(a, "ip", "link", "set", "m0", "down")
                time.sleep(0.1)
                lab.run_in(a, "ip", "link", "set", "m0", "up")
            time.sleep(0.7)
            self.assertEqual(first.stop(), 130, first.output())
            self.assertEqual(second.wait(10), 130, second.output())
            found = json.loads(results.read_text())
            self.assertIn(found["verdict"], ("degraded", "not valid"), found["verdict_reasons"])
            self.assertTrue(any("had to wait for others" in reason for reason in found["verdict_reasons"]),
                            found["verdict_reasons"])
            self.assertGreater(max(p["longest_lag_seconds"] for p in found["live"]["processes"]), 0.010)


if __name__ == "__main__":
    main()
