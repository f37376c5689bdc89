"""Virtual clients fetch documents from a real nginx."""
import json
import os
import re
import signal
import subprocess
import unittest

from netlab import ROOT, Lab, addresses, by_the_clock, info, main, run, wait_until

WAN = ROOT / "examples/paper-wan/wan.anml"

# The paper's network with the simulated server set to answer as nginx does: FIN with the data, no service time.
AT_ONCE = (WAN.read_text()
           .replace("web.server(service = 1.8 ms)", "web.server(close = at_once)")
           .replace("duration = 120 s, warmup = 5 s", "duration = 6 s, warmup = 1 s"))


CROWD = """
import std.ether
import std.web
model Crowd {
  endpoint server { simulated = web.event_driven() }
  router gate
  host client[20]
  link desk: client[*] -- gate : ether.fast
  link entry: gate -- server : ether.gigabit { delay = 5 ms }
  workload crowd : web.OpenLoop on client[*] {
    server = server, documents = web.catalogue(50, lognormal(3600 B, 1.0), path = "/set"), interval = exponential(100 ms)
  }
  run { duration = 6 s, warmup = 1 s }
}
"""


def results(path):
    return json.loads(path.read_text())


class Web(unittest.TestCase):
    def test_an_open_loop_asks_a_real_server_for_a_set_of_documents(self):
        with Lab() as lab:
            emulator = lab.compile(CROWD)
            command = lab.nginx({})
            run(emulator, "info", "--documents", lab.folder / "web")
            self.assertEqual(sum(path.is_file() for path in (lab.folder / "web").rglob("*")), 50)
            run(emulator, "simulate", "--warmup", "0s", "--results", lab.folder / "simulated.json")
            run(emulator, "live", "--warmup", "0s", "--results", lab.folder / "live.json", "--sandbox", "--", *command, timeout=60)
            edge = results(lab.folder / "live.json")["live"]
            # An estimate, of the whole run; and no share of a processor, which depends on who else is busy.
            self.assertLess(0.5, edge["forecast"]["packets_per_second"] * 6 / (edge["released"] + edge["received"]))
            self.assertLess(edge["forecast"]["packets_per_second"] * 6 / (edge["released"] + edge["received"]), 2)
            simulated, live = (results(lab.folder / f"{kind}.json")["transactions"] for kind in ("simulated", "live"))
            self.assertEqual(live["failed"], 0)
            # The load is the clients' doing: the same requests at the same times. nginx has longer headers.
            begun = [kind["completed"] + kind["in_progress"] for kind in (simulated, live)]
            self.assertAlmostEqual(*begun, delta=2)
            bytes_each = [kind["response_bytes"] / kind["completed"] for kind in (simulated, live)]
            self.assertAlmostEqual(bytes_each[1] - bytes_each[0], 150, delta=150)

    def test_what_will_not_fit_is_told_before(self):
        with Lab() as lab:
            model = CROWD.replace("exponential(100 ms)", "exponential(100 us)").replace("ether.fast", "ether.gigabit")
            emulator = lab.compile(model.replace("ether.gigabit { delay", "ether.ten_gigabit { delay"), "-O0")
            said = {}
            for options in ((), ("--no-workload",)):
                done = run(emulator, "live", "--for", "200ms", *options, "--sandbox", "--", *lab.nginx({"/1024": 1024}), check=False, timeout=60)
                said[options] = done.stderr
            self.assertRegex(said[()], "forecast: .* million packets/s .* of a processor\nwarning: that will not fit")
            self.assertNotIn("forecast", said[("--no-workload",)])

    @by_the_clock("transactions per second, within 5 %")
    def test_one_client_is_as_fast_as_simulated(self):
        """Two round trips a transaction; the server's time, read from a capture at the server, is taken off."""
        with Lab() as lab:
            emulator = lab.compile(AT_ONCE, "-D", "N=1", "-D", "H=1")
            run(emulator, "simulate", "--results", lab.folder / "simulated.json")
            expected = results(lab.folder / "simulated.json")["transactions"]["per_second"]
            command = lab.nginx({"/1024": 1024})
            measured, server = self.rate_without_server(lab, emulator, command)
            self.assertLess(server, 0.005, "the real server takes too long to compare")
            self.assertAlmostEqual(measured / expected, 1, delta=0.05,
                                   msg=f"live {measured:.1f}/s, simulated {expected:.1f}/s, server {server * 1e6:.0f} us")

    def rate_without_server(self, lab, emulator, command):
        """Transactions per second of a live run, the server's time taken off, and that time per transaction."""
        capture = lab.folder / "entry.pcap"
        run(emulator, "live", "--for", "4s", "--results", lab.folder / "live.json", "--capture", f"entry={capture}", "--sandbox", "--",
            *command, timeout=60)
        live = results(lab.folder / "live.json")
        self.assertEqual(live["transactions"]["failed"], 0)
        # What the real host took of each transaction: from its SYN and its GET to their answers. A capture shows
        # a packet where it starts transmission, so the packets towards the server are 1 ms early.
        rows = run("tshark", "-r", capture, "-T", "fields", "-e", "frame.time_epoch", "-e", "tcp.stream",
                   "-e", "ip.src", "-e", "tcp.flags.syn", "-e", "tcp.len").stdout.split("\n")
        asked, took, transactions = {}, 0.0, set()
        for row in filter(None, rows):
            time, stream, source, syn, length = row.split("\t")
            time, syn, length = float(time), syn in ("1", "True"), int(length)
            if not (syn or length):
                continue
            if source != "10.0.0.80":
                asked[stream] = time
            elif stream in asked:
                took += time - asked.pop(stream) - 0.001
                transactions.add(stream)
        server = took / len(transactions)
        return 1 / (live["response_time_seconds"]["mean"] - server), server

    def test_a_live_capture_is_clean(self):
        """No bad checksum, malformed packet or unexplained RST, on the emulator's link and at the real host."""
        with Lab() as lab:
            emulator = lab.compile(AT_ONCE, "-D", "N=4", "-D", "H=4")
            host, inside = lab.namespace("h"), lab.namespace("e")
            lab.veth(host, "eth0", inside, "veth0")
            # The kernel would show us checksums that it leaves to a network card to fill in.
            lab.run_in(host, "ethtool", "-K", "eth0", "tx", "off", "tso", "off", "gso", "off")
            where = info(emulator)
            lab.run_in(host, "ip", "addr", "add", "10.0.0.80/32", "dev", "eth0")
            lab.run_in(host, "ip", "route", "add", "10.0.0.0/8", "via", where["gateway"], "dev", "eth0", "onlink")
            outside = lab.folder / "outside.pcap"
            dump = lab.start("tcpdump", "-i", "eth0", "-s", 0, "-w", outside, "--immediate-mode", space=host)
            server = lab.start(*lab.nginx({"/1024": 1024}), "-g", "daemon off;", space=host)
            wait_until(lambda: "listening on" in dump.output(), 10, "tcpdump")
            entry = lab.folder / "entry.pcap"
            lab.run_in(inside, emulator, "live", "--attach", "server=if:veth0", "--for", "3s", "--capture",
                       f"entry={entry}", "--results", lab.folder / "live.json", timeout=60)
            server.stop(signal.SIGTERM)
            dump.stop(signal.SIGINT)
            self.assertGreater(results(lab.folder / "live.json")["transactions"]["completed"], 100)
            self.assertEqual(results(lab.folder / "live.json")["transactions"]["failed"], 0)
            for capture in (entry, outside):
                checks = ("-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE")
                # Linux writes a TCP checksum of zero as 0xffff, its one's complement twin (skb_checksum_help); that is
                # the real host's own doing and valid, though tshark calls it bad.
                bad = run("tshark", "-r", capture, *checks, "-Y",
                          "(ip.checksum.status==0 || tcp.checksum.status==0 || icmp.checksum.status==0 || _ws.malformed"
                          " || _ws.expert.severity==error) && !(tcp.checksum==0xffff && ip.src==10.0.0.80)").stdout
                self.assertEqual(bad, "", f"{capture.name}:\n{bad[:2000]}")
            # Inside there is no RST at all; at the host only those of the gateway's probes for readiness.
            self.assertEqual(run("tshark", "-r", entry, "-Y", "tcp.flags.reset==1").stdout, "")
            gateway = where["gateway"]
            self.assertEqual(run("tshark", "-r", outside, "-Y", f"tcp.flags.reset==1 && ip.addr!={gateway}").stdout, "")
            lost = run("tshark", "-r", outside, "-Y", "tcp.analysis.lost_segment || tcp.analysis.ack_lost_segment").stdout
            self.assertEqual(lost, "")

    def test_a_second_run_against_the_same_server(self):
        """The server still holds the first run's connections in TIME_WAIT; the same clients and ports come again."""
        with Lab() as lab:
            emulator = lab.compile(AT_ONCE, "-D", "N=1", "-D", "H=4", "-D", "D=0.1ms")
            host, inside = lab.host_outside(emulator)
            lab.start(*lab.nginx({"/1024": 1024}), "-g", "daemon off;", space=host)
            completed = []
            for seed in (1, 1, 2):
                lab.run_in(inside, emulator, "live", "--attach", "server=if:veth0", "--for", "2s", "--seed", seed,
                           "--results", lab.folder / "r.json", timeout=60)
                done = results(lab.folder / "r.json")["transactions"]
                self.assertEqual(done["failed"], 0)
                completed.append(done["completed"])
            self.assertGreater(min(completed), 50, completed)  # a client that waits for TIME_WAIT has one or two

    def test_sandbox_as_an_ordinary_user(self):
        with Lab() as lab:
            emulator = lab.compile(AT_ONCE, "-D", "N=2", "-D", "H=2")
            web = lab.nginx({"/1024": 1024})
            before = run("ip", "-br", "link").stdout
            user = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") if os.getuid() == 0 else ()
            run(*user, emulator, "live", "--for", "2s", "--results", lab.folder / "r.json", "--sandbox", "--", *web, timeout=60)
            done = results(lab.folder / "r.json")
            self.assertGreater(done["transactions"]["completed"], 0)
            self.assertEqual(done["transactions"]["failed"], 0)
            self.assertEqual(run("ip", "-br", "link").stdout, before)
            left = subprocess.run(["pgrep", "-f", str(lab.folder)], capture_output=True, text=True).stdout
            self.assertEqual(left, "", "processes of the sandbox are left behind")

    def test_interrupt_still_writes_results(self):
        with Lab() as lab:
            emulator = lab.compile(AT_ONCE, "-D", "N=1", "-D", "H=2")
            live = lab.start(emulator, "live", "--for", "60s", "--results", lab.folder / "r.json", "--sandbox", "--",
                             *lab.nginx({"/1024": 1024}))
            wait_until(lambda: (lab.folder / "nginx.pid").exists(), 10, "nginx")
            import time
            time.sleep(2)
            live.stop(signal.SIGINT)
            done = results(lab.folder / "r.json")
            self.assertTrue(done["interrupted"])
            self.assertGreater(done["transactions"]["completed"], 50)


