"""For every attribute of the standard library a pair: values of it in a model that runs otherwise with each. Read by test_attributes_act.py, which fails
for an attribute without one.

A new attribute needs a line under its schema in PAIRS; a new schema a key there, and mostly a scene in attribute_scenes.py. The scene is compiled and
run with each of the values, and nothing else differs; None leaves the attribute out. Of an enum all values stand in the line. No two of a line may run
alike.
"""
import attribute_scenes as on
import queue_scenes as queues


class Pair:
    """Values of an attribute in a scene, with others beside it: `Pair(on.LINK, None, "1 ms", reorder="10 %")`. `seen` is where they differ: the digest; or,
    where packets go the same ways at the same times, or where headers alone could make the difference, a figure of the results by its path; or
    "refused", why the emulator does not simulate the model, None if it does. `refused`: values of an enum that the compiler takes nowhere there."""

    def __init__(self, scene, *values, seen="digest", refused=(), **beside):
        assert len(values) >= 2, "a pair has two values or more"
        self.scene, self.values, self.seen, self.beside, self.refused = scene, values, seen, beside, refused

    def texts(self, attribute):
        return [self.scene.text({**self.beside, attribute: value}) for value in self.values]


FAIRNESS = ("flow", "source", "destination", "hosts", "flow_by_source", "flow_by_destination", "flow_by_both")


def web(kind, **given):
    """What closed and open loops have in common."""
    plain, slow = on.clients(kind, **given), on.clients(kind, server="service = 50 ms", **given)
    secure = on.clients(kind, server="scheme = https", scheme="https", **given)
    return {
        "server": Pair(plain, "e", "f"),
        "pick": Pair(on.sharing(plain), "nearest", "round_robin", "at_random", server="[e, f]"),
        "port": Pair(plain, None, "8080"),  # no server of the model listens there
        "documents": Pair(plain, "web.fixed(5 KB)", "[web.fixed(5 KB), web.fixed(1 KB)]"),
        "connect_timeout": Pair(on.clients(kind, link="rate = 10 Mbps, loss = 1", duration="5 s", **given), None, "200 ms"),
        "timeout": Pair(slow, None, "20 ms"),
        "start_spread": Pair(plain, None, "0 s", "100 ms"),
        "until": Pair(plain, "complete", "closed"),
        "begin_with": Pair(plain, "any", "first", documents="[web.fixed(5 KB), web.fixed(1 KB), web.fixed(2 KB)]"),
        "requests": Pair(plain, None, "2", "10"),
        # A body's bytes and the words of a head take time; a method of the same length is another to the server.
        "method": Pair(plain, "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"),
        "body": Pair(plain, None, "3 KB", method="POST"),
        "authority": Pair(plain, None, '"www.example.org"'),
        "headers": Pair(plain, None, '["X-A: 1"]', '["X-A: 1", "Accept: text/html"]'),
        "cookies": Pair(on.clients(kind, server="cookie = true", **given), None, "true"),
        "redirects": Pair(on.clients(kind, server="moved = true", **given), None, "1"),
        **({} if kind not in ("ClosedLoop", "OpenLoop", "Replay") else {"origins": Pair(plain, None, '[web.origin("auth.example:80", f)]', documents=on.TWO_ORIGINS, authority='"auth.example"')}),
        "revalidate": Pair(on.clients(kind, server="etags = true", **given), None, "true"),
        # What simulated servers send is not compared: tests/live/test_access_log.py.
        "check_content": Pair(plain, None, "true", seen="workloads.0.transactions.checked_content", documents=f'web.list("{on.LOADS}/hashed.csv")'),
        "scheme": Pair(plain, "http", "https"),  # no server of the model speaks TLS
        "tls_version": Pair(secure, "any", "tls12", "tls13"),
        "resumption": Pair(secure, None, "false"),
        "trust_anchors": Pair(secure, None, on.TRUST_ANCHORS, authority='"h"'),
        "version": Pair(on.clients(kind, server="version = HTTP_2", **given), "HTTP_1", "HTTP_2"),
        "streams": Pair(on.clients(kind, server="version = HTTP_2, service = 50 ms", **given), None, "2", version="HTTP_2", requests="10"),
        "idle": Pair(plain, None, "5 ms", requests="10", **{"ClosedLoop": {"think": "20 ms"}}.get(kind, {})),
    }


def listeners(kind, **given):
    """What sockets and streams of events have in common."""
    plain, lost = on.listeners(kind, **given), on.listeners(kind, link="rate = 10 Mbps, loss = 1", duration="5 s", **given)
    short = {"Socket": {"messages": "2", "think": "20 ms"}, "Events": {"events": "2", "think": "20 ms"}}[kind]
    secure = on.listeners(kind, server="push = 20 ms, scheme = https", scheme="https", **given, **short)
    return {
        "server": Pair(plain, "e", "f"),
        "pick": Pair(on.sharing(plain), "nearest", "round_robin", "at_random", server="[e, f]"),
        "port": Pair(plain, None, "8080"),  # no server of the model listens there
        "path": Pair(plain, None, '"/way"'),
        "connections": Pair(plain, None, "3"),
        "think": Pair(plain, "20 ms", "30 ms", "exponential(20 ms)", **{name: value for name, value in short.items() if name != "think"}),
        "connect_timeout": Pair(lost, None, "200 ms"),
        "timeout": Pair(on.listeners(kind, server="echo = false", **given), None, "50 ms", seen="workloads.0.transactions.failed"),
        "start_spread": Pair(plain, None, "0 s", "200 ms"),
        "authority": Pair(plain, None, '"www.example.org"'),
        "headers": Pair(plain, None, '["X-A: 1"]', '["X-A: 1", "Accept: text/html"]'),
        "scheme": Pair(plain, "http", "https"),  # no server of the model speaks TLS
        "tls_version": Pair(secure, "any", "tls12", "tls13"),
        "resumption": Pair(secure, None, "false"),
        "trust_anchors": Pair(secure, None, on.TRUST_ANCHORS, authority='"h"'),
    }


