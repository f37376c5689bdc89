"""Models that show what attributes of the library do, for attribute_pairs.py. ATTRIBUTES stands for those of the schema that is looked at."""
import dataclasses
import pathlib


IMPORTS = "\n".join(f"import std.{module}" for module in ("cellular", "loss", "middlebox", "orbit", "queue", "traffic", "web", "wifi"))


@dataclasses.dataclass(frozen=True)
class Scene:
    """A model that shows what a schema's attributes do. `given` are those that it needs, or that make others count."""
    body: str
    given: tuple = ()
    above: str = ""  # declarations beside the model

    def text(self, attributes):
        values = {**dict(self.given), **attributes}
        block = ", ".join(f"{name} = {value}" for name, value in values.items() if value is not None)
        above, body = (part.replace("ATTRIBUTES", block) for part in (self.above, self.body))
        return f"{IMPORTS}\n{above}\nmodel Pair {{\n{body}\n}}\n"


def scene(body, above="", **given):
    return Scene(body, tuple(given.items()), above)


LINK = scene("""
  host a
  host b
  router r
  link x: a -- r { ATTRIBUTES }
  link y: r -- b { rate = 100 Mbps }
  workload w : traffic.Bulk on a { to = b, start_spread = 0 s }
  run { duration = 300 ms }""", rate="10 Mbps")

QUEUE = scene("""
  host a
  host b
  router r
  profile p : Queue { ATTRIBUTES }
  link x: a -- r { rate = 100 Mbps, delay = 5 ms }
  link y: r -- b { rate = 5 Mbps, queue = p }
  workload w : traffic.Bulk on a { to = b, start_spread = 0 s }
  run { duration = 300 ms }""", capacity="16 KB")

# What all workloads have.
WORKLOAD = scene("""
  host a
  host b
  link x: a -- b { rate = 10 Mbps }
  workload w : traffic.Bulk on a { to = b, start_spread = 0 s, ATTRIBUTES }
  run { duration = 300 ms }""")

# Two links, of which the cost decides; they differ in their delay.
COST = scene("""
  routing { metric = cost }
  host a
  router r
  link x: a -- r { rate = 10 Mbps, delay = 1 ms, ATTRIBUTES }
  link y: a -- r { rate = 10 Mbps, delay = 2 ms, cost = 2 }
  workload w : traffic.Ping on a { to = r, interval = 10 ms }
  run { duration = 100 ms }""")

# Flows share two links.
EQUAL_WAYS = scene("""
  routing { multipath = ecmp }
  host a[20]
  router near
  router r
  link a[*] -- near { rate = 10 Mbps }
  link x: near -- r { rate = 10 Mbps, queue = droptail(1 MB), ATTRIBUTES }
  link y: near -- r { rate = 5 Mbps, queue = droptail(1 MB) }
  workload w : traffic.Ping on a[*] { to = r, interval = 10 ms }
  run { duration = 100 ms }""")

# Each list has a way of its own, longer than the shortest path; the second one's link goes down where it is alone.
SEGMENTS = scene("""
  host a[8]
  host b
  host c
  router here
  router way[2]
  router there
  link [a[*], b] -- here { rate = 10 Mbps }
  link here -- there { rate = 10 Mbps }
  link here -- way[*] { rate = 10 Mbps, delay = 1 ms }
  link way[*] -- there { rate = 10 Mbps, delay = 1 ms }
  link there -- c { rate = 10 Mbps }
  route here to c via [way[0]] { ATTRIBUTES }
  route here to c via [way[1], there]
  workload w : traffic.Ping on [a[*], b] { to = c, interval = 10 ms }
  run { duration = 100 ms }""")
SEGMENTS_MARKED = scene("""
  host a
  host c
  router here
  router way[2]
  router there
  link a -- here { rate = 10 Mbps }
  link here -- way[*] { rate = 10 Mbps, delay = 1 ms }
  link way[*] -- there { rate = 10 Mbps, delay = 1 ms }
  link there -- c { rate = 10 Mbps }
  route here to c via [way[0], there] { ATTRIBUTES }
  route here to c via [way[1]]
  workload p : traffic.Ping on a { to = c, interval = 10 ms }
  workload u : traffic.Cbr on a { to = c, interval = 7 ms }
  workload t : traffic.Bulk on a { to = c, size = 2 KB, think = 5 ms }
  run { duration = 100 ms }""")
