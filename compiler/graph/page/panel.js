// The panel and the keyboard: search, details, folding, routes.
const byId = (id) => document.getElementById(id);
const element = (tag, text, attributes = {}) => Object.assign(document.createElement(tag), text === undefined ? {} : { textContent: text }, attributes);

byId("panel").querySelector("h1").textContent = data.title;
document.title = data.title;
const colourNames = [...(data.compared ? ["change"] : []), "role", ...(data.tasks ? ["task"] : []), "delay", "rate", ...(data.load ? ["load"] : [])];
for (const name of colourNames) byId("colour").append(element("option", name, { value: name }));

function showLegend(entries) {
  byId("legend").replaceChildren(...entries.map(([colour, text, shape]) => {
    const item = element("li"), mark = element("span", undefined, { className: shape });
    mark.style.background = colour;
    item.append(mark, text);
    return item;
  }));
}

function table(pairs) {
  const body = element("table");
  for (const [name, value] of pairs) {
    if (value === "" || value === undefined) continue;
    const row = body.insertRow();
    row.insertCell().textContent = name;
    row.insertCell().textContent = value;
  }
  return body;
}

const button = (text, action) => { const b = element("button", text); b.onclick = action; return b; };
const buttons = (...list) => { const row = element("div", undefined, { className: "row" }); row.append(...list.filter(Boolean)); return row; };
const idOf = (node) => {
  if (node.run) return data.rows[node.run.row].first + node.element;
  const run = data.runs.find((r) => foldedAround(r.group) === node.group);
  return data.rows[run.row].first + run.first;
};

function addresses(node) {
  if (!node.run) return "";
  const row = data.rows[node.run.row];
  if (!row.address) return "";
  const first = showAddress(row.address + node.element);
  return node.count > 1 ? `${first} .. ${showAddress(row.address + node.element + node.count - 1)}` : first;
}

const canUnfold = (node) => node.kind === 4 || node.count > 1;
const canFold = (node) => node.kind !== 4 && ((node.run.count > 1 && openRuns.has(node.run.index)) || node.run.group >= 0) ||
  (node.kind === 4 && data.groups[node.group].parent >= 0);

const withGiven = (name, given) => given ? `${name} (${given})` : name;
function showDetails() {
  const box = byId("details"), node = nodes.get(state.selected), edge = edges.get(state.selectedEdge);
  box.replaceChildren();
  if (state.route) return showRouteDetails(box);
  if (node) {
    const tasks = data.tasks && [...node.tasks].map((t) => data.tasks[t] || `task ${t}`).join(", ");
    box.append(element("h2", withGiven(node.name, node.given)), table([
      ["kind", node.count > 1 && node.kind !== 4 ? `${node.count} × ${kinds[node.kind]}` : kinds[node.kind]],
      ["middlebox", (node.run && data.rows[node.run.row].middlebox) || ""],
      ["nodes", node.kind === 4 ? node.count : ""], ["address", node.change && node.change.mark === 2 ? "" : addresses(node)], ["task", tasks || ""]]));
    showChange(box, node);
    box.append(buttons(canUnfold(node) && button("Unfold (u)", unfoldSelected), canFold(node) && button("Fold (f)", foldSelected),
                       !data.compared && button("Route from here (r)", startRoute)));
    if (state.routeFrom) box.append(element("p", `Route from ${nodes.get(state.routeFrom).name}: click the other end, or press r there`));
    const list = element("ul", undefined, { className: "links" }), around = graph.edges(node.key);
    for (const key of around.slice(0, 100)) {
      const link = edges.get(key), other = nodes.get(link.ends[0] === node.key ? link.ends[1] : link.ends[0]);
      const item = element("li", `${withGiven(other.name, other.given)}: ${linkText(link)}`);
      item.onclick = () => selectEdge(key);
      list.append(item);
    }
    box.append(element("h2", around.length === 1 ? "1 neighbour" : `${around.length} neighbours`), list);
  } else if (edge) {
    box.append(element("h2", `${nodes.get(edge.ends[0]).name} – ${nodes.get(edge.ends[1]).name}`));
    showChange(box, edge);
    for (const part of edge.parts.slice(0, 50)) {
      const link = data.links[part.link];
      const name = part.count > 1 ? `${link.name}[${part.element} .. ${part.element + part.count - 1}]` : withGiven(linkName(link, part.element), givenName(link, part.element));
      const turn = (values) => part.turned ? [values[1], values[0]] : values;
      box.append(element("h2", name), table([
        ["links", part.count > 1 ? part.count : ""], ["rate", showBoth(turn(link.rate), showRate)],
        ["delay", showBoth(turn(link.delay), showTime)], ["queue", showBoth(turn(link.queue), showSize)], ["MTU", showSize(link.mtu)],
        ["overhead", link.overhead ? showSize(link.overhead) : ""], ["direction", link.oneWay ? "one way" : ""],
        ["load", data.load ? showShare(partLoad(part)) : ""]]));
    }
  }
}

