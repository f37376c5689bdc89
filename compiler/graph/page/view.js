// What sigma draws: the shown nodes and edges, what is selected, a route; and the coast behind a map.
const container = document.getElementById("graph");
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const state = { colour: "role", selected: null, selectedEdge: null, hovered: null, route: null, routeFrom: null };
let nodes = new Map(), edges = new Map(), colouring = null, theme = {};
let labelled = [];  // boxes of the labels that this frame has: none lies on another
let pale = false, many = false;  // over a thousand edges, which are pale, and thousands, which are thin too: nodes stand out

const readTheme = () => { theme = { edge: css("--edge"), dim: css("--dim"), accent: css("--accent"), ink: css("--ink"), land: css("--land"), border: css("--border"),
    paper: css("--paper"), card: css("--card"), faint: css("--faint") }; };
readTheme();

let graph = new graphology.UndirectedGraph();
const renderer = new Sigma(graph, container, {
  allowInvalidContainer: true,
  labelDensity: 0.6,
  labelGridCellSize: 90,
  labelRenderedSizeThreshold: 4.5,
  labelFont: "Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif",
  labelSize: 12,
  labelColor: { color: theme.ink },
  minEdgeThickness: 0.4,
  hideEdgesOnMove: data.links.length > 15000,
  enableEdgeEvents: true,
  zIndex: true,
  nodeReducer: (key, attributes) => {
    const dimmed = state.route && !state.route.nodes.has(key);
    const marked = key === state.selected || key === state.routeFrom || (state.route && state.route.ends.has(key));
    return { ...attributes, color: dimmed ? theme.dim : colouring.node(nodes.get(key)), label: dimmed ? null : attributes.label,
             highlighted: marked, zIndex: marked ? 3 : dimmed ? 0 : 2, size: marked ? attributes.size * 1.35 : attributes.size };
  },
  edgeReducer: (key, attributes) => {
    const on = state.route && state.route.edges.has(key), near = key === state.selectedEdge ||
      (!state.route && state.selected && edges.get(key).ends.includes(state.selected));
    if (on || near) return { ...attributes, color: theme.accent, size: attributes.size + 2, zIndex: 2 };
    if (state.route) return { ...attributes, color: theme.dim, zIndex: 0 };
    const colour = colouring.edge ? colouring.edge(edges.get(key)) : theme.edge;
    if (isDashed(key)) return { ...attributes, color: "rgba(0,0,0,0)", size: attributes.size + 1 };
    if (state.colour === "change" && edges.get(key).change.mark > 0) return { ...attributes, color: colour, size: attributes.size + 1, zIndex: 1 };
    return { ...attributes, color: paled(colour) };
  },
  // With a rim, since lines lie behind. What is marked has its whole name, see below.
  defaultDrawNodeLabel: (context, node, settings) => {
    if (!node.label || node.highlighted) return;
    context.font = `${settings.labelSize}px ${settings.labelFont}`;
    Object.assign(context, { lineWidth: 3, lineJoin: "round", strokeStyle: theme.paper, fillStyle: theme.ink });
    const [right, up] = node.side ?? [1, 0], away = node.size + 3;
    context.textAlign = right > 0 ? "left" : right < 0 ? "right" : "center";
    const x = node.x + right * away, y = node.y + settings.labelSize / 3 - up * (away + settings.labelSize / 2);
    const width = context.measureText(node.label).width, left = right > 0 ? x : right < 0 ? x - width : x - width / 2;
    const box = [left, y - settings.labelSize, left + width, y + 2];
    if (labelled.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) return;
    labelled.push(box);
    context.strokeText(node.label, x, y);
    context.fillText(node.label, x, y);
    context.textAlign = "left";
  },
  defaultDrawNodeHover: (context, node, settings) => {
    if (!node.label) return;
    context.font = `bold ${settings.labelSize + 1}px ${settings.labelFont}`;
    const text = fullName(node), width = context.measureText(text).width, y = node.y;
    const right = node.x + node.size + 4;  // or on the left, where the page ends
    const x = right + width + 8 > renderer.getDimensions().width ? node.x - node.size - 9 - width : right;
    context.fillStyle = css("--card");
    context.strokeStyle = theme.accent;
    context.beginPath();
    context.rect(x - 3, y - 10, width + 8, 20);
    context.fill();
    context.stroke();
    context.fillStyle = theme.ink;
    context.fillText(text, x + 1, y + 4);
    context.beginPath();
    context.arc(node.x, node.y, node.size + 2, 0, 2 * Math.PI);
    context.stroke();
  },
});