SEGMENTS_CUT = scene("""
  host b
  host c
  router here
  router way
  router there
  link b -- here { rate = 10 Mbps }
  link here -- there { rate = 10 Mbps }
  link here -- way { rate = 10 Mbps, delay = 1 ms }
  link over: way -- there { rate = 10 Mbps, delay = 1 ms }
  link there -- c { rate = 10 Mbps }
  route here to c via [way, over] { ATTRIBUTES }
  workload w : traffic.Ping on b { to = c, interval = 10 ms }
  at 50 ms { over down }
  run { duration = 100 ms }""")

# Headers of the two differ in length.
BOTH_FAMILIES = scene("""
  addressing { ipv6 = 2001:db8::/64 }
  host a
  host b
  link x: a -- b { rate = 10 Mbps }
  workload w : traffic.Cbr on a { to = b, interval = 10 ms, payload = 100 B, start_spread = 0 s, ATTRIBUTES }
  run { duration = 300 ms }""")

# Five systems: both neighbours of `here` sell transit to `there`, `right` to `third` too, which is a peer of `left`. `here` reaches `there` by the
# left one if it is a customer's or the own system, `third` reaches `here` by the left one if `here` is its customer or its own system.
RELATION = scene("""
  host here
  router left
  router right
  host there
  host third
  link here -- right { rate = 10 Mbps, delay = 1 ms, relation = peer }
  link x: here -- left { rate = 10 Mbps, delay = 2 ms, ATTRIBUTES }
  link there -- right { rate = 10 Mbps, delay = 4 ms, relation = customer }
  link there -- left { rate = 10 Mbps, delay = 8 ms, relation = customer }
  link third -- left { rate = 10 Mbps, delay = 16 ms, relation = peer }
  link third -- right { rate = 10 Mbps, delay = 32 ms, relation = customer }
  workload w : traffic.Ping on here { to = there, interval = 100 ms }
  workload v : traffic.Ping on third { to = here, interval = 100 ms }
  run { duration = 500 ms }""")

# Each metric has a way of its own: of one link, of the least delay, of the least cost.
ROUTING = scene("""
  routing { ATTRIBUTES }
  host a
  host b
  router r
  router s
  router quick
  router cheap[2]
  link a -- r { rate = 10 Mbps }
  link s -- b { rate = 10 Mbps }
  link r -- s { rate = 10 Mbps, delay = 5 ms, cost = 5 }
  link r -- quick { rate = 10 Mbps, delay = 1 ms, cost = 2 }
  link quick -- s { rate = 10 Mbps, delay = 1 ms, cost = 2 }
  link r -- cheap[0] { rate = 10 Mbps, delay = 1 ms }
  link cheap[0] -- cheap[1] { rate = 10 Mbps, delay = 1 ms }
  link cheap[1] -- s { rate = 10 Mbps, delay = 1 ms }
  workload w : traffic.Ping on a { to = b, interval = 10 ms }
  run { duration = 100 ms }""")

# The shorter way becomes the longer one.
FOLLOWING = scene("""
  routing { ATTRIBUTES }
  host a
  router r
  router s
  host b
  link a -- r { rate = 10 Mbps }
  link b -- s { rate = 10 Mbps }
  link x: r -- s { rate = 10 Mbps, delay = 1 ms }
  link y: r -- s { rate = 10 Mbps, delay = 2 ms }
  at 50 ms { x { delay = 5 ms } }
  workload w : traffic.Ping on a { to = b, interval = 10 ms }
  run { duration = 300 ms }""", metric="delay")

# The failure is a link away from the router that has another way.
CONVERGING = scene("""
  routing { ATTRIBUTES }
  host a
  router r[4]
  host b
  link a -- r[0] { rate = 10 Mbps }
  link b -- r[2] { rate = 10 Mbps }
  for i in 0 ..< 4 { link ring[i]: r[i] -- r[(i + 1) % 4] { rate = 10 Mbps, delay = 1 ms } }
  at 55 ms { ring[1] down }
  workload w : traffic.Ping on a { to = b, interval = 10 ms }
  run { duration = 300 ms }""")

