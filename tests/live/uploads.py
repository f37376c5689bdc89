"""A web server for the live tests that writes down what it is asked: port, log. A line of JSON each."""
import http.server
import json
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        line = {"method": self.command, "path": self.path, "bytes": len(body), "zeros": body.count(0), "connection": "%s:%d" % self.client_address[:2],
                "headers": dict(self.headers)}
        log.write(json.dumps(line) + "\n")
        log.flush()
        self.send_response(201 if self.command == "PUT" else 200)
        self.send_header("Content-Length", "1024")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(b"x" * 1024)

    do_GET = do_HEAD = do_POST = do_PUT = answer

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    log = open(sys.argv[2], "w")
    http.server.ThreadingHTTPServer(("", int(sys.argv[1])), Handler).serve_forever()
