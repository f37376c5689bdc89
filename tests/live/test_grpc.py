"""Calls of gRPC against Debian's grpcio, against servers that answer in odd ways, and grpcio's client against a simulated server."""
import collections
import json
import pathlib
import resource
import sys
import unittest

from netlab import ROOT, Lab, by_the_clock, main, run

HERE = pathlib.Path(__file__).parent
PEM = ROOT / "tests/data/tls/server.pem"
PYTHON = "/usr/bin/python3"  # which has Debian's modules
MODEL = """
import std.web
model Greet {
  endpoint server { simulated = web.server(port = 50051, version = HTTP_2, SERVER) }
  router gate
  host client[4]
  link desk: client[*] -- gate { rate = 1 Gbps, delay = 0.1 ms }
  link entry: gate -- server { rate = 1 Gbps, delay = 0.1 ms }
  WORKLOADS
  run { duration = 2 s }
}
"""
# Everything that a message may have, with values of a run where it may have them, nested ones too.
ASKED = """
proto < hello.proto
# @data users.csv
@tag = t{{$client}}

### all
GRPC localhost:50051/hello.Greeter/SayHello
x-trace: {{$uuid}}

{ "greeting": "gr\\u00fc\\u00dfe {{name}}", "count": {{$randomInt 7 300}}, "tags": ["a", "{{tag}}", ""],
  "ages": { "{{name}}": -3, "x/y": "4" }, "mood": "GLAD",
  "inner": { "text": "{{$random.alphabetic(200)}}", "delta": -70000, "inner": { "text": "{{name}}" } },
  "raw": "AAEC/w==", "weights": [0.5, -1e3], "number": 7, "at": "2026-01-31T12:00:00.5Z", "most": 0, "share": 0.25 }
?? status == 0
?? body $.request.count >= 7
?? body $.request.ages['x/y'] == 4
?? body $.request.mood == GLAD
?? body $.request.inner.inner.text exists
?? body $.request.inner.delta == -70000
?? body $.request.tags[1] startsWith t
?? body $.request.weights[1] == -1000
?? body $.request.number == 7
?? body $.request.most == 0
?? body $.request.share == 0.25
?? body $.counts[2] == 300
?? body $.request.at.seconds == 1769860800
?? body $.number matches /^115292150460684[67][0-9]{3}$/
?? header content-type startsWith application/grpc

### taken
GRPC localhost/hello.Greeter/SayHello

{ "greeting": "{{all.response.body.$.reply}}", "count": {{all.response.body.$.request.count}} }
?? body $.reply includes "hello hello gr"

### several
GRPC localhost/hello.Greeter/LotsOfGreetings

{ "greeting": "{{name}}" }
===
{ }
===
{ "greeting": "c" }
?? body $.reply endsWith ", , c"

### both
GRPC localhost/hello.Greeter/BidiHello

{ "greeting": "a" }
===
{ "greeting": "b" }
?? body $.reply == "hello b"

### empty
GRPC localhost/hello.Greeter/SayHello
"""


def workload(file, given="", name="greet", client="*"):
    return f'workload {name} : web.ClosedLoop on client[{client}] {{ server = server, port = 50051, documents = web.requests("{file}"), begin_with = first, version = HTTP_2, {given} }}'