def calls():
    """Of servers that call others; where tries fail, they last longer than their time."""
    plain, slow = on.callers(), on.callers(server="service = 50 ms")
    secure = on.callers(server="scheme = https", scheme="https")
    failing = on.callers(server="service = mixture([70 %, 30 %], [1 ms, 100 ms])", timeout="8 ms", fan_out="1")
    lost = on.callers(link="rate = 10 Mbps, loss = 1", duration="5 s")
    return {
        "to": Pair(plain, "e[*]", "e[0]", "f"),
        "port": Pair(plain, None, "8080"),  # no server of the model listens there
        "documents": Pair(plain, "web.fixed(5 KB)", "[web.fixed(5 KB), web.fixed(1 KB)]"),
        "pick": Pair(on.callers(server="service = exponential(10 ms)"), "round_robin", "at_random", "least_busy"),
        "fan_out": Pair(plain, None, "2", "0"),
        "wait_for": Pair(on.callers(server="service = exponential(10 ms)", fan_out="0"), None, "1", "2"),
        "all_documents": Pair(plain, None, "true", documents="[web.fixed(5 KB), web.fixed(1 KB)]"),
        "entry": Pair(on.callers(asked='[web.fixed(1 KB, "/a"), web.fixed(1 KB, "/b")]'), None, '"/a"', '"/b"'),
        "stage": Pair(on.callers(beside="stage = 1"), None, "1", "2"),
        "stage_wait_for": Pair(on.callers(beside="stage = 1"), None, "1", stage="1"),
        "hits": Pair(plain, None, "50 %"),
        "retries": Pair(failing, None, "1", "3"),
        "backoff": Pair(failing, None, "5 ms", "exponential(5 ms)", retries="3"),
        "growth": Pair(failing, None, "1", "4", retries="3", backoff="5 ms"),
        "budget": Pair(failing, None, "10 %", retries="3"),
        "breaker": Pair(failing, None, "1", "3"),
        "open_for": Pair(failing, None, "20 ms", breaker="1"),
        "connect_timeout": Pair(lost, None, "200 ms"),
        "timeout": Pair(slow, None, "20 ms"),
        "requests": Pair(plain, None, "1", "5"),
        "idle": Pair(plain, None, "5 ms"),
        "version": Pair(on.callers(server="version = HTTP_2"), "HTTP_1", "HTTP_2"),
        "streams": Pair(on.callers(server="version = HTTP_2, service = 50 ms"), None, "3", version="HTTP_2"),
        "until": Pair(plain, "complete", "closed", requests="1"),
        "begin_with": Pair(plain, "any", "first", documents="[web.fixed(5 KB), web.fixed(1 KB), web.fixed(2 KB), web.fixed(3 KB), web.fixed(4 KB)]"),
        "method": Pair(plain, "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"),
        "body": Pair(plain, None, "3 KB", method="POST"),
        "authority": Pair(plain, None, '"www.example.org"'),
        "headers": Pair(plain, None, '["X-A: 1"]', '["X-A: 1", "Accept: text/html"]'),
        "cookies": Pair(on.callers(server="cookie = true"), None, "true"),
        "redirects": Pair(on.callers(server="moved = true"), None, "1"),
        "revalidate": Pair(on.callers(server="etags = true"), None, "true"),
        "check_content": Pair(plain, None, "true", seen="workloads.1.transactions.checked_content", documents=f'web.list("{on.LOADS}/hashed.csv")'),
        "scheme": Pair(plain, "http", "https"),  # no server of the model speaks TLS
        "tls_version": Pair(secure, "any", "tls12", "tls13"),
        "resumption": Pair(secure, None, "false", requests="1"),
        "trust_anchors": Pair(secure, None, on.TRUST_ANCHORS, authority='"h"'),
    }


def senders(plain, *groups):
    """What all workloads of std.traffic have in common."""
    return {
        "to": Pair(plain, "b[0]", "b[1]"),
        "pairing": Pair(on.sharing(plain), "in_order", "permutation", "at_random", "nearest", *groups, to="b[*]"),
        "start_spread": Pair(plain, None, "0 s", "100 ms"),
    }


def pages(kind, **given):
    """What both kinds of sessions have."""
    plain = on.clients(kind, parts='[web.fixed(2 KB, "/p"), web.fixed(3 KB, "/q")]', parts_per_page="3", server="etags = true, cookie = true", **given)
    loops = {name: pair for name, pair in web(kind, parts="web.fixed(2 KB, \"/p\")", parts_per_page="3", **given).items() if name not in ("until", "method", "body")}
    return {
        **loops,
        "requests": Pair(plain, "1", "2", None),
        "parts": Pair(plain, "web.fixed(2 KB)", "web.fixed(9 KB)"),
        "parts_per_page": Pair(plain, "0", "3", "20"),
        "pages": Pair(plain, None, "5"),
        "think": Pair(plain, None, "10 ms", pages="5"),
        "connections": Pair(plain, None, "2"),
        "idle": Pair(plain, None, "5 ms", pages="5", think="20 ms"),
        "cookies": Pair(plain, None, "true"),
        "revalidate": Pair(plain, None, "true", pages="3"),
    }


