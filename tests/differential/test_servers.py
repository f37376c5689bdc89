"""Simulated servers against queueing theory, open-loop clients, sets of documents; the same on any number of threads."""
import collections
import math
import unittest

from emulators import EmulatorTest, run

# Many clients on links that take no time: what they measure is the server.
QUEUE = """
import std.web

model Queue(tunable gap: time in 10 us .. 100 s = 20 ms) {
  host client[20]
  endpoint server { simulated = SERVER }
  router r
  link client[*] -- r { rate = 100 Gbps, delay = 1 us }
  link entry: r -- server { rate = 100 Gbps, delay = 1 us, queue = droptail(1 GB) }
  workload crowd : web.OpenLoop on client[*] {
    server = server, documents = DOCUMENTS, interval = exponential(gap), connect_timeout = 1 ms, timeout = 0 s
  }
  run { duration = DURATION, warmup = 5 s }
}
"""


def queue(server, documents="web.fixed(1 B)", duration="205 s"):
    return QUEUE.replace("SERVER", server).replace("DOCUMENTS", documents).replace("DURATION", duration)


def erlang_c(servers, load):
    """Probability that a request waits, of M/M/c with an offered load in Erlangs."""
    blocking = 1.0
    for n in range(1, servers + 1):
        blocking = load * blocking / (n + load * blocking)
    return servers * blocking / (servers - load * (1 - blocking))


class Queues(EmulatorTest):
    """20 clients, each a request in 20 ms: 1000/s. 200 s are 200 000 requests, and thousands of busy periods."""

    def server(self, text, *options):
        results = self.simulate(self.compile(text), *options)
        server = results["servers"][0]
        self.assertEqual(server["name"], "server")
        return server, results

    def test_one_server(self):
        """M/M/1 at 0.7: 0.7 busy, 0.49 / 0.3 waiting."""
        server, results = self.server(queue("web.server(service = exponential(0.7 ms), workers = 1, close = at_once)"))
        self.assertAlmostEqual(server["requests"] / 200_000, 1, delta=4 / math.sqrt(200_000))
        self.assertAlmostEqual(server["mean_busy"], 0.7, delta=0.01)
        self.assertAlmostEqual(server["mean_waiting"], 0.49 / 0.3, delta=0.12)
        # Little's law, and what the clients see: a sojourn of 0.7 ms / 0.3 besides three times 4 us.
        answer = results["workloads"][0]["phase_seconds"]["answer"]
        self.assertAlmostEqual(answer * 1000, server["mean_busy"] + server["mean_waiting"], delta=0.02)
        self.assertEqual(results["transactions"]["failed"], 0)

    def test_fixed_service(self):
        """M/D/1 waits half as long (Pollaczek and Khinchine)."""
        server, _ = self.server(queue("web.server(service = 0.7 ms, workers = 1, close = at_once)"))
        self.assertAlmostEqual(server["mean_waiting"], 0.49 / 0.3 / 2, delta=0.05)

    def test_several_servers(self):
        """M/M/c by Erlang's C formula."""
        for workers, service in ((2, 1.4), (5, 4)):
            server, _ = self.server(
                queue(f"web.server(service = exponential({service} ms), workers = {workers}, close = at_once)"))
            waiting = erlang_c(workers, service) * service / (workers - service)
            self.assertAlmostEqual(server["mean_busy"], service, delta=0.02 * service)
            self.assertAlmostEqual(server["mean_waiting"], waiting, delta=0.09 * waiting + 0.02)

    def test_a_backlog_that_is_full(self):
        """M/M/1/K: one in service, four waiting. A SYN is sent once, so that what is dropped stays away."""
        server, results = self.server(
            queue("web.server(service = exponential(0.9 ms), workers = 1, backlog = 4, close = at_once)"))
        load, room = 0.9, 5
        blocked = (1 - load) * load ** room / (1 - load ** (room + 1))
        share = server["dropped_connections"] / (server["dropped_connections"] + server["requests"])
        self.assertAlmostEqual(share, blocked, delta=0.006)
        failed = results["transactions"]["failed_by_cause"]
        self.assertAlmostEqual(failed["connect"], server["dropped_connections"], delta=3)

    def test_processor_sharing(self):
        """M/G/1 with a shared processor: 0.7 / 0.3 in service, whatever the distribution of the service time is."""
        for service in ("exponential(0.7 ms)", "0.7 ms", "mixture([90 %, 10 %], [exponential(0.2 ms), exponential(5.2 ms)])",
                        "uniform(0 ms, 1.4 ms)"):
            server, results = self.server(queue(f"web.server(service = {service}, processors = 1, close = at_once)"))
            self.assertAlmostEqual(server["mean_busy"], 0.7 / 0.3, delta=0.2, msg=service)
            self.assertEqual(server["mean_waiting"], 0)
            self.assertEqual(results["transactions"]["failed"], 0)

    def test_several_processors(self):
        """M/M/c with sharing has as many in it as one whose requests wait."""
        server, _ = self.server(queue("web.server(service = exponential(1.4 ms), processors = 2, close = at_once)"))
        expected = 1.4 + erlang_c(2, 1.4) * 1.4 / 0.6
        self.assertAlmostEqual(server["mean_busy"], expected, delta=0.09 * expected)

    def test_past_the_capacity(self):
        """2000/s for a server of 1000/s: it works at its capacity, its backlog is full, the rest is dropped."""
        server, results = self.server(
            queue("web.server(service = exponential(1 ms), workers = 1, backlog = 100, close = at_once)", duration="25 s"),
            "--set", "gap=10ms")
        self.assertAlmostEqual(results["transactions"]["per_second"], 1000, delta=35)
        self.assertAlmostEqual(server["dropped_connections"] / 20, 1000, delta=60)
        self.assertGreater(server["mean_waiting"], 97)

    def test_what_a_syn_costs(self):
        """The processor has for requests what SYNs leave: 1 - rate * cost of it, nothing from 5000/s on."""
        emulator = self.compile(queue(
            "web.server(service = exponential(1 ms), workers = 10, processors = 1, backlog = 20, syn_cost = 0.2 ms, close = at_once)",
            duration="25 s"))
        for gap, left in (("10ms", 600), ("6667us", 400), ("5ms", 200), ("3ms", 0)):
            results = self.simulate(emulator, "--set", f"gap={gap}")
            self.assertAlmostEqual(results["transactions"]["per_second"], left, delta=25, msg=gap)

    def test_syns_on_one_of_two_processors(self):
        """They take half of one of two processors: three requests in service share the other 1.5."""
        results = self.simulate(self.compile(queue(
            "web.server(service = 1 ms, workers = 3, processors = 2, backlog = 20, syn_cost = 0.1 ms, close = at_once)",
            duration="25 s")), "--set", "gap=4ms")
        self.assertAlmostEqual(results["transactions"]["per_second"], 1500, delta=30)