class Calls(unittest.TestCase):
    def live(self, requests, given="requests = 1000, think = 20 ms", pem="-", server="reply = 40 B"):
        with Lab() as lab:
            (lab.folder / "hello.proto").write_bytes((HERE / "hello.proto").read_bytes())
            (lab.folder / "users.csv").write_text('name\nann\nbob "b"\nc\n')
            (lab.folder / "shop.http").write_text(requests)
            run("protoc", f"-I{lab.folder}", f"--python_out={lab.folder}", lab.folder / "hello.proto")
            model = MODEL.replace("WORKLOADS", workload(lab.folder / "shop.http", given)).replace("SERVER", server)
            emulator, log = lab.compile(model), lab.folder / "log"
            self.said = run(emulator, "live", "--results", lab.folder / "r.json", "--sandbox", "--", PYTHON, HERE / "grpc_server.py", 50051, log, lab.folder, pem, timeout=60, check=False).stdout
            results = json.loads((lab.folder / "r.json").read_text())
            return results, [json.loads(line) for line in log.read_text().splitlines()]

    def groups(self, results):
        return {group["name"]: group for group in results["groups"]["request"]}

    def test_calls(self):
        """What the server has read is what the file says, of each kind of method, in the clear and over TLS; all calls are in its log."""
        for given, pem, server in (("requests = 1000, think = 20 ms", "-", "reply = 40 B"), ("scheme = https, requests = 1000, think = 20 ms, timeout = 3 s", PEM, "scheme = https")):
            results, lines = self.live(ASKED, given, pem, server)
            found = results["transactions"]
            self.assertEqual(found["failed"], 0, (found["first_failed_check"], found["failed_by_cause"], found["first_protocol_failure"], self.said))
            self.assertEqual(found["by_status"], {"OK": found["completed"]})
            self.assertGreater(found["completed"], 100)
            self.assertTrue(found["completed"] <= len(lines) <= found["completed"] + found["in_progress"])
            by_name = {name: group["completed"] for name, group in self.groups(results).items()}
            self.assertEqual(list(by_name), ["all", "taken", "several", "both", "empty"])
            methods = collections.Counter(line["method"] for line in lines)
            self.assertLessEqual(abs(methods["LotsOfGreetings"] - by_name["several"]), found["in_progress"])
            first = [line["requests"][0] for line in lines if "inner" in line["requests"][0]]
            self.assertEqual({(one["greeting"], tuple(sorted(one["ages"].items()))) for one in first},
                             {(f"gr\u00fc\u00dfe {name}", tuple(sorted(((name, "-3"), ("x/y", "4"))))) for name in ("ann", 'bob "b"', "c")})
            for one in first:
                self.assertTrue(7 <= one["count"] < 300 and len(one["inner"]["text"]) == 200)
                self.assertEqual({key: one[key] for key in ("mood", "raw", "weights", "number", "at", "most", "share")},
                                 {"mood": "GLAD", "raw": "AAEC/w==", "weights": [0.5, -1000.0], "number": 7, "at": "2026-01-31T12:00:00.500Z", "most": 0, "share": 0.25})
                self.assertEqual((one["tags"][0], one["tags"][2], one["inner"]["inner"]["text"]), ("a", "", one["greeting"].partition(" ")[2]))
            self.assertEqual(len({line["metadata"]["x-trace"] for line in lines if "x-trace" in line["metadata"]}), len(first))
            self.assertIn([{}], [line["requests"] for line in lines if line["method"] == "SayHello"])
            most = 3 if "timeout" in given else 60  # what grpc-timeout leaves
            self.assertTrue(all(most - 1 < line["left"] <= most for line in lines), {line["left"] for line in lines})

    def test_statuses(self):
        """A status other than OK is a failure with its name and what explains it, unless it is checked; a server that is too slow one of the time-out."""
        text = "proto < hello.proto\n" + "".join(f'### {name}\nGRPC h/hello.Greeter/{method}\n\n{{ "greeting": "{greeting}" }}\n{check}\n' for name, method, greeting, check in (
            ("gone", "SayHello", "fail 14 try later", ""), ("meant", "SayHello", "fail 5 no such user", "?? status == NOT_FOUND"),
            ("wrong", "SayHello", "x", "?? body $.reply == y"), ("slow", "SayHello", "wait 1.5", "")))
        results, _ = self.live(text, "requests = 1000, think = 20 ms, timeout = 300 ms")
        found, groups = results["transactions"], self.groups(results)
        causes = {name: {cause: count for cause, count in group["failed_by_cause"].items() if count} for name, group in groups.items()}
        self.assertEqual({name: list(cause) for name, cause in causes.items()}, {"gone": ["grpc_status"], "meant": [], "wrong": ["check"], "slow": causes["slow"] and list(causes["slow"])})
        self.assertIn(list(causes["slow"]), (["timeout"], ["grpc_status"], ["timeout", "grpc_status"]))  # the server gives up as grpc-timeout says, or the client does
        self.assertEqual(groups["gone"]["first_failure"], {"cause": "grpc_status", "status": "UNAVAILABLE", "body": "try later"})
        self.assertEqual(groups["wrong"]["first_failure"]["status"], "OK")
        self.assertLessEqual({"UNAVAILABLE", "NOT_FOUND", "OK"}, set(found["by_status"]))
        self.assertEqual(found["first_status_failure"], {"status": "UNAVAILABLE", "path": "/hello.Greeter/SayHello"})
        self.assertIn("gRPC error", self.said)

    @by_the_clock("when messages come, 50 ms apart")
    def test_streams(self):
        """Of a stream `answer` is the time to its first message, which come 50 ms apart."""
        results, lines = self.live('proto < hello.proto\n###\nGRPC h/hello.Greeter/LotsOfReplies\n\n{ "count": 5 }\n?? body $.number == 4\n', "requests = 1000, streams = 2")
        found, phases = results["transactions"], results["workloads"][0]["phase_seconds"]
        self.assertEqual(found["failed"], 0, found["first_failed_check"])
        self.assertGreater(found["completed"], 20)
        self.assertTrue(5 * found["completed"] <= found["received"] <= 5 * (found["completed"] + found["in_progress"]))
        self.assertAlmostEqual(phases["answer"], 0.055, delta=0.01)
        self.assertAlmostEqual(phases["receive"], 0.205, delta=0.02)

    @by_the_clock("medians of a millisecond, beside another client's")
    def test_latency(self):
        """A call takes what grpcio's own client says of the same server, whose times are Python's, too: nothing waits for a timer, and nothing comes early."""
        timed = """
import sys, time, statistics, grpc
sys.path.insert(0, sys.argv[1])
import hello_pb2 as pb
with grpc.insecure_channel("127.0.0.1:50051") as channel:
    call = channel.unary_unary("/hello.Greeter/SayHello", pb.HelloRequest.SerializeToString, pb.HelloReply.FromString)
    grpc.channel_ready_future(channel).result(10)
    times = []
    for i in range(300):
        began = time.perf_counter()
        call(pb.HelloRequest(greeting="a"))
        times.append(time.perf_counter() - began)
        time.sleep(0.005)
    print(statistics.median(times))
"""
        with Lab() as lab:
            (lab.folder / "hello.proto").write_bytes((HERE / "hello.proto").read_bytes())
            (lab.folder / "client.py").write_text(timed)
            run("protoc", f"-I{lab.folder}", f"--python_out={lab.folder}", lab.folder / "hello.proto")
            lab.start(PYTHON, HERE / "grpc_server.py", 50051, lab.folder / "log", lab.folder, "-", space=lab.namespace("s"))
            theirs = float(lab.run_in(lab.namespaces[-1], PYTHON, lab.folder / "client.py", lab.folder, timeout=60).stdout)
        results, _ = self.live('proto < hello.proto\n###\nGRPC h/hello.Greeter/SayHello\n\n{ "greeting": "a" }\n', "requests = 100000, think = 20 ms")
        ours = results["workloads"][0]["response_time_seconds"]["median"] - 0.0004  # the path there and back
        sys.stderr.write(f"median of a call: {1e6 * ours:.0f} us, grpcio's client {1e6 * theirs:.0f} us\n")
        self.assertLess(ours, theirs + 0.002)
        self.assertGreater(ours, 0.2 * theirs)


