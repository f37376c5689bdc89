// The network as the compiler has it, and what of it is shown: rows of alike nodes and links, runs of a row's elements,
// instances. Folding changes which of them are one node.
const data = JSON.parse(document.getElementById("data").textContent);
const kinds = ["host", "router", "switch", "endpoint", "component"];
const openRuns = new Set(data.open), foldedGroups = new Set(data.folded);

data.rows.forEach((row, index) => { row.index = index; });
data.runsOfRow = data.rows.map(() => []);
data.runs.forEach((run, index) => { run.index = index; data.runsOfRow[run.row].push(run); });
data.linksOfRow = data.rows.map(() => []);  // [link row, side]
data.links.forEach((link, index) => [0, 1].forEach((side) => data.linksOfRow[link.end[side][0]].push([index, side])));

// Of nodes and of links: an element has a number, or a key.
const elementName = (row, element) => row.array ? `${row.name}[${row.keys ? row.keys[element] : element}]` : row.name;
const linkName = elementName;
const nodeName = (id) => { const row = rowOf(id); return elementName(row, id - row.first); };
// The name that the model gives an element of a row, or of a row of links; "": none.
const givenName = (row, element) => ((row.given || []).find(([first, count]) => element >= first && element < first + count) || [0, 0, ""])[2];
// Where two networks are compared: 0 the same, 1 added, 2 removed, 3 changed, of elements of a row together, and what is said of them.
function changeOf(row, first, count) {
  let mark = -1, at = first;
  const texts = [], put = (next) => { mark = mark < 0 || mark === next ? next : 3; };
  for (const [from, many, what, text] of row.changes ?? []) {
    if (from + many <= first || from >= first + count) continue;
    if (from > at) put(0);
    put(what);
    if (texts.length < 8 && !texts.includes(text)) texts.push(text);
    at = from + many;
  }
  if (at < first + count) put(0);
  return { mark, texts };
}
const joinChanges = (a, b) => a ? { mark: a.mark === b.mark ? a.mark : 3, texts: [...a.texts, ...b.texts.filter((t) => !a.texts.includes(t))].slice(0, 8) } : b;
const lastPart = (name) => name.slice(name.lastIndexOf(".") + 1);

function rowOf(id) {
  let low = 0, high = data.rows.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (data.rows[middle].first <= id) low = middle; else high = middle;
  }
  return data.rows[low];
}

function runAt(rowIndex, element) {
  const runs = data.runsOfRow[rowIndex];
  let low = 0, high = runs.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (runs[middle].first <= element) low = middle; else high = middle;
  }
  return runs[low];
}

// "net[3].client[17]" to a node's id; a name of several nodes to the first of them; -1: there is none.
function findNode(name) {
  for (const row of data.rows) {
    if (row.name === name) return row.first;
    if (row.array && name.startsWith(row.name + "[")) {
      const inside = name.slice(row.name.length + 1, -1);
      const element = row.keys ? row.keys.indexOf(inside) : Number(inside);
      if (Number.isInteger(element) && element >= 0 && element < row.count && elementName(row, element) === name)
        return row.first + element;
    }
  }
  return -1;
}

function foldedAround(group) {
  let outermost = -1;
  for (; group >= 0; group = data.groups[group].parent) if (foldedGroups.has(group)) outermost = group;
  return outermost;
}

// Key of the shown node that holds an element: "g4" an instance, "r7" a run, "r7:12" an element of an open run.
function keyOf(run, element) {
  const group = foldedAround(run.group);
  if (group >= 0) return "g" + group;
  return run.count > 1 && openRuns.has(run.index) ? `r${run.index}:${element}` : "r" + run.index;
}

// Elements of an open run stand around its place, as seeds in a sunflower; however many, not too far from it.
function placeOf(run, element) {
  if (run.count === 1 || !openRuns.has(run.index)) return [run.x, run.y];
  const i = element - run.first, angle = i * 2.399963;
  const far = data.step * Math.min(0.55, 7 / Math.sqrt(run.count)) * Math.sqrt(i + 0.6);
  return [run.x + far * Math.cos(angle), run.y + far * Math.sin(angle)];
}

