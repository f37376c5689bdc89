"""What virtual clients ask a real server with, by what it has read; and what curl asks a simulated one with."""
import base64
import hashlib
import json
import pathlib
import sys
import unittest
import uuid

from netlab import ROOT, Lab, run
from test_persistent import BETWEEN

SERVER = pathlib.Path(__file__).with_name("uploads.py")
PEM = ROOT / "tests/data/tls/server.pem"
MODEL = """
import std.web
model Ask {
  endpoint server { simulated = web.server(port = 8080) }
  router gate
  host client[2]
  link desk: client[*] -- gate { rate = 100 Mbps, delay = 1 ms }
  link entry: gate -- server { rate = 1 Gbps, delay = 1 ms }
  workload ask : web.ClosedLoop on client[*] { server = server, port = 8080, documents = web.fixed(1 KB, "/a"), think = 20 ms, GIVEN }
  run { duration = 2 s }
}
"""


class Uploads(unittest.TestCase):
    def ask(self, given):
        """Transactions of a run, and what the server has read."""
        with Lab() as lab:
            emulator = lab.compile(MODEL.replace("GIVEN", given))
            log = lab.folder / "log"
            run(emulator, "live", "--results", lab.folder / "r.json", "--sandbox", "--", sys.executable, SERVER, 8080, log, timeout=60)
            transactions = json.loads((lab.folder / "r.json").read_text())["transactions"]
            lines = [json.loads(line) for line in log.read_text().splitlines()]
        self.assertEqual((transactions["failed"], transactions["unexpected_size"]), (0, 0))
        self.assertGreater(transactions["completed"], 5)
        self.assertLessEqual(transactions["completed"], len(lines))
        self.assertLessEqual(len(lines), transactions["completed"] + transactions["in_progress"])
        self.assertEqual({line["path"] for line in lines}, {"/a"})
        return transactions, lines

    def test_bodies(self):
        for method, status, given in (("POST", "200", ""), ("PUT", "201", ", requests = 7"), ("POST", "200", ", requests = 1000")):
            transactions, lines = self.ask(f"method = {method}, body = 100000 B{given}")
            self.assertEqual(transactions["by_status"], {status: transactions["completed"]})
            for line in lines:
                self.assertEqual((line["method"], line["bytes"], line["zeros"]), (method, 100000, 100000))
            read = len({line["connection"] for line in lines})  # one that the run's end cuts may not have been
            self.assertLessEqual(read, transactions["connections"])
            self.assertGreaterEqual(read, transactions["connections"] - transactions["in_progress"])

    def test_head(self):
        transactions, lines = self.ask("method = HEAD, requests = 1000")
        self.assertEqual({(line["method"], line["bytes"]) for line in lines}, {("HEAD", 0)})
        self.assertLess(transactions["response_bytes"] / transactions["completed"], 300)
        self.assertEqual(transactions["connections"], 2)

    def test_fields(self):
        _, lines = self.ask('authority = "www.example.org", headers = ["Accept-Language: en", "user-agent: other/2"], requests = 9')
        for line in lines:
            read = {name.lower(): value for name, value in line["headers"].items()}
            read.pop("connection", None)
            self.assertEqual(read, {"host": "www.example.org", "accept": "*/*", "accept-language": "en", "user-agent": "other/2"})


# In the order of a client: what each is called, and what a server has to have read.
SHOP = """
@host = shop.example
@type = application/json
### login
POST https://{{host}}/login
Content-Type: {{type}}
X-Trace: a: b

{
  "user": "me"
}
### find
GET /find
  ?q=two words
  &page=2
### change
PATCH /cart/7
Content-Type: application/x-www-form-urlencoded
User-Agent: other/2

size=42&
colour=red
### parts
PUT /upload
Content-Type: multipart/form-data; boundary=x

--x
Content-Disposition: form-data; name="f"

< part.txt
--x--
###
OPTIONS /cart/7
### gone
DELETE /cart/7
"""
READ = [
    ("login", "POST", "/login", '{\n  "user": "me"\n}', {"host": "shop.example", "content-type": "application/json", "x-trace": "a: b"}),
    ("find", "GET", "/find?q=two%20words&page=2", "", {"host": "anml", "content-type": None, "content-length": None}),
    ("change", "PATCH", "/cart/7", "size=42&colour=red", {"content-type": "application/x-www-form-urlencoded", "user-agent": "other/2"}),
    ("parts", "PUT", "/upload", '--x\r\nContent-Disposition: form-data; name="f"\r\n\r\nof a file\r\n--x--', {"content-type": "multipart/form-data; boundary=x"}),
    ("OPTIONS /cart/7", "OPTIONS", "/cart/7", "", {"content-type": None}),
    ("gone", "DELETE", "/cart/7", "", {"content-type": None}),
]


