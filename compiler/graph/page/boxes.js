// Boxes around what belongs to an instance, as the SVG has them: where they hold nothing else, and of one depth all or
// none. They lie below the edges.
const instanceAround = (group) => {
  while (group >= 0 && data.groups[group].array) group = data.groups[group].parent;
  return group;
};
const depthOf = (group) => { let depth = 0; while ((group = instanceAround(data.groups[group].parent)) >= 0) ++depth; return depth; };

function findBoxes(shown) {
  if (data.land.length || shown.size > 700) return [];
  const boxes = new Map(), inside = new Map();  // by group; by node: the groups that it is in
  for (const node of shown.values()) {
    const around = [];
    let group = instanceAround(node.run ? node.run.group : data.groups[node.group].parent);
    for (; group >= 0; group = instanceAround(data.groups[group].parent)) around.push(group);
    inside.set(node.key, new Set(around));
    around.forEach((g, height) => {
      const box = boxes.get(g) ?? { group: g, depth: depthOf(g), height: 0, members: 0, left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
      boxes.set(g, box);
      box.height = Math.max(box.height, height);
      ++box.members;
      box.left = Math.min(box.left, node.x);
      box.right = Math.max(box.right, node.x);
      box.top = Math.min(box.top, node.y);
      box.bottom = Math.max(box.bottom, node.y);
    });
  }
  for (const box of boxes.values()) {
    const room = 0.6 * data.step * (1 + 0.5 * box.height);
    box.left -= room;
    box.top -= room;
    box.right += room;
    box.bottom += room;
  }
  const clean = [];
  for (let depth = 0; ; ++depth) {
    const level = [...boxes.values()].filter((box) => box.depth === depth);
    if (!level.length) return clean;
    const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    const holds = (box, node) => node.x > box.left && node.x < box.right && node.y > box.top && node.y < box.bottom;
    const fine = level.every((box, at) => box.members < shown.size &&
      [...shown.values()].every((node) => inside.get(node.key).has(box.group) || !holds(box, node)) &&
      level.slice(0, at).every((other) => apart(box, other)));
    if (fine) clean.push(...level);
  }
}

let boxes = [];
// A layer of ours, empty and as large as the others.
function clearedCanvas(name) {
  const canvas = renderer.getCanvases()[name], context = canvas.getContext("2d");
  const { width, height } = renderer.getDimensions(), scale = devicePixelRatio || 1;
  if (canvas.width !== width * scale || canvas.height !== height * scale) {
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
  }
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

renderer.createCanvas("boxes", { beforeLayer: "edges" });
renderer.on("afterRender", () => {  // by then it knows the size and the camera of this frame
  const context = clearedCanvas("boxes");
  context.font = "11px Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif";
  for (const box of boxes) {
    const from = renderer.graphToViewport({ x: box.left, y: -box.top }), to = renderer.graphToViewport({ x: box.right, y: -box.bottom });
    context.fillStyle = theme.card;
    context.strokeStyle = theme.border;
    context.beginPath();
    context.roundRect(from.x, from.y, to.x - from.x, to.y - from.y, 8);
    context.fill();
    context.stroke();
    const name = data.groups[box.group].given || lastPart(data.groups[box.group].name);
    if (context.measureText(name).width + 8 > to.x - from.x) continue;
    context.fillStyle = theme.faint;
    context.fillText(name, from.x + 6, from.y + 13);
  }
});
