"""The tests of docs/from_k6.md, as the page has them, each against a real server."""
import collections
import json
import pathlib
import re
import sys
import unittest

from netlab import ANMLC, ROOT, Lab, run

PAGE = (ROOT / "docs/from_k6.md").read_text()
SERVER = pathlib.Path(__file__).with_name("k6_server.py")
MODEL = re.search(r"```anml\n(.*?)```", PAGE, re.S)[1]


def block(title, kind):
    section = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", section, re.S | re.M)
    return next((text for of, text in blocks if of == kind), None)


class FromK6(unittest.TestCase):
    def ask(self, title, requests=None):
        """Completed requests by name, the results, and what the server has logged."""
        with Lab() as lab:
            (lab.folder / "shop.http").write_text(requests or block(title, "http") or "")
            (lab.folder / "users.csv").write_text('name,password\nann,secret\nbob,"x,y"\n')
            (lab.folder / "part.txt").write_text("of a file")
            workload = block(title, "") or ""
            model = MODEL if not workload else re.sub(r"  workload .*?\n  }\n", lambda _: workload, MODEL, flags=re.S)
            log = lab.folder / "log"
            emulator = lab.compile(model.replace('"shop.http"', f'"{lab.folder}/shop.http"'))
            run(emulator, "live", "--results", lab.folder / "r.json", "--sandbox", "--", sys.executable, SERVER, 80, log, timeout=60)
            results = json.loads((lab.folder / "r.json").read_text())
            lines = [json.loads(line) for line in log.read_text().splitlines()]
        found = results["transactions"]
        self.assertEqual(found["failed"], 0, found.get("first_failed_check", found))
        by_name = {group["name"]: group["completed"] for group in results["groups"].get("request", [])}
        # Each request that the clients count is in the server's log; what the end cuts off, in that alone.
        self.assertLessEqual(0, len(lines) - found["completed"])
        self.assertLessEqual(len(lines) - found["completed"], found["in_progress"])
        self.assertGreater(min(by_name.values(), default=found["completed"]), 3, by_name)
        return by_name, results, lines

    def test_login(self):
        by_name, _, lines = self.ask("Login and token")
        self.assertEqual(list(by_name), ["login", "orders"])
        self.assertEqual({line["status"] for line in lines}, {200})

    def test_json(self):
        by_name, _, lines = self.ask("JSON: create, read, change, delete")
        self.assertEqual(list(by_name), ["create", "read", "change", "delete"])
        self.assertEqual(collections.Counter(line["method"] for line in lines).keys(), {"POST", "GET", "PATCH", "DELETE"})

    def test_users(self):
        _, _, lines = self.ask("Users from a CSV file")
        self.assertEqual({json.loads(line["body"])["username"] for line in lines}, {"ann", "bob"})

    def test_form(self):
        self.ask("A form with a hidden field")

    def test_rate(self):
        _, _, lines = self.ask("A rate that grows")
        first = lines[0]["at"]
        early, late = (sum(a <= line["at"] - first < a + 0.9 for line in lines) for a in (0, 2.1))
        self.assertGreater(late, 1.5 * early)  # 4.1 times, less what a busy machine answers later

    def test_upload(self):
        self.ask("A file is uploaded")

    def test_batch(self):
        _, _, lines = self.ask("Requests at the same time")
        asked = collections.Counter(line["path"] for line in lines)
        self.assertEqual(asked.keys(), {"/", *(f"/orders/{i}/public" for i in range(3))})
        self.assertLessEqual(max(asked.values()) - min(asked.values()), 4, asked)  # a page of each of four users is under way
        self.assertGreater(len({line["connection"] for line in lines}), 8)

    def test_chat_and_events(self):
        for title, path, server in (("A WebSocket chat", "/chat", "message_server.py"), ("Server-sent events", "/events", "message_server.py")):
            with Lab() as lab:
                model = re.sub(r"  workload .*?\n  }\n", lambda _: block(title, ""), MODEL, flags=re.S).replace("web.server(reply = 300 B)", "web.message_server()")
                log = lab.folder / "log"
                emulator = lab.compile(model)
                done = run(emulator, "live", "--results", lab.folder / "r.json", "--sandbox", "--", "/usr/bin/python3", SERVER.with_name(server), 80, log, "-", timeout=60, check=False)
                self.assertIn(done.returncode, (0, 99), done.stderr)  # what its threshold asks for is a quiet machine's
                found = json.loads((lab.folder / "r.json").read_text())["transactions"]
                self.assertEqual(found["failed"], 0, found["failed_by_cause"])
                self.assertGreater(found["completed"], 300, title)
                self.assertGreaterEqual(found["connections"], 20)

    def test_greeter(self):
        title = "A gRPC greeter"
        with Lab() as lab:
            (lab.folder / "shop.http").write_text(block(title, "http"))
            (lab.folder / "hello.proto").write_bytes(SERVER.with_name("hello.proto").read_bytes())
            run("protoc", f"-I{lab.folder}", f"--python_out={lab.folder}", lab.folder / "hello.proto")
            simulated = re.search(r"`simulated = (web.server\(port = 50051.*?\))`", PAGE)[1]
            model = re.sub(r"  workload .*?\n  }\n", lambda _: block(title, ""), MODEL, flags=re.S).replace("web.server(reply = 300 B)", simulated)
            log = lab.folder / "log"
            emulator = lab.compile(model.replace('"shop.http"', f'"{lab.folder}/shop.http"'))
            run(emulator, "live", "--results", lab.folder / "r.json", "--sandbox", "--", "/usr/bin/python3", SERVER.with_name("grpc_server.py"), 50051, log, lab.folder, "-", timeout=60)
            found, asked = json.loads((lab.folder / "r.json").read_text())["transactions"], len(log.read_text().splitlines())
        self.assertEqual((found["failed"], found["by_status"]), (0, {"OK": found["completed"]}))
        self.assertGreater(found["completed"], 100)
        self.assertTrue(found["completed"] <= asked <= found["completed"] + found["in_progress"])

    def test_thresholds(self):
        _, results, _ = self.ask("Thresholds by tag", block("Login and token", "http"))
        self.assertEqual([each["met"] for each in results["thresholds"]], [True, True])

    def test_signed(self):
        self.ask("Signed requests")

    def test_several_hosts(self):
        with Lab() as lab:
            (lab.folder / "shop.http").write_text(block("Several hosts", "http"))
            model = re.sub(r"  workload .*?\n  }\n", lambda _: block("Several hosts", ""), MODEL, flags=re.S).replace('"shop.http"', f'"{lab.folder}/shop.http"')
            logs = [lab.folder / name for name in ("server", "auth")]
            emulator = lab.compile(model)
            run(emulator, "live", "--results", lab.folder / "r.json", "--sandbox", "server", "--", sys.executable, SERVER, 80, logs[0],
                "--sandbox", "auth", "--", sys.executable, SERVER, 81, logs[1], timeout=60)
            results = json.loads((lab.folder / "r.json").read_text())
            asked = [[json.loads(line)["path"] for line in log.read_text().splitlines()] for log in logs]
        found = {group["name"]: group for group in results["groups"]["request"]}
        self.assertEqual(results["transactions"]["failed"], 0, found)
        for name, paths, path in (("orders", asked[0], "/orders/0/public"), ("login", asked[1], "/login")):
            self.assertEqual(set(paths), {path})
            self.assertGreater(found[name]["completed"], 20)
            self.assertLessEqual(0, len(paths) - found[name]["completed"])
            self.assertLessEqual(len(paths) - found[name]["completed"], results["transactions"]["in_progress"])

    def test_recorded_session(self):
        def entry(at, method, path, body, status, answer, **fields):
            post = {"postData": {"mimeType": "application/json", "text": json.dumps(body)}} if body else {}
            headers = [{"name": name, "value": value} for name, value in fields.items()]
            return {"startedDateTime": f"2026-01-02T03:04:0{at}.000Z", "request": {"method": method, "url": f"http://shop.example{path}", "headers": headers, **post},
                    "response": {"status": status, "headers": [], "content": {"mimeType": "application/json", "text": json.dumps(answer)}}}
        token = "0123456789abcdef"  # of then; the server knows it no longer
        with Lab() as lab:
            (lab.folder / "session.har").write_text(json.dumps({"log": {"entries": [
                entry(1, "POST", "/login", {"username": "ann", "password": "secret"}, 200, {"token": token}),
                entry(2, "GET", "/my/orders", None, 200, [], Authorization="Bearer " + token)]}}))
            run(ANMLC, "import", lab.folder / "session.har", "-o", lab.folder / "session.http")
            requests = (lab.folder / "session.http").read_text()
        by_name, _, _ = self.ask("A recorded session", requests)
        self.assertEqual(list(by_name), ["login", "orders"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