class Asked(unittest.TestCase):
    """Requests that a file writes out, as a server reads them: over HTTP/1.0, HTTP/1.1, and HTTP/2 with TLS in front of it."""
    WAYS = ("until = complete", "requests = 100", "requests = 100, version = HTTP_2, scheme = https")

    def asked(self, given):
        with Lab() as lab:
            (lab.folder / "shop.http").write_text(self.files(lab.folder))
            model = MODEL.replace('web.fixed(1 KB, "/a")', f'web.requests("{lab.folder}/shop.http"), begin_with = first').replace("GIVEN", given)
            if "https" in given:
                model = model.replace("port = 8080, documents", "port = 8443, documents").replace("web.server(port = 8080)", "web.server(port = 8443, scheme = https)")
            log = lab.folder / "log"
            start = f"{sys.executable} {SERVER} 8080 {log}"
            if "https" in given:
                front = (f"server {{ listen 8443 ssl http2; ssl_certificate {PEM}; ssl_certificate_key {PEM};\n"
                         "location / { proxy_pass http://127.0.0.1:8080; proxy_http_version 1.1; proxy_buffer_size 32k; proxy_buffers 4 32k; proxy_set_header Host $host; } }")
                start += " & until ss -ltn | grep -q :8080; do sleep 0.05; done; exec " + " ".join(lab.nginx({}, front))
            run(lab.compile(model), "live", "--results", lab.folder / "r.json", "--sandbox", "--", "sh", "-c", start, timeout=60)
            results = json.loads((lab.folder / "r.json").read_text())
            return results, [json.loads(line) for line in log.read_text().splitlines()]


class Requests(Asked):
    def files(self, folder):
        (folder / "part.txt").write_text("of a file")
        return SHOP

    def test_as_they_are_written(self):
        for given in self.WAYS:
            with self.subTest(given):
                results, lines = self.asked(given)
                found, groups = results["transactions"], {group["name"]: group for group in results["groups"]["request"]}
                self.assertEqual((found["failed"], found["unexpected_size"]), (0, 0))
                self.assertEqual(list(groups), [name for name, *_ in READ])
                self.assertEqual(sum(group["completed"] for group in groups.values()), found["completed"])
                for name, method, path, body, fields in READ:
                    read = [line for line in lines if (line["method"], line["path"]) == (method, path)]
                    # What the server has answered and no client has seen is under way at the end.
                    self.assertGreater(groups[name]["completed"], 3, name)
                    self.assertTrue(groups[name]["completed"] <= len(read) <= groups[name]["completed"] + found["in_progress"], name)
                    for line in read:
                        self.assertEqual(line["text"], body, name)
                        got = {key.lower(): value for key, value in line["headers"].items()}
                        self.assertEqual({key: got.get(key) for key in fields}, fields, name)


USERS = '''user,password
ann,"a,b"
bob,"say ""hi"""
'''
FLOW = """# @data users.csv
### login
POST /login
Content-Type: application/json

{"user": "{{user}}", "password": "{{password}}", "id": "{{$uuid}}", "n": {{$iteration}}}
?? status == 201
?? header content-type includes json
?? body $.data.roles[1] == admin

### orders
GET /orders/{{login.response.body.$.data.id}}?of={{password}}&page={{$randomInt 5 8}}
Authorization: Bearer {{login.response.body.$.data.token}}
X-Made: {{$timestamp}} {{$isoTimestamp}} {{$client}} {{$iteration}} {{$random.alphanumeric(6)}}

### change
PATCH {{orders.response.headers.X-Next}}
Authorization: Bearer {{login.response.body.$.data.token}}
Content-Type: application/x-www-form-urlencoded

name={{password}}
?? status == 404
?? body includes "no such"
?? size < 100

### wrong
GET /wrong
?? body $.data.token exists
?? status == 200
"""


