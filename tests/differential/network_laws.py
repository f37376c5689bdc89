"""What holds in any run of a network of random_networks.py, by its results and its captures."""
import re
import struct


def packets_of(path):
    """Of each packet in a capture of a link the bytes of IP, as its header says, and the protocol."""
    data = path.read_bytes()
    magic, _, _, _, _, _, kind = struct.unpack_from("<IHHiIII", data)
    assert magic == 0xA1B23C4D, hex(magic)
    skip = {1: 14, 101: 0}[kind]
    at, found = 24, []
    while at < len(data):
        _, _, length, _ = struct.unpack_from("<IIII", data, at)
        at += 16
        if data[at + skip] >> 4 == 4:
            found.append((struct.unpack_from(">H", data, at + skip + 2)[0], data[at + skip + 9]))
        else:
            found.append((40 + struct.unpack_from(">H", data, at + skip + 4)[0], data[at + skip + 6]))
        at += length
    return found


class Laws:
    """Checks of a run's results; `wrong` says what does not hold. `captures`: of a direction of a link, packets_of its file."""

    def __init__(self, network, results, captures):
        self.network, self.results, self.captures = network, results, captures
        self.wrong = []
        self.packets()
        self.links()
        for workload in results["workloads"]:
            self.workload(workload)
        self.web()
        self.middleboxes()
        self.calls()
        self.buffers()
        self.cells()
        self.fluid()

    def equal(self, one, other, what):
        if one != other:
            self.wrong.append(f"{what}: {one}, and not {other}")

    def most(self, one, other, what):
        if one > other:
            self.wrong.append(f"{what}: {one}, more than {other}")

    def under_way(self):
        """How many connections may still send something again, ever more rarely: those whose peer is gone, or behind a NAT that has forgotten them."""
        return sum(w[kind]["in_progress"] for w in self.results["workloads"] for kind in ("transactions", "transfers") if kind in w)

    def packets(self):
        """All that was sent has been delivered or dropped, copies of links and pieces of what was cut included."""
        p = self.results["packets"]
        copies = sum(link["duplicated"] for link in self.results["impaired_links"])
        entered = p["sent"] + copies + p["fragments"] - p["fragmented"]
        left = p["delivered"] + sum(p["dropped"].values())
        self.copies, self.left_over = copies, entered - left
        self.most(left, entered, "packets that ended")
        if "keep_alive_interval" not in self.network.text:  # connections at rest send, too
            self.most(entered - left, self.under_way(), "packets that are under way in the end")
        self.equal(p["lost"], sum(p["dropped"].values()), "lost packets")

    def links(self):
        r = self.results
        links = {link["name"]: link for link in r["busiest_links"]}
        self.equal(sum(link["packets"] for link in links.values()), r["packet_hops"], "packets of all links")
        self.equal(sum(link["dropped"] for link in links.values()), r["packets"]["dropped"]["queue"], "packets that queues of links dropped")
        lost = sum(link["lost"] for link in r["impaired_links"]) + sum(cell["lost"] for cell in r["radios"])
        self.equal(lost, r["packets"]["dropped"]["lost"], "packets that links and cells lost")
        failed = {link["name"]: link["lost"] for link in r["timeline"]["downtime"]}
        self.equal(sum(failed.values()), r["packets"]["dropped"]["link"], "packets that were on links that went down")
        for name, found in self.captures.items():
            packets, size = len(found), sum(length for length, _ in found)
            counted = links.get(name, {"packets": 0, "bytes": 0})
            # A capture has what was transmitted, or waited, when its link went down.
            if failed.get(name[:-1], 0):
                self.most(counted["packets"], packets, f"packets of {name}")
            elif counted["packets"] - self.left_over <= packets < counted["packets"]:
                pass  # it has none that waited in the end
            else:
                self.equal(counted["packets"], packets, f"packets of {name} by its capture")
                self.most(size, counted["bytes"], f"bytes of {name} by its capture")
                # Captures show no labels of segments, which links carry.
                self.most(counted["bytes"], size + packets * self.network.labels, f"bytes of {name}")
        for link in r["impaired_links"]:
            self.most(link["lost"] + link["corrupted"], 2 * link["packets"], f"what {link['name']} did to packets")
            self.most(link["packets"], links[link["name"]]["packets"], f"packets that {link['name']} was impaired for")
        for link in links.values():
            self.most(link["utilisation"], 1 + 1e-6 * ("Background" in self.network.features) + 1e-9, f"utilisation of {link['name']}")
            self.most(link["marked"], link["packets"] + link["dropped"], f"marks of {link['name']}")

    def workload(self, w):
        name = w["name"]
        if "datagrams" in w:
            d = w["datagrams"]
            # A datagram in fragments is lost with any of them, and each of those counts.
            if not self.network.features & {"fragments"}:
                self.most(d["sent"], d["received"] + d["lost"], f"datagrams of {name} that were sent")
                self.most(d["received"] + d["lost"], d["sent"] + self.copies, f"datagrams of {name} that ended")
            self.most(d["received"], d["sent"] + self.copies, f"datagrams of {name} that were received")
            self.equal(w["delay_seconds"]["samples"], d["received"], f"delays of {name}")
        if "requests" in w and isinstance(w["requests"], dict):
            q = w["requests"]
            self.equal(q["sent"], q["received"] + q["lost"] + q["unreachable"] + q["time_exceeded"] + q["in_progress"], f"requests of {name}")
            self.equal(q["in_progress"], 0, f"requests of {name} that are under way")
            self.most(q["late"], q["lost"], f"late replies of {name}")
            self.equal(w["round_trip_seconds"]["samples"], q["received"], f"round trips of {name}")
        for kind in ("transactions", "transfers"):
            if kind in w:
                t = w[kind]
                self.equal(t["failed"], sum(t["failed_by_cause"].values()), f"failures of {name} by cause")
                times = w["response_time_seconds" if kind == "transactions" else "transfer_time_seconds"]
                self.equal(times["samples"], t["completed"], f"times of {name}")
        if "arrivals" in w:
            a, t = w["arrivals"], w["transfers"]
            # One whose receiver has all, and whose sender never learns that, is complete there and fails here.
            counted, twice = t["completed"] + t["failed"] + t["in_progress"] + a["waiting"], t["failed_by_cause"]["timeout"] + t["failed_by_cause"]["reset"]
            self.most(a["due"], counted, f"flows of {name} that were due")
            self.most(counted, a["due"] + min(twice, t["completed"]), f"flows of {name} that ended, or wait")
            self.equal(sum(s["completed"] for s in w["sizes"]), t["completed"], f"flows of {name} by size")
            if not t["failed"] and not t["in_progress"]:
                self.equal(sum(s["bytes"] for s in w["sizes"]), w["delivered_bytes"], f"bytes of {name}")
        if "offered" in w:
            o, t = w["offered"], w["transactions"]
            self.equal(o["due"], t["completed"] + t["failed"] + t["in_progress"] + o["waiting"], f"transactions of {name} that were due")
        if "goodput_bps" in w:
            seconds = self.results["window"]["measured_seconds"]
            self.most(abs(w["goodput_bps"] * seconds / 8 - w["delivered_bytes"]), 1e-6 * w["delivered_bytes"] + 1e-6, f"bytes of {name} by its goodput")

    def web(self):
        """What workloads, groups and seconds come to is what the run says."""
        r, all_of = self.results, self.results["transactions"]
        own = [w["transactions"] for w in r["workloads"] if "transactions" in w and "calls" not in w]
        for key in ("completed", "failed", "in_progress", "requests", "connections", "request_bytes", "response_bytes"):
            self.equal(sum(t[key] for t in own), all_of[key], f"{key} of all workloads")
        for kind, groups in r["groups"].items():
            if kind != "reports":
                for key in ("completed", "failed"):
                    self.equal(sum(g[key] for g in groups), all_of[key], f"{key} by {kind}")
        transfers = [w["transfers"] for w in r["workloads"] if "transfers" in w]
        for key in ("completed", "failed"):
            self.equal(sum(r["series"][key]), all_of[key] + sum(t[key] for t in transfers), f"{key} of all seconds")
        passed = sum(w.get("throughput_bps", w.get("goodput_bps", 0)) + w.get("fluid", {}).get("carried_bps", 0) for w in r["workloads"] if "calls" not in w)
        self.most(abs(passed - r["throughput_bps"]), 1e-6 * r["throughput_bps"] + 1e-6, "throughput of all workloads")
        # Those that sent their client on are responses, too.
        self.most(all_of["completed"], sum(all_of["by_status"].values()), "completed transactions")

    def middleboxes(self):
        stopped = 0
        for box in self.results["middleboxes"]:
            stopped += sum(box.get(key, 0) for key in ("refused", "filtered", "dropped", "rejected", "reset"))
            begun = box.get("connections", box.get("sessions", 0))
            self.most(box["expired"] + box["open"] if box["kind"] != "nat" else box["open"], begun, f"sessions of {box['node']} that are over, or open")
            if "back_ends" in box:
                self.balancer(box)
        self.equal(stopped, self.results["packets"]["dropped"]["middlebox"], "packets that middleboxes stopped")

    def balancer(self, box):
        """What came in went on, or was stopped; each connection is a back end's, and each that a client has is one."""
        name, back_ends = box["node"], box["back_ends"]
        self.equal(sum(b["connections"] for b in back_ends), box["connections"], f"connections of back ends of {name}")
        self.most(sum(b["active"] for b in back_ends), box["open"], f"active connections of {name}")
        for b in back_ends:
            self.most(b["active"], b["peak"], f"active connections of {b['node']}")
            self.most(b["peak"], b["connections"], f"connections of {b['node']} at a time")
        clients = [w["transactions"]["connections"] for w in self.results["workloads"] if "transactions" in w and w["name"] in self.network.of_balancer]
        if "fast_open = true" not in self.network.text:  # with it a client has one before anybody has heard of it
            self.most(sum(clients), box["connections"], f"connections of clients of {name}")
        if not self.network.balancer_links or self.results["packets"]["fragments"]:
            return  # pieces come together before they go on
        into = [self.captures[link] for link in self.network.balancer_links]
        came = sum(protocol in (6, 17) for found in into for _, protocol in found)
        errors = sum(map(len, into)) - came
        went = box["translated"] + box["refused"] + box["reset"]
        drops = self.results["packets"]["dropped"]
        # One that was spoilt on its way, has been on a link that failed, or has no way on is dropped there, and is none of these; errors for clients and back ends go on, too.
        # A back end that does not know that its session is forgotten sends to a port that is the router's own again.
        self.most(went, came + errors, f"packets that {name} dealt with")
        if not self.network.forgets and all(b["node"] in self.network.beside for b in back_ends):
            self.most(came - sum(drops[key] for key in ("corrupted", "link", "no_route", "mtu", "malformed")) - self.left_over, went, f"packets that came to {name}")

    def calls(self):
        """Each call is tried, and tried again so often as counted; who fails is answered for."""
        failed = {}
        for w in self.results["workloads"]:
            if "calls" not in w:
                continue
            c, t = w["calls"], w["transactions"]
            self.equal((c["in_progress"], t["in_progress"]), (0, 0), f"calls of {w['name']} under way")
            self.equal(w["call_time_seconds"]["samples"], c["completed"], f"times of calls of {w['name']}")
            caller, asked = self.network.callers_of[w["name"]]
            failed[caller] = failed.get(caller, 0) + c["failed"]
            tried = t["completed"] + t["failed"]
            self.most(tried, (c["completed"] + c["failed"]) * asked + c["retried"], f"tries of {w['name']}")
            # Where circuits are open fewer nodes are asked.
            least = c["completed"] + c["failed"] - c["refused"] if asked > 1 and c["circuits_opened"] else (c["completed"] + c["failed"]) * asked + c["retried"] - c["refused"]
            self.most(least, tried, f"calls of {w['name']} that were tried")
        for server in self.results["servers"]:
            self.most(server["failed"], failed.get(server["name"], 0), f"requests that {server['name']} answered for failed calls")

    def buffers(self):
        """No buffer has more than its size, and what it dropped its links have dropped."""
        links = self.results["busiest_links"]
        for buffer in self.results["buffers"]:
            self.most(buffer["highest_bytes"], buffer["capacity_bytes"], f"bytes in the buffer of {buffer['node']}")
            own = [name + ("<" if there == buffer["node"] else ">") for name, here, there in self.network.links + self.network.clean if buffer["node"] in (here, there)]
            self.most(buffer["dropped"], sum(link["dropped"] for link in links if re.sub(r"\[\d+\]", "", link["name"]) in own), f"packets that the buffer of {buffer['node']} dropped")

    def cells(self):
        """The air is taken by one at a time, of base stations in each direction, and what is lost has failed as often as it may."""
        for cell in self.results["radios"]:
            name = cell["node"]
            if name == "mast":
                for direction in ("down", "up"):
                    self.most(cell[f"{direction}_share"], 1 + 1e-9, f"time in which the air of {name} was taken, {direction}")
                self.most(cell["failed"], cell["transmissions"], f"what {name} transmitted and failed")
                if "error = 0 %" in self.network.mast:
                    self.equal(cell["failed"], 0, f"what {name} transmitted and failed, without errors")
                if cell["lost"]:  # a block has several packets, and has failed each time
                    self.most(1 if "retries = 0" in self.network.mast else 32, cell["failed"], f"how often what {name} lost had failed")
                continue
            self.most(cell["taken_share"], 1 + 1e-9, f"time in which the air of {name} was taken")
            self.most(cell["collided_share"], cell["taken_share"], f"time of collisions in {name}")
            self.most(cell["collisions"], cell["transmissions"], f"collisions in {name}")
            self.most(cell["lost"], cell["failed"], f"packets that {name} lost")
            self.most(2 * cell["collisions"], cell["failed"], f"collisions in {name}, of two packets at least")

    def fluid(self):
        """What came to a link left it or was lost, and it transmitted no more than it can; what was sent reached its end or was lost."""
        close = lambda one, other, scale, what: self.most(abs(one - other), 1e-5 * scale + 0.1, f"{what}, {one} and {other}")  # 0.1 bit/s of 400 s are 5 B
        for w in self.results["workloads"]:
            if "fluid" in w:
                f = w["fluid"]
                self.most(f["carried_bps"], f["offered_bps"] * (1 + 1e-9), f"fluid of {w['name']} that arrived")
                if f["offered_bps"]:
                    close(f["carried_bps"] + f["lost_share"] * f["offered_bps"], f["offered_bps"], f["offered_bps"], f"fluid of {w['name']} that arrived or was lost, and all")
        busiest = {link["name"]: link["utilisation"] for link in self.results["busiest_links"]}
        for link in self.results.get("fluid_links", []):
            close(link["offered_bps"] * (1 - (link["lost_share"] or 0)), link["carried_bps"], link["offered_bps"], f"fluid that {link['name']} did not lose, and that it transmitted")
            self.most(link["utilisation"] + link["packet_utilisation"], 1 + 1e-6, f"time in which {link['name']} transmitted")
            self.most(link["lost_share"] or 0, 1, f"fluid that {link['name']} lost")
            if link["name"] in busiest:
                self.most(abs(busiest[link["name"]] - link["utilisation"] - link["packet_utilisation"]), 1e-6, f"utilisation of {link['name']}, of fluid and packets together")