# A ping over the second satellite of the second plane, some time after the beginning.
SHELL = scene("""
  profile shell : orbit.Shell { ATTRIBUTES }
  host a
  router sky
  link x: a -- sky { rate = 10 Mbps, delay = orbit.light(orbit.slant(shell, 1, 1, geo(47.4, 8.5), 100 s)) }
  workload w : traffic.Ping on a { to = sky, interval = 100 ms }
  run { duration = 300 ms }""", height="780 km", inclination="50", planes="3", each="4", phasing="1")

MULTIPATH = scene("""
  routing { ATTRIBUTES }
  host a[8]
  router r
  router s
  link a[*] -- r { rate = 10 Mbps }
  link x: r -- s { rate = 10 Mbps }
  link y: r -- s { rate = 20 Mbps }
  workload w : traffic.Ping on a[*] { to = s, interval = 10 ms }
  run { duration = 100 ms }""")

# Both ends have the TCP that is tried. More is under way than 64 KB, and the queue overflows.
TCP = scene("""
  profile p : Tcp { ATTRIBUTES }
  host a { tcp = p }
  host b { tcp = p }
  link x: a -- b { rate = 20 Mbps, delay = 25 ms, queue = droptail(64 KB) }
  workload w : traffic.Bulk on a { to = b, start_spread = 0 s }
  run { duration = 2 s }""")

# A transfer that loses while its window grows slowly.
TCP_LONG = scene("""
  profile p : Tcp { ATTRIBUTES }
  host a { tcp = p }
  host b { tcp = p }
  link x: a -- b { rate = 20 Mbps, delay = 25 ms, queue = droptail(64 KB), loss = 0.1 % }
  workload w : traffic.Bulk on a { to = b, start_spread = 0 s }
  run { duration = 10 s }""")

# A path that becomes slower than the time-out is long.
TCP_SLOWER = scene("""
  profile p : Tcp { ATTRIBUTES }
  host a { tcp = p }
  host b { tcp = p }
  link x: a -- b { rate = 10 Mbps, delay = 20 ms }
  at 500 ms { x { delay = 600 ms } }
  workload w : traffic.Bulk on a { to = b, start_spread = 0 s }
  run { duration = 6 s }""")

# The other side offers what is offered at all.
TCP_TWO_WAYS = scene("""
  profile p : Tcp { ATTRIBUTES }
  profile offers : Tcp { ecn = offered }
  host a { tcp = p }
  host b { tcp = offers }
  link x: a -- b { rate = 20 Mbps, delay = 5 ms }
  workload v : traffic.Bulk on a { to = b, start_spread = 0 s }
  workload w : traffic.Bulk on b { to = a, start_spread = 0 s }
  run { duration = 300 ms }""")

# Short transfers over a link that loses: most losses are found by a time-out.
TCP_LOSSY = scene("""
  profile p : Tcp { ATTRIBUTES }
  host a { tcp = p }
  host b { tcp = p }
  link x: a -- b { rate = 10 Mbps, delay = 20 ms, loss = 10 % }
  workload w : traffic.Bulk on a { to = b, size = 5001 B, start_spread = 0 s }
  run { duration = 10 s }""")

# A link that stays down: what TCP tries then.
TCP_CUT = scene("""
  profile p : Tcp { ATTRIBUTES }
  host a { tcp = p }
  host b { tcp = p }
  link x: a -- b { rate = 1 Mbps, delay = 20 ms }
  workload w : traffic.Bulk on a { to = b, start_spread = 0 s }
  at 1 s { x down }
  run { duration = 400 s }""")

# What is longer than 1300 bytes is lost, and nobody tells.
TCP_BLACK_HOLE = scene("""
  profile p : Tcp { ATTRIBUTES }
  host a { tcp = p }
  host b { tcp = p }
  switch s
  switch t
  link x: a -- s { rate = 10 Mbps }
  link y: s -- t { rate = 10 Mbps, delay = 5 ms, mtu = 1300 B }
  link z: t -- b { rate = 10 Mbps }
  workload w : traffic.Bulk on a { to = b, start_spread = 0 s }
  run { duration = 10 s }""")