// What distinguishes it from the other network.
function showChange(box, shown) {
  if (!shown.change) return;
  const heading = element("h2", changeNames[shown.change.mark]);
  heading.style.color = changeColours[shown.change.mark];
  box.append(heading);
  for (const text of shown.change.texts) for (const line of text.split("\n")) if (!changeNames.includes(line)) box.append(element("p", line));
}

function linkText(edge) {
  const link = data.links[edge.parts[0].link];
  const values = `${showBoth(link.rate, showRate)}, ${showBoth(link.delay, showTime)}`;
  return edge.links > 1 ? `${edge.links} links, ${values}` : values;
}

function showRouteDetails(box) {
  const { source, target, steps } = state.route;
  box.append(element("h2", `Route ${nodeName(source)} → ${nodeName(target)}`));
  const why = doubt(target);
  if (why) box.append(element("p", why, { className: "note" }));
  if (!steps) { box.append(element("p", "There is no way.")); return; }
  const delay = steps.reduce((sum, step) => sum + Math.max(...step.map((hop) => hop.delay)), 0);
  box.append(table([["links", steps.length], ["delay", showTime(delay)],
    ["bottleneck", showRate(Math.min(...steps.flat().map((hop) => hop.link.rate[hop.id % 2 === hop.link.first % 2 ? 0 : 1])))],
    ["metric", data.rules || data.metric + (data.multipath ? ", all equally short" : "")]]));
  const list = element("ul", undefined, { className: "hops" });
  for (const step of steps)
    for (const hop of step) {
      const item = element("li", `${nodeName(hop.to)} over ${hop.name}, ${showTime(hop.delay)}`);
      item.onclick = () => select(keyOfNode(hop.to), true);
      list.append(item);
    }
  box.append(list, buttons(button("Clear (Esc)", clear), button("Back way", () => { showRoute(target, source); showDetails(); })));
}

function select(key, keepRoute = false) {
  if (!keepRoute) state.route = null;
  state.selected = key;
  state.selectedEdge = null;
  renderer.refresh({ skipIndexation: true });
  showDetails();
}

function selectEdge(key) {
  Object.assign(state, { selected: null, selectedEdge: key, route: null });
  renderer.refresh({ skipIndexation: true });
  showDetails();
}

function clear() {
  Object.assign(state, { selected: null, selectedEdge: null, route: null, routeFrom: null });
  renderer.refresh({ skipIndexation: true });
  showDetails();
}

function startRoute() {
  if (data.compared) return;
  if (state.routeFrom && state.selected && state.selected !== state.routeFrom) return endRoute(state.selected);
  state.routeFrom = state.selected;
  state.route = null;
  renderer.refresh({ skipIndexation: true });
  showDetails();
}

function endRoute(key) {
  const [from, to] = [nodes.get(state.routeFrom), nodes.get(key)];
  state.routeFrom = null;
  state.selected = key;
  showRoute(idOf(from), idOf(to));
  showDetails();
}

function changed(key) {
  rebuild();
  select(nodes.has(key) ? key : null);
}

// More than this many nodes on the page help nobody.
const mostShown = 30000;

