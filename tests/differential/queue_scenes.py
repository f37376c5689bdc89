"""Scenes, as those of attribute_scenes.py, of what packets wait in and pass: queues, buffers, the air, middleboxes."""
from attribute_scenes import scene, sharing, traffic


def queue(schema, burst="", **given):
    """Datagrams, more than a link carries; `burst`: with pauses."""
    return scene(f"""
  profile q : queue.{schema} {{ ATTRIBUTES }}
  host a[4]
  router r
  host b
  link a[*] -- r {{ rate = 100 Mbps, delay = 1 ms }}
  link r -- b {{ rate = 10 Mbps, queue = q }}
  workload w : traffic.OnOff on a[*] {{ to = b, rate = 4 Mbps{burst}, start_spread = 0 s }}
  run {{ duration = 500 ms }}""", **{"capacity": "256 KB", **given})


RED = queue("Red", minimum_threshold="3 KB", maximum_threshold="12 KB", weight="0.1")
RED_IDLE = queue("Red", ", burst = exponential(50 ms), pause = exponential(20 ms)", minimum_threshold="3 KB", maximum_threshold="12 KB", weight="0.1")
CODEL = queue("Codel", target="5 ms", interval="20 ms")
TOKEN_BUCKET = queue("TokenBucket", rate="2 Mbps")
THRESHOLD = queue("Threshold", mark="15 KB", drop_others="true")
PIE = queue("Pie", target="5 ms", update="5 ms")


def marked(schema, **given):
    """Bulk transfers that offer ECN, through a queue that they fill."""
    return scene(f"""
  profile q : queue.{schema} {{ ATTRIBUTES }}
  profile offering : Tcp {{ ecn = offered }}
  host a[4] {{ tcp = offering }}
  router r
  host b {{ tcp = offering }}
  link a[*] -- r {{ rate = 100 Mbps, delay = 1 ms }}
  link r -- b {{ rate = 10 Mbps, queue = q }}
  workload w : traffic.Bulk on a[*] {{ to = b, start_spread = 0 s }}
  run {{ duration = 1 s }}""", **{"capacity": "64 KB", **given})


RED_MARKS = marked("Red", minimum_threshold="3 KB", maximum_threshold="12 KB", weight="0.1", ecn="true")
CODEL_MARKS = marked("Codel", target="5 ms", interval="20 ms")
THRESHOLD_MARKS = marked("Threshold", mark="15 KB")
PIE_MARKS = marked("Pie", target="5 ms", update="5 ms", burst="20 ms", ecn="true")
FQ_CODEL_MARKS = marked("FqCodel", target="5 ms", interval="20 ms")


def flows(schema, **given):
    """Five flows of two hosts to two others, of different lengths, more than a link carries. No way of sharing it gives two of them the same."""
    return scene(f"""
  profile q : queue.{schema} {{ ATTRIBUTES }}
  host a[2]
  router r
  router s
  host b[2]
  link a[*] -- r {{ rate = 100 Mbps, delay = 1 ms }}
  link r -- s {{ rate = 10 Mbps, queue = q }}
  link s -- b[*] {{ rate = 100 Mbps }}
  workload one : traffic.Cbr on a[0] {{ to = b[0], rate = 8 Mbps, start_spread = 0 s }}
  workload two : traffic.Cbr on a[0] {{ to = b[0], rate = 8 Mbps, port = 77, payload = 300 B, start_spread = 0 s }}
  workload three : traffic.Cbr on a[0] {{ to = b[1], rate = 8 Mbps, payload = 700 B, start_spread = 0 s }}
  workload four : traffic.Cbr on a[1] {{ to = b[0], rate = 8 Mbps, payload = 1000 B, start_spread = 0 s }}
  workload five : traffic.Cbr on a[1] {{ to = b[1], rate = 8 Mbps, start_spread = 0 s }}
  run {{ duration = 500 ms }}""", **{"capacity": "64 KB", **given})