# Nobody hears a SYN.
TCP_DEAF = scene("""
  profile p : Tcp { ATTRIBUTES }
  host a { tcp = p }
  host b
  link x: a -- b { rate = 1 Mbps, loss = 1 }
  workload w : traffic.Bulk on a { to = b, start_spread = 0 s }
  run { duration = 10 s }""")

# One connection after the other.
TCP_PORTS = scene("""
  profile p : Tcp { ATTRIBUTES }
  host a { tcp = p }
  host b { tcp = p }
  link x: a -- b { rate = 10 Mbps, delay = 1 ms }
  workload w : traffic.Bulk on a { to = b, size = 1 KB, start_spread = 0 s }
  run { duration = 2 s }""")

# Connections for two requests each, sent one behind the other.
TCP_WEB = scene("""
  profile p : Tcp { ATTRIBUTES }
  host a { tcp = p }
  endpoint b { simulated = web.server(), tcp = p }
  link x: a -- b { rate = 10 Mbps, delay = 10 ms }
  workload w : web.ClosedLoop on a { server = b, documents = web.fixed(1 KB), requests = 2, pipeline = 2, start_spread = 0 s }
  run { duration = 1 s }""")

# A connection that rests between requests, over a link that is cut in the end.
TCP_IDLE = scene("""
  profile p : Tcp { ATTRIBUTES }
  host a { tcp = p }
  endpoint b { simulated = web.server(), tcp = p }
  link x: a -- b { rate = 10 Mbps, delay = 10 ms }
  workload w : web.ClosedLoop on a { server = b, documents = web.fixed(1 KB), requests = 1000, think = 500 ms, start_spread = 0 s }
  at 1 s { x down }
  run { duration = 3 s }""")

HOST = scene("""
  profile other : Tcp { initial_window = 2 }
  host a { ATTRIBUTES }
  router r
  host b
  link x: a -- r { rate = 10 Mbps, delay = 10 ms }
  link y: r -- b { rate = 10 Mbps }
  workload w : traffic.Bulk on a { to = b, start_spread = 0 s }
  run { duration = 300 ms }""")

ROUTER = scene("""
  host a
  router r { ATTRIBUTES }
  link x: a -- r { rate = 10 Mbps }
  workload w : traffic.Ping on a { to = r, interval = 10 ms }
  run { duration = 100 ms }""")

ENDPOINT = scene("""
  profile other : Tcp { initial_window = 2 }
  host a
  endpoint e { ATTRIBUTES }
  link x: a -- e { rate = 10 Mbps, delay = 10 ms }
  workload w : web.ClosedLoop on a { server = e, documents = web.fixed(50 KB), start_spread = 0 s }
  run { duration = 300 ms }""", simulated="web.server()")


SHARING = {kind: scene(f"""
  host a
  {kind} e[2] {{ ATTRIBUTES }}
  router r
  link x: a -- r {{ rate = 10 Mbps }}
  link y: e[*] -- r {{ rate = 10 Mbps }}
  workload w : traffic.Ping on a {{ to = e[*], pairing = nearest, interval = 10 ms }}
  run {{ duration = 100 ms }}""") for kind in ("host", "endpoint")}


def sharing(plain):
    """The same with an anycast address of those that are asked."""
    body = plain.body.replace("host b[4]", "host b[4] { anycast = 10.9.9.9 }")
    for name in "ef":
        body = body.replace(f"endpoint {name} {{ ", f"endpoint {name} {{ anycast = 10.9.9.9, ")
    return dataclasses.replace(plain, body=body)


BRIDGED = scene("""
  host a
  router r
  endpoint e { prefix = 192.168.7.0/24, ATTRIBUTES }
  endpoint f { prefix = 192.168.7.0/24, bridged = true }
  link x: a -- r { rate = 10 Mbps }
  link y: e -- r { rate = 10 Mbps }
  link z: f -- r { rate = 10 Mbps }
  run { duration = 100 ms }""", bridged="true")


def placed(kind, to="n", beyond=""):
    """A node of that kind whose position makes a delay."""
    return scene(f"""
  host a
  router r {{ position = geo(51.51, -0.13) }}
  {kind} n {{ ATTRIBUTES }}
  link a -- r {{ rate = 10 Mbps }}
  link x: r -- n {{ rate = 10 Mbps, delay = fibre_delay(r, n) }}{beyond}
  workload w : traffic.Ping on a {{ to = {to}, interval = 100 ms }}
  run {{ duration = 500 ms }}""")


