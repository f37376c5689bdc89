"""The server of docs/from_k6.md: logins, orders, a form, uploads, tokens. Port, log: a line of JSON for each request."""
import base64
import email
import hmac
import http.server
import itertools
import json
import re
import secrets
import sys
import threading
import time

tokens, forms, orders, numbers, lock = set(), set(), {}, itertools.count(1), threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def reply(self, body):
        """Status and answer."""
        path, token = self.path, self.headers.get("Authorization", "").removeprefix("Bearer ")
        if path == "/login":
            user = json.loads(body)
            if (user["username"], user["password"]) not in (("ann", "secret"), ("bob", "x,y")):
                return 401, {"error": "who is that?"}
            tokens.add(token := secrets.token_hex(8))
            return 200, {"token": token}
        if path == "/my/orders":
            return (200, []) if token in tokens else (401, {"error": "log in first"})
        if path == "/orders":
            number = next(numbers)
            orders[number] = json.loads(body)
            return 201, {"id": number}
        if (order := re.fullmatch(r"/orders/(\d+)", path)) and (number := int(order[1])) in orders:
            if self.command == "DELETE":
                del orders[number]
                return 204, None
            if self.command == "PATCH":
                orders[number].update(json.loads(body))
            return 200, orders[number]
        if path == "/form":
            forms.add(field := secrets.token_urlsafe(8) + "&<")
            return 200, f'<form><input type="hidden" name="csrf" value="{field.replace("&", "&amp;").replace("<", "&lt;")}"></form>'
        if path == "/comments":
            fields = http.server.urllib.parse.parse_qs(body.decode())
            return (201, {}) if fields["csrf"][0] in forms and fields["comment"] == ["hello"] else (403, {})
        if path == "/upload":
            parts = email.message_from_bytes(b"Content-Type: " + self.headers["Content-Type"].encode() + b"\r\n\r\n" + body).get_payload()
            return 200, {"files": [part.get_filename() for part in parts if part.get_filename() and part.get_payload() == "of a file"]}
        if path == "/signed":
            signed, _, signature = token.rpartition(".")
            claims = json.loads(base64.urlsafe_b64decode(signed.split(".")[1] + "=="))
            right = base64.urlsafe_b64encode(hmac.new(b"not so secret", signed.encode(), "sha256").digest()).rstrip(b"=").decode()
            return (200 if hmac.compare_digest(right, signature) and abs(claims["iat"] - time.time()) < 60 else 401), {}
        return (200, "x") if path == "/" or path.endswith("/public") else (404, {"error": "there is no such thing"})

    def answer(self):
        begun = time.time()
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with lock:
            status, answer = self.reply(body)
            log.write(json.dumps({"at": begun, "method": self.command, "path": self.path, "status": status, "connection": self.client_address[1],
                                  "body": body.decode("latin-1")}) + "\n")
            log.flush()
        answer = b"" if answer is None else answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST = do_PATCH = do_DELETE = answer

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    log = open(sys.argv[2], "w")
    http.server.ThreadingHTTPServer(("", int(sys.argv[1])), Handler).serve_forever()
