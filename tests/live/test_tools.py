"""What people would try first, on real hosts at both ends of an emulated path: iperf3, dig, curl and a browser. Each figure
is beside the arithmetic of the path that the model declares."""
import json
import re
import shutil
import unittest

from netlab import Lab, addresses, by_the_clock, info, main, wait_until

MODEL = """
import std.ether

model Tools(tunable lost: number in 0 .. 1 = 0) {
  endpoint here  { address = 10.1.0.1 }
  endpoint there { address = 10.2.0.1 }
  router gate
  router far
  link a: here -- gate : ether.gigabit
  link narrow: gate -- far { rate = 10 Mbps, delay = 20 ms, queue = droptail(100 KB), loss = lost }
  link b: far -- there : ether.gigabit
  run { duration = 120 s }
}
"""
RATE, ROUND_TRIP = 10e6, 0.040
PAGE = """<!doctype html><title>page</title><h1>page</h1>
IMAGES
<pre id="times"></pre>
<script>addEventListener("load", () => setTimeout(() => {
  const t = performance.getEntriesByType("navigation")[0];
  const images = performance.getEntriesByType("resource").filter(r => r.name.includes(".svg"));
  document.getElementById("times").textContent = JSON.stringify({first_byte: t.responseStart - t.requestStart,
    shown: [...document.images].filter(i => i.naturalWidth == 7).length, last: Math.max(...images.map(r => r.responseEnd))});
}, 0));</script>
"""


