"""The paper's arithmetic: a transaction takes three round trips and the server's 1.8 ms.

A round trip from the i-th subnetwork (from 1) is 2 i D on the backbone, plus 0.4 ms on the access path.
"""
import unittest

from emulators import WAN, EmulatorTest, run

SERVICE = 1.8e-3
DELAY = 1e-3
ACCESS = 0.4e-3
# A transaction's packets on a path, in IP bytes: SYN and SYN/ACK with the MSS option, bare segments, request, response.
SYN, BARE = 44, 40
LOCAL_RATES = (1e8, 1e9)  # the access link and the uplink; every backbone link has 1 Gbps


def round_trip(subnetwork):
    return 2 * subnetwork * DELAY + ACCESS


def unloaded(subnetwork):
    """Seconds of a transaction, without serialisation."""
    return 3 * round_trip(subnetwork) + SERVICE


# Ten senders with half as much again as the link, which never runs dry; frames of 92 B with IP's and UDP's headers.
FAST = """
import std.queue
import std.traffic
model Fast(wire: rate, limit: rate = wire) {
  host sender[10]
  host to
  router r
  link near: sender[*] -- r { rate = 100 Tbps, delay = 1 us }
  link far: r -- to { rate = wire, delay = 1 us, queue = QUEUE }
  workload flood : traffic.Cbr on sender[*] { to = to, payload = 64 B, rate = limit * 0.15 }
  run { duration = SPAN, warmup = 20 us }
}
"""
WINDOW = """
import std.traffic
profile small(window: size) : Tcp { receive_buffer = window }
model Window(window: size) {
  host a
  host b { tcp = small(window) }
  link line: a -- b { rate = 1 Gbps, delay = 50 ms }
  workload x : traffic.Bulk on a { to = b }
  run { duration = 60 s, warmup = 10 s }
}
"""
# Windows, rates of reading, delays and losses of senders, each with a receiver that is the bottleneck: window / round trip is at least three
# times as much.
READERS = [("512 B", 2e3, "50 ms", "0 %"), ("512 B", 4e3, "1 ms", "0 %"), ("1448 B", 5e3, "20 ms", "0 %"), ("4 KB", 20e3, "100 ms", "0 %"),
           ("64 KB", 1e6, "10 ms", "0 %"), ("64 KB", 500e3, "100 ms", "0 %"), ("1 MB", 8e6, "1 ms", "0 %"), ("1 MB", 8e6, "100 ms", "0 %"),
           ("64 KB", 200e3, "10 ms", "1 %"), ("1 MB", 400e3, "50 ms", "1 %")]
READING = """
import std.traffic
profile reads(window: size, rate: rate) : Tcp { receive_buffer = window, read_rate = rate }
model Reading {
  PAIRS
  run { duration = 440 s, warmup = 40 s }
}
"""
CLOSED = """
import std.traffic
profile reads : Tcp { receive_buffer = 4 KB, read_rate = 80 bps }
profile impatient : Tcp { retries = 3 }
model Closed {
  host a { tcp = impatient }
  host b { tcp = reads }
  link line: a -- b { rate = 1 Gbps, delay = 50 ms }
  workload x : traffic.Bulk on a { to = b, start_spread = 0 s }
  run { duration = 500 s }
}
"""
BOTH_ENDS = """
import std.web
profile reads : Tcp { receive_buffer = 64 KB, read_rate = 1 Mbps }
model BothEnds {
  host asks { tcp = reads }
  host brings
  router r
  endpoint gives { simulated = web.server() }
  endpoint takes { simulated = web.server(reply = 1 KB), tcp = reads }
  link asks -- r { rate = 1 Gbps, delay = 5 ms }
  link brings -- r { rate = 1 Gbps, delay = 5 ms }
  link gives -- r { rate = 1 Gbps, delay = 5 ms }
  link takes -- r { rate = 1 Gbps, delay = 5 ms }
  workload download : web.ClosedLoop on asks { server = gives, documents = web.fixed(10 MB), start_spread = 0 s, think = 1000 s, timeout = 200 s }
  workload upload : web.ClosedLoop on brings { server = takes, documents = web.fixed(1 KB), method = POST, body = 10 MB, start_spread = 0 s, think = 1000 s, timeout = 200 s }
  run { duration = 200 s }
}
"""


