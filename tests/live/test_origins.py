"""Scenarios with several origins, against nginx: each has connections, TLS, cookies and an access log of its own, and the logs have what the clients count."""
import collections
import json
import subprocess
import unittest

from netlab import Lab, run

MODEL = """
import std.web
model Origins {
  endpoint shop
  endpoint auth
  endpoint cdn
  host user[2]
  router r
  link user[*] -- r { rate = 100 Mbps, delay = 1 ms }
  link shop -- r { rate = 1 Gbps, delay = 1 ms }
  link auth -- r { rate = 1 Gbps, delay = 1 ms }
  link cdn -- r { rate = 1 Gbps, delay = 1 ms }
  workload buy : web.KIND on user[*] {
    server = shop, port = 8080, authority = "shop.example", documents = web.requests("FOLDER/shop.http"), begin_with = first
    origins = [web.origin("auth.example", auth), web.origin("cdn.example:8081", cdn), web.origin("other.example:8082", cdn)]
    cookies = true, redirects = 2, GIVEN
  }
  run { duration = 1500 ms }
}
"""
REQUESTS = """
### login
POST https://auth.example/login
Authorization: Basic ann:secret
Content-Type: application/json

{ "user": "ann" }
?? status == 200

### orders
GET http://shop.example/orders
X-Token: {{login.response.body.$.token}}
?? status == 200

### picture
GET http://cdn.example:8081/picture.png

### moved
GET /moved
Authorization: Bearer of-the-shop
?? body includes elsewhere
"""
FORMAT = ("host", "method", "path", "status", "cookie", "token", "authorization", "connection", "requests", "name")
LOG = "log_format kept escape=none '$http_host|$request_method|$uri|$status|$http_cookie|$http_x_token|$http_authorization|$connection|$connection_requests|NAME';"
SERVERS = {
    "shop": """server { listen 8080; access_log LOG kept; default_type application/json; add_header Set-Cookie "shop=1; Path=/";
      location /orders { return 200 '[]'; } location /moved { return 302 http://other.example:8082/new; } }""",
    "auth": """server { listen 443 ssl HTTP2; ssl_certificate FOLDER/cert.pem; ssl_certificate_key FOLDER/key.pem; access_log LOG kept;
      add_header Set-Cookie "all=2; Path=/; Domain=auth.example"; location /login { default_type application/json; return 200 '{"token": "t-$connection"}'; } }""",
    "cdn": """server { listen 8081 HTTP2; listen 8082 HTTP2; access_log LOG kept; location / { return 200 'elsewhere'; } }""",
}