function unfoldSelected() {
  const node = nodes.get(state.selected);
  if (!node || !canUnfold(node)) return;
  if (node.kind === 4) foldedGroups.delete(node.group);
  else if (nodes.size + node.count <= mostShown) openRuns.add(node.run.index);
  else return note(`${node.count} more nodes are too many for this page`);
  const group = node.group;
  changed(node.kind === 4 ? "g" + group : keyOf(node.run, node.element));
}

function foldSelected() {
  const node = nodes.get(state.selected);
  if (!node || !canFold(node)) return;
  if (node.run && node.run.count > 1 && openRuns.has(node.run.index)) {
    openRuns.delete(node.run.index);
    return changed("r" + node.run.index);
  }
  const group = node.run ? node.run.group : data.groups[node.group].parent;
  foldedGroups.add(group);
  changed("g" + group);
}

function note(text) { byId("details").replaceChildren(element("p", text)); }

function foldAll() {
  openRuns.clear();
  data.groups.forEach((group, index) => { if (group.parent < 0) foldedGroups.add(index); });
  changed(null);
}

function unfoldAll() {
  foldedGroups.clear();
  let shown = data.runs.length;
  for (const run of data.runs)
    if (run.count > 1 && shown + run.count <= mostShown) { openRuns.add(run.index); shown += run.count - 1; }
  changed(null);
}

// Opens what a node lies in, and shows it.
function reveal(id, group = -1) {
  if (group >= 0) {
    for (let g = data.groups[group].parent; g >= 0; g = data.groups[g].parent) foldedGroups.delete(g);
    foldedGroups.add(group);
    rebuild();
    select("g" + group);
    return focusOn("g" + group);
  }
  const row = rowOf(id), run = runAt(row.index, id - row.first);
  let closed = false;
  for (let g = run.group; g >= 0; g = data.groups[g].parent) closed = foldedGroups.delete(g) || closed;
  if (closed) rebuild();
  const key = keyOf(run, id - row.first);
  select(key);
  focusOn(key);
}

function search(text) {
  const wanted = text.toLowerCase(), found = [];
  if (!wanted) return found;
  const exact = findNode(text);
  if (exact >= 0) found.push([nodeName(exact), () => reveal(exact)]);
  for (const [index, group] of data.groups.entries())
    if (found.length < 30 && `${group.name}\n${group.given}`.toLowerCase().includes(wanted)) found.push([withGiven(group.name, group.given), () => reveal(-1, index)]);
  for (const row of data.rows) {
    if (found.length >= 60) break;
    if (row.count && row.name.toLowerCase().includes(wanted) && !(exact >= 0 && !row.array && row.name === nodeName(exact)))
      found.push([row.array ? `${row.name}[${row.count}]` : row.name, () => reveal(row.first)]);
    for (const [first, count, given] of row.given || [])
      if (found.length < 60 && given.toLowerCase().includes(wanted))
        found.push([withGiven(count === 1 ? elementName(row, first) : `${row.name}[${first} .. ${first + count - 1}]`, given), () => reveal(row.first + first)]);
  }
  return found;
}

let results = [], chosen = 0;
function showResults() {
  byId("found").replaceChildren(...results.map(([name, action], index) => {
    const item = element("li", name, { role: "option" });
    item.setAttribute("aria-selected", index === chosen);
    item.onclick = () => { action(); endSearch(); };
    return item;
  }));
}
function endSearch() {
  byId("search").value = "";
  results = [];
  showResults();
  container.focus();
}
byId("search").oninput = (event) => { results = search(event.target.value); chosen = 0; showResults(); };
byId("search").onkeydown = (event) => {
  event.stopPropagation();
  if (event.key === "Escape") return endSearch();
  if (event.key === "Enter" && results[chosen]) { results[chosen][1](); endSearch(); }
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    chosen = Math.max(0, Math.min(results.length - 1, chosen + (event.key === "ArrowDown" ? 1 : -1)));
    showResults();
  }
};