FQ_CODEL = flows("FqCodel")
DRR = flows("Drr")
SFQ = flows("Sfq")
HTB = flows("Htb", rate="1 Mbps", ceil="8 Mbps")
# Two hosts with two ports and code points each; a class, and those beside it and above it.
def classes(below_link, profile):
    return f"""
  host a[2]
  router r
  host b
  {profile}
  link a[*] -- r {{ rate = 100 Mbps, delay = 1 ms }}
  link r -- b {{ rate = 10 Mbps, queue = queue.htb_classes(64 KB, {below_link}) }}
  workload v : traffic.Cbr on a[*] {{ to = b, rate = 5 Mbps, port = 1000, dscp = 46 }}
  workload w : traffic.Cbr on a[*] {{ to = b, rate = 5 Mbps, port = 1001 }}
  workload p : traffic.Ping on a[*] {{ to = b, interval = 20 ms }}
  run {{ duration = 300 ms }}"""


HTB_CLASSES = scene(classes("CLASSES", "").replace("queue.htb_classes(64 KB, CLASSES)", "q").replace("  host b\n", "  host b\n  profile q : queue.HtbClasses { capacity = 64 KB, ATTRIBUTES }\n", 1))
# What waits in a class of another name the timeline drops.
_BESIDE = """queue.htb_class("below", parent = "above", rate = 1 Mbps, ceil = 2 Mbps, dscp = 20), queue.htb_class("above", rate = 2 Mbps, ceil = 3 Mbps), ONE,
    queue.htb_class("rest", rate = 1 Mbps, ceil = 10 Mbps, priority = 1)"""
HTB_CLASS = scene(classes("[" + _BESIDE.replace("ONE", "one") + "]", "profile one : queue.HtbClass { ATTRIBUTES }").replace("link r -- b", "link line: r -- b")
                  + "\n  at 200 ms { line { queue = queue.htb_classes(64 KB, [" + _BESIDE.replace("ONE", 'queue.htb_class("x", rate = 1 Mbps)') + "]) } }", name='"x"', rate="1 Mbps", ceil="4 Mbps")
# Priorities of four hosts, of which no two ways of sorting them see the same.
PRIORITY = scene("""
  profile q : queue.Priority { ATTRIBUTES }
  host a
  router r
  host b
  link a -- r { rate = 100 Mbps, delay = 1 ms }
  link r -- b { rate = 10 Mbps, queue = q }
  workload plain : traffic.Cbr on a { to = b, rate = 6 Mbps, start_spread = 0 s }
  workload telephone : traffic.Cbr on a { to = b, rate = 4 Mbps, port = 1, dscp = 46, start_spread = 0 s }
  workload pictures : traffic.Cbr on a { to = b, rate = 4 Mbps, port = 2, dscp = 34, start_spread = 0 s }
  workload bulk : traffic.Cbr on a { to = b, rate = 4 Mbps, port = 3, dscp = 10, start_spread = 0 s }
  run { duration = 300 ms }""", capacity="64 KB")

# A stream of datagrams that a router forwards, in front of it and behind.
def forwarding(kind, attributes="ATTRIBUTES", ttl=64):
    return scene(f"""
  profile p : Processing {{ service = 3 ms }}
  profile q : IcmpLimits {{ interval = 50 ms }}
  host a
  {kind} n {{ {attributes} }}
  link x: a -- n {{ rate = 100 Mbps }}
  host b
  link y: n -- b {{ rate = 100 Mbps }}
  workload w : traffic.Ping on a {{ to = b, interval = 1 ms, ttl = {ttl} }}
  run {{ duration = 300 ms }}""")


# More than a port can send, and stations that always have something to send.
def overloaded(kind, attributes="ATTRIBUTES"):
    return scene(f"""
  host a[2]
  {kind} n {{ {attributes} }}
  host b
  link x: a[*] -- n {{ rate = 100 Mbps }}
  link y: n -- b {{ rate = 10 Mbps }}
  workload w : traffic.Cbr on a[*] {{ to = b, rate = 10 Mbps }}
  run {{ duration = 300 ms }}""")


OVERLOADED, OVERLOADED_SWITCH = overloaded("router"), overloaded("switch")
BUFFER = overloaded("switch", "buffer = shared_buffer(ATTRIBUTES)")
CELL = scene("""
  host a[4]
  switch n { radio = wifi.cell(ATTRIBUTES) }
  host b
  link x: a[*] -- n { rate = 50 Mbps }
  link y: n -- b { rate = 1 Gbps, delay = 1 ms }
  workload w : traffic.Cbr on a[*] { to = b, rate = 20 Mbps }
  run { duration = 300 ms }""")
