// Where two networks are compared: the lists of what changed, each entry leading to its place, and removed links, dashed.
const signs = ["", "+", "-", "~"];

// Opens what the ends of a link lie in, and selects it; one inside of what stays folded selects that.
function revealLink(link, at) {
  const ends = link.end.map(([row, first, stride]) => data.rows[row].first + first + at * stride);
  reveal(ends[0]);
  reveal(ends[1]);
  const [a, b] = ends.map(keyOfNode).sort((x, y) => x < y ? -1 : 1);
  if (edges.has(a + "|" + b)) selectEdge(a + "|" + b);
}

function allChanges() {
  const found = [];
  const put = (row, show, name) => {
    for (const [first, count, mark, text] of row.changes ?? []) {
      if (mark === 0) continue;
      const last = first + count - 1;
      found.push({ mark, text, name: count === 1 ? name(row, first) : `${row.name}[${first} .. ${last}]`, show: () => show(row, first) });
    }
  };
  for (const row of data.rows) put(row, (at, first) => reveal(at.first + first), elementName);
  for (const link of data.links) put(link, revealLink, linkName);
  return found;
}

const mostListed = 500;
function changeItem({ mark, text, name, show }) {
  const item = element("li"), sign = element("b", signs[mark] + " ");
  sign.style.color = changeColours[mark];
  item.append(sign, name);
  for (const line of text.split("\n")) if (line && !changeNames.includes(line)) item.append(element("p", line, { className: "faint" }));
  if (!show) return item;
  item.tabIndex = 0;
  item.onclick = show;
  item.onkeydown = (event) => { if (event.key === "Enter") { event.stopPropagation(); show(); } };
  return item;
}
function changeList(changes, more) {
  const list = element("ul", undefined, { className: "changes" });
  list.append(...changes.map(changeItem));
  if (more > 0) list.append(element("p", `and ${more} more`, { className: "faint" }));
  return list;
}
// Nodes and links, then what is in no picture: routes, requirements, parameters.
function showAllChanges() {
  const section = byId("changes"), found = data.compared ? allChanges() : [];
  section.hidden = !data.compared;
  if (!data.compared) return;
  const count = found.length === 0 ? "No changes" : found.length === 1 ? "1 change" : `${found.length} changes`;
  section.append(element("h2", `${count} of nodes and links`), changeList(found.slice(0, mostListed), found.length - mostListed));
  for (const { title, more, entries } of data.others) {
    const changes = entries.map(([mark, name, text, node]) => ({ mark, name, text, show: node < 0 ? undefined : () => reveal(node) }));
    section.append(element("h2", title), changeList(changes, more));
  }
}
showAllChanges();

// Their lines are left out of the edges and drawn here.
renderer.createCanvas("removed", { beforeLayer: "edges" });
renderer.on("afterRender", () => {
  const context = clearedCanvas("removed");
  if (!data.compared) return;
  for (const key of edges.keys()) {
    if (!isDashed(key)) continue;
    const [from, to] = edges.get(key).ends.map((end) => renderer.graphToViewport(graph.getNodeAttributes(end)));
    context.strokeStyle = changeColours[2];
    context.lineWidth = Math.max(renderer.getSetting("minEdgeThickness"), renderer.scaleSize(graph.getEdgeAttribute(key, "size") + 1));
    context.setLineDash([7, 5]);
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
  }
});