SLOW = """
import std.access
import std.web

model Slow(clients: int in 1 .. 10000 = 40) {
  profile few : Tcp { initial_window = 2 }
  host client[clients] { tcp = few }
  endpoint server { simulated = SERVER }
  router r
  link client[*] -- r : access.modem_28k8
  link r -- server { rate = 1 Gbps }
  workload fetch : web.ClosedLoop on client[*] {
    server = server, documents = web.fixed(10000 B), connect_timeout = 1 h, timeout = 0 s
  }
  run { duration = 400 s, warmup = 50 s }
}
"""


class Processes(EmulatorTest):
    def rate(self, server):
        results = self.simulate(self.compile(SLOW.replace("SERVER", server)))
        return results["transactions"]["per_second"], results["servers"][0]

    def test_slow_clients_keep_processes(self):
        """40 modems that take 3 s and more: an event loop serves all at once, ten processes ten of them."""
        all_at_once, server = self.rate("web.event_driven(service = 1 ms)")
        self.assertLess(server["mean_busy"], 1)
        self.assertGreater(all_at_once, 40 / 4)
        ten, server = self.rate("web.process_per_connection(service = 1 ms, processes = 10)")
        self.assertAlmostEqual(server["mean_busy"], 10, delta=0.01)
        self.assertAlmostEqual(server["mean_waiting"], 30, delta=1.5)
        self.assertLess(ten, 0.35 * all_at_once)
        enough, server = self.rate("web.process_per_connection(service = 1 ms, processes = 40)")
        self.assertAlmostEqual(enough / all_at_once, 1, delta=0.01)
        # Little's law: a process is held for nearly all of a transaction, some 0.1 s of handshake left out.
        self.assertGreater(server["mean_busy"], 0.9 * 40)


HANDSHAKES = """
import std.tcp
import std.web

model Handshakes {
  host client[100] { tcp = TCP }
  endpoint server { simulated = SERVER }
  router r
  link edge: client[*] -- r { rate = 1 Gbps, delay = 100 ms, loss = LOSS }
  link entry: r -- server { rate = 1 Gbps, delay = 100 ms }
  workload fetch : web.ClosedLoop on client[*] {
    server = server, documents = web.fixed(1 KB), think = 1 h, start_spread = 0 s, timeout = 0 s
  }
  run { duration = 100 s, warmup = 0 s }
}
"""