# Rates that change, without which all schedulers are alike, and a station that asks again and again.
CARRIER = scene("""
  host a[4]
  switch n { radio = cellular.carrier(ATTRIBUTES) }
  host b[4]
  link x: a[0 .. 2] -- n { rate = 5 Mbps, up { rate = 20 Mbps } }
  link z: a[3] -- n { rate = 7 Mbps }
  link y: n -- b[*] { rate = 1 Gbps, delay = 1 ms }
  workload w : traffic.Cbr on b[*] { to = a[*], rate = 4 Mbps }
  workload v : traffic.Ping on a[*] { to = b[*], interval = 37 ms }
  at 100 ms { z { rate = 2 Mbps } }
  at 200 ms { x[*] { rate = 9 Mbps } }
  run { duration = 300 ms }""")
WIRED = scene("""
  host a[2]
  switch n { radio = wifi.g() }
  link x: a[0] -- n { rate = 10 Mbps, overhead = 36 B, ATTRIBUTES }
  link y: a[1] -- n { rate = 10 Mbps, overhead = 36 B }
  workload w : traffic.Ping on a[0] { to = a[1], interval = 10 ms }
  run { duration = 300 ms }""")

PROCESSING = forwarding("router", "processing = processing(ATTRIBUTES)")
ICMP_LIMITS = forwarding("router", "icmp_limits = icmp_limits(ATTRIBUTES)", ttl=1)

# Packets of which fragments are lost: the host tells after 30 s.
REFUSING = scene("""
  profile q : IcmpLimits { interval = 10 s }
  host a
  host n { ATTRIBUTES }
  link x: a -> n { rate = 100 Mbps, loss = 30 % }
  link y: n -> a { rate = 100 Mbps }
  workload w : traffic.Ping on a { to = n, payload = 3000 B, fragments = true, interval = 100 ms }
  run { duration = 40 s }""")

# Hosts inside that ask by UDP, ping and browse; from outside who is asked and a stranger send to the port that the first of them has, and the
# second one inside does so by the outside address.
NAT = scene("""
  host a[2]
  router n { middlebox = middlebox.nat(ATTRIBUTES) }
  router r
  host d
  host stranger
  endpoint e { simulated = web.server() }
  link a[*] -- n { rate = 10 Mbps, delay = 1 ms }
  link n -- r { rate = 10 Mbps, delay = 1 ms }
  link d -- r { rate = 10 Mbps, delay = 1 ms }
  link stranger -- r { rate = 10 Mbps, delay = 1 ms }
  link e -- r { rate = 10 Mbps, delay = 1 ms }
  workload ask : traffic.Requests on a[*] { to = d, think = 100 ms, start_spread = 0 s }
  workload ping : traffic.Ping on a[*] { to = d, interval = 100 ms, start_spread = 0 s }
  workload browse : web.ClosedLoop on a[*] { server = e, documents = web.fixed(2 KB), think = 100 ms, requests = 3, start_spread = 0 s }
  workload again : traffic.Cbr on d { to = n, port = 49152, interval = 30 ms, start_spread = 0 s }
  workload pry : traffic.Cbr on stranger { to = n, port = 49152, interval = 30 ms, start_spread = 0 s }
  workload turn : traffic.Cbr on a[1] { to = n, port = 49152, interval = 30 ms, start_spread = 0 s }
  run { duration = 2 s }""", inside="a[*]")

# Links on both sides that are narrower than the servers' segments.
NARROW_NAT = scene("""
  host a
  router n { middlebox = middlebox.nat(ATTRIBUTES) }
  endpoint e { simulated = web.server() }
  link a -- n { rate = 10 Mbps, delay = 1 ms, mtu = 900 B }
  link e -- n { rate = 10 Mbps, delay = 1 ms }
  workload browse : web.ClosedLoop on a { server = e, documents = web.fixed(20 KB), think = 100 ms, start_spread = 0 s }
  run { duration = 2 s }""", inside="a")