class Flow(Asked):
    """What a run makes, takes out of responses and checks."""

    def files(self, folder):
        (folder / "users.csv").write_text(USERS)
        return FLOW

    def test_values_and_checks(self):
        for given in self.WAYS:
            with self.subTest(given):
                results, lines = self.asked(given)
                groups = {group["name"]: group for group in results["groups"]["request"]}
                self.assertEqual({name: group["failed"] > 3 for name, group in groups.items()},
                                 {"login": False, "orders": False, "change": False, "wrong": True})
                self.assertEqual(groups["wrong"]["completed"], 0)
                failed = results["transactions"]
                self.assertEqual(failed["failed_by_cause"]["check"], groups["wrong"]["failed"])
                self.assertEqual(failed["failed"], groups["wrong"]["failed"])
                self.assertEqual(failed["first_failed_check"], {
                    "request": "wrong", "check": "body $.data.token exists", "status": 200, "body": '{"data": {"error": "none"}}'})
                self.assertEqual({name: group["first_failure"] for name, group in groups.items()},
                                 {"login": None, "orders": None, "change": None, "wrong": {"cause": "check", "status": 200, "body": '{"data": {"error": "none"}}'}})
                ids = set()
                for line in lines:
                    got = {key.lower(): value for key, value in line["headers"].items()}
                    if line["path"] == "/login":
                        asked = json.loads(line["text"])
                        self.assertIn((asked["user"], asked["password"]), (("ann", "a,b"), ("bob", 'say "hi"')))
                        self.assertEqual(uuid.UUID(asked["id"]).version, 4)
                        ids.add(asked["id"])
                    elif line["method"] == "PATCH":
                        self.assertIn(line["text"], ("name=a%2Cb", "name=say+%22hi%22"))
                        self.assertRegex(line["path"], r"/next/\d+$")
                    elif line["path"] != "/wrong":
                        client, user, of = got["x-made"].split()[2], got["authorization"][9:], line["path"].split("of=")[1][:-7]
                        self.assertIn((client, user, of), (("1", "ann", "a,b"), ("2", "bob", "say%20%22hi%22")))
                        self.assertRegex(line["path"], r"^/orders/\d+\?of=.*&page=[567]$")
                        self.assertRegex(got["x-made"], r"^\d{10} \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [12] \d+ [0-9A-Za-z]{6}$")
                self.assertEqual(len(ids), sum(line["path"] == "/login" for line in lines))
                # The token of one client goes to no other, and numbers go up with what it has been through.
                rounds = [int(json.loads(line["text"])["n"]) for line in lines if line["path"] == "/login" and "ann" in line["text"]]
                self.assertEqual(rounds, list(range(1, len(rounds) + 1)))


FORM = """### form
GET /form
?? body matches order-id: [A-Z]-\\d+
?? body matches /<INPUT/i
?? body //input[@name='csrf']/@value matches ^<\\d+"$

### submit
POST /submit/{{form.response.body.match(/order-id: ([A-Z])-([0-9]{1,9})/)[2]}}
Content-Type: application/x-www-form-urlencoded
X-Number: {{form.response.headers.X-Next.match(/\\d+$/)[0]}}

csrf={{form.response.body.//input[@name="csrf"]/@value}}

### none
GET /form
?? body matches order-id: [A-Z]\\d+

### never
GET /x/{{none.response.body.match(/no such (.*)/)[1]}}
"""


class Forms(Asked):
    """What a page has in hidden fields, and where only a regular expression finds it."""

    def files(self, folder):
        return FORM

    def test_hidden_fields_and_regular_expressions(self):
        results, lines = self.asked(self.WAYS[1])
        groups = {group["name"]: group for group in results["groups"]["request"]}
        self.assertEqual({name: group["failed"] > 3 for name, group in groups.items()}, {"form": False, "submit": False, "none": True, "never": False})
        self.assertEqual(results["transactions"]["failed_by_cause"]["check"], groups["none"]["failed"])
        self.assertEqual(results["transactions"]["first_failed_check"]["check"], "body matches order-id: [A-Z]\\d+")
        submitted = [line for line in lines if line["method"] == "POST"]
        self.assertGreater(len(submitted), 5)
        for line in submitted:
            number = line["path"].removeprefix("/submit/")
            self.assertEqual(line["text"], f"csrf=%3C{number}%22")
            self.assertGreater(int(line["headers"]["X-Number"]), int(number))


