// The compiler's forwarding tables, read as the runtime reads them (runtime/abi/forwarding.h). Each list of rows is 32-bit
// numbers, the lowest byte first, in base 64.
const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const numbersOf = (text) => new Uint32Array(bytesOf(text).buffer);
if (data.tables) {
  for (const name of ["tables", "ranges", "hops", "columns", "alternatives"]) data.tables[name] = numbersOf(data.tables[name]);
  data.tables.codes = bytesOf(data.tables.codes);
}

// 0: it has none.
function addressOf(id) {
  const row = rowOf(id);
  return row.address ? row.address + id - row.first : 0;
}

// Of `count` rows of `width` numbers that begin with a first and a last address: where the one begins that holds it; -1: none.
function rowWith(rows, first, count, width, address) {
  let low = first, high = first + count;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (rows[middle * width] <= address) low = middle; else high = middle;
  }
  return count > 0 && rows[low * width] <= address && address <= rows[low * width + 1] ? low * width : -1;
}

function codeAt(first, column, bits) {
  let code = 0;
  for (let i = 0; i < bits; ++i) {
    const bit = column * bits + i;
    code |= (data.tables.codes[first + (bit >> 3)] >> (bit & 7) & 1) << i;
  }
  return code;
}

// The directed links on which packets for an address leave a node.
function nextLinks(id, address) {
  const { rows, tables, ranges, hops, columns, alternatives } = data.tables, row = rowOf(id), element = id - row.first;
  const at = 6 * (rows[row.index][0] + element * rows[row.index][1]);
  const [firstRange, rangeCount, firstHop, hopCount, firstCode, bits] = tables.subarray(at, at + 6);
  let hop = null;  // link, paths, by destination, by element
  const range = rowWith(ranges, firstRange, rangeCount, 6, address);
  if (range >= 0) {
    hop = ranges.subarray(range + 2, range + 6);
  } else if (hopCount > 0) {
    const column = rowWith(columns, 0, columns.length / 3, 3, address);
    const code = column < 0 ? 0 : bits === 0 ? 1 : codeAt(firstCode, columns[column + 2], bits);
    if (code > 0) hop = hops.subarray(4 * (firstHop + code - 1), 4 * (firstHop + code));
  }
  const links = [];  // each once: among the paths it stands as often as its weight says
  for (let path = 0; hop && path < hop[1]; ++path) {
    const link = (hop[1] === 1 ? hop[0] : alternatives[hop[0] + path]) + address * hop[2] + element * hop[3] >>> 0;
    if (links[links.length - 1] !== link) links.push(link);
  }
  return links;
}

// The row of links that holds a directed link.
const linkRows = [...data.links.keys()].sort((a, b) => data.links[a].first - data.links[b].first);
function linkOf(id) {
  let low = 0, high = linkRows.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (data.links[linkRows[middle]].first <= id) low = middle; else high = middle;
  }
  return data.links[linkRows[low]];
}

const downLinks = new Set(data.down || []);

function routeByTables(source, target) {
  const address = addressOf(target), steps = [];
  for (let at = [source]; at[0] !== target;) {
    const step = [], next = new Set();
    for (const from of at) {
      const links = nextLinks(from, address);
      if (!links.length || steps.length > data.rows.length + linkRows.length) return null;
      for (const id of links) {
        if (downLinks.has(id)) return null;
        const link = linkOf(id), element = (id - link.first) >> 1, direction = (id - link.first) & 1;
        const [row, first, stride] = link.end[1 - direction], to = data.rows[row].first + first + element * stride;
        step.push({ id, from, to, name: linkName(link, element), delay: link.weight[direction], link, element });
        next.add(to);
      }
    }
    step.sort((a, b) => a.id - b.id);
    steps.push(step);
    at = [...next];
    if (at.includes(target) && at.length > 1) return null;
  }
  return steps;
}
