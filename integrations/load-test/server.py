"""A small API: server.py PORT. POST /login gives a token, GET /orders wants it."""
import json
import secrets
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKENS = set()


class Api(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if self.path != "/login" or asked.get("password") != "secret":
            return self.answer(403, {"error": "who are you?"})
        token = secrets.token_hex(16)
        TOKENS.add(token)
        self.answer(200, {"token": token})

    def do_GET(self):
        if self.headers.get("Authorization", "").removeprefix("Bearer ") not in TOKENS:
            return self.answer(401, {"error": "no token"})
        self.answer(200, {"orders": [{"id": number, "sum": 10 * number} for number in range(20)]})

    def log_message(self, *_):
        pass


ThreadingHTTPServer.request_queue_size = 128
ThreadingHTTPServer(("", int(sys.argv[1])), Api).serve_forever()
