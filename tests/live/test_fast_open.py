"""Fast Open with Linux at the other end: its server takes the data of our clients' SYNs, and its client has ours taken, which the kernel itself counts."""
import json
import unittest

from netlab import Lab, addresses, info, median, wait_until

ROUND_TRIP = 0.08
MODEL = """
import std.tcp
import std.web
model FastOpen {
  profile fast : Tcp { fast_open = true }
  endpoint WHO
  router r
  OTHER
  link a: NEAR -- r { rate = 1 Gbps, delay = 20 ms }
  link b: r -- FAR { rate = 1 Gbps, delay = 20 ms }
  WORKLOAD
  run { duration = 60 s }
}
"""
# A simulated server has the documents that workloads ask for: somebody asks once, at the beginning.
READER = """host reader
  link c: reader -- r { rate = 1 Gbps, delay = 20 ms }
  workload w : web.ClosedLoop on reader { server = server, documents = web.fixed(100 B), think = 1 h, start_spread = 0 s }"""
# Of HTTP as much as a client of ours wants. It takes a connection when the handshake is done, or data have come with the SYN.
SERVER = """
import socket
s = socket.create_server(("0.0.0.0", 80), backlog=64)
s.setsockopt(socket.IPPROTO_TCP, socket.TCP_FASTOPEN, 64)
while True:
    c, _ = s.accept()
    c.recv(65536)
    c.sendall(b"HTTP/1.0 200 OK\\r\\nContent-Length: 3\\r\\n\\r\\nabc")
    c.close()
"""
CLIENT = """
import socket, sys, time
for _ in range(int(sys.argv[2])):
    s = socket.socket()
    begin = time.monotonic()
    s.sendto(b"GET /100 HTTP/1.0\\r\\nHost: x\\r\\n\\r\\n", socket.MSG_FASTOPEN, (sys.argv[1], 80))
    head = s.recv(65536)
    print(time.monotonic() - begin, head.split(b"\\r\\n")[0].decode(), flush=True)
    while s.recv(65536):
        pass
    s.close()
    time.sleep(0.05)
"""


def counters(lab, space):
    names, values = (line.split()[1:] for line in lab.run_in(space, "cat", "/proc/net/netstat").stdout.splitlines() if line.startswith("TcpExt:"))
    return dict(zip(names, map(int, values)))


class FastOpen(unittest.TestCase):
    def network(self, lab, real, **parts):
        """The namespace of a real host that is attached as that endpoint, that of the run, and the emulator."""
        text = MODEL
        for name, value in parts.items():
            text = text.replace(name, value, 1)
        emulator = lab.compile(text)
        host, inside = lab.namespace("h"), lab.namespace("e")
        lab.veth(host, "eth0", inside, "veth0")
        lab.run_in(host, "sysctl", "-qw", "net.ipv4.tcp_fastopen=3")
        lab.run_in(host, "ip", "addr", "add", f"{addresses(emulator)[real]}/32", "dev", "eth0")
        lab.run_in(host, "ip", "route", "add", "10.0.0.0/8", "via", info(emulator)["gateway"], "dev", "eth0", "onlink")
        return host, inside, emulator

    def test_a_linux_server_takes_our_data(self):
        with Lab() as lab:
            workload = "workload w : web.ClosedLoop on client { server = server, documents = web.fixed(3 B), think = 50 ms, start_spread = 0 s }"
            host, inside, emulator = self.network(lab, "server", WHO="server", OTHER="host client { tcp = fast }", NEAR="client", FAR="server", WORKLOAD=workload)
            lab.start("python3", "-c", SERVER, space=host)
            wait_until(lambda: ":80 " in lab.run_in(host, "ss", "-ltn").stdout, 10, "the server")
            results = lab.folder / "live.json"
            lab.run_in(inside, emulator, "live", "--attach", "server=if:veth0", "--results", results, "--for", "3s")
            found, linux = json.loads(results.read_text()), counters(lab, host)
            completed = found["transactions"]["completed"]
            self.assertEqual(found["transactions"]["failed"], 0)
            self.assertGreater(completed, 10)
            # One asks for a cookie; of the others Linux took the data.
            self.assertEqual(linux["TCPFastOpenCookieReqd"], 1)
            self.assertGreaterEqual(linux["TCPFastOpenPassive"], completed - 1)
            self.assertEqual(linux["TCPFastOpenPassiveFail"], 0)
            times = found["response_time_seconds"]
            self.assertTrue(ROUND_TRIP <= times["median"] < 1.9 * ROUND_TRIP, times)
            self.assertGreaterEqual(times["max"], 2 * ROUND_TRIP)  # of the one that asked

    def test_a_linux_client_is_answered_a_round_trip_earlier(self):
        with Lab() as lab:
            host, inside, emulator = self.network(lab, "client", WHO="client", OTHER="endpoint server { simulated = web.server(service = 0 s), tcp = fast }",
                                                  NEAR="client", FAR="server", WORKLOAD=READER)
            live = lab.start(emulator, "live", "--attach", "client=if:veth0", "--for", "300s", space=inside)
            where = addresses(emulator)["server"]
            wait_until(lambda: lab.run_in(host, "ping", "-c", 1, "-W", 1, where, check=False).returncode == 0, 10, "the network: " + live.output())
            before = counters(lab, host)
            said = lab.run_in(host, "python3", "-c", CLIENT, where, 8).stdout.splitlines()
            after = counters(lab, host)
            self.assertEqual({line.split(" ", 1)[1] for line in said}, {"HTTP/1.0 200 OK"})
            times = [float(line.split()[0]) for line in said]
            self.assertGreaterEqual(times[0], 2 * ROUND_TRIP)
            self.assertGreaterEqual(min(times), ROUND_TRIP)
            self.assertLess(median(times), 1.9 * ROUND_TRIP)  # other work on the machine may delay one
            # Data went with the SYN, and were acknowledged with it.
            self.assertEqual(after["TCPFastOpenActive"] - before["TCPFastOpenActive"], 7)
            self.assertEqual(after["TCPFastOpenActiveFail"] - before["TCPFastOpenActiveFail"], 0)


if __name__ == "__main__":
    unittest.main()