GEOGRAPHIC = scene("""
  host a { position = geo(51.51, -0.13) }
  profile p : Geographic { ATTRIBUTES }
  router r { position = p }
  link x: a -- r { rate = 10 Mbps, delay = fibre_delay(a, r) }
  workload w : traffic.Ping on a { to = r, interval = 100 ms }
  run { duration = 500 ms }""", latitude="1", longitude="2")

# The phone's mast is the nearer one.
PLANAR = scene("""
  profile p : Planar { ATTRIBUTES }
  host phone { position = p }
  router mast[2] { position = plane(10 * index, 10 * index) }
  router r
  link air: phone -- mast[nearest(mast[*], phone)] { rate = 10 Mbps }
  link x: mast[0] -- r { rate = 10 Mbps, delay = 1 ms }
  link y: mast[1] -- r { rate = 10 Mbps, delay = 2 ms }
  workload w : traffic.Ping on phone { to = r, interval = 10 ms }
  run { duration = 100 ms }""", x="4", y="4")

RUN = scene("""
  host a
  router r
  link x: a -- r { rate = 10 Mbps }
  workload w : traffic.Ping on a { to = r, interval = 10 ms }
  run { ATTRIBUTES }""", duration="100 ms")

# What it talks to has both families.
def beside_ipv6(kind):
    return scene("""
  host a { ipv6 = 2001:db8:5::1 }
  KIND n { ATTRIBUTES }
  link x: a -- n { rate = 10 Mbps }
  workload w : traffic.Ping on a { to = n, interval = 10 ms }
  run { duration = 100 ms }""".replace("KIND", kind))


ADDRESSING = scene("""
  addressing { ATTRIBUTES }
  host a
  endpoint e
  link x: a -- e { rate = 10 Mbps }
  workload w : traffic.Ping on a { to = e, interval = 10 ms }
  run { duration = 100 ms }""")

COMPONENT_ADDRESSING = scene("""
  Site site
  host a
  link x: a -- site.r { rate = 10 Mbps }
  workload w : traffic.Ping on a { to = site.r, interval = 10 ms }
  run { duration = 100 ms }""", above="component Site {\n  addressing { ATTRIBUTES }\n  router r\n}")

COMPONENT_OF_BOTH = scene("""
  Site site
  host a { ipv6 = 2001:db8:5::1 }
  link x: a -- site.r { rate = 10 Mbps }
  workload w : traffic.Ping on a { to = site.r, interval = 10 ms }
  run { duration = 100 ms }""", above="component Site {\n  addressing {\n    prefix = 10.9.0.0/24\n    ATTRIBUTES\n  }\n  router r\n}")

SERVER = scene("""
  profile p : web.Server { ATTRIBUTES }
  host a[4]
  router r
  endpoint e { simulated = p }
  link a[*] -- r { rate = 10 Mbps, delay = 1 ms }
  link r -- e { rate = 100 Mbps }
  workload w : web.ClosedLoop on a[*] { server = e, documents = web.fixed(5 KB), start_spread = 0 s }
  run { duration = 300 ms }""")

# Its clients wait for its FIN.
WAITED_SERVER = dataclasses.replace(SERVER, body=SERVER.body.replace("start_spread = 0 s", "start_spread = 0 s, until = closed"))
# Its clients keep their connections, and think.
KEEPING_SERVER = dataclasses.replace(SERVER, body=SERVER.body.replace("start_spread = 0 s", "start_spread = 0 s, requests = 10, think = 20 ms"))
SECURE_SERVER = dataclasses.replace(SERVER, body=SERVER.body.replace("start_spread = 0 s", "start_spread = 0 s, scheme = https"), given=(("scheme", "https"),))
# Asked by clients of TLS 1.2, too.
OLD_AND_NEW = dataclasses.replace(SECURE_SERVER, body=SECURE_SERVER.body.replace(
    "  run {", "  workload old : web.ClosedLoop on a[*] { server = e, documents = web.fixed(5 KB), scheme = https, tls_version = tls12 }\n  run {"))