function shownNodes() {
  const nodes = new Map();
  for (const run of data.runs) {
    const row = data.rows[run.row], group = foldedAround(run.group);
    if (group >= 0) {
      const key = "g" + group, info = data.groups[group];
      let node = nodes.get(key);
      if (!node) {
        node = { key, name: info.name, kind: 4, count: 0, x: 0, y: 0, runs: 0, group, tasks: new Set(),
                 given: info.given, label: info.given || lastPart(info.name) + (info.array ? `[${info.instances}]` : "") };
        nodes.set(key, node);
      }
      node.count += run.count;
      node.x += run.x;
      node.y += run.y;
      ++node.runs;
      node.tasks.add(run.task);
      if (data.compared) node.change = joinChanges(node.change, changeOf(row, run.first, run.count));
    } else if (run.count > 1 && !openRuns.has(run.index)) {
      const whole = run.count === row.count;
      const range = whole ? `[${run.count}]` : `[${run.first} .. ${run.first + run.count - 1}]`;
      nodes.set("r" + run.index, { key: "r" + run.index, name: row.name + (whole ? "" : range), kind: row.kind, count: run.count,
        x: run.x, y: run.y, run, element: run.first, label: lastPart(row.name) + range, tasks: new Set([run.task]),
        change: data.compared && changeOf(row, run.first, run.count) });
    } else {
      for (let e = run.first; e < run.first + run.count; ++e) {
        const [x, y] = placeOf(run, e), name = elementName(row, e), given = givenName(row, e);
        nodes.set(keyOf(run, e), { key: keyOf(run, e), name, kind: row.kind, count: 1, x, y, run, element: e,
                                   given, label: given || lastPart(name), tasks: new Set([run.task]),
                                   change: data.compared && changeOf(row, e, 1) });
      }
    }
  }
  for (const node of nodes.values()) if (node.runs) { node.x /= node.runs; node.y /= node.runs; }
  return nodes;
}

// Links between shown nodes: one entry for each pair, with the parts of link rows that it stands for.
function shownEdges(nodes) {
  const edges = new Map();
  data.links.forEach((link, index) => {
    for (let element = 0; element < link.count;) {
      let run = link.count - element;
      const keys = [0, 1].map((side) => {
        const [row, first, stride] = link.end[side], at = first + element * stride, held = runAt(row, at);
        if (stride) run = Math.min(run, openRuns.has(held.index) && foldedAround(held.group) < 0 ? 1 : held.first + held.count - at);
        return keyOf(held, at);
      });
      if (keys[0] !== keys[1]) {
        const turned = keys[0] > keys[1], key = turned ? keys[1] + "|" + keys[0] : keys[0] + "|" + keys[1];
        let edge = edges.get(key);
        if (!edge) edges.set(key, edge = { key, ends: turned ? [keys[1], keys[0]] : keys, parts: [], links: 0 });
        edge.parts.push({ link: index, element, count: run, turned });
        if (data.compared) edge.change = joinChanges(edge.change, changeOf(link, element, run));
        edge.links += run;
      } else if (data.compared) {
        const inside = changeOf(link, element, run), node = nodes.get(keys[0]);
        if (inside.mark > 0 && node) node.change = { mark: node.change.mark || 3, texts: joinChanges(node.change, inside).texts };
      }
      element += run;
    }
  });
  for (const edge of edges.values()) {
    const links = edge.parts.map((part) => data.links[part.link]);
    edge.delay = Math.max(...links.map((link) => Math.max(...link.delay)));
    edge.rate = Math.min(...links.map((link) => Math.min(...link.rate)));
    edge.load = Math.max(0, ...edge.parts.map((part) => partLoad(part)));
  }
  return edges;
}

// The greatest load of the links that lie alike with these.
function partLoad(part) {
  if (!data.load) return 0;
  const link = data.links[part.link];
  let from = part.element, to = part.element + part.count;
  for (const [row, first, stride] of link.end) {
    if (!stride) continue;
    const run = runAt(row, first + part.element);
    from = Math.min(from, Math.max(0, run.first - first));
    to = Math.max(to, Math.min(link.count, run.first + run.count - first));
  }
  let most = 0;
  for (const [id, load] of link.load ?? [])
    if (id >= link.first + 2 * from && id < link.first + 2 * to) most = Math.max(most, load);
  return most;
}

if (data.load) {
  const sorted = [...data.links].sort((a, b) => a.first - b.first);
  for (const [id, load] of data.load) {
    let low = 0, high = sorted.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (sorted[middle].first <= id) low = middle; else high = middle;
    }
    (sorted[low].load ??= []).push([id, load]);
  }
}
