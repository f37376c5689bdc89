"""A web server for the live tests that writes down what it is asked: port, log. A line of JSON each. A few paths have an API."""
import base64
import collections
import hmac
import http.server
import itertools
import json
import sys
import time

KEY = b"a key that is longer than the block of SHA-256, which has sixty-four bytes"
FIELDS = {
    "/set": (("Set-Cookie", "sid=1"), ("X-Two", "a"), ("Set-Cookie", "t=2"), ("X-Two", "b"), ("X-Token", "T-17"), ("X-Percent", "100%"),
             ("X-Where", "http://other.example/where?x=1#fragment"), ("X-Long", 9000 * "x")),
    "/moved": (("Location", "/landed#there"),),
}


def signed(path, headers, body):
    """Whether the request's token (RFC 7519, HS256), signature or password is right."""
    if path == "/basic":
        return base64.b64decode(headers["Authorization"].removeprefix("Basic ")) == b"ann:pass word"
    if path == "/signed":
        text = f"{headers['X-Time']}\n{headers['X-Nonce']}\n".encode() + body
        return hmac.compare_digest(hmac.new(KEY, text, "sha256").hexdigest(), headers["X-Signature"])
    signed, _, signature = headers["Authorization"].removeprefix("Bearer ").rpartition(".")
    head, claims = (json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))) for part in signed.split("."))
    right = base64.urlsafe_b64encode(hmac.new(KEY, signed.encode(), "sha256").digest()).rstrip(b"=").decode()
    return head["alg"] == "HS256" and claims["sub"] in ("ann", "bob") and abs(claims["iat"] - time.time()) < 60 and signature == right


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        line = {"method": self.command, "path": self.path, "bytes": len(body), "zeros": body.count(0), "connection": "%s:%d" % self.client_address[:2],
                "headers": dict(self.headers), "fields": self.headers.items(), "text": body[:1000].decode("latin-1")}
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
        elif self.path in ("/jwt", "/signed", "/basic"):
            status, answer = 200 if signed(self.path, self.headers, body) else 401, {"user": "known"}
        elif self.path.startswith("/job/"):  # is ready when it is asked for the third time
            times[self.path] += 1
            status, answer = 200 if times[self.path] % 3 == 0 else 202, {"state": "done" if times[self.path] % 3 == 0 else "busy"}
        elif self.path.startswith("/pages/"):  # the third is the last
            times[self.path] += 1
            answer = {"next": times[self.path]} if times[self.path] % 3 else {}
        elif self.path.startswith("/even/"):
            status = 200 if int(self.path[6:]) % 2 else 404
        elif self.path == "/moved":
            status = 302
        elif self.path == "/wrong":
            answer = {"error": "none"}
        self.send_response(status)
        if isinstance(answer, dict):
            answer = json.dumps({"data": answer}).encode()
            self.send_header("Content-Type", "application/json")
        self.send_header("X-Next", f"/next/{next(numbers)}")
        for name, value in FIELDS.get(self.path, ()):
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = answer

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    log, numbers, times = open(sys.argv[2], "w"), itertools.count(1), collections.Counter()
    http.server.ThreadingHTTPServer(("", int(sys.argv[1])), Handler).serve_forever()