TLS = pathlib.Path(__file__).resolve().parents[1] / "data/tls"
TRUST_ANCHORS, CERTIFICATE = f'"{TLS}/ca.pem"', f'"{TLS}/server.pem"'
POSTED_SERVER = dataclasses.replace(SERVER, body=SERVER.body.replace("start_spread = 0 s", "start_spread = 0 s, method = POST, body = 2 KB"))
# Its clients speak HTTP/2.
HTTP2_SERVER = dataclasses.replace(SERVER, body=SERVER.body.replace("start_spread = 0 s", "start_spread = 0 s, version = HTTP_2"))

DOCUMENT = scene("""
  profile p : web.Document { ATTRIBUTES }
  host a
  endpoint e { simulated = web.server() }
  link x: a -- e { rate = 10 Mbps, delay = 1 ms }
  workload w : web.ClosedLoop on a { server = e, documents = p, start_spread = 0 s }
  run { duration = 200 ms }""", size="2 KB")

PROWGEN = dataclasses.replace(DOCUMENT, body=DOCUMENT.body.replace("web.Document", "web.ProWGen"),
                              given=(("size", "exponential(2 KB)"), ("count", "10"), ("requests", "100")))
SPECWEB99 = dataclasses.replace(DOCUMENT, body=DOCUMENT.body.replace("web.Document", "web.SpecWeb99"))


def clients(kind, link="rate = 10 Mbps, delay = 1 ms", duration="300 ms", server="", **given):
    """Web clients, of whose workload the attributes are."""
    return scene(f"""
  host a[4]
  router r
  endpoint e {{ simulated = web.server({server}) }}
  endpoint f {{ simulated = web.server({server}) }}
  link a[*] -- r {{ {link} }}
  link r -- e {{ rate = 100 Mbps }}
  link r -- f {{ rate = 200 Mbps }}
  workload w : web.{kind} on a[*] {{ ATTRIBUTES }}
  run {{ duration = {duration} }}""", server="e", documents="web.fixed(5 KB)", **given)


def listeners(kind, link="rate = 10 Mbps, delay = 1 ms", duration="300 ms", server="push = 20 ms", **given):
    """Clients that keep sockets or streams open, of whose workload the attributes are."""
    scene = clients(kind, link=link, duration=duration, server=server, **given)
    return dataclasses.replace(scene, body=scene.body.replace("web.server(", "web.message_server("), given=tuple(each for each in scene.given if each[0] != "documents"))


MESSAGE_SERVER = scene("""
  profile p : web.MessageServer { ATTRIBUTES }
  host a[4]
  router r
  endpoint e { simulated = p }
  link a[*] -- r { rate = 10 Mbps, delay = 1 ms }
  link r -- e { rate = 100 Mbps }
  workload w : web.Socket on a[*] { server = e, interval = 20 ms, start_spread = 0 s }
  run { duration = 300 ms }""")
SECURE_MESSAGE_SERVER = dataclasses.replace(MESSAGE_SERVER, given=(("scheme", "https"),), body=MESSAGE_SERVER.body.replace("start_spread = 0 s", "start_spread = 0 s, scheme = https, messages = 2, think = 20 ms"))
OLD_AND_NEW_MESSAGES = dataclasses.replace(SECURE_MESSAGE_SERVER, body=SECURE_MESSAGE_SERVER.body.replace(
    "  run {", "  workload old : web.Socket on a[*] { server = e, interval = 20 ms, scheme = https, tls_version = tls12 }\n  run {"))


def callers(link="rate = 10 Mbps, delay = 1 ms", duration="300 ms", server="", front="service = 100 us", asked="web.fixed(1 KB)", beside="", **given):
    """A server that calls others, of whose calls the attributes are; `beside`: of another call of it."""
    return scene(f"""
  host a[4]
  router r
  endpoint front {{ simulated = web.server({front}) }}
  endpoint e[3] {{ simulated = web.server({server}) }}
  endpoint f {{ simulated = web.server({server}) }}
  link a[*] -- r {{ rate = 100 Mbps, delay = 1 ms }}
  link front -- r {{ rate = 100 Mbps }}
  for i in 0 ..< 3 {{ link e[i] -- r {{ {link} }} }}
  link r -- f {{ rate = 200 Mbps }}
  workload ask : web.OpenLoop on a[*] {{ server = front, documents = {asked}, interval = 10 ms }}
  workload w : web.Calls on front {{ ATTRIBUTES }}
  {beside and f"workload x : web.Calls on front {{ to = f, documents = web.fixed(1 KB), {beside} }}"}
  run {{ duration = {duration} }}""", **{"to": "e[*]", "documents": "web.fixed(5 KB)", **given})