class Origins(unittest.TestCase):
    def ask(self, kind="ClosedLoop", given="think = 5 ms, requests = 20", requests=REQUESTS, model=MODEL, http2=False, check=True):
        """Completed requests by name, the results, and the logs of the three servers."""
        with Lab() as lab:
            (lab.folder / "shop.http").write_text(requests)
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30", "-subj", "/CN=auth.example",
                            "-addext", "subjectAltName=DNS:auth.example", "-keyout", lab.folder / "key.pem", "-out", lab.folder / "cert.pem"], check=True, capture_output=True)
            text = model.replace("KIND", kind).replace("GIVEN", given)
            emulator = lab.compile(text.replace("FOLDER", str(lab.folder)))
            commands, logs = [], {}
            for name, server in SERVERS.items():
                log = lab.folder / f"{name}.log"
                words = server.replace("FOLDER", str(lab.folder)).replace("LOG", str(log)).replace("HTTP2", "http2" if http2 else "")
                if http2 and name == "shop":
                    words = words.replace("listen 8080", "listen 8080 http2")
                command = lab.nginx({}, LOG.replace("NAME", name) + words, port=9000)
                config = (lab.folder / "nginx.conf").rename(lab.folder / f"{name}.conf")
                config.write_text(config.read_text().replace("nginx.pid", f"{name}.pid"))
                commands += ["--sandbox", name, "--", *command[:-1], config]
            run(emulator, "live", "--results", lab.folder / "r.json", *commands, timeout=60, check=check)
            results = json.loads((lab.folder / "r.json").read_text())
            for name in SERVERS:
                log = lab.folder / f"{name}.log"
                logs[name] = [dict(zip(FORMAT, line.split("|"))) for line in log.read_text().splitlines()] if log.exists() else []
        return {group["name"]: group for group in results["groups"]["request"]}, results, logs

    def agree(self, found, results, logs, closing=0):
        """Each request is in the log of its origin, as often as the clients count it, and what the end cuts off at most as often as there are clients."""
        counted = {name: group["completed"] for name, group in found.items()}
        here = collections.Counter((of, line["path"]) for of, lines in logs.items() for line in lines)
        self.assertEqual(set(here), {("auth", "/login"), ("shop", "/orders"), ("cdn", "/picture.png"), ("shop", "/moved"), ("cdn", "/new")})
        open_ = results["transactions"]["in_progress"]
        for name, places in {"login": [("auth", "/login")], "orders": [("shop", "/orders")], "picture": [("cdn", "/picture.png")], "moved": [("shop", "/moved"), ("cdn", "/new")]}.items():
            self.assertGreater(counted[name], 8)
            for place in places:
                self.assertLessEqual(counted[name], here[place] + closing, name)
                self.assertLessEqual(here[place], counted[name] + open_, name)
        for lines in logs.values():
            self.assertEqual({line["status"] for line in lines} - {"302"}, {"200"})
        # Who is asked, with what, and what goes nowhere else.
        self.assertEqual({line["host"] for line in logs["auth"]}, {"auth.example"})
        self.assertEqual({line["host"] for line in logs["shop"]}, {"shop.example"})
        self.assertEqual({(line["path"], line["host"]) for line in logs["cdn"]}, {("/picture.png", "cdn.example:8081"), ("/new", "other.example:8082")})
        tokens = [line["token"] for line in logs["shop"] if line["path"] == "/orders"]  # what no response has given yet is empty
        self.assertEqual({token[:2] for token in tokens} - {""}, {"t-"})
        self.assertLess(tokens.count(""), 0.8 * len(tokens))
        self.assertEqual({line["cookie"] for line in logs["shop"]} - {""}, {"shop=1"})
        self.assertEqual({line["cookie"] for line in logs["auth"]} - {""}, {"all=2"})
        self.assertEqual({line["cookie"] for line in logs["cdn"]}, {""})
        self.assertEqual({line["authorization"] for line in logs["cdn"]}, {""})
        self.assertEqual({line["authorization"] for line in logs["shop"] if line["path"] == "/moved"}, {"Bearer of-the-shop"})

    def test_each_has_its_connections(self):
        found, results, logs = self.ask()
        self.assertEqual(results["transactions"]["failed"], 0, found)
        self.agree(found, results, logs)
        for lines in logs.values():  # twenty requests each, but for the last ones
            longest = collections.Counter(line["connection"] for line in lines)
            self.assertLessEqual(max(longest.values()), 20)
            if len(lines) > 4 * 19:  # of four clients, which a slow machine lets ask less
                self.assertEqual(max(longest.values()), 20)
            self.assertLessEqual(len(longest), len(lines) / 20 + 4)
        secured = results["transactions"]["handshakes"]
        self.assertEqual(secured["full"] + secured["resumed"], len({line["connection"] for line in logs["auth"]}))

    def test_a_connection_each(self):
        found, results, logs = self.ask(given="think = 5 ms")
        self.assertEqual(results["transactions"]["failed"], 0, found)
        self.agree(found, results, logs, closing=2)  # nginx logs a request of such a connection when TLS has ended

    def test_open_loop_and_pipeline(self):
        found, results, logs = self.ask("OpenLoop", "interval = 5 ms, requests = 50")
        self.assertEqual(results["transactions"]["failed"], 0, found)
        self.agree(found, results, logs)
        found, results, logs = self.ask(given="think = 5 ms, requests = 50, pipeline = 3, connections = 2")
        self.assertEqual(results["transactions"]["failed"], 0, found)
        self.agree(found, results, logs)

    def test_http2(self):
        for kind, given in (("ClosedLoop", "think = 5 ms, requests = 50, streams = 4"), ("OpenLoop", "interval = 5 ms, requests = 50")):
            found, results, logs = self.ask(kind, given + ", version = HTTP_2", http2=True)
            self.assertEqual(results["transactions"]["failed"], 0, found)
            self.agree(found, results, logs)

    def test_certificate_of_the_origin(self):
        """It is the origin's name that a certificate is for, and a failure says which origin it was."""
        for name, failed in (("auth.example", False), ("other.example", True)):
            requests = REQUESTS.replace("auth.example", name).replace("{{login.response.body.$.token}}", "t-0")
            model = MODEL.replace('"other.example:8082"', '"moved.example:8081"').replace('"auth.example"', f'"{name}"')
            requests = requests.split("### moved")[0]
            found, results, logs = self.ask(given='think = 5 ms, requests = 20, trust_anchors = "FOLDER/cert.pem"', requests=requests, model=model, check=False)
            self.assertEqual(found["login"]["completed"] == 0, failed)
            self.assertGreater(found["orders"]["completed"], 8)
            if failed:
                self.assertEqual(found["login"]["first_failure"], {"cause": "tls", "status": None, "body": None, "origin": f"https://{name}"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
