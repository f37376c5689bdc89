"""An echo of WebSockets by Python's websockets for the live tests: port, log, and how it compresses: "deflate", its default, "none", or JSON of its
permessage-deflate's parameters. The log has a line for each connection that has ended."""
import asyncio
import json
import sys

import websockets
from websockets.extensions import permessage_deflate


async def echo(socket):
    count = size = 0
    try:
        async for message in socket:
            count, size = count + 1, size + len(message)
            await socket.send(message)
    finally:
        taken = [[e.local_no_context_takeover, e.remote_no_context_takeover, e.local_max_window_bits, e.remote_max_window_bits] for e in socket.extensions]
        offered = socket.request_headers.get("Sec-WebSocket-Extensions")
        with open(sys.argv[2], "a") as log:
            log.write(json.dumps({"messages": count, "bytes": size, "code": socket.close_code, "taken": taken, "offered": offered}) + "\n")


async def serve():
    how = sys.argv[3]
    given = {"compression": {"none": None}.get(how, "deflate")}
    if how.startswith("{"):
        given = {"compression": None, "extensions": [permessage_deflate.ServerPerMessageDeflateFactory(**json.loads(how))]}
    async with websockets.serve(echo, "0.0.0.0", int(sys.argv[1]), **given):
        await asyncio.Event().wait()


asyncio.run(serve())