class Arithmetic(EmulatorTest):
    def rate(self, *options, model=WAN, run=()):
        results = self.simulate(self.compile(model, *options), *run)
        self.assertEqual(results["transactions"]["failed"], 0)
        self.assertEqual(results["packet_loss"], 0)
        return results["transactions"]["per_second"], results

    def assertWithin(self, value, expected, share):
        self.assertLessEqual(abs(value / expected - 1), share, f"{value:.2f} instead of {expected:.2f}")

    def test_one_client(self):
        rate, results = self.rate("-D", "N=1", "-D", "H=1")
        count = results["transactions"]["completed"]
        request = results["transactions"]["request_bytes"] // count
        response = results["transactions"]["response_bytes"] // count
        # Three packets each way make up the three round trips: SYN and SYN/ACK; request and response; ACK and FIN.
        # The transaction ends with the acknowledgement of the client's own FIN or sooner: only these six are waited for.
        waited = (SYN, SYN, BARE + request, BARE + response, BARE, BARE)
        serialisation = sum(8 * size / rate for size in waited for rate in (*LOCAL_RATES, 1e9))
        self.assertWithin(rate, 1 / (unloaded(1) + serialisation), 0.01)
        self.assertWithin(results["response_time_seconds"]["mean"], unloaded(1) + serialisation, 0.01)

    def test_sixteen_clients_on_one_subnetwork(self):
        rate, _ = self.rate("-D", "N=1", "-D", "H=16")
        self.assertWithin(rate, 16 / unloaded(1), 0.03)  # 1778/s

    def test_sixteen_clients_over_sixteen_subnetworks(self):
        rate, _ = self.rate("-D", "N=16", "-D", "H=1")
        self.assertWithin(rate, sum(1 / unloaded(i) for i in range(1, 17)), 0.03)  # 466/s

    def test_the_farthest_client(self):
        text = WAN.read_text()
        everyone = "workload browse : web.ClosedLoop on net[*].client[*]"
        self.assertIn(everyone, text)
        farthest = text.replace(everyone, "workload browse : web.ClosedLoop on net[N - 1].client[*]")
        rate, _ = self.rate("-D", "N=32", "-D", "H=1", model=farthest)
        self.assertWithin(rate, 1 / unloaded(32), 0.03)  # 5.1/s

    def test_closing_at_once_takes_two_round_trips(self):
        text = WAN.read_text().replace("service = 1.8 ms", "service = 1.8 ms, close = at_once")
        rate, _ = self.rate("-D", "N=1", "-D", "H=1", model=text)
        self.assertWithin(rate, 1 / (2 * round_trip(1) + SERVICE), 0.03)

    def test_a_busy_link_carries_its_rate(self):
        """Clients behind 1 Mbps, and documents of 64 KB: the access link is never idle for long."""
        text = WAN.read_text().replace("Subnet   net[N](", "Subnet   net[N](access = ether.slow, ")
        text = text.replace("web.fixed(1 KB)", "web.fixed(64 KB)")
        text = text.replace("model Wan(", "profile slow : Link { rate = 1 Mbps }\n\nmodel Wan(").replace("ether.slow", "slow")
        rate, results = self.rate("-D", "N=1", "-D", "H=1", model=text)
        # 45 segments of up to 1500 bytes: 0.55 s each transaction.
        packets = -(-results["transactions"]["response_bytes"] // results["transactions"]["completed"] // 1460)
        least = 8 * (results["transactions"]["response_bytes"] / results["transactions"]["completed"] + 40 * packets) / 1e6
        self.assertLessEqual(rate, 1 / least)
        self.assertWithin(rate, 1 / (least + unloaded(1)), 0.05)

    def test_fast_links_keep_their_rate(self):
        """A packet takes 0.46 ns at 1600 Gbps: rounded, that was 0 or 1."""
        for queue, wire, limit in (("droptail(1 MB)", 1600e9, 1600e9), ("droptail(1 MB)", 400e9, 400e9),
                                   ("droptail(packets = 500)", 100e9, 100e9), ("queue.priority(1 MB)", 400e9, 400e9),
                                   ("queue.fq_codel(fairness = source)", 100e9, 100e9),
                                   ("queue.drr(1 MB)", 777e9, 777e9),
                                   ("queue.token_bucket(1 MB, rate = limit)", 1600e9, 300e9),
                                   ("queue.token_bucket(1 MB, rate = limit, burst = 92 B)", 1600e9, 97e9),
                                   ("queue.token_bucket(1 MB, rate = limit, burst = 50 B)", 1600e9, 397e9),
                                   ("queue.htb(1 MB, rate = limit, ceil = limit)", 1600e9, 300e9)):
            with self.subTest(queue=queue, rate=limit):
                model = FAST.replace("QUEUE", queue).replace("SPAN", f"{92 * 8 * 50_000 / limit * 1e9 + 20_000:.0f} ns")
                results = self.simulate(self.compile(model, "-D", f"wire={wire} bps", "-D", f"limit={limit} bps"))
                self.assertLessEqual(abs(results["workloads"][0]["datagrams"]["received"] - 50_000), 2)

    def test_windows_of_less_than_two_segments(self):
        """Half of the window goes while the other is acknowledged (RFC 1122, 4.2.3.4): it fills each round trip."""
        for window in (1024, 1152, 1448, 2048, 2896):
            with self.subTest(window=window):
                results = self.simulate(self.compile(WINDOW, "-D", f"window={window} B"))
                self.assertWithin(results["workloads"][0]["goodput_bps"], window * 8 / 0.1, 0.01)

    def test_receivers_that_read_slowly(self):
        pairs = [f"""host a{i}
  host b{i} {{ tcp = reads({window}, {rate} bps) }}
  link line{i}: a{i} -- b{i} {{ rate = 1 Gbps, delay = {delay}, loss = {loss} }}
  workload x{i} : traffic.Bulk on a{i} {{ to = b{i}, start_spread = 0 s }}""" for i, (window, rate, delay, loss) in enumerate(READERS)]
        results = self.simulate(self.compile(READING.replace("PAIRS", "\n  ".join(pairs))))
        for reader, workload in zip(READERS, results["workloads"]):
            with self.subTest(reader):
                self.assertWithin(workload["goodput_bps"], reader[1], 0.01)

    def test_a_closed_window_is_probed_ever_more_seldom(self):
        """Each segment of a capture, as tshark reads it: the right edge of the window never moves back, and while the window is closed a byte
        goes after the time-out, 300 ms, then twice as long each time. Answers keep the connection, however few `retries` there are."""
        capture = self.fresh("line.pcap")
        results = self.simulate(self.compile(CLOSED), "--capture", f"line={capture}")
        self.assertEqual(results["workloads"][0]["transfers"]["failed"], 0)
        fields = ("frame.time_epoch", "tcp.dstport", "tcp.seq_raw", "tcp.ack_raw", "tcp.window_size", "tcp.len")
        rows = [line.split("|") for line in run("tshark", "-n", "-r", capture, "-Y", "tcp.flags.syn == 0", "-T", "fields", "-E", "separator=|",
                                                *(word for field in fields for word in ("-e", field))).stdout.splitlines()]
        edge, probes, gaps = None, [], []
        for at, port, sequence, acknowledgment, window, length in rows:
            if port != "9":
                told = int(acknowledgment) + int(window)
                self.assertGreaterEqual(told, edge or told)
                edge = told
                if int(window) > 0:
                    probes = []
            elif length == "1":
                self.assertEqual(int(sequence), edge)
                if probes:
                    gaps.append((len(probes), float(at) - probes[-1]))
                probes.append(float(at))
        self.assertGreater(len(gaps), 6)
        for number, gap in gaps:
            self.assertWithin(gap, 0.3 * 2 ** number, 0.02)

    def test_slow_readers_of_both_ends(self):
        """A virtual client that takes a document, and a simulated server that takes a body: what is left in the buffer at the end is read later."""
        results = self.simulate(self.compile(BOTH_ENDS))
        for workload in results["workloads"]:
            self.assertEqual((workload["transactions"]["completed"], workload["transactions"]["failed"]), (1, 0))
            self.assertWithin(workload["response_time_seconds"]["mean"], (10 - 1 / 16) * 2**20 * 8 / 1e6, 0.01)


if __name__ == "__main__":
    unittest.main()
