"""A server of tornado for the live tests: port, log, PEM file or -. /echo sends WebSocket messages back, /chat sends them to everybody, /events is a stream of
server-sent events every 50 ms, /bye closes with 1011 at the third message. The log has a line for each connection that has ended."""
import asyncio
import json
import ssl
import sys
import time

import tornado.httpserver
import tornado.web
import tornado.websocket

rooms = set()


class Echo(tornado.websocket.WebSocketHandler):
    def check_origin(self, origin):
        return True

    def open(self):
        self.count, self.size, self.pongs = 0, 0, 0
        if self.request.path == "/chat":
            rooms.add(self)
        self.ping(b"are you there?")

    def on_pong(self, data):
        self.pongs += data == b"are you there?"

    def on_message(self, message):
        self.count += 1
        self.size += len(message)
        if self.request.path == "/bye" and self.count == 3:
            return self.close(1011, "enough")
        for to in list(rooms) if self.request.path == "/chat" else [self]:
            to.write_message(message, binary=isinstance(message, bytes))

    def on_close(self):
        rooms.discard(self)
        say(path=self.request.path, messages=self.count, bytes=self.size, pongs=self.pongs, code=self.close_code, origin=self.request.headers.get("Origin"))


class Events(tornado.web.RequestHandler):
    async def get(self):
        self.set_header("Content-Type", "text/event-stream; charset=utf-8")
        sent, most, last = 0, int(self.get_argument("most", "1000000")), self.request.headers.get("Last-Event-ID")
        first, retry = int(last or -1) + 1, self.get_argument("retry", "")
        began = time.monotonic()
        try:
            self.write(f"retry: {retry}\n")
            while sent < most:
                self.write(f": a comment\nid: {first + sent}\ndata: tick\ndata: {sent}\n\n")
                await self.flush()
                sent += 1
                await asyncio.sleep(0.05)
        except Exception:
            pass
        say(path="/events", events=sent, accept=self.request.headers.get("Accept"), last=last, client=self.request.remote_ip, began=began, ended=time.monotonic())


def say(**what):
    with open(sys.argv[2], "a") as log:
        log.write(json.dumps(what) + "\n")


async def serve():
    application = tornado.web.Application([("/(?:echo|chat|bye)", Echo), ("/events", Events)])
    secured = None
    if sys.argv[3] != "-":
        secured = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        secured.load_cert_chain(sys.argv[3])
    tornado.httpserver.HTTPServer(application, ssl_options=secured).listen(int(sys.argv[1]), "0.0.0.0", backlog=4096)
    await asyncio.Event().wait()


asyncio.run(serve())