function setColour(name) {
  state.colour = name;
  byId("colour").value = name;
  paint();
}
// The next node in the order of the names' declaration.
function step(by) {
  const keys = [...nodes.keys()], at = keys.indexOf(state.selected);
  const next = keys[(at + by + keys.length) % keys.length];
  select(next);
  focusOn(next);
}

const camera = renderer.getCamera();
const pan = (x, y) => camera.animate({ x: camera.x + x * 0.15 * camera.ratio, y: camera.y + y * 0.15 * camera.ratio }, { duration: 120 });
const keys = {
  "/": ["search", () => byId("search").focus()],
  "+": ["zoom in", () => camera.animatedZoom({ duration: 150 })],
  "-": ["zoom out", () => camera.animatedUnzoom({ duration: 150 })],
  0: ["show everything", () => camera.animatedReset({ duration: 250 })],
  ArrowLeft: ["move", () => pan(-1, 0)],
  ArrowRight: ["move", () => pan(1, 0)],
  ArrowUp: ["move", () => pan(0, 1)],
  ArrowDown: ["move", () => pan(0, -1)],
  n: ["next node", () => step(1)],
  p: ["previous node", () => step(-1)],
  u: ["unfold the selected node", unfoldSelected],
  f: ["fold it with those around it", foldSelected],
  r: ["route: from the selected node, then to it", startRoute],
  c: ["next colours", () => setColour(colourNames[(colourNames.indexOf(state.colour) + 1) % colourNames.length])],
  t: ["light or dark", () => setTheme(isDark() ? "light" : "dark")],
  Escape: ["clear", clear],
  "?": ["these keys", () => { byId("keys").hidden = !byId("keys").hidden; }],
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || ["INPUT", "SELECT"].includes(event.target.tagName)) return;
  const key = keys[event.key === "=" ? "+" : event.key];
  if (!key) return;
  event.preventDefault();
  key[1]();
});
byId("keys").append(table(Object.entries(keys).map(([key, [text]]) => [key, text])));
byId("help").onclick = keys["?"][1];
byId("theme").onclick = keys.t[1];
byId("fit").onclick = keys[0][1];
byId("foldall").onclick = foldAll;
byId("unfoldall").onclick = unfoldAll;
byId("colour").onchange = (event) => setColour(event.target.value);

renderer.on("clickNode", ({ node }) => { if (state.routeFrom && node !== state.routeFrom) endRoute(node); else select(node); });
renderer.on("doubleClickNode", (event) => { event.preventSigmaDefault(); select(event.node); unfoldSelected(); });
renderer.on("clickEdge", ({ edge }) => selectEdge(edge));
renderer.on("clickStage", clear);

state.colour = data.colour;
byId("colour").value = data.colour;
rebuild();
if (data.dark) setTheme("dark");

// For scripts: names in, names out. `route` gives steps of links, null where there is no way.
window.anml = {
  shown: () => [...nodes.values()].map((node) => node.name),
  boxes: () => boxes.map((box) => data.groups[box.group].name),
  edges: () => [...edges.values()].map((edge) => edge.ends.map((key) => nodes.get(key).name)),
  select: (name) => { const id = findNode(name); if (id >= 0) select(keyOfNode(id)); return id >= 0; },
  selected: () => state.selected && nodes.get(state.selected).name,
  unfold: unfoldSelected,
  fold: foldSelected,
  foldAll,
  unfoldAll,
  colourBy: setColour,
  theme: setTheme,
  route: (from, to) => {
    const [source, target] = [findNode(from), findNode(to)];
    if (source < 0 || target < 0) return undefined;
    showRoute(source, target);
    showDetails();
    return state.route.steps && state.route.steps.map((step) => step.map((hop) => hop.name));
  },
  // What is folded, the camera, colours and what is selected, by names: for the page of another version of the network.
  view: () => viewNow(),
  restore: (view) => restoreView(view),
  // Called behind each frame.
  whenDrawn: (action) => renderer.on("afterRender", action),
  position: (name) => renderer.graphToViewport(graph.getNodeAttributes(keyOfNode(findNode(name)))),
};