class Handshakes(EmulatorTest):
    def shown(self, tcp, server, loss, until):
        emulator = self.compile(HANDSHAKES.replace("TCP", tcp).replace("SERVER", server).replace("LOSS", loss), "-O0")
        return [self.simulate(emulator, "--for", f"{end} s") for end in until]

    def test_syns_of_bsd(self):
        """They leave at 0, 6 and 30 s, and the connection is given up at 75 s."""
        found = self.shown("tcp.bsd", "web.server()", "1", (5.9, 6.1, 29.9, 30.1, 74.9, 75.1))
        self.assertEqual([results["packets"]["sent"] for results in found], [100, 200, 200, 300, 300, 300])
        self.assertEqual([results["transactions"]["failed_by_cause"]["connect"] for results in found], [0, 0, 0, 0, 0, 100])

    def test_half_open_connections(self):
        """100 SYNs come before the first handshake is over: a queue of 60 for connections half open has room for 60, one for others for all."""
        server = "web.server(service = 1 ms, workers = 1, backlog = 60{})"
        for more, expected in ((", half_open = true", 40), ("", 0)):
            results, = self.shown("tcp.ip_tne", server.format(more), "0", (4,))
            self.assertEqual(results["servers"][0]["dropped_connections"], expected)
            self.assertEqual(results["transactions"]["completed"], 100 - expected)
        # Those that found no place send their SYN again, 6 s later.
        results, = self.shown("tcp.bsd", server.format(", half_open = true"), "0", (40,))
        self.assertEqual(results["transactions"]["completed"], 100)


