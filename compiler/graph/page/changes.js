// Where two networks are compared: the list of what changed, each leading to its place, and removed links, dashed.
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
function showAllChanges() {
  const section = byId("changes"), found = data.compared ? allChanges() : [];
  section.hidden = !data.compared;
  byId("changescount").textContent = found.length === 1 ? "1 change" : `${found.length} changes`;
  const items = found.slice(0, mostListed).map(({ mark, text, name, show }) => {
    const item = element("li", undefined, { tabIndex: 0 }), sign = element("b", signs[mark] + " ");
    sign.style.color = changeColours[mark];
    item.append(sign, name);
    for (const line of text.split("\n")) if (!changeNames.includes(line)) item.append(element("p", line, { className: "faint" }));
    item.onclick = show;
    item.onkeydown = (event) => { if (event.key === "Enter") { event.stopPropagation(); show(); } };
    return item;
  });
  if (found.length > mostListed) items.push(element("p", `and ${found.length - mostListed} more`, { className: "faint" }));
  byId("changeslist").replaceChildren(...items);
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