PAIRS = {
    "Workload": {
        "dscp": Pair(on.WORKLOAD, None, "46"),
        "family": Pair(on.BOTH_FAMILIES, "ipv4", "ipv6"),
    },
    "Queue": {
        "capacity": Pair(on.QUEUE, "16 KB", "8 KB"),
        "packets": Pair(on.QUEUE, None, "3"),
    },
    "Link": {
        "rate": Pair(on.LINK, "10 Mbps", "20 Mbps"),
        "delay": Pair(on.LINK, None, "5 ms"),
        "queue": Pair(on.LINK, None, "droptail(8 KB)"),
        "mtu": Pair(on.LINK, None, "1000 B"),
        "overhead": Pair(on.LINK, None, "38 B"),
        "loss": Pair(on.LINK, None, "5 %", "loss.periodic(20)"),
        "jitter": Pair(on.LINK, None, "exponential(1 ms)"),
        "in_order": Pair(on.LINK, "true", "false", jitter="exponential(1 ms)"),
        "reorder": Pair(on.LINK, None, "10 %"),
        "reorder_delay": Pair(on.LINK, None, "1 ms", reorder="10 %"),
        "duplicate": Pair(on.LINK, None, "10 %"),
        "corrupt": Pair(on.LINK, None, "10 %"),
        "cost": Pair(on.COST, None, "3"),
        "ecmp_weight": Pair(on.EQUAL_WAYS, None, "3"),
        "relation": Pair(on.RELATION, "none", "customer", "peer", "provider"),
        "wired": Pair(queues.WIRED, None, "true"),
        "transparent": Pair(queues.WIRED, "false", "true", seen="invalid"),
    },
    "Tcp": {
        "segment": Pair(on.TCP, None, "500 B"),
        "initial_window": Pair(on.TCP, None, "2"),
        "receive_buffer": Pair(on.TCP, None, "8 KB"),
        "read_rate": Pair(on.TCP, None, "1 Mbps", seen="workloads.0.delivered_bytes", receive_buffer="64 KB"),
        "send_buffer": Pair(on.TCP, None, "8 KB"),
        "window_scaling": Pair(on.TCP, "true", "false", seen="workloads.0.delivered_bytes"),
        "sack": Pair(on.TCP, "true", "false", seen="workloads.0.delivered_bytes"),
        "timestamps": Pair(on.TCP, "true", "false", seen="workloads.0.delivered_bytes"),
        "delayed_ack": Pair(on.TCP_LOSSY, None, "0 s", "100 ms", quick_acks="0"),
        "quick_acks": Pair(on.TCP, None, "0"),
        "byte_counting": Pair(on.TCP, "true", "false", quick_acks="0"),
        "adaptive": Pair(on.TCP, "true", "false"),
        "congestion": Pair(on.TCP_LONG, "newreno", "cubic", "dctcp", "vegas", "scalable", "bbr", "bbr3"),
        "frto": Pair(on.TCP_SLOWER, "true", "false", timestamps="false", send_buffer="64 KB"),
        "ecn": Pair(on.TCP_TWO_WAYS, "none", "accepted", "offered", "accurate"),
        "mtu_probing": Pair(on.TCP_BLACK_HOLE, "off", "black_holes", "always"),
        "pacing": Pair(on.TCP, "false", "true"),
        "minimum_rto": Pair(on.TCP_LOSSY, None, "10 ms", minimum_variation="0 s"),
        "minimum_variation": Pair(on.TCP_LOSSY, None, "0 s"),
        "maximum_rto": Pair(on.TCP_CUT, None, "60 s"),
        "retries": Pair(on.TCP_CUT, None, "3"),
        "syn_timeout": Pair(on.TCP_DEAF, None, "300 ms"),
        "syn_retries": Pair(on.TCP_DEAF, None, "1"),
        "syn_backoff": Pair(on.TCP_DEAF, None, "3"),
        "syn_limit": Pair(on.TCP_DEAF, None, "4 s", syn_retries="1"),
        "nagle": Pair(on.TCP_WEB, "false", "true"),
        "fast_open": Pair(on.TCP_WEB, "false", "true"),
        "keep_alive": Pair(on.TCP_IDLE, None, "100 ms", "200 ms"),
        "keep_alive_interval": Pair(on.TCP_IDLE, None, "20 ms", keep_alive="100 ms"),
        "keep_alive_probes": Pair(on.TCP_IDLE, None, "2", keep_alive="100 ms", keep_alive_interval="20 ms"),
        "time_wait": Pair(on.TCP_PORTS, None, "0 s", first_port="40000", last_port="40001"),
        "time_wait_reuse": Pair(on.TCP_PORTS, "false", "true", first_port="40000", last_port="40001"),
        "first_port": Pair(on.TCP_PORTS, None, "40000"),
        "last_port": Pair(on.TCP_PORTS, None, "32770"),
    },
    "Host": {
        "address": Pair(on.HOST, None, "10.0.7.7"),
        "ipv6": Pair(on.beside_ipv6("host"), None, "2001:db8::7"),
        "anycast": Pair(on.SHARING["host"], "10.0.7.7", "10.0.7.8"),
        "tcp": Pair(on.HOST, None, "other"),
        "icmp_limits": Pair(queues.REFUSING, None, "q"),
        "position": Pair(on.placed("host"), "geo(50, 0)", "geo(40.71, -74.01)"),
    },
    "Router": {
        "address": Pair(on.ROUTER, None, "10.0.7.7"),
        "processing": Pair(queues.forwarding("router"), None, "p"),
        "middlebox": Pair(queues.forwarding("router"), None, "middlebox.nat([a])", "middlebox.firewall()"),
        "icmp_limits": Pair(queues.forwarding("router", ttl=1), None, "q"),
        "buffer": Pair(queues.OVERLOADED, None, "shared_buffer(20 KB)"),
        "radio": Pair(queues.forwarding("router"), None, "wifi.g()", "wifi.ac()"),
        "ipv6": Pair(on.beside_ipv6("router"), None, "2001:db8::7"),
        "position": Pair(on.placed("router"), "geo(50, 0)", "geo(40.71, -74.01)"),
    },
    "Switch": {
        "processing": Pair(queues.forwarding("switch"), None, "p"),
        "buffer": Pair(queues.OVERLOADED_SWITCH, None, "shared_buffer(20 KB)"),
        "radio": Pair(queues.forwarding("switch"), None, "wifi.g()", "wifi.ac()"),
        "position": Pair(on.placed("switch", to="b", beyond="\n  host b\n  link n -- b { rate = 10 Mbps }"), "geo(50, 0)", "geo(40.71, -74.01)"),
    },
    "Buffer": {
        "capacity": Pair(queues.BUFFER, "20 KB", "40 KB"),
        "alpha": Pair(queues.BUFFER, None, "0.5", "2", capacity="20 KB"),
    },
    "wifi.Cell": {
        "slot": Pair(queues.CELL, None, "20 us"),
        "sifs": Pair(queues.CELL, None, "10 us"),
        "aifsn": Pair(queues.CELL, None, "2"),
        "cw_min": Pair(queues.CELL, None, "31"),
        "cw_max": Pair(queues.CELL, None, "15"),
        "preamble": Pair(queues.CELL, None, "192 us"),
        "answer": Pair(queues.CELL, None, "50 us"),
        "frames": Pair(queues.CELL, None, "1"),
        "aggregate": Pair(queues.CELL, None, "4 KB"),
        "airtime": Pair(queues.CELL, None, "500 us"),
        "error": Pair(queues.CELL, None, "10 %"),
        "retries": Pair(queues.CELL, None, "1", error="30 %"),
    },
    "cellular.Carrier": {
        "slot": Pair(queues.CARRIER, None, "0.5 ms"),
        "blocks": Pair(queues.CARRIER, None, "1"),
        "scheduler": Pair(queues.CARRIER, "proportional_fair", "round_robin"),
        "average": Pair(queues.CARRIER, None, "10 ms"),
        "error": Pair(queues.CARRIER, None, "1 %"),
        "harq": Pair(queues.CARRIER, None, "4 ms"),
        "retries": Pair(queues.CARRIER, None, "0"),
        "request": Pair(queues.CARRIER, None, "5 ms"),
        "grant": Pair(queues.CARRIER, None, "4 ms"),
    },
    "Processing": {
        "service": Pair(queues.PROCESSING, None, "10 us", "exponential(10 us)"),
        "packets": Pair(queues.PROCESSING, None, "5", service="3 ms"),
        "delay": Pair(queues.PROCESSING, None, "10 us", "uniform(0 s, 3 ms)"),
    },
    "IcmpLimits": {
        "interval": Pair(queues.ICMP_LIMITS, None, "10 ms", "0 s"),
        "burst": Pair(queues.ICMP_LIMITS, None, "3"),
        "rate": Pair(queues.ICMP_LIMITS, None, "10", interval="0 s"),
        "all_burst": Pair(queues.ICMP_LIMITS, None, "5", interval="0 s", rate="10"),
    },
    "middlebox.Nat": {
        "inside": Pair(queues.NAT, "a[*]", "a[0]"),
        "filtering": Pair(queues.NAT, "endpoint_independent", "address_dependent", "address_and_port_dependent"),
        "hairpinning": Pair(queues.NAT, None, "false", filtering="endpoint_independent"),
        "clamp_mss": Pair(queues.NARROW_NAT, None, "true"),
        "first_port": Pair(queues.NAT, None, "60000"),
        "last_port": Pair(queues.NAT, None, "2000"),
        "sessions": Pair(queues.NAT, None, "1"),
        # A session that begins again has the same ends.
        "udp_timeout": Pair(queues.NAT, None, "20 ms", seen="middleboxes.0.sessions"),
        "icmp_timeout": Pair(queues.NAT, None, "20 ms", seen="middleboxes.0.sessions"),
        "tcp_timeout": Pair(queues.NAT, None, "20 ms", seen="middleboxes.0.sessions"),
        "tcp_transitory_timeout": Pair(queues.NAT, None, "20 ms", seen="middleboxes.0.open"),
    },
    "middlebox.Firewall": {
        "rules": Pair(queues.FIREWALL, None, "[middlebox.allow(a[0])]"),
        "otherwise": Pair(queues.FIREWALL, "allow", "drop", "reject"),
        "sessions": Pair(queues.FIREWALL, None, "1"),
        "udp_timeout": Pair(queues.FIREWALL, None, "20 ms", seen="middleboxes.0.sessions"),
        "icmp_timeout": Pair(queues.FIREWALL, None, "20 ms", seen="middleboxes.0.sessions"),
        "tcp_timeout": Pair(queues.FIREWALL, None, "20 ms", seen="middleboxes.0.sessions"),
        "tcp_transitory_timeout": Pair(queues.FIREWALL, None, "20 ms", seen="middleboxes.0.open"),
    },
    "middlebox.LoadBalancer": {
        "back_ends": Pair(queues.BALANCER, "[middlebox.back_end(e[*])]", "[middlebox.back_end([e[*], f])]"),
        "scheduling": Pair(queues.BALANCER, "round_robin", "least_connections", "source_hash", "flow_hash"),
        "port": Pair(queues.BALANCER, None, "81", to_port="80"),
        "to_port": Pair(queues.RESOLVERS, None, "8080"),
        "max_fails": Pair(queues.BALANCER, None, "1"),
        "fail_timeout": Pair(queues.BALANCER, None, "1 s", max_fails="1"),
        "sessions": Pair(queues.BALANCER, None, "2"),
        "udp_timeout": Pair(queues.BALANCER, None, "20 ms", seen="middleboxes.0.connections"),
        "tcp_timeout": Pair(queues.BALANCER, None, "20 ms", seen="middleboxes.0.expired"),
        "tcp_transitory_timeout": Pair(queues.BALANCER, None, "20 ms", seen="middleboxes.0.open"),
    },
    "middlebox.BackEnd": {
        "nodes": Pair(queues.BACK_END, "e[*]", "e[0]"),
        "weight": Pair(queues.BACK_END, None, "3"),
    },
    "middlebox.Rule": {
        "action": Pair(queues.RULE, "allow", "drop", "reject", source="[a[0]]"),
        "source": Pair(queues.RULE, None, "[a[0]]"),
        "destination": Pair(queues.RULE, None, "[d]"),
        "source_prefix": Pair(queues.RULE, None, "[10.0.0.1/32]"),
        "destination_prefix": Pair(queues.RULE, None, "[10.0.0.1/32]"),
        "protocol": Pair(queues.RULE, "any", "tcp", "udp", "icmp"),
        "first_port": Pair(queues.RULE, None, "53", protocol="udp"),
        "last_port": Pair(queues.RULE, None, "52", protocol="udp"),
    },
    "Endpoint": {
        "address": Pair(on.ENDPOINT, None, "10.0.7.7"),
        "ipv6": Pair(on.beside_ipv6("endpoint"), None, "2001:db8::7"),
        "anycast": Pair(on.SHARING["endpoint"], "10.0.7.7", "10.0.7.8"),
        # What real hosts in them do is tests/live/test_networks.py's; a model's own nodes have no addresses there.
        "prefix": Pair(on.ENDPOINT, None, "10.0.0.0/24"),
        "behind": Pair(on.ENDPOINT, None, "10.0.0.0/24"),
        "bridged": Pair(on.BRIDGED, "true", "false", seen="invalid"),
        "simulated": Pair(on.ENDPOINT, "web.server()", "web.server(service = 20 ms)"),
        "tcp": Pair(on.ENDPOINT, None, "other"),
        "position": Pair(on.placed("endpoint"), "geo(50, 0)", "geo(40.71, -74.01)"),
    },
    "Run": {
        "duration": Pair(on.RUN, "100 ms", "200 ms"),
        "warmup": Pair(on.RUN, None, "50 ms", seen="workloads.0.requests.sent"),
    },
    "SegmentList": {
        "weight": Pair(on.SEGMENTS, None, "200"),
        "source": Pair(on.SEGMENTS, None, "[b]"),
        "dscp": Pair(on.SEGMENTS, None, "46"),
        "protocol": Pair(on.SEGMENTS_MARKED, "any", "tcp", "udp", "icmp"),
        "port": Pair(on.SEGMENTS, None, "80"),
        "label_size": Pair(on.SEGMENTS, None, "0 B", "8 B"),
        "without": Pair(on.SEGMENTS_CUT, "shortest_path", "drop"),
    },
    "Addressing": {
        "pool": Pair(on.ADDRESSING, None, "10.7.0.0/16"),
        "ipv6": Pair(on.ADDRESSING, None, "2001:db8::/64"),
        # Only real hosts send to it; in a simulated run nodes take their addresses around it.
        "gateway": Pair(on.ADDRESSING, None, "10.0.0.1"),
    },
    "ComponentAddressing": {
        "prefix": Pair(on.COMPONENT_ADDRESSING, "10.9.0.0/24", "10.8.0.0/24"),
        "ipv6": Pair(on.COMPONENT_OF_BOTH, None, "2001:db8:9::/64"),
    },
    "Routing": {
        "metric": Pair(on.ROUTING, "delay", "hops", "cost"),
        "multipath": Pair(on.MULTIPATH, "single", "ecmp"),
        "follow_delays": Pair(on.FOLLOWING, "0 s", "100 ms"),
        "detection": Pair(on.CONVERGING, "0 s", "50 ms"),
        "flooding": Pair(on.CONVERGING, "0 s", "50 ms"),
        "computation": Pair(on.CONVERGING, "0 s", "50 ms"),
    },
    "Geographic": {
        "latitude": Pair(on.GEOGRAPHIC, "1", "-40"),
        "longitude": Pair(on.GEOGRAPHIC, "2", "-74"),
    },
    "Planar": {
        "x": Pair(on.PLANAR, "4", "7"),
        "y": Pair(on.PLANAR, "4", "7"),
    },
    "orbit.Shell": {
        "height": Pair(on.SHELL, "780 km", "500 km"),
        "inclination": Pair(on.SHELL, "50", "80"),
        "planes": Pair(on.SHELL, "3", "5"),
        "each": Pair(on.SHELL, "4", "5"),
        "phasing": Pair(on.SHELL, "1", "2"),
        "spread": Pair(on.SHELL, "360", "180"),
        "start": Pair(on.SHELL, "0", "40"),
    },
    "web.Server": {
        "service": Pair(on.SERVER, None, "5 ms"),
        "workers": Pair(on.SERVER, None, "1", service="5 ms"),
        "hold": Pair(on.WAITED_SERVER, "request", "response", "connection", service="5 ms", workers="1"),
        "processors": Pair(on.SERVER, None, "1", service="5 ms"),
        "backlog": Pair(on.SERVER, None, "1", service="5 ms", workers="1"),
        "half_open": Pair(on.SERVER, None, "true", service="5 ms", workers="1", backlog="2"),
        "syn_cost": Pair(on.SERVER, None, "1 ms", service="5 ms", processors="1"),
        "close": Pair(on.SERVER, "after_ack", "at_once"),
        "keep_alive": Pair(on.KEEPING_SERVER, None, "5 ms", "0 s"),
        "reply": Pair(on.POSTED_SERVER, None, "9 KB"),
        "etags": Pair(on.SERVER, None, "true"),
        "cookie": Pair(on.SERVER, None, "true"),
        "moved": Pair(on.SERVER, None, "true"),
        "version": Pair(on.HTTP2_SERVER, "HTTP_1", "HTTP_2"),
        "port": Pair(on.SERVER, None, "8080"),  # all clients ask for 80
        "scheme": Pair(on.SERVER, "http", "https"),
        "tls_version": Pair(on.OLD_AND_NEW, "any", "tls12", "tls13"),
        "resumption": Pair(on.SECURE_SERVER, None, "false"),
        "certificate": Pair(on.SECURE_SERVER, None, on.CERTIFICATE),
        "handshake": Pair(on.SECURE_SERVER, None, "5 ms"),
    },
    "web.MessageServer": {
        "echo": Pair(on.MESSAGE_SERVER, None, "false"),
        "push": Pair(on.MESSAGE_SERVER, None, "20 ms", "exponential(20 ms)"),
        "size": Pair(on.MESSAGE_SERVER, None, "100 B", "uniform(10 B, 2 KB)", push="20 ms"),
        "port": Pair(on.MESSAGE_SERVER, None, "8080"),  # all clients ask for 80
        "scheme": Pair(on.MESSAGE_SERVER, "http", "https"),
        "tls_version": Pair(on.OLD_AND_NEW_MESSAGES, "any", "tls12", "tls13"),
        "resumption": Pair(on.SECURE_MESSAGE_SERVER, None, "false"),
        "certificate": Pair(on.SECURE_MESSAGE_SERVER, None, on.CERTIFICATE),
    },
    "web.Document": {
        "size": Pair(on.DOCUMENT, "2 KB", "3 KB"),
        "path": Pair(on.DOCUMENT, None, '"/way"'),
        "count": Pair(on.DOCUMENT, None, "9"),
        "choice": Pair(on.DOCUMENT, None, "2", "zipf(9, 0.5)", size="exponential(2 KB)", count="9"),
        "seed": Pair(on.DOCUMENT, None, "2", size="exponential(2 KB)"),
    },
    "web.Stage": {
        "duration": Pair(on.STAGE, "100 ms", "50 ms"),
        "begin": Pair(on.STAGE, "1", "2"),
        "end": Pair(on.STAGE, "1", "3"),
    },
    "web.ProWGen": {
        "requests": Pair(on.PROWGEN, "200", "20"),
        "one_timers": Pair(on.PROWGEN, None, "0.5"),
        "slope": Pair(on.PROWGEN, None, "2"),
        "correlation": Pair(on.PROWGEN, None, "1"),
        "stack": Pair(on.PROWGEN, None, "0"),
    },
    "web.SpecWeb99": {"directories": Pair(on.SPECWEB99, "2, count = 72", "1, count = 36", choice="2")},
    "web.DocumentList": {
        "file": Pair(on.DOCUMENT_LIST, f'"{on.LOADS}/site.csv"', f'"{on.LOADS}/other.csv"'),
        "order": Pair(on.DOCUMENT_LIST, "by_weight", "uniform", "in_turn"),
    },
    "web.Replay": {
        **{name: pair for name, pair in web("Replay", **on.TIMES).items() if name != "start_spread"},
        "log": Pair(on.REPLAY, f'"{on.LOADS}/access.log"', f'"{on.LOADS}/short.log"'),
        "times": Pair(on.clients("Replay", duration="3 s"), f'"{on.LOADS}/times.txt"', f'"{on.LOADS}/few.txt"', documents="[web.fixed(5 KB), web.fixed(1 KB)]"),
        "speed": Pair(on.clients("Replay", **on.TIMES), None, "2"),
        "connections": Pair(on.clients("Replay", server="service = 50 ms", **on.TIMES), None, "1"),
        "unreadable": Pair(on.REPLAY, "refuse", "skip", seen="invalid", log=f'"{on.LOADS}/odd.log"'),
    },
    "web.Origin": {
        "authority": Pair(on.ORIGIN, '"auth.example:80"', '"auth.example:81"'),
        "server": Pair(on.ORIGIN, "e", "f"),
    },
    "web.ClosedLoop": {
        **web("ClosedLoop"),
        "think": Pair(on.clients("ClosedLoop"), None, "10 ms", "exponential(10 ms)"),
        "pipeline": Pair(on.clients("ClosedLoop"), None, "3", requests="10"),
        "connections": Pair(on.clients("ClosedLoop"), None, "6"),
    },
    "web.OpenLoop": {
        **web("OpenLoop", interval="20 ms"),
        "interval": Pair(on.clients("OpenLoop"), "20 ms", "10 ms", "exponential(10 ms)"),
        "schedule": Pair(on.clients("OpenLoop", interval="20 ms"), None, "web.hold(1 s, 2)", "[web.hold(50 ms, 1), web.hold(50 ms, 0)]"),
        "connections": Pair(on.clients("OpenLoop", server="service = 50 ms", interval="20 ms"), None, "1", "2"),
        "repeat": Pair(on.clients("OpenLoop", interval="20 ms", schedule="web.on_off(50 ms, 50 ms)"), "false", "true"),
    },
    "web.Calls": calls(),
    "web.Socket": {
        **listeners("Socket", interval="20 ms"),
        "interval": Pair(on.listeners("Socket"), "20 ms", "10 ms", "exponential(10 ms)"),
        "size": Pair(on.listeners("Socket", interval="20 ms"), None, "100 B", "exponential(200 B)"),
        "text": Pair(on.listeners("Socket", interval="20 ms"), None, '"hello"'),
        "expect": Pair(on.listeners("Socket", server="push = 1 ms", interval="20 ms"), "echo", "any", "no_answer", seen="workloads.0.response_time_seconds.mean"),
        "messages": Pair(on.listeners("Socket", interval="20 ms", think="20 ms"), None, "2"),
        "compression": Pair(on.listeners("Socket", interval="20 ms", size="2 KB"), "none", "deflate", "no_context_takeover"),
        "window_bits": Pair(on.listeners("Socket", interval="20 ms"), None, "9", compression="deflate"),
    },
    "web.Events": {**listeners("Events"), "events": Pair(on.listeners("Events", think="20 ms"), None, "3")},
    "web.Browser": {**pages("Browser"), "pause": Pair(on.clients("Browser", parts="web.fixed(2 KB)", parts_per_page="3"), None, "20 ms")},
    "web.Sessions": {**pages("Sessions", interval="40 ms"), "interval": Pair(on.clients("Sessions", parts="web.fixed(2 KB)", parts_per_page="3"), "40 ms", "50 ms")},
    "web.SClient": {
        **{name: pair for name, pair in web("SClient").items() if name not in ("requests", "idle", "version", "streams")},
        "connect_timeout": Pair(on.clients("SClient", link="rate = 10 Mbps, loss = 1", duration="5 s"), None, "200 ms"),
        "sockets": Pair(on.clients("SClient"), None, "3"),
    },
    "traffic.Bulk": {
        **senders(on.BULK),
        "port": Pair(on.BULK, None, "10"),
        "size": Pair(on.BULK, None, "10 KB", "exponential(10 KB)"),
        "transfers": Pair(on.BULK, None, "2"),
        "think": Pair(on.BULK, None, "10 ms", "exponential(10 ms)"),
        "connect_timeout": Pair(on.traffic("Bulk", link="rate = 10 Mbps, loss = 1", duration="5 s"), None, "200 ms"),
    },
    "traffic.Flows": {
        "to": Pair(on.FLOWS, "b[0]", "b[1]"),
        "pairing": Pair(on.FLOWS, "each_time", "in_turn", "to_all", "in_order", "permutation", "at_random", to="b[*]"),
        "port": Pair(on.FLOWS, None, "10"),
        "size": Pair(on.FLOWS, "10 KB", "20 KB", "exponential(10 KB)", "cumulative([0 B, 10 KB], [0, 1])"),
        "interval": Pair(on.FLOWS, "20 ms", "10 ms", "exponential(20 ms)"),
        "offered": Pair(on.OFFERED_FLOWS, "1 Mbps", "2 Mbps"),
        "connections": Pair(on.FLOWS, None, "1", size="50 KB"),
        "start_spread": Pair(on.FLOWS, None, "0 s", "100 ms"),
    },
    "traffic.Background": {
        "to": Pair(on.BACKGROUND, "b[0]", "b[1]"),
        "pairing": Pair(on.BACKGROUND, "in_order", "permutation", "at_random", refused=("nearest",), to="b[*]", flows="30"),
        "flows": Pair(on.BACKGROUND, "10", "12"),
        "flow_rate": Pair(on.BACKGROUND, "600 Kbps", "500 Kbps"),
        "burst": Pair(on.BACKGROUND, "20 ms", "30 ms"),
        "pause": Pair(on.BACKGROUND, "20 ms", "30 ms"),
        "step": Pair(on.BACKGROUND, "5 ms", "10 ms"),
        "elastic": Pair(on.BACKGROUND, None, "true"),
        "fill": Pair(on.BACKGROUND, None, "1", elastic="true"),
    },
    "traffic.Cbr": {
        **senders(on.CBR, "multicast"),
        "port": Pair(on.CBR, None, "10"),
        "payload": Pair(on.CBR, None, "100 B"),
        "fragments": Pair(on.CBR, None, "true", payload="3000 B"),
        "rate": Pair(on.CBR, "1 Mbps", "2 Mbps"),
        "interval": Pair(on.CBR, "5 ms", "10 ms", "exponential(10 ms)", rate=None),
    },
    "traffic.OnOff": {
        **senders(on.ON_OFF, "multicast"),
        "port": Pair(on.ON_OFF, None, "10"),
        "payload": Pair(on.ON_OFF, None, "100 B"),
        "fragments": Pair(on.ON_OFF, None, "true", payload="3000 B"),
        "rate": Pair(on.ON_OFF, "1 Mbps", "2 Mbps"),
        "interval": Pair(on.ON_OFF, "5 ms", "10 ms", rate=None),
        "burst": Pair(on.ON_OFF, "exponential(20 ms)", "exponential(50 ms)"),
        "pause": Pair(on.ON_OFF, "exponential(10 ms)", "exponential(50 ms)"),
    },
    "queue.Red": {
        "minimum_threshold": Pair(queues.RED, "3 KB", "6 KB"),
        "maximum_threshold": Pair(queues.RED, "12 KB", "24 KB"),
        "max_probability": Pair(queues.RED, "0.1", "0.5"),
        "weight": Pair(queues.RED, "0.1", "0.2"),
        "typical_packet": Pair(queues.RED_IDLE, "1000 B", "20 B"),
        "gentle": Pair(queues.RED, "true", "false", maximum_threshold="5 KB"),
        "ecn": Pair(queues.RED_MARKS, "true", "false"),
        "hard_drop": Pair(queues.RED_MARKS, "true", "false", maximum_threshold="4 KB"),
        "adaptive": Pair(queues.RED, "true", "false", interval="50 ms"),
        "interval": Pair(queues.RED, "50 ms", "100 ms", adaptive="true"),
        "alpha": Pair(queues.RED, None, "0.001", adaptive="true", interval="50 ms"),
        "beta": Pair(queues.RED, None, "0.5", adaptive="true", interval="50 ms", minimum_threshold="60 KB", maximum_threshold="200 KB"),
    },
    "queue.Codel": {
        "target": Pair(queues.CODEL, "5 ms", "10 ms"),
        "interval": Pair(queues.CODEL, "20 ms", "40 ms"),
        "ecn": Pair(queues.CODEL_MARKS, "true", "false"),
        "ce_threshold": Pair(queues.CODEL_MARKS, None, "10 ms"),
    },
    "queue.Threshold": {
        "mark": Pair(queues.THRESHOLD_MARKS, "15 KB", "30 KB"),
        "drop_others": Pair(queues.THRESHOLD, "true", "false"),
    },
    "queue.Pie": {
        "target": Pair(queues.PIE, "5 ms", "10 ms", burst="20 ms"),
        "update": Pair(queues.PIE, "5 ms", "7 ms", burst="20 ms"),
        "burst": Pair(queues.PIE, "20 ms", "50 ms"),
        "alpha": Pair(queues.PIE, None, "0.5", burst="20 ms"),
        "beta": Pair(queues.PIE, None, "5", burst="20 ms"),
        "ecn": Pair(queues.PIE_MARKS, "true", "false"),
        "mark_below": Pair(queues.PIE_MARKS, None, "0.001"),
        "derandomized": Pair(queues.PIE, None, "false", burst="20 ms"),
    },
    "queue.FqCodel": {
        "flows": Pair(queues.FQ_CODEL, None, "1"),
        "fairness": Pair(queues.FQ_CODEL, *FAIRNESS),
        "quantum": Pair(queues.FQ_CODEL, None, "300 B"),
        "target": Pair(queues.FQ_CODEL, None, "20 ms", interval="30 ms"),
        "interval": Pair(queues.FQ_CODEL, None, "20 ms"),
        "ecn": Pair(queues.FQ_CODEL_MARKS, "true", "false"),
        "ce_threshold": Pair(queues.FQ_CODEL_MARKS, None, "10 ms"),
        "drop_batch": Pair(queues.FQ_CODEL, None, "1", capacity="20 KB"),
    },
    "queue.Drr": {
        "flows": Pair(queues.DRR, None, "1"),
        "fairness": Pair(queues.DRR, *FAIRNESS),
        "quantum": Pair(queues.DRR, None, "300 B"),
    },
    "queue.Sfq": {
        "flows": Pair(queues.SFQ, None, "1"),
        "fairness": Pair(queues.SFQ, *FAIRNESS),
        "quantum": Pair(queues.SFQ, None, "300 B"),
        "perturbation": Pair(queues.SFQ, "0 s", "100 ms", flows="2"),
    },
    "queue.Htb": {
        "by": Pair(queues.HTB, "source", "destination", "hosts", "flow", "dscp"),
        "rate": Pair(queues.HTB, "1 Mbps", "3 Mbps"),
        "ceil": Pair(queues.HTB, "4 Mbps", "8 Mbps"),
        "burst": Pair(queues.HTB, None, "3 KB"),
    },
    "queue.HtbClasses": {
        "classes": Pair(queues.HTB_CLASSES, '[queue.htb_class("x", rate = 1 Mbps)]', '[queue.htb_class("x", rate = 2 Mbps)]'),
    },
    "queue.HtbClass": {
        "name": Pair(queues.HTB_CLASS, '"x"', '"y"'),
        "parent": Pair(queues.HTB_CLASS, '""', '"above"'),
        "rate": Pair(queues.HTB_CLASS, "1 Mbps", "3 Mbps", first_dscp="46", priority="2"),
        "ceil": Pair(queues.HTB_CLASS, "4 Mbps", "6 Mbps"),
        "burst": Pair(queues.HTB_CLASS, None, "3 KB"),
        "priority": Pair(queues.HTB_CLASS, None, "2", first_dscp="46"),
        "source": Pair(queues.HTB_CLASS, None, "a[0]"),
        "destination": Pair(queues.HTB_CLASS, None, "r"),
        "protocol": Pair(queues.HTB_CLASS, "any", "tcp", "udp", "icmp"),
        "first_port": Pair(queues.HTB_CLASS, None, "1001", protocol="udp", last_port="1001"),
        "last_port": Pair(queues.HTB_CLASS, None, "1000", protocol="udp"),
        "first_dscp": Pair(queues.HTB_CLASS, None, "46"),
        "last_dscp": Pair(queues.HTB_CLASS, None, "10"),
    },
    "queue.Priority": {
        "bands": Pair(queues.PRIORITY, "class_selector", "linux_prio", "wifi", "expedited"),
    },
    "queue.TokenBucket": {
        "rate": Pair(queues.TOKEN_BUCKET, "2 Mbps", "4 Mbps"),
        "burst": Pair(queues.TOKEN_BUCKET, None, "3 KB", "1 KB"),
    },
    "traffic.Relay": {
        "to": Pair(on.RELAY, "a[*]", "c"),
        "listen": Pair(on.RELAY, None, "10"),
        "port": Pair(on.RELAY, None, "10"),
        "echo": Pair(on.RELAY, None, "true"),
        "fragments": Pair(on.RELAY_OF_MUCH, None, "true"),
    },
    "traffic.Requests": {
        **senders(on.REQUESTS),
        "port": Pair(on.REQUESTS, None, "10"),
        "request": Pair(on.REQUESTS, None, "100 B"),
        "response": Pair(on.REQUESTS, None, "100 B"),
        "fragments": Pair(on.REQUESTS, None, "true", response="3000 B"),
        "think": Pair(on.REQUESTS, "10 ms", "20 ms", "exponential(10 ms)"),
        "timeout": Pair(on.REQUESTS, None, "1 ms"),
    },
    "traffic.Ping": {
        **senders(on.PING),
        "interval": Pair(on.PING, "10 ms", "20 ms", "exponential(10 ms)"),
        "payload": Pair(on.PING, None, "100 B"),
        "fragments": Pair(on.PING, None, "true", payload="3000 B"),
        "count": Pair(on.PING, None, "3"),
        "timeout": Pair(on.PING, None, "1 ms", seen="workloads.0.requests.lost"),
        "ttl": Pair(on.PING, None, "1"),
    },
}
