"""A real client behind a NAT of the model, and a real server outside: curl and nginx, ping, traceroute, and who may begin."""
import re
import unittest

from netlab import Lab, addresses, info, wait_until

HOME = """
import std.middlebox
model Home {
  endpoint pc { address = 192.168.7.2 }
  host other { address = 192.168.7.3 }
  router box { address = 203.0.113.7, middlebox = middlebox.nat([pc, other]) }
  router isp { address = 203.0.113.1 }
  endpoint site { address = 198.51.100.80 }
  link pc -- box { rate = 100 Mbps, delay = 1 ms }
  link other -- box { rate = 100 Mbps, delay = 1 ms }
  link box -- isp { rate = 20 Mbps, delay = 5 ms }
  link isp -- site { rate = 1 Gbps, delay = 2 ms, mtu = 1200 B }
  run { duration = 60 s }
}
"""


class Nat(unittest.TestCase):
    def test_a_real_client_is_seen_by_the_address_outside(self):
        with Lab() as lab:
            emulator = lab.compile(HOME)
            where, gateway = addresses(emulator), info(emulator)["gateway"]
            inside = lab.namespace("e")
            spaces = {}
            for name in ("pc", "site"):
                spaces[name] = lab.namespace(name[0])
                lab.veth(spaces[name], "eth0", inside, f"veth-{name}")
                lab.run_in(spaces[name], "ip", "addr", "add", f"{where[name]}/32", "dev", "eth0")
                lab.run_in(spaces[name], "ip", "route", "add", "default", "via", gateway, "dev", "eth0", "onlink")
            log = lab.folder / "access.log"
            command = lab.nginx({"/big": 300_000}, f'log_format who "$remote_addr $remote_port"; server {{ listen 8080; root {lab.folder}/web; access_log {log} who; }}')
            lab.start(*command, "-g", "daemon off;", space=spaces["site"])
            live = lab.start(emulator, "live", "--attach", "pc=if:veth-pc", "--attach", "site=if:veth-site", "--for", "300s",
                             "--results", lab.folder / "results.json", space=inside)
            fetch = ("curl", "-s", "-m", 10, "-w", "%{size_download} %{local_port}", "-o", "/dev/null", f"http://{where['site']}:8080/big")
            said = wait_until(lambda: (done := lab.run_in(spaces["pc"], *fetch, check=False)).returncode == 0 and done.stdout, 20, "a download")
            size, port = said.split()
            # All of it has come through links of less than its MTU, whose errors cross the NAT.
            self.assertEqual(int(size), 300_000, live.output())
            seen = log.read_text().split()[-2:]
            self.assertEqual(seen, [where["box"], port])
            # Pings and what routers say of packets that were translated.
            self.assertIn(" 0% packet loss", lab.run_in(spaces["pc"], "ping", "-c", 3, "-i", 0.2, where["site"]).stdout)
            trace = lab.run_in(spaces["pc"], "traceroute", "-n", "-q", 1, "-w", 2, where["site"]).stdout
            hops = re.findall(r"^\s*\d+\s+(\S+)", trace, re.M)[-3:]
            self.assertEqual(hops, [where["box"], where["isp"], where["site"]], trace)
            # Nobody outside begins.
            done = lab.run_in(spaces["site"], "ping", "-c", 2, "-i", 0.2, "-W", 1, where["pc"], check=False)
            self.assertIn("100% packet loss", done.stdout)


if __name__ == "__main__":
    unittest.main()