class Tools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lab = lab = Lab()
        cls.addClassCleanup(lab.close)
        cls.emulator = lab.compile(MODEL, "-O0")

    def ends(self, *options):
        """The two hosts' namespaces, and the run between them."""
        lab, where = self.lab, addresses(self.emulator)
        gateway, inside = info(self.emulator)["gateway"], lab.namespace(f"e{len(lab.namespaces)}")
        spaces, attached = [], []
        for name in ("here", "there"):
            space = lab.namespace(f"{name[0]}{len(lab.namespaces)}")
            lab.veth(space, "eth0", inside, f"v{name}")
            lab.run_in(space, "ip", "addr", "add", f"{where[name]}/32", "dev", "eth0")
            lab.run_in(space, "ip", "route", "add", "default", "via", gateway, "dev", "eth0", "onlink")
            spaces.append(space)
            attached += ["--attach", f"{name}=if:v{name}"]
        live = lab.start(self.emulator, "live", *attached, "--for", "100s", *options, space=inside)
        self.addCleanup(live.stop)
        wait_until(lambda: lab.run_in(spaces[0], "ping", "-n", "-c", 1, "-W", 1, where["there"], check=False).returncode == 0, 15,
                   "the path: " + live.output())
        return *spaces, where["there"]

    @by_the_clock("rates of the path, within 2 %")
    def test_iperf3(self):
        here, there, address = self.ends()
        server = self.lab.start("iperf3", "-s", space=there)
        self.addCleanup(server.stop)

        def measured(*options):
            def look():
                done = self.lab.run_in(here, "iperf3", "-J", "-c", address, "-t", 2, *options, check=False)
                return done.returncode == 0 and json.loads(done.stdout)["end"]
            return wait_until(look, 30, "iperf3")

        # Segments of 1448 bytes in packets of 1500, once the buffer is full.
        for direction in ([], ["-R"]):
            end = measured("-O", 1, *direction)
            self.assertAlmostEqual(end["sum_received"]["bits_per_second"], RATE * 1448 / 1500, delta=0.02 * RATE, msg=direction)
        # Half as many datagrams again as fit: a third is lost, but for those that the queue holds. 1400 bytes in packets of 1428.
        end = measured("-u", "-b", "15.3M", "-l", 1400)["sum"]
        sent, lost = end["packets"], end["lost_packets"]
        fit = (RATE * 2 + 100e3 * 8) / 8 / 1428
        self.assertAlmostEqual(sent - lost, fit, delta=0.02 * fit)

    def test_dig(self):
        here, there, address = self.ends("--set", "lost=0.3")
        server = self.lab.start("dnsmasq", "--no-daemon", "--no-resolv", "--no-hosts", "--conf-file=/dev/null", "--pid-file=", "--user=root",
                                f"--listen-address={address}", "--bind-interfaces", "--address=/shop.example/192.0.2.7", space=there)
        self.addCleanup(server.stop)
        wait_until(lambda: f"{address}:53 " in self.lab.run_in(there, "ss", "-lun").stdout, 10, "dnsmasq")
        times, late = [], 0
        for _ in range(10):  # a query or its answer is lost with a chance of 51 %, and asked again after a second
            done = self.lab.run_in(here, "dig", f"@{address}", "shop.example", "+tries=12", "+time=1", check=False)
            self.assertIn("192.0.2.7", done.stdout, done.stdout + server.output())
            times.append(int(re.search(r"Query time: (\d+) msec", done.stdout)[1]))
            late += "timed out" in done.stdout
        # dig counts from the query that is answered, not from the first, a second before,
        self.assertLess(max(times), 1000, times)
        self.assertGreaterEqual(min(times), 40 - 4, times)  # by a clock that ticks every 4 ms
        self.assertGreater(late, 0)
        self.assertLess(late, 10)

    @by_the_clock("when curl and a browser have what they ask for")
    def test_browser_and_curl(self):
        here, there, address = self.ends()
        images, size = 8, 30000
        web = {f"/{i}.svg": 0 for i in range(images)}
        command = self.lab.nginx(web, "types { image/svg+xml svg; text/html html; }")
        for name in web:
            head = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"><!--'
            (self.lab.folder / "web" / name[1:]).write_text(head + "x" * (size - len(head) - 9) + "--></svg>")
        (self.lab.folder / "web/page.html").write_text(PAGE.replace("IMAGES", "\n".join(f'<img src="{name}">' for name in web)))
        server = self.lab.start(*command, "-g", "daemon off;", space=there)
        self.addCleanup(server.stop)
        url = f"http://{address}/page.html"
        wait_until(lambda: self.lab.run_in(here, "curl", "-sf", url, check=False).returncode == 0, 10, "nginx: " + server.output())

        asked = self.lab.run_in(here, "curl", "-sf", "-o", "/dev/null", "-w", "%{time_connect} %{time_starttransfer} %{time_total}",
                                f"http://{address}/0.svg").stdout
        connect, first, total = map(float, asked.split())
        self.assertAlmostEqual(connect, ROUND_TRIP, delta=0.004)
        self.assertAlmostEqual(first, 2 * ROUND_TRIP, delta=0.008)
        # Ten segments, a round trip later the rest, at the rate of the narrow link.
        packets = -(-size // 1448)
        self.assertAlmostEqual(total, 3 * ROUND_TRIP + (packets - 10) * 1500 * 8 / RATE, delta=0.02)

        profile = self.lab.folder / "profile"
        program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        done = self.lab.run_in(here, program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                               f"--user-data-dir={profile}", "--no-first-run", "--disable-background-networking", "--timeout=8000",
                               "--dump-dom", url, timeout=60)
        times = json.loads(re.search(r'id="times">({.*?})<', done.stdout)[1])
        self.assertEqual(times["shown"], images)
        self.assertGreater(times["first_byte"], 1000 * ROUND_TRIP - 1)
        # The page, on a connection that may have been made beforehand, then the images on up to six: no sooner than the narrow link
        # carries them.
        least = 2 * ROUND_TRIP + images * size * 8 * 1500 / 1448 / RATE
        self.assertGreater(times["last"] / 1000, least)
        self.assertLess(times["last"] / 1000, least + 5 * ROUND_TRIP + 0.1)


if __name__ == "__main__":
    main()