// A removed link, as long as nothing else is shown of it.
const isDashed = (key) => data.compared && state.colour === "change" && edges.get(key).change.mark === 2 && key !== state.selectedEdge &&
  !state.route && !(state.selected && edges.get(key).ends.includes(state.selected));

// With the instances around it: "net[3].client[4096]".
function fullName(node) {
  const shown = nodes.get(node.key);
  if (!shown) return node.label;
  if (shown.given) return `${shown.name} (${shown.given})`;
  return shown.name.endsWith(shown.label) ? shown.name : shown.name + shown.label.slice(shown.label.lastIndexOf("["));
}

// Of many edges: half as far from the paper.
function paled(colour) {
  if (!pale) return colour;
  const part = (text, at) => parseInt(text.slice(at, at + 2), 16);
  return "#" + [1, 3, 5].map((at) => ((part(colour, at) + part(theme.paper, at)) >> 1).toString(16).padStart(2, "0")).join("");
}

const sizeOf = (node) => {
  const base = Math.min(10, Math.max(2, 60 / Math.sqrt(Math.max(36, nodes.size))));
  return base * (node.kind === 4 ? 1.7 : node.count > 1 ? 1.5 : 1) * (node.kind === 0 ? (nodes.size > 60 ? 0.6 : 0.75) : 1);
};

// Where a node's label stands: [right, up], on the side that is farthest from its links.
const sides = [[1, 0], [0, -1], [0, 1], [-1, 0]];
function freeSide(key) {
  const node = nodes.get(key);
  let best = sides[0], widest = -1;
  const angles = graph.neighbors(key).map((other) => Math.atan2(node.y - nodes.get(other).y, nodes.get(other).x - node.x));
  for (const [right, up] of sides) {
    const own = Math.atan2(up, right);
    const gap = Math.min(...angles.map((angle) => Math.abs(Math.atan2(Math.sin(angle - own), Math.cos(angle - own)))));
    if (gap > widest + 0.2) { widest = gap; best = [right, up]; }
  }
  return best;
}

// Takes over what is folded; positions stay, since each node has its own for good.
function rebuild() {
  nodes = shownNodes();
  edges = shownEdges(nodes);
  boxes = findBoxes(nodes);
  if (state.selected && !nodes.has(state.selected)) state.selected = null;
  if (state.selectedEdge && !edges.has(state.selectedEdge)) state.selectedEdge = null;
  if (state.routeFrom && !nodes.has(state.routeFrom)) state.routeFrom = null;
  graph = new graphology.UndirectedGraph();
  for (const node of nodes.values()) graph.addNode(node.key, { x: node.x, y: -node.y, size: sizeOf(node), label: node.label });
  const rates = [...edges.values()].map((edge) => Math.log(edge.rate));
  const slow = rates.reduce((a, b) => Math.min(a, b), Infinity), fast = rates.reduce((a, b) => Math.max(a, b), -Infinity);
  many = edges.size > 3000;
  pale = edges.size > 1000;
  for (const edge of edges.values()) {
    const part = fast > slow ? (Math.log(edge.rate) - slow) / (fast - slow) : 0.3;
    graph.addEdgeWithKey(edge.key, edge.ends[0], edge.ends[1], { size: many ? 0.3 + part : 1.7 + (pale ? 0.8 : 2.4) * part });
  }
  if (nodes.size <= 300) for (const key of nodes.keys()) graph.setNodeAttribute(key, "side", freeSide(key));
  colouring = colourings[state.colour](edges);
  showLegend(colouring.legend(nodes));
  if (state.route) findRoute(state.route.source, state.route.target);
  renderer.setGraph(graph);
  const settings = { minEdgeThickness: many ? 0.4 : 1.7,  // a thinner upright line falls between two pixels
                     labelDensity: nodes.size > 200 ? 0.6 : 4,
                     labelGridCellSize: nodes.size > 60 ? 90 : 60,
                     labelRenderedSizeThreshold: data.land.length && nodes.size <= 2000 ? 1 : 4.5,  // on a map nodes stand apart
                     stagePadding: nodes.size > 100 ? 30 : 70 };  // for the labels of those on the right
  for (const [name, value] of Object.entries(settings))  // each change draws all anew
    if (renderer.getSetting(name) !== value) renderer.setSetting(name, value);
  document.getElementById("counts").textContent =
    `${data.rows.reduce((sum, row) => sum + row.count, 0)} nodes, ${data.links.reduce((sum, link) => sum + link.count, 0)} links` +
    `; shown: ${nodes.size} nodes, ${edges.size} links`;
}