class Documents(EmulatorTest):
    SERVER = "web.server(close = at_once)"

    def bytes_each(self, documents, head):
        """Mean size of the bodies that were fetched: responses less their heads."""
        results = self.simulate(self.compile(queue(self.SERVER, documents, "25 s")))
        transactions = results["transactions"]
        self.assertEqual(transactions["failed"], 0)
        return transactions["response_bytes"] / transactions["completed"] - head, transactions["completed"]

    def test_popularity(self):
        """Two documents, 1000 B and 100 000 B long by the file: the first is asked for 2^2 times as often."""
        sizes = self.folder / "sizes.txt"
        sizes.write_text("1000\n100000\n")
        small = large = None
        for seed in range(1, 20):  # until the first is small and the second large
            text = queue(self.SERVER, f'web.catalogue(2, empirical("{sizes}", 1 B), exponent = 2, seed = {seed})', "6 s")
            results = self.simulate(self.compile(text))
            mean = results["transactions"]["response_bytes"] / results["transactions"]["completed"]
            if 15_000 < mean < 30_000 and small is None:
                small = mean
            if 70_000 < mean < 90_000 and large is None:
                large = mean
            if small and large:
                break
        # 4/5 of the requests for the one, 1/5 for the other; heads have some 120 B.
        self.assertAlmostEqual(small, (4 * 1000 + 100_000) / 5 + 120, delta=3000)
        self.assertAlmostEqual(large, (4 * 100_000 + 1000) / 5 + 120, delta=3000)

    def test_sizes(self):
        """10 000 equally popular documents of 1 to 9 KB: 5 KB on average."""
        mean, count = self.bytes_each("web.catalogue(10000, uniform(1 KB, 9 KB), exponent = 0)", 120)
        self.assertGreater(count, 15_000)
        self.assertAlmostEqual(mean, 5 * 1024, delta=4 * 8192 / math.sqrt(12) / math.sqrt(10_000) + 20)

    def test_sizes_belong_to_the_model(self):
        text = queue(self.SERVER, "web.catalogue(1, lognormal(3600 B, 1.4), path = \"/set\")", "6 s")
        emulator = self.compile(text)
        sizes = set()
        for seed in (1, 2, 3):
            transactions = self.simulate(emulator, "--seed", seed)["transactions"]
            sizes.add(transactions["response_bytes"] / transactions["completed"])
        self.assertEqual(len(sizes), 1)
        other = self.simulate(self.compile(text.replace('"/set"', '"/set", seed = 2')))["transactions"]
        self.assertNotIn(other["response_bytes"] / other["completed"], sizes)

    def test_paths(self):
        capture = self.fresh("entry.pcap")
        emulator = self.compile(queue(self.SERVER, 'web.catalogue(2000, 1 KB, exponent = 0, path = "/set")', "6 s"))
        run(emulator, "simulate", "--for", "5s", "--capture", f"entry>={capture}")
        rows = run("tshark", "-n", "-r", capture, "-Y", "http.request", "-T", "fields", "-e", "http.request.uri").stdout.split()
        self.assertGreater(len(set(rows)), 1500)
        for row in rows:
            number = int(row.rsplit("/", 1)[1])
            self.assertEqual(row, f"/set/{number % 10}/{number // 10 % 10}/{number // 100 % 10}/{number}")
            self.assertTrue(1 <= number <= 2000)

    def written(self, documents):
        """The sizes of the set's files by their paths."""
        emulator, folder = self.compile(queue(self.SERVER, documents, "6 s")), self.fresh("www")
        run(emulator, "info", "--documents", folder)
        return {str(path.relative_to(folder)): path.stat().st_size for path in folder.rglob("*") if path.is_file()}

    def asked(self, documents):
        """By each of the hosts, the paths in the order in which it asked."""
        capture = self.fresh("entry.pcap")
        run(self.compile(queue(self.SERVER, documents, "6 s")), "simulate", "--capture", f"entry>={capture}")
        fields = ("-T", "fields", "-e", "ip.src", "-e", "http.request.uri")
        rows = run("tshark", "-n", "-r", capture, "-Y", "http.request", *fields).stdout.split()
        by_host = collections.defaultdict(list)
        for source, path in zip(rows[::2], rows[1::2]):
            by_host[source].append(path)
        return by_host

    def test_prowgen_sizes(self):
        """3000 documents of a web server, as the paper has them: 30 MB, 3600 B in the median, 9963 B on average, 1.4 MB at most."""
        sizes = sorted(self.written("web.prowgen(3000)").values())
        self.assertEqual(len(sizes), 3000)
        self.assertAlmostEqual(sizes[1500], 3600, delta=400)
        self.assertAlmostEqual(sum(sizes) / 3000, 9963, delta=1500)
        self.assertLessEqual(sizes[-1], 1_400_000)

    def test_prowgen_requests(self):
        """Hosts share the sequence out, and begin anew: 3 documents of 8 once, the others as often as k^-1 has it, in 40 requests."""
        counts = collections.Counter()
        by_host = self.asked('web.prowgen(8, requests = 40, one_timers = 0.375, slope = 1, stack = 4, body = 1 B, tail = 1 B)')
        self.assertGreater(len(by_host), 1)
        hosts = len(by_host)
        for paths in by_host.values():
            own = next(n for n in (40 // hosts, 40 // hosts + 1) if len(paths) > 2 * n and paths[:n] == paths[n:2 * n])
            counts.update(paths[:own])
        self.assertEqual(sum(counts.values()), 40)
        numbers = [counts[f"/{k}/0/0/{k}"] for k in range(1, 9)]
        self.assertEqual(numbers[5:], [1, 1, 1])
        # 37 requests in proportion to 1, 1/2, ... 1/5.
        for k, number in enumerate(numbers[:5], 1):
            self.assertAlmostEqual(number, 37 / k / (137 / 60), delta=1)

    def test_specweb99_files(self):
        files = self.written("web.specweb99(3)")
        self.assertEqual(len(files), 108)
        for directory in range(3):
            for of in range(4):
                for number in range(9):
                    size = files[f"file_set/dir{directory:05}/class{of}_{number}"]
                    self.assertAlmostEqual(size, 102.4 * 10 ** of * (number + 1), delta=0.5)

    def test_specweb99_requests(self):
        """35, 50, 14 and 1 % of the requests are for the four classes, 35.3 % for each one's fifth file; two thirds for the first of two directories."""
        paths = [path for paths in self.asked("web.specweb99(2)").values() for path in paths]
        self.assertGreater(len(paths), 2000)
        shares = {"class0": 0.35, "class1": 0.5, "class2": 0.14, "class3": 0.01, "_4": 0.353, "_0": 0.039, "dir00000": 2 / 3}
        for part, share in shares.items():
            found = sum(f"/{part}_" in path or path.endswith(part) or f"/{part}/" in path for path in paths) / len(paths)
            self.assertAlmostEqual(found, share, delta=4 * math.sqrt(share * (1 - share) / len(paths)), msg=part)

    def test_any_number_of_threads(self):
        text = """
import std.web
component Site(hosts: int, server: node) {
  router gateway
  host pc[hosts]
  link pc[*] -- gateway { rate = 100 Mbps, delay = 1 ms }
  workload surf : web.OpenLoop on pc[*] {
    server = server, interval = exponential(50 ms), start_spread = 10 ms
    documents = [web.catalogue(3000, mixture([93 %, 7 %], [lognormal(3600 B, 1.4), pareto(10000 B, 1.2)])), web.fixed(1 KB),
                 web.prowgen(300, requests = 1000), web.specweb99(5)]
  }
}
model Sites {
  endpoint server { simulated = web.process_per_connection(service = exponential(1 ms), processes = 8, backlog = 5) }
  Site site[4](hosts = 5, server = server)
  router core
  link site[*].gateway -- core { rate = 20 Mbps, delay = 5 ms }
  link core -- server { rate = 100 Mbps, delay = 1 ms, loss = 1 % }
  from 3 s to 4 s { site[1].surf off }
  run { duration = 10 s }
}
"""
        expected, _ = self.however_it_is_run(text, "workloads", "servers", "series")
        self.assertGreater(expected[2][0]["dropped_connections"], 0)
        self.either_tier_has(text, *expected[:2])


if __name__ == "__main__":
    unittest.main()