class OddServers(unittest.TestCase):
    CAUSES = {"grpc-good": None, "grpc-dribbles": None, "grpc-huge": None, "grpc-no-trailers": "no_trailers", "grpc-alone": "grpc_status", "grpc-unknown": "grpc_status",
              "grpc-half": "truncated", "grpc-half-prefix": "truncated", "grpc-compressed": "compressed", "grpc-html": "protocol", "grpc-502": "status", "rapid-reset": "reset", "cut": "truncated"}

    def test_each_way_and_its_cause(self):
        with Lab() as lab:
            (lab.folder / "hello.proto").write_bytes((HERE / "hello.proto").read_bytes())
            (lab.folder / "a.http").write_text('proto < hello.proto\n### a\nGRPC h/hello.Greeter/SayHello\n\n{}\n?? size >= 0\n')
            ways = list(self.CAUSES)
            workloads = "\n  ".join(workload(lab.folder / "a.http", f"requests = 1000, think = 30 ms, timeout = {9 if way == 'grpc-huge' else 1.5} s", way.replace("-", "_"), i).replace("50051", str(9001 + i)) for i, way in enumerate(ways))
            model = MODEL.replace("WORKLOADS", workloads).replace("SERVER", "reply = 1 B").replace("host client[4]", f"host client[{len(ways)}]").replace("duration = 2 s", "duration = 6 s")
            emulator = lab.compile(model)
            run(emulator, "live", "--results", lab.folder / "r.json", "--sandbox", "--", sys.executable, HERE / "misbehaving_http2.py", PEM, *ways, timeout=60, check=False)
            results = json.loads((lab.folder / "r.json").read_text())
        for way, found in zip(ways, results["workloads"]):
            found = found["transactions"]
            causes = {cause for cause, count in found["failed_by_cause"].items() if count}
            with self.subTest(way, causes=causes, completed=found["completed"]):
                cause = self.CAUSES[way]
                if cause is None:
                    self.assertEqual(causes, set())
                    self.assertGreater(found["completed"], 0)
                else:
                    self.assertIn(cause, causes)
                    self.assertLessEqual(causes, {cause, "reset"} if way == "cut" else {cause})
                    self.assertEqual(found["completed"], 0)
                if way == "grpc-alone":
                    self.assertEqual(set(found["by_status"]), {"UNIMPLEMENTED"})
                if way == "grpc-unknown":
                    self.assertEqual(set(found["by_status"]), {"UNKNOWN"})
        # A message of 100 MB is counted, not kept.
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 600_000)


