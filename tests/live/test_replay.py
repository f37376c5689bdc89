"""Capture files of real hosts beside the hosts themselves: what tcpdump saw at one end, replayed, arrives as it did at the other."""
import json
import struct
import unittest

from netlab import Lab, info, ping, run, wait_until

MODEL = """
import std.ether

model Two {
  endpoint left  { address = 10.1.0.1 }
  endpoint right { address = 10.2.0.1 }
  router r
  link a: left -- r { rate = 10 Mbps, delay = 5 ms }
  link b: r -- right { rate = 10 Mbps, delay = 5 ms }
  run { duration = 60 s }
}
"""
TO_RIGHT = bytes([10, 1, 0, 1, 10, 2, 0, 1])


def read(path):
    """(time in ns, IP packet) by ICMP's identifier and sequence number, of what went from left to right."""
    data, found, at = path.read_bytes(), {}, 24
    skip = 14 if struct.unpack_from("<I", data, 20)[0] == 1 else 0
    while at + 16 <= len(data):
        seconds, nanoseconds, length, _ = struct.unpack_from("<IIII", data, at)
        packet = data[at + 16 + skip:at + 16 + length]
        at += 16 + length
        if packet[12:20] == TO_RIGHT and packet[9] == 1:
            found[packet[24:28]] = (seconds * 10**9 + nanoseconds, packet)
    return found


class Replay(unittest.TestCase):
    def setUp(self):
        self.lab = lab = Lab()
        self.addCleanup(lab.close)
        self.emulator = lab.compile(MODEL, "-O0")
        self.hosts = {}
        inside = self.inside = lab.namespace("e")
        for name, address in (("left", "10.1.0.1"), ("right", "10.2.0.1")):
            space = self.hosts[name] = lab.namespace(name[0])
            lab.veth(inside, f"v{name}", space, "eth0")
            lab.run_in(space, "ip", "addr", "add", f"{address}/32", "dev", "eth0")
            lab.run_in(space, "ip", "route", "add", "10.0.0.0/8", "via", info(self.emulator)["gateway"], "dev", "eth0", "onlink")

    def listen(self, name):
        path = self.lab.folder / f"{name}.pcap"
        process = self.lab.start("tcpdump", "-i", "eth0", "-w", path, "-U", "-Z", "root", "--immediate-mode", "--time-stamp-precision=nano",
                                 space=self.hosts[name])
        wait_until(lambda: "listening on" in process.output(), 10, "tcpdump")
        return path, process

    def live(self, *attachments, options=()):
        words = [word for attachment in attachments for word in ("--attach", attachment)]
        return self.lab.start(self.emulator, "live", *words, *options, space=self.inside)

    def test_as_it_was_live(self):
        live = self.live("left=vleft", "right=if:vright")  # the first is chosen by what it is
        wait_until(lambda: ping(self.lab, self.hosts["left"], "10.2.0.1", 1), 10, "the first reply")
        self.assertIn("vleft: through a packet socket", live.output())
        ends = {name: self.listen(name) for name in self.hosts}
        sizes = (16, 200, 1400)
        for size in sizes:
            self.lab.run_in(self.hosts["left"], "ping", "-c", "15", "-i", "0.02", "-s", size, "10.2.0.1")
        wait_until(lambda: len(read(ends["right"][0])) >= 15 * len(sizes), 10, "the last of them at the other end")
        live.stop()
        for _, process in ends.values():
            process.stop()
        sent, received = read(ends["left"][0]), read(ends["right"][0])
        self.assertEqual(len(sent), 15 * len(sizes))
        out = self.lab.folder / "out.pcap"
        run(self.emulator, "simulate", "--attach", f"left=pcap:{ends['left'][0]}", "--attach", f"right=pcap:,{out}", "--for", "30 s")
        replayed = read(out)
        self.assertEqual(set(replayed), set(sent))
        for key, (at, packet) in sent.items():
            path = 10_000_000 + 2 * len(packet) * 8 * 100  # ns: two links of 10 Mbps
            self.assertEqual(replayed[key][0] - at, path)
            self.assertEqual(replayed[key][1][20:], packet[20:])
            # The real one was sent behind the stamp, and received before its own.
            self.assertGreaterEqual(received[key][0], replayed[key][0])

    def test_in_real_time(self):
        """A file against a real host, at its times, and what the host answers in another."""
        live = self.live("left=if:vleft", "right=if:vright")
        wait_until(lambda: ping(self.lab, self.hosts["left"], "10.2.0.1", 1), 10, "the first reply")
        before, process = self.listen("left")
        self.lab.run_in(self.hosts["left"], "ping", "-c", "40", "-i", "0.02", "10.2.0.1")
        live.stop()
        process.stop()
        sent = read(before)
        out, results = self.lab.folder / "answers.pcap", self.lab.folder / "results.json"
        at_right, process = self.listen("right")
        live = self.live(f"left=pcap:{before},{out}", "right=if:vright", options=("--for", "4s", "--results", results))
        self.assertEqual(live.wait(20), 0, live.output())
        process.stop()
        received = read(at_right)
        self.assertEqual(set(received), set(sent))
        order = lambda packets: [key for key, _ in sorted(packets.items(), key=lambda item: item[1][0])]
        self.assertEqual(order(received), order(sent))
        times = lambda packets: [at for at, _ in sorted(packets.values())]
        # However late some of them were, none of the others can have been earlier than its place in the file.
        late = [there - here for here, there in zip(times(sent), times(received))]
        found = json.loads(results.read_text())
        slip = found["live"]["slip_seconds"]["max"] * 1e9
        self.assertLessEqual(max(late) - min(late), slip + 50_000_000)
        left = next(end for end in found["replay"]["endpoints"] if end["name"] == "left")
        self.assertEqual(left["entered"], len(sent))
        self.assertEqual((left["read"], left["goes_on"]), (left["entered"] + sum(left["ignored"].values()), False))
        self.assertGreaterEqual(left["written"], len(sent))  # each is answered

    def test_a_file_is_no_server(self):
        emulator = self.lab.compile(MODEL.replace("import std.ether", "import std.ether\nimport std.web").replace(
            "run {", "host h\n  link c: h -- r { rate = 1 Mbps, delay = 1 ms }\n  workload w : web.ClosedLoop on h { server = right, documents = web.fixed(1 KB), think = 1 s }\n  run {"), "-O0")
        capture = self.lab.folder / "in.pcap"
        capture.write_bytes(struct.pack("<IHHiIII", 0xa1b23c4d, 2, 4, 0, 0, 65535, 101))
        done = run(emulator, "live", "--attach", "left=if:vleft", "--attach", f"right=pcap:{capture}", check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("workload `w` asks endpoint `right`, and a file does not answer", done.stderr)


if __name__ == "__main__":
    unittest.main()