SIGNED = """# @data users.csv
@key = a key that is longer than the block of SHA-256, which has sixty-four bytes
@head = {"alg":"HS256","typ":"JWT"}
@claims = {"sub":"{{user}}","iat":{{$timestamp}}}
@signed = {{$base64url(head)}}.{{$base64url(claims)}}
@nonce = {{$uuid}}

### token
GET /jwt
Authorization: Bearer {{signed}}.{{$hmac.sha256.base64url(key, signed)}}
?? status == 200
?? body sha256 HASH

### signature
POST /signed
X-Time: {{$timestamp}}
X-Nonce: {{nonce}}
X-Signature: {{$hmac.sha256.hex(key, $timestamp, "\\n", nonce, "\\n", $request.body)}}

{"user": "{{user}}", "id": {{$randomInt 1 1000}}}

### basic
GET /basic
Authorization: Basic ann:pass word
"""


class Signed(Asked):
    """Tokens, signatures and passwords as a server computes them."""

    def files(self, folder):
        (folder / "users.csv").write_text(USERS)
        return SIGNED.replace("HASH", base64.b64encode(hashlib.sha256(b'{"data": {"user": "known"}}').digest()).decode())

    def test_tokens_and_signatures(self):
        for given in self.WAYS:
            with self.subTest(given):
                results, lines = self.asked(given)
                self.assertEqual(results["transactions"]["failed"], 0, results["transactions"])
                groups = {group["name"]: group["completed"] for group in results["groups"]["request"]}
                self.assertGreater(min(groups.values()), 3, groups)
                nonces = [line["headers"].get("X-Nonce") or line["headers"]["x-nonce"] for line in lines if line["path"] == "/signed"]
                self.assertEqual(len(set(nonces)), len(nonces))


STEPS = """# @data users.csv
### login
POST /login
Content-Type: application/json

{"user": "{{user}}"}

### admin
# @disabled {{login.response.body.$.data.token}} != T-ann
GET /admin?client={{$client}}

### start
# @disabled
GET /start

### job
# @loop while {{job.response.body.$.data.state}} == busy
GET /job/{{$client}}

### page
# @loop for 4
GET /page?iteration={{$iteration}}&client={{$client}}
"""


class Steps(Asked):
    """Requests that are left out by a value of a response, and sent again until it says so, or so often."""

    def files(self, folder):
        (folder / "users.csv").write_text(USERS)
        return STEPS

    def test_branches_and_loops(self):
        for given in self.WAYS:
            with self.subTest(given):
                results, lines = self.asked(given)
                self.assertEqual(results["transactions"]["failed"], 0)
                self.assertEqual([group["name"] for group in results["groups"]["request"]], ["login", "admin", "job", "page"])
                for client, user in ("1", "ann"), ("2", "bob"):
                    asked = [line["path"] if line["path"] != "/login" else "/login?" + json.loads(line["text"])["user"] for line in lines]
                    own = [path for path in asked if path == "/login?" + user or path.endswith(f"client={client}") or path == f"/job/{client}"]
                    self.assertGreater(len(own), 9)
                    for i, path in enumerate(own):
                        iteration, step = divmod(i, 9 if user == "ann" else 8)
                        steps = ["/login?" + user] + ["/admin?client=1"] * (user == "ann") + [f"/job/{client}"] * 3
                        steps += [f"/page?iteration={iteration + 1}&client={client}"] * 4
                        self.assertEqual(path, steps[step], own)


FIELDS = r"""
### set
POST /set
?? header Set-Cookie includes sid
?? header set-cookie includes t=2
?? header X-Two == a, b
?? header X-Token exists
?? header X-Long endsWith xxx

### again
GET /again/{{set.response.headers.X-Token.match(/T-([0-9]+)/)[1]}}/{{set.response.headers.X-Token.match(/T-([0-9]+)/)[0]}}
Cookie: own=1

### moved
GET /moved
?? status == 200

### where
GET {{set.response.headers.X-Where}}

### percent
GET /percent/{{set.response.headers.X-Percent}}/%41

### page
# @loop while {{page.response.body.$.data.next}} exists
GET /pages/{{$client}}
?? status == 200

### upload
POST /upload

< part.txt

### even
GET /even/{{$iteration}}
"""


