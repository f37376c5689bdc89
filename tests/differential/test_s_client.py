"""S-Client against its arithmetic: a load that an overloaded server doesn't slow down, and alike for any number of tasks and threads."""
import unittest

from emulators import EmulatorTest

MODEL = """
import std.web

model Flood {
  host client
  endpoint server { simulated = web.server(SERVER) }
  link client -- server { rate = 100 Gbps, delay = 10 ms }
  workload flood : web.SClient on client {
    server = server, documents = web.fixed(1294 B), start_spread = 0 s, GIVEN
  }
  run { duration = 10 s }
}
"""
ROUND_TRIP = 0.02


class SClient(EmulatorTest):

    def figures(self, given, server="close = at_once"):
        return self.simulate(self.compile(MODEL.replace("GIVEN", given).replace("SERVER", server)))["workloads"][0]["transactions"]

    def test_where_all_is_accepted_a_socket_asks_once_a_round_trip(self):
        for sockets in (1, 5, 40):
            found = self.figures(f"sockets = {sockets}")
            self.assertEqual(found["failed"], 0)
            self.assertAlmostEqual(found["connections"], sockets * 10 / ROUND_TRIP, delta=25.1 * sockets + 1, msg=sockets)

    def test_an_overloaded_server_is_asked_as_often_as_ever(self):
        """A worker of 100 ms and no place to wait: ten a second are served, and every other SYN is given up after 500 ms, per socket twice a
        second and not three times in 75 s."""
        for sockets in (50, 100, 200):
            found = self.figures(f"sockets = {sockets}", "close = at_once, service = 100 ms, workers = 1, backlog = 1")
            given_up = found["failed_by_cause"]["connect"]
            self.assertGreater(found["completed"], 80)
            self.assertLessEqual(found["completed"], 100)
            self.assertAlmostEqual((given_up + found["completed"]) / (sockets * 10 / 0.5), 1, delta=0.08, msg=sockets)
            self.assertAlmostEqual(found["failed_after_seconds"]["connect"]["max"], 0.5, delta=1e-9)

    def test_a_full_backlog_holds_handshakes_back(self):
        """As Linux's: twenty connections at once, of which one is served, and five wait; the others are not established until there is room."""
        found = self.simulate(self.compile("""import std.web
model Twenty {
  endpoint front { simulated = web.process_per_connection(service = 200 ms, processes = 1, processors = 0, backlog = 5, keep_alive = 0 s) }
  switch lan
  host client[20]
  link client[*] -- lan { rate = 1 Gbps, delay = 0 ms }
  link lan -- front { rate = 1 Gbps, delay = 50 ms }
  workload w : web.ClosedLoop on client[*] { server = front, documents = web.fixed(5 B), start_spread = 0 s, think = 1000 s }
  run { duration = 10 s }
}"""))
        self.assertEqual(found["workloads"][0]["transactions"]["completed"], 20)
        self.assertGreater(found["retransmissions"], 30)  # SYN/ACKs, and requests that nobody takes
        self.assertTrue(1 < found["servers"][0]["mean_waiting"] <= 5 * 0.62, found["servers"][0])

    def test_the_time_until_a_socket_gives_up(self):
        """A server that never answers a request: all SYNs but the first two are given up, each after 250 ms."""
        text = MODEL.replace("GIVEN", "sockets = 10, connect_timeout = 250 ms").replace("SERVER", "workers = 1, backlog = 1, service = 1 h")
        found = self.simulate(self.compile(text))["workloads"][0]["transactions"]
        self.assertAlmostEqual(found["failed_by_cause"]["connect"], 10 * (10 / 0.25 - 1), delta=20)


class Alike(EmulatorTest):
    def test_however_it_is_run(self):
        text = """
import std.web
component Site(hosts: int, server: node) {
  router gateway
  host pc[hosts]
  link pc[*] -- gateway { rate = 100 Mbps, delay = 1 ms }
  workload flood : web.SClient on pc[*] {
    server = server, sockets = 3, connect_timeout = 100 ms, documents = [web.catalogue(300, lognormal(3600 B, 1.4)), web.fixed(1 KB)]
  }
}
model Parallel {
  endpoint server { simulated = web.process_per_connection(service = exponential(4 ms), processes = 4, backlog = 5) }
  Site site[4](hosts = 3, server = server)
  router core
  link site[*].gateway -- core { rate = 100 Mbps, delay = 2 ms }
  link core -- server { rate = 1 Gbps, delay = 3 ms }
  from 1 s to 1.3 s { site[*].flood off }
  run { duration = 3 s }
}
"""
        self.however_it_is_run(text, "transactions", "series")


if __name__ == "__main__":
    unittest.main()