class Failures(unittest.TestCase):
    def failure(self, lab, *command, timeout=30):
        done = run(*command, check=False, timeout=timeout)
        self.assertNotEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_no_such_interface(self):
        with Lab() as lab:
            emulator = lab.compile(AT_ONCE)
            said = self.failure(lab, emulator, "live", "--attach", "server=if:nosuch0")
            self.assertIn("nosuch0", said)

    def test_no_such_endpoint(self):
        with Lab() as lab:
            emulator = lab.compile(AT_ONCE)
            said = self.failure(lab, emulator, "live", "--attach", "sever=tap:t0")
            self.assertIn("server", said)

    def test_a_server_that_never_answers(self):
        with Lab() as lab:
            emulator = lab.compile(AT_ONCE)
            before, odd = run("ip", "-br", "link").stdout, f"30.{os.getpid()}"  # which nobody else sleeps for
            said = self.failure(lab, emulator, "live", "--wait", "1s", "--results", lab.folder / "r.json",
                                "--sandbox", "--", "sleep", odd)
            self.assertRegex(said, r"10\.0\.0\.80.*did not accept|refused")
            self.assertEqual(run("ip", "-br", "link").stdout, before)
            self.assertEqual(subprocess.run(["pgrep", "-f", f"^sleep {odd}$"], capture_output=True, text=True).stdout, "")

    def test_a_command_that_fails(self):
        with Lab() as lab:
            emulator = lab.compile(AT_ONCE)
            said = self.failure(lab, emulator, "live", "--sandbox", "--", "sh", "-c", "exit 7")
            self.assertIn("7", said)
            said = self.failure(lab, emulator, "live", "--sandbox", "--", "no-such-command-anywhere")
            self.assertIn("no-such-command-anywhere", said)


if __name__ == "__main__":
    main()