# The same through a firewall.
FIREWALL = scene("""
  host a[2]
  host d
  endpoint e { simulated = web.server() }
  router n { middlebox = middlebox.firewall(ATTRIBUTES) }
  link a[*] -- n { rate = 10 Mbps, delay = 1 ms }
  link d -- n { rate = 10 Mbps, delay = 1 ms }
  link e -- n { rate = 10 Mbps, delay = 1 ms }
  workload ask : traffic.Requests on a[*] { to = d, think = 100 ms, start_spread = 0 s }
  workload ping : traffic.Ping on a[*] { to = d, interval = 100 ms, start_spread = 0 s }
  workload browse : web.ClosedLoop on a[*] { server = e, documents = web.fixed(2 KB), think = 100 ms, requests = 3, start_spread = 0 s }
  workload pry : traffic.Cbr on d { to = a[0], interval = 30 ms, start_spread = 0 s }
  run { duration = 2 s }""", rules="[middlebox.allow(a[*])]")

# Browsers and others through a balancer, whose last back end is slow and fails for some time.
BALANCER = scene("""
  host a[4]
  endpoint e[2] { simulated = web.server(service = 2 ms) }
  endpoint f { simulated = web.server(service = 40 ms) }
  endpoint g { simulated = web.server(port = 8080) }
  router n { middlebox = middlebox.load_balancer(ATTRIBUTES) }
  host d
  link a[*] -- n { rate = 10 Mbps, delay = 1 ms }
  link e[*] -- n { rate = 10 Mbps, delay = 1 ms }
  link d -- n { rate = 10 Mbps, delay = 1 ms }
  link g -- n { rate = 10 Mbps, delay = 1 ms }
  link last: f -- n { rate = 10 Mbps, delay = 1 ms }
  workload browse : web.ClosedLoop on a[*] { server = n, documents = web.fixed(2 KB), think = 100 ms, connect_timeout = 2 s, start_spread = 0 s }
  workload ask : traffic.Requests on d { to = n, port = 80, think = 100 ms, timeout = 50 ms, start_spread = 0 s }
  at 1 s { last down }
  at 4 s { last up }
  run { duration = 8 s }""", back_ends="[middlebox.back_end([e[*], f])]")

RESOLVERS = scene("""
  host a[2]
  host d[2]
  router n { middlebox = middlebox.load_balancer(ATTRIBUTES) }
  link a[*] -- n { rate = 10 Mbps, delay = 1 ms }
  link d[*] -- n { rate = 10 Mbps, delay = 1 ms }
  workload ask : traffic.Requests on a[*] { to = n, port = 80, think = 100 ms, start_spread = 0 s }
  run { duration = 2 s }""", back_ends="middlebox.back_end(d[*])")

BACK_END = scene("""
  host a[4]
  endpoint e[2] { simulated = web.server(service = 2 ms) }
  endpoint f { simulated = web.server(service = 40 ms) }
  profile p : middlebox.BackEnd { ATTRIBUTES }
  router n { middlebox = middlebox.load_balancer([p, middlebox.back_end(f)]) }
  link a[*] -- n { rate = 10 Mbps, delay = 1 ms }
  link e[*] -- n { rate = 10 Mbps, delay = 1 ms }
  link f -- n { rate = 10 Mbps, delay = 1 ms }
  workload browse : web.ClosedLoop on a[*] { server = n, documents = web.fixed(2 KB), think = 100 ms, start_spread = 0 s }
  run { duration = 2 s }""", nodes="e[*]")

RULE = scene("""
  host a[2]
  host d
  endpoint e { simulated = web.server() }
  profile p : middlebox.Rule { ATTRIBUTES }
  router n { middlebox = middlebox.firewall([p]) }
  link a[*] -- n { rate = 10 Mbps, delay = 1 ms }
  link d -- n { rate = 10 Mbps, delay = 1 ms }
  link e -- n { rate = 10 Mbps, delay = 1 ms }
  workload ask : traffic.Requests on a[*] { to = d, port = 53, think = 100 ms, start_spread = 0 s }
  workload ping : traffic.Ping on a[*] { to = d, interval = 100 ms, start_spread = 0 s }
  workload browse : web.ClosedLoop on a[*] { server = e, documents = web.fixed(2 KB), think = 100 ms, start_spread = 0 s }
  workload pry : traffic.Cbr on d { to = a[0], interval = 30 ms, start_spread = 0 s }
  run { duration = 2 s }""", action="allow")
