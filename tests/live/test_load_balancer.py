"""A load balancer of the model between a real client and real servers: curl and two nginx, of which one is stopped."""
import collections
import unittest

from netlab import Lab, addresses, info, wait_until

SITE = """
import std.middlebox
model Site {
  endpoint pc { address = 192.168.7.2 }
  router isp { address = 192.168.7.1 }
  endpoint web[2]
  router lb { address = 203.0.113.80, middlebox = middlebox.load_balancer(middlebox.back_end(web[*]), to_port = 8080, max_fails = 1, fail_timeout = 30 s) }
  link pc -- isp { rate = 100 Mbps, delay = 2 ms }
  link isp -- lb { rate = 100 Mbps, delay = 2 ms }
  link web[*] -- lb { rate = 1 Gbps, delay = 1 ms }
  run { duration = 60 s }
}
"""


class LoadBalancer(unittest.TestCase):
    def nginx(self, lab, space, name):
        """One that says its name."""
        temporary = "".join(f"{kind}_temp_path {lab.folder}/{name}_{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        config = lab.folder / f"{name}.conf"
        config.write_text(f"""user root; pid {lab.folder}/{name}.pid; error_log {lab.folder}/{name}.log; daemon off; master_process off;
events {{ }} http {{ access_log off; {temporary} server {{ listen 8080; return 200 {name}; }} }}""")
        return lab.start("nginx", "-p", lab.folder, "-e", f"{lab.folder}/{name}.log", "-c", config, space=space)

    def test_real_servers_share_connections(self):
        with Lab() as lab:
            emulator = lab.compile(SITE)
            where, gateway = addresses(emulator), info(emulator)["gateway"]
            inside = lab.namespace("e")
            spaces, attach = {}, []
            for i, name in enumerate(("pc", "web[0]", "web[1]")):
                spaces[name] = lab.namespace(f"n{i}")
                lab.veth(spaces[name], "eth0", inside, f"veth-{i}")
                lab.run_in(spaces[name], "ip", "addr", "add", f"{where[name]}/32", "dev", "eth0")
                lab.run_in(spaces[name], "ip", "route", "add", "default", "via", gateway, "dev", "eth0", "onlink")
                attach += ["--attach", f"{name}=if:veth-{i}"]
            live = lab.start(emulator, "live", *attach, "--for", "300s", "--results", lab.folder / "results.json", space=inside)
            servers = {}
            for i in (0, 1):
                servers[i] = self.nginx(lab, spaces[f"web[{i}]"], f"web{i}")
                wait_until(lambda: ":8080 " in lab.run_in(spaces[f"web[{i}]"], "ss", "-ltn").stdout, 10, "nginx")  # a refusal counts for 30 s
            fetch = ("curl", "-s", "-m", "5", f"http://{where['lb']}/name")
            ask = lambda: lab.run_in(spaces["pc"], *fetch, check=False).stdout.strip()
            wait_until(lambda: {ask() for _ in range(4)} == {"web0", "web1"}, 20, "both servers")
            asked = collections.Counter(ask() for _ in range(20))
            self.assertEqual(asked, {"web0": 10, "web1": 10}, live.output())
            # One is stopped: its refusal is the last that anybody sees of it.
            servers[0].stop()
            left = collections.Counter(ask() for _ in range(12))
            self.assertLessEqual(left[""], 1)
            self.assertGreaterEqual(left["web1"], 11)


if __name__ == "__main__":
    unittest.main()