# A transaction every 10 ms, and a log of three seconds.
LOADS = pathlib.Path(__file__).resolve().parents[1] / "data/loads"
TIMES = {"times": f'"{LOADS}/many.txt"'}
REPLAY = dataclasses.replace(clients("Replay", duration="5 s"), given=(("server", "e"), ("log", f'"{LOADS}/access.log"')))
DOCUMENT_LIST = dataclasses.replace(DOCUMENT, body=DOCUMENT.body.replace("web.Document", "web.DocumentList"),
                                    given=(("size", "0 B"), ("file", f'"{LOADS}/site.csv"')))

TWO_ORIGINS = f'web.requests("{LOADS}/two_origins.http")'
ORIGIN = dataclasses.replace(clients("ClosedLoop"), given=(("server", "f"), ("authority", '"auth.example:80"')))
ORIGIN = dataclasses.replace(ORIGIN, body="  profile p : web.Origin { ATTRIBUTES }" + ORIGIN.body.replace(
    "ATTRIBUTES", f'server = e, authority = "auth.example", documents = {TWO_ORIGINS}, origins = [p]'))

STAGE = scene("""
  profile p : web.Stage { ATTRIBUTES }
  host a
  endpoint e { simulated = web.server() }
  link x: a -- e { rate = 10 Mbps, delay = 1 ms }
  workload w : web.OpenLoop on a { server = e, documents = web.fixed(2 KB), interval = 20 ms, schedule = [p, web.hold(1 s, 0)] }
  run { duration = 300 ms }""", duration="100 ms", begin="1", end="1")


def traffic(kind, link="rate = 10 Mbps, delay = 1 ms", duration="300 ms", **given):
    """Hosts that send, of whose workload the attributes are."""
    return scene(f"""
  host a[4]
  router r
  host b[4]
  link a[*] -- r {{ {link} }}
  link r -- b[*] {{ rate = 100 Mbps }}
  workload w : traffic.{kind} on a[*] {{ ATTRIBUTES }}
  run {{ duration = {duration} }}""", **{"to": "b[0]", **given})


BULK = traffic("Bulk", size="10 KB")
FLOWS = traffic("Flows", size="10 KB", interval="20 ms")
OFFERED_FLOWS = traffic("Flows", size="10 KB")
CBR = traffic("Cbr", rate="1 Mbps")
# Fluid, more than the links carry at times, and packets that feel it.
BACKGROUND = scene("""
  host a[4]
  router r
  host b[4]
  link a[*] -- r { rate = 100 Mbps, queue = droptail(64 KB) }
  link r -- b[*] { rate = 10 Mbps, queue = droptail(64 KB) }
  workload w : traffic.Background on a[*] { ATTRIBUTES }
  workload probe : traffic.Cbr on a[*] { to = b[*], interval = 1 ms, payload = 200 B }
  run { duration = 500 ms }""", to="b[0]", flows="10", flow_rate="600 Kbps", burst="20 ms", pause="20 ms", step="5 ms")
ON_OFF = traffic("OnOff", rate="1 Mbps", burst="exponential(20 ms)", pause="exponential(10 ms)")
PING = traffic("Ping", interval="10 ms")
REQUESTS = traffic("Requests", think="10 ms")


def relay(payload):
    """A host that sends on what two others send it, whose datagrams have so many bytes."""
    return scene(f"""
  host a[4]
  host b
  host c
  router r
  link a[*] -- r {{ rate = 10 Mbps, delay = 1 ms }}
  link [b, c] -- r {{ rate = 100 Mbps }}
  workload say : traffic.Cbr on a[0 ..< 2] {{ to = b, payload = {payload}, fragments = true, interval = 10 ms }}
  workload w : traffic.Relay on b {{ ATTRIBUTES }}
  run {{ duration = 300 ms }}""", to="a[*]")


RELAY, RELAY_OF_MUCH = relay("200 B"), relay("3000 B")