function paint() {
  colouring = colourings[state.colour](edges);
  showLegend(colouring.legend(nodes));
  renderer.refresh({ skipIndexation: true });
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  readTheme();
  renderer.setSetting("labelColor", { color: theme.ink });
  paint();
}
const isDark = () => (document.documentElement.dataset.theme ??
  (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readTheme(); renderer.setSetting("labelColor", { color: theme.ink }); paint(); });

// The key of the shown node that holds a node of the network.
const keyOfNode = (id) => { const row = rowOf(id), element = id - row.first; return keyOf(runAt(row.index, element), element); };

function findRoute(source, target) {
  const steps = route(source, target);
  state.route = { source, target, steps, nodes: new Set([keyOfNode(source), keyOfNode(target)]), edges: new Set(),
                  ends: new Set([keyOfNode(source), keyOfNode(target)]) };
  for (const hop of (steps ?? []).flat()) {
    const [a, b] = [keyOfNode(hop.from), keyOfNode(hop.to)].sort((x, y) => x < y ? -1 : 1);
    state.route.nodes.add(a).add(b);
    if (a !== b) state.route.edges.add(a + "|" + b);
  }
}

function showRoute(source, target) {
  findRoute(source, target);
  renderer.refresh({ skipIndexation: true });
}

function focusOn(key) {
  const place = renderer.getNodeDisplayData(key), camera = renderer.getCamera();
  if (place) camera.animate({ x: place.x, y: place.y, ratio: Math.min(camera.ratio, 0.35) }, { duration: 250 });
}

renderer.on("beforeRender", () => { labelled = []; });

// The land is drawn below the edges, whenever they are.
if (data.land.length) {
  renderer.createCanvas("land", { beforeLayer: "edges" });
  const canvas = renderer.getCanvases().land, context = canvas.getContext("2d");
  renderer.on("afterRender", () => {  // by then it knows the size and the camera of this frame
    const { width, height } = renderer.getDimensions(), scale = devicePixelRatio || 1;
    if (canvas.width !== width * scale || canvas.height !== height * scale) {
      canvas.width = width * scale;
      canvas.height = height * scale;
      canvas.style.width = width + "px";
      canvas.style.height = height + "px";
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.fillStyle = theme.land;
    context.strokeStyle = theme.border;
    context.beginPath();
    for (const ring of data.land) {
      for (let i = 0; i < ring.length; i += 2) {
        const at = renderer.graphToViewport({ x: ring[i], y: -ring[i + 1] });
        if (i) context.lineTo(at.x, at.y); else context.moveTo(at.x, at.y);
      }
      context.closePath();
    }
    context.fill("evenodd");
    context.stroke();
  });
}