class Simulated(unittest.TestCase):
    def test_virtual_clients(self):
        """In a simulated run a call is answered with a message as large as `reply`, and OK."""
        with Lab() as lab:
            (lab.folder / "hello.proto").write_bytes((HERE / "hello.proto").read_bytes())
            (lab.folder / "users.csv").write_text("name\nann\n")
            (lab.folder / "shop.http").write_text(ASKED)
            bytes_of = {}
            for reply in (40, 1040, 100040):
                emulator = lab.compile(MODEL.replace("WORKLOADS", workload(lab.folder / "shop.http", "requests = 1000, think = 20 ms")).replace("SERVER", f"reply = {reply} B"))
                run(emulator, "simulate", "--results", lab.folder / "r.json", timeout=60)
                found = json.loads((lab.folder / "r.json").read_text())["transactions"]
                self.assertEqual((found["failed"], found["by_status"]), (0, {"OK": found["completed"]}))
                bytes_of[reply] = found["response_bytes"] / found["completed"]
        self.assertAlmostEqual(bytes_of[1040] - bytes_of[40], 1000, delta=3)
        self.assertAlmostEqual(bytes_of[100040] - bytes_of[40], 100000, delta=9 * 8)  # heads of frames

    def test_grpcio(self):
        """grpcio's client reads the simulated server's answers, of any size, and that a method is unknown."""
        client = """
import sys, grpc
sys.path.insert(0, sys.argv[2])
import hello_pb2 as pb
with grpc.insecure_channel(sys.argv[1]) as channel:
    call = lambda name: channel.unary_unary("/hello.Greeter/" + name, pb.HelloRequest.SerializeToString, lambda bytes: (pb.HelloReply.FromString(bytes), bytes)[1])
    for i in range(20):
        print((call("SayHello")(pb.HelloRequest(greeting="a"), timeout=5)).__len__())
    try:
        call("Nothing")(pb.HelloRequest(), timeout=5)
    except grpc.RpcError as error:
        print(error.code().name)
"""
        for reply in (0, 2, 129, 130, 131, 16388, 300000):
            with Lab() as lab, self.subTest(reply=reply):
                (lab.folder / "hello.proto").write_bytes((HERE / "hello.proto").read_bytes())
                (lab.folder / "client.py").write_text(client)
                (lab.folder / "a.http").write_text('proto < hello.proto\n### a\nGRPC h/hello.Greeter/SayHello\n\n{}\n')
                run("protoc", f"-I{lab.folder}", f"--python_out={lab.folder}", lab.folder / "hello.proto")
                model = MODEL.replace("WORKLOADS", workload(lab.folder / "a.http", "think = 1 s") + "\n  endpoint user\n  link user -- gate { rate = 1 Gbps, delay = 0.1 ms }").replace("SERVER", f"reply = {reply} B")
                emulator = lab.compile(model)
                space, live, base = lab.user_of(emulator, path=":50051/")
                said = lab.run_in(space, PYTHON, lab.folder / "client.py", base.removeprefix("http://") + ":50051", lab.folder, timeout=60).stdout.split()
                self.assertEqual(said, [str(reply)] * 20 + ["UNIMPLEMENTED"])


if __name__ == "__main__":
    main()
