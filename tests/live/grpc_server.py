"""A server of gRPC, Debian's grpcio, for hello.proto. Port, a file for what it was asked, a folder with hello_pb2.py, and a file with key and certificate
or `-`. A greeting `fail N text` is answered with that status, `wait S` later."""
import concurrent.futures
import json
import pathlib
import sys
import threading
import time

import grpc
from google.protobuf import json_format

port, log, folder, pem = sys.argv[1:]
sys.path.insert(0, folder)
import hello_pb2 as pb  # noqa: E402

written, lock = open(log, "a"), threading.Lock()


def note(method, requests, context):
    line = json.dumps({"method": method, "requests": [json_format.MessageToDict(one) for one in requests], "left": context.time_remaining(),
                       "metadata": {key: value for key, value in context.invocation_metadata() if isinstance(value, str)}})
    with lock:
        written.write(line + "\n")
        written.flush()


def reply(request, context):
    word, _, rest = request.greeting.partition(" ")
    if word == "fail":
        code, _, text = rest.partition(" ")
        context.abort({status.value[0]: status for status in grpc.StatusCode}[int(code)], text)
    if word == "wait":
        time.sleep(float(rest))
    return pb.HelloReply(reply=f"hello {request.greeting}", request=request, counts=[1, 20, 300], number=2**60 + request.count)


def say_hello(request, context):
    note("SayHello", [request], context)
    return reply(request, context)


def lots_of_replies(request, context):
    note("LotsOfReplies", [request], context)
    for i in range(request.count):
        time.sleep(0.05)
        yield pb.HelloReply(reply=f"{i}", number=i)


def lots_of_greetings(requests, context):
    requests = list(requests)
    note("LotsOfGreetings", requests, context)
    return pb.HelloReply(reply=", ".join(one.greeting for one in requests))


def bidi_hello(requests, context):
    requests = list(requests)
    note("BidiHello", requests, context)
    for one in requests:
        yield reply(one, context)


given = dict(request_deserializer=pb.HelloRequest.FromString, response_serializer=pb.HelloReply.SerializeToString)
handlers = {
    "SayHello": grpc.unary_unary_rpc_method_handler(say_hello, **given),
    "LotsOfReplies": grpc.unary_stream_rpc_method_handler(lots_of_replies, **given),
    "LotsOfGreetings": grpc.stream_unary_rpc_method_handler(lots_of_greetings, **given),
    "BidiHello": grpc.stream_stream_rpc_method_handler(bidi_hello, **given),
}
server = grpc.server(concurrent.futures.ThreadPoolExecutor(20))
server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("hello.Greeter", handlers),))
if pem == "-":
    server.add_insecure_port(f"0.0.0.0:{port}")
else:
    text = pathlib.Path(pem).read_bytes()
    server.add_secure_port(f"0.0.0.0:{port}", grpc.ssl_server_credentials([(text, text)]))
server.start()
server.wait_for_termination()