class Fields(Asked):
    """Fields of responses that are looked at several times, and that the client itself goes by; what of a value and a file is sent."""
    WAYS = tuple(given + ", cookies = true, redirects = 2" for given in Asked.WAYS)

    def files(self, folder):
        (folder / "part.txt").write_bytes(b"a\r\nb\n\n")
        return FIELDS

    def test_as_rfcs_have_them(self):
        for given in self.WAYS:
            with self.subTest(given):
                results, lines = self.asked(given)
                found, groups = results["transactions"], {group["name"]: group for group in results["groups"]["request"]}
                self.assertEqual({name for name, group in groups.items() if group["failed"]}, {"even"}, found["first_failed_check"])
                self.assertEqual(found["first_status_failure"], {"status": 404, "path": "/even/2"})
                paths = {line["path"] for line in lines if not line["path"].startswith("/even/")}
                self.assertEqual(paths, {"/set", "/again/17/T-17", "/moved", "/landed", "/where?x=1", "/percent/100%25/%41", "/pages/1", "/pages/2", "/upload"})
                for line in lines:
                    cookies = [value for key, value in line["fields"] if key.lower() == "cookie"]
                    if line["path"].startswith("/again/"):
                        self.assertEqual(cookies, ["own=1; sid=1; t=2"])
                    if line["path"] == "/landed":
                        self.assertEqual(cookies, ["sid=1; t=2"])
                    if line["path"] == "/upload":
                        self.assertEqual(line["text"], "a\r\nb\n\n")
                asked = [line["path"] for line in lines if line["path"] == "/pages/1"]
                self.assertLessEqual(abs(len(asked) / 3 - sum(line["path"] == "/set" for line in lines) / 2), 2)


class Curl(unittest.TestCase):
    def test_a_simulated_server_reads_what_curl_sends_slowly(self):
        model = BETWEEN.replace("simulated = web.server()", "simulated = web.server(), tcp = reads")
        with Lab() as lab:
            emulator = lab.compile("profile reads : Tcp { receive_buffer = 64 KB, read_rate = 4 Mbps }\n" + model)
            user, live, base = lab.user_of(emulator)
            body = lab.folder / "body"
            body.write_bytes(bytes(1 << 20))
            done = lab.run_in(user, "curl", "-s", "-S", "-m", 20, "-H", "Expect:", "-o", "/dev/null", "-w", "%{http_code} %{time_total}",
                              "--data-binary", f"@{body}", f"{base}/1024")
            status, seconds = done.stdout.split()
            live.stop()
        self.assertEqual(status, "200")
        reads = (2**20 - 2**16) * 8 / 4e6  # what is left in the buffer is read later
        self.assertGreater(float(seconds), 0.98 * reads)
        self.assertLess(float(seconds), 1.5 * reads)

    def test_curl_sends_bodies_to_a_simulated_server(self):
        with Lab() as lab:
            emulator = lab.compile(BETWEEN.replace("web.server()", "web.server(reply = 333 B)"))
            user, live, base = lab.user_of(emulator)
            curl = ("curl", "-s", "-S", "-m", 20)
            body = lab.folder / "body"
            body.write_bytes(b"\r\n\r\nGET /1024 HTTP/1.1\r\n\r\n" * 9000)  # not asked for
            shown = "%{http_code} %{size_upload} %{size_download} %{num_connects}\n"
            both = ("-o", "/dev/null", f"{base}/1024", "-o", "/dev/null", f"{base}/204800")

            def send(*arguments, to=both):
                return lab.run_in(user, *curl, "-w", shown, "-H", "Expect:", *arguments, *to).stdout.splitlines()
            size = body.stat().st_size
            self.assertEqual(send("--data-binary", f"@{body}"), [f"200 {size} 333 1", f"200 {size} 333 0"])
            self.assertEqual(send("-X", "PUT", "--data-binary", f"@{body}"), [f"200 {size} 333 1", f"200 {size} 333 0"])
            chunked = send("-X", "PUT", "-H", "Transfer-Encoding: chunked", "--data-binary", f"@{body}")
            self.assertEqual([line.split()[0::2] + line.split()[3:] for line in chunked], [["200", "333", "1"], ["200", "333", "0"]])
            self.assertEqual([line.split()[0] for line in send("-d", "a=b", to=("-o", "/dev/null", f"{base}/none"))], ["404"])
            self.assertIsNone(live.process.poll())


if __name__ == "__main__":
    unittest.main(verbosity=2)
