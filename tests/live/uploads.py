"""A web server for the live tests that writes down what it is asked: port, log. A line of JSON each. A few paths have an API."""
import http.server
import itertools
import json
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        line = {"method": self.command, "path": self.path, "bytes": len(body), "zeros": body.count(0), "connection": "%s:%d" % self.client_address[:2],
                "headers": dict(self.headers), "text": body[:1000].decode("latin-1")}
        log.write(json.dumps(line) + "\n")
        log.flush()
        status, answer = 201 if self.command == "PUT" else 200, b"x" * 1024
        if self.path == "/login":
            user = json.loads(body)["user"]
            status, answer = 201, {"token": "T-" + user, "roles": ["user", "admin"], "id": next(numbers)}
        elif self.path.startswith("/next/"):
            status, answer = 404, {"error": "no such order"}
        elif self.path == "/form":
            number = next(numbers)
            answer = f'<p>order-id: A-{number}<form><input type="hidden" name="csrf" value="&lt;{number}&quot;"></form>'.encode()
        elif self.path == "/wrong":
            answer = {"error": "none"}
        self.send_response(status)
        if isinstance(answer, dict):
            answer = json.dumps({"data": answer}).encode()
            self.send_header("Content-Type", "application/json")
        self.send_header("X-Next", f"/next/{next(numbers)}")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = answer

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    log, numbers = open(sys.argv[2], "w"), itertools.count(1)
    http.server.ThreadingHTTPServer(("", int(sys.argv[1])), Handler).serve_forever()
