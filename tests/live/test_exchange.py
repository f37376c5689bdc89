"""What virtual clients remember from response to request, by the access log of a real nginx: documents that they have, cookies, redirections."""
import json
import unittest

from netlab import Lab, run

MODEL = """
import std.web
model Remember {
  endpoint server { simulated = web.server(port = 8080) }
  router gate
  host client[CLIENTS]
  link desk: client[*] -- gate { rate = 100 Mbps, delay = 1 ms }
  link entry: gate -- server { rate = 1 Gbps, delay = 1 ms }
  workload browse : web.ClosedLoop on client[*] { server = server, port = 8080, think = 4 ms, GIVEN }
  run { duration = 1500 ms }
}
"""
LINE = ("status", "path", "cookie", "etag_asked", "since", "etag", "sent", "bytes", "asked")


class Nginx(unittest.TestCase):
    def fetch(self, given, settings="", clients=2, check=True, model=MODEL, connections=1):
        """The transactions of a run, and the access log's lines."""
        with Lab() as lab:
            emulator = lab.compile(model.replace("CLIENTS", str(clients)).replace("GIVEN", given), "-O0")
            log = lab.folder / "access.log"
            extra = f"""
  log_format kept escape=none '$status|$uri|$http_cookie|$http_if_none_match|$http_if_modified_since|$sent_http_etag|$sent_http_set_cookie|$body_bytes_sent|$request_uri';
  server {{ listen 8080 backlog=4096; root {lab.folder}/web; access_log {log} kept; {settings} }}
"""
            command = lab.nginx({"/1024": 1024, "/20480": 20480}, extra)
            run(emulator, "live", "--results", lab.folder / "r.json", "--sandbox", "--", *command, timeout=60, check=check)
            transactions = json.loads((lab.folder / "r.json").read_text())["transactions"]
            lines = [dict(zip(LINE, line.split("|"))) for line in log.read_text().splitlines()]
        self.assertEqual((transactions["unexpected_size"], transactions["retried"]), (0, 0))
        self.assertGreater(len(lines), 20)
        # What nginx has answered and no client has seen is under way at the end.
        for status, count in transactions["by_status"].items():
            logged = sum(line["status"] == status for line in lines)
            self.assertLessEqual(count, logged, status)
            self.assertLessEqual(logged, count + clients * connections, status)
        return transactions, lines

    def test_documents_that_are_there(self):
        for given in ("requests = 20", "requests = 1"):
            found, lines = self.fetch(f"documents = [web.fixed(1 KB), web.fixed(20 KB)], revalidate = true, {given}")
            self.assertEqual(found["failed"], 0)
            self.assertEqual(found["by_status"], {"200": 4, "304": found["not_modified"]})  # each client gets each document once
            self.assertEqual(found["completed"], 4 + found["not_modified"])
            tags = {line["path"]: line["etag"] for line in lines if line["status"] == "200"}
            for line in lines:
                self.assertEqual(line["etag"], tags[line["path"]])
                asked = line["status"] == "304"
                self.assertEqual(line["etag_asked"], tags[line["path"]] if asked else "")
                self.assertEqual(line["since"] != "", asked)
                self.assertEqual(line["bytes"], "0" if asked else line["path"][1:])

    def test_cookies(self):
        """Each response sets another one: the next request brings it."""
        for given in ("requests = 20", "requests = 1"):
            found, lines = self.fetch(f"documents = web.fixed(1 KB), cookies = true, {given}",
                                      'add_header Set-Cookie "id=$connection.$connection_requests; Path=/; Max-Age=60; HttpOnly";', clients=1)
            self.assertEqual(found["failed"], 0)
            self.assertEqual(lines[0]["cookie"], "")
            for before, line in zip(lines, lines[1:]):
                self.assertEqual(line["cookie"], before["sent"].split(";")[0])

    def test_redirections(self):
        settings = "location = /old { return 302 /1024; } location = /circle { return 301 $uri; }"
        for given in ("requests = 20", "requests = 1"):
            found, lines = self.fetch(f'documents = web.fixed(1 KB, "/old"), redirects = 2, {given}', settings)
            self.assertEqual(found["failed"], 0)
            self.assertEqual({(line["path"], line["status"]) for line in lines}, {("/old", "302"), ("/1024", "200")})
            self.assertEqual(found["by_status"], {"200": found["completed"], "302": found["redirected"]})
            self.assertLessEqual(found["redirected"], found["completed"] + found["in_progress"])
            self.assertGreaterEqual(found["redirected"], found["completed"])
            found, lines = self.fetch(f'documents = web.fixed(1 KB, "/circle"), redirects = 2, {given}', settings, check=False)
            failed = found["failed_by_cause"]["redirect"]
            self.assertEqual((found["completed"], found["failed"]), (0, failed))
            self.assertGreater(failed, 10)
            self.assertLessEqual(abs(found["redirected"] - 2 * failed), 4)
            self.assertEqual(found["by_status"], {"301": found["redirected"] + failed})

    def test_sessions(self):
        """Each session fetches a page and its parts over six connections, then the same again, of which nothing has changed; and forgets."""
        parts = "[" + ", ".join(f'web.fixed(1 KB, "/{i}")' for i in range(8)) + "]"
        given = f"documents = web.fixed(20 KB), parts = {parts}, parts_per_page = 8, pages = 2, revalidate = true, pause = 10 ms"
        model = MODEL.replace("ClosedLoop", "Browser")
        settings = "location ~ ^/[0-7]$ { try_files /1024 =404; }"
        found, lines = self.fetch(given, settings, clients=1, model=model, connections=6)
        self.assertEqual(found["failed"], 0)
        per_page = 9
        for number in range(len(lines) // per_page - 1):  # nginx writes a line when it has sent the response
            page = lines[number * per_page:(number + 1) * per_page]
            self.assertEqual(page[0]["path"], "/20480")
            self.assertEqual(len({line["asked"] for line in page}), per_page)
            self.assertEqual({line["status"] for line in page}, {"304" if number % 2 else "200"})
        sessions = len(lines) // (2 * per_page)
        self.assertLessEqual(abs(found["connections"] - 6 * (sessions + 1)), 6)


if __name__ == "__main__":
    unittest.main(verbosity=2)
