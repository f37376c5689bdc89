"""The paper's arithmetic: a transaction takes three round trips and the server's 1.8 ms.

A round trip from the i-th subnetwork (from 1) is 2 i D on the backbone, plus 0.4 ms on the access path.
"""
import unittest

from emulators import WAN, EmulatorTest

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


if __name__ == "__main__":
    unittest.main()
