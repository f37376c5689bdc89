// What somebody sees of the network, by names, so that it can be shown again of another version of it: what is folded,
// the camera, colours, what is selected. The names of what is gone are passed over, and what is new is as the compiler has it.
const groupKey = (group) => group.name + (group.array ? "[]" : "");

// Where what is selected stands, or what lies in the middle, and how many pixels a step of the picture has; null while everything is shown.
function cameraView() {
  const { x, y, ratio, angle } = renderer.getCamera().getState();
  if (x === 0.5 && y === 0.5 && ratio === 1 && angle === 0) return null;
  const { width, height } = renderer.getDimensions(), near = [];
  for (const node of nodes.values()) {
    const at = renderer.graphToViewport({ x: node.x, y: -node.y });
    const [x, y] = [at.x - width / 2, at.y - height / 2], seen = Math.abs(x) < width / 2 && Math.abs(y) < height / 2;
    near.push({ name: node.name, x, y, far: node.key === state.selected && seen ? -1 : x * x + y * y });
  }
  near.sort((a, b) => a.far - b.far);
  return { near: near.slice(0, 20), scale: pixelsPerStep(), angle };
}

function pixelsPerStep(cameraState) {
  const [from, to] = [0, data.step || 1].map((x) => renderer.graphToViewport({ x, y: 0 }, { cameraState }));
  return Math.hypot(to.x - from.x, to.y - from.y);
}

function setCamera(view) {
  const anchor = view && view.near.map((near) => [near, [...nodes.values()].find((node) => node.name === near.name)]).find(([, node]) => node);
  if (!anchor) return;
  const [near, node] = anchor, camera = renderer.getCamera(), { width, height } = renderer.getDimensions();
  const state = { ...camera.getState(), angle: view.angle };
  state.ratio *= pixelsPerStep(state) / view.scale;
  const framed = (at) => renderer.viewportToFramedGraph(at, { cameraState: state });
  const now = framed(renderer.graphToViewport({ x: node.x, y: -node.y }, { cameraState: state }));
  const wanted = framed({ x: width / 2 + near.x, y: height / 2 + near.y });
  camera.setState({ ...state, x: state.x + now.x - wanted.x, y: state.y + now.y - wanted.y });
}

function viewNow() {
  const { selected, selectedEdge, route, colour } = state, node = nodes.get(selected), edge = edges.get(selectedEdge);
  return {
    folded: Object.fromEntries(data.groups.map((group, index) => [groupKey(group), foldedGroups.has(index)])),
    // Of each row its runs: the first element, how many, and whether they are open.
    open: Object.fromEntries(data.rows.map((row, index) => [row.name, data.runsOfRow[index].filter((run) => run.count > 1)
      .map((run) => [run.first, run.count, openRuns.has(run.index)])]).filter(([, runs]) => runs.length)),
    camera: cameraView(), colour, theme: document.documentElement.dataset.theme ?? null,
    selected: node ? node.name : null, edge: edge ? edge.ends.map((key) => nodes.get(key).name) : null,
    route: route ? [nodeName(route.source), nodeName(route.target)] : null,
  };
}

function restoreView(view) {
  data.groups.forEach((group, index) => {
    const folded = view.folded[groupKey(group)];
    if (folded !== undefined) foldedGroups[folded ? "add" : "delete"](index);
  });
  let shown = data.runs.length;
  for (const run of data.runs) {
    const known = (view.open[data.rows[run.row].name] ?? []).find(([first, count]) => run.first >= first && run.first < first + count);
    if (known) openRuns.delete(run.index);
    if (run.count > 1 && (known ? known[2] : openRuns.has(run.index)) && shown + run.count <= mostShown) {
      openRuns.add(run.index);
      shown += run.count - 1;
    }
  }
  if (colourNames.includes(view.colour)) {
    state.colour = view.colour;
    byId("colour").value = view.colour;
  }
  if (view.theme) setTheme(view.theme);
  rebuild();
  setCamera(view.camera);
  const named = (name) => [...nodes.values()].find((node) => node.name === name);
  const ends = (view.route ?? []).map(findNode), edge = (view.edge ?? []).map(named);
  if (ends.length && ends.every((id) => id >= 0)) {
    showRoute(...ends);
    showDetails();
  } else if (view.selected && named(view.selected)) {
    select(named(view.selected).key);
  } else if (edge.length && edge.every((node) => node)) {
    const key = [...edges.values()].find(({ ends: [a, b] }) => edge.every((node) => node.key === a || node.key === b))?.key;
    if (key) selectEdge(key);
  }
}

// A page that is loaded again, of a network that was drawn anew, shows what it showed.
const memory = `anml ${location.pathname}`;
function remember() {
  try { sessionStorage.setItem(memory, JSON.stringify(viewNow())); } catch { /* where pages may keep nothing, or no more */ }
}
function recall() {
  if (performance.getEntriesByType("navigation")[0]?.type !== "reload") return;
  try {
    const kept = sessionStorage.getItem(memory);
    if (kept) restoreView(JSON.parse(kept));
  } catch { /* it keeps nothing */ }
}
addEventListener("pagehide", remember);
recall();
