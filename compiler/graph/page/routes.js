// Routes as the compiler's: along its tables where the page has them (tables.js), else the least sum of delays or costs (or
// least links), of equals the fewest links, then at each node the link with the lowest id; with equal-cost multipath all
// that are equally short. Only routers and switches pass packets on.
const metricWeight = (link, direction) => data.metric === "hops" ? 0 : (data.metric === "cost" ? link.cost : link.weight)[direction];
const passesOn = (rowIndex) => { const kind = kinds[data.rows[rowIndex].kind]; return kind === "router" || kind === "switch"; };

// Calls visit(neighbour, its row, directed link, what it weighs, element, link, direction) for each link that leaves a node, or, with `entering`, for
// each that enters it.
function eachLink(id, entering, visit) {
  const row = rowOf(id);
  for (const [index, side] of data.linksOfRow[row.index]) visitLinks(index, side, id - row.first, entering, visit);
}

function visitLinks(index, side, element, entering, visit) {
  const link = data.links[index], [, first, stride] = link.end[side], [otherRow, otherFirst, otherStride] = link.end[1 - side];
  let from = 0, to = link.count;
  if (stride) {
    from = element - first;
    to = from + 1;
    if (from < 0 || from >= link.count) return;
  } else if (first !== element) {
    return;
  }
  const direction = entering ? 1 - side : side;  // 0 runs from end a to end b
  if (link.oneWay && direction === 1) return;
  for (let i = from; i < to; ++i) {
    const other = data.rows[otherRow].first + otherFirst + i * otherStride;
    visit(other, otherRow, link.first + 2 * i + direction, metricWeight(link, direction), i, link, direction);
  }
}

const shorter = (a, b) => a[0] !== b[0] ? a[0] < b[0] : a[1] < b[1];

class Heap {
  constructor() { this.items = []; }
  push(item) {
    const items = this.items;
    let at = items.push(item) - 1;
    while (at > 0 && shorter(item, items[(at - 1) >> 1])) { items[at] = items[(at - 1) >> 1]; at = (at - 1) >> 1; }
    items[at] = item;
  }
  pop() {
    const items = this.items, top = items[0], last = items.pop();
    if (items.length) {
      let at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (child >= items.length) break;
        if (child + 1 < items.length && shorter(items[child + 1], items[child])) ++child;
        if (!shorter(items[child], last)) break;
        items[at] = items[child];
        at = child;
      }
      items[at] = last;
    }
    return top;
  }
}

// Lengths [delay, links] to `target` of what lies nearer to it than `source`, and of that.
function lengthsTo(source, target) {
  const length = new Map([[target, [0, 0]]]), done = new Set(), heap = new Heap();
  heap.push([0, 0, target]);
  while (heap.items.length) {
    const [delay, links, at] = heap.pop();
    if (done.has(at)) continue;
    done.add(at);
    if (at === source) break;
    if (at !== target && !passesOn(rowOf(at).index)) continue;
    eachLink(at, true, (from, fromRow, id, weight) => {
      if (from !== source && !passesOn(fromRow)) return;
      const through = [delay + weight, links + 1], known = length.get(from);
      if (known && !shorter(through, known)) return;
      length.set(from, through);
      heap.push([...through, from]);
    });
  }
  return done.has(source) ? length : null;
}

// Steps of [{link, from, to}]: all links that packets from source to target may cross, by their distance; null: no way.
const route = (source, target) => data.tables && addressOf(target) ? routeByTables(source, target) : shortestPath(source, target);

// Why a route to it may not be the model's; "": it is.
function doubt(target) {
  if (data.segments) return "The model has routes by segments, which this page does not follow: this is what packets without segments do.";
  if (data.tables) return addressOf(target) ? "" : "Nothing is sent to a switch: this is the shortest path.";
  return data.plain ? "" : "This is the shortest path. The model's routes, which regions, policy between autonomous systems or static routes decide, " +
    "are not on this page" + (data.tooLarge ? ": they are too many." : ", since computing them ended with an error.");
}

function shortestPath(source, target) {
  if (source === target) return [];
  const length = lengthsTo(source, target);
  if (!length) return null;
  const steps = [];
  for (let at = [source]; at[0] !== target;) {
    const step = [], next = new Set();
    for (const from of at) {
      let best = null, equal = [];
      eachLink(from, false, (to, toRow, id, weight, element, link, direction) => {
        const rest = length.get(to);
        if (!rest || (to !== target && !passesOn(toRow))) return;
        const through = [rest[0] + weight, rest[1] + 1];
        if (best && shorter(best, through)) return;
        if (!best || shorter(through, best)) { best = through; equal = []; }
        equal.push({ id, from, to, name: linkName(link, element), delay: link.weight[direction], link, element });
      });
      equal.sort((a, b) => a.id - b.id);
      for (const hop of data.multipath ? equal : equal.slice(0, 1)) { step.push(hop); next.add(hop.to); }
    }
    step.sort((a, b) => a.id - b.id);
    steps.push(step);
    at = [...next];
  }
  return steps;
}
