// Colours of nodes by role or task, of edges by delay, rate or load, with the legend; and figures with their units.
const roleColours = ["#64748b", "#2563eb", "#0d9488", "#ea580c", "#7c3aed"];
const taskColours = ["#2563eb", "#ea580c", "#0d9488", "#c026d3", "#ca8a04", "#4f46e5", "#dc2626", "#65a30d", "#0891b2", "#9333ea",
                     "#b45309", "#059669"];
const changeColours = ["#94a3b8", "#16a34a", "#dc2626", "#d97706"], changeNames = ["the same", "added", "removed", "changed"];
const several = "#475569";
const ramp = [[43, 107, 199], [107, 79, 186], [184, 51, 133], [224, 77, 54], [245, 158, 10]];

const taskColour = (task) => taskColours[task] ?? `hsl(${Math.round((task * 137.508) % 360)}, 65%, ${task % 2 ? 42 : 55}%)`;

function rampColour(part) {
  const at = Math.min(Math.max(part, 0), 1) * (ramp.length - 1), low = Math.min(Math.floor(at), ramp.length - 2);
  const mix = ramp[low].map((v, i) => Math.round(v + (at - low) * (ramp[low + 1][i] - v)));
  return "#" + mix.map((v) => v.toString(16).padStart(2, "0")).join("");
}

function inUnit(value, units) {
  const [factor, unit] = units.find(([f]) => value >= f * 0.9995) ?? units[units.length - 1];
  return `${Number((value / factor).toPrecision(3))} ${unit}`;
}
const showTime = (ns) => inUnit(ns, [[3600e9, "h"], [60e9, "min"], [1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]]);
const showRate = (bps) => inUnit(bps, [[1e12, "Tbps"], [1e9, "Gbps"], [1e6, "Mbps"], [1e3, "Kbps"], [1, "bps"]]);
const showSize = (b) => b < 65536 && b % 1024 ? `${b} B` : inUnit(b, [[2 ** 40, "TB"], [2 ** 30, "GB"], [2 ** 20, "MB"], [1024, "KB"], [1, "B"]]);
const showShare = (part) => `${Number((100 * part).toPrecision(3))} %`;
const showBoth = (values, show) => values[0] === values[1] ? show(values[0]) : `${show(values[0])} / ${show(values[1])}`;
const showAddress = (bits) => [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join(".");

const roles = (nodes) => [...new Set([...nodes.values()].map((n) => n.kind))].sort().map((k) => [roleColours[k], kinds[k], "dot"]);

const colourings = {
  change: () => ({
    node: (node) => changeColours[node.change.mark],
    edge: (edge) => changeColours[edge.change.mark],
    legend: () => [1, 2, 3, 0].map((mark) => [changeColours[mark], changeNames[mark], "dot"]),
  }),
  role: () => ({
    node: (node) => roleColours[node.kind],
    legend: roles,
  }),
  task: () => ({
    node: (node) => node.tasks.size === 1 ? taskColour([...node.tasks][0]) : several,
    legend: () => data.tasks.map((name, task) => [taskColour(task), name || `task ${task}`, "dot"]).concat([[several, "several tasks", "dot"]]),
  }),
  delay: (edges) => byValue(edges, (edge) => edge.delay, Math.log, Math.exp, showTime),
  rate: (edges) => byValue(edges, (edge) => edge.rate, Math.log, Math.exp, showRate),
  load: (edges) => byValue(edges, (edge) => edge.load, null, null, showShare),
};

// Delays and rates on a logarithmic scale; loads from 0 to 100 % or more.
function byValue(edges, valueOf, log, exp, show) {
  const values = [...new Set([...edges.values()].map(valueOf))].sort((a, b) => a - b), positive = values.filter((v) => v > 0);
  const low = log && positive.length ? log(positive[0]) : 0;
  const high = log ? (positive.length ? log(positive[positive.length - 1]) : 1) : Math.max(1, ...values.slice(-1));
  const part = (v) => high > low ? ((log ? log(Math.max(v, 1)) : v) - low) / (high - low) : 0;
  const ticks = values.length <= 7 ? values
    : [0, 0.25, 0.5, 0.75, 1].map((p) => { const v = low + p * (high - low); return exp ? Math.round(exp(v)) : v; });
  return {
    node: (node) => roleColours[node.kind],
    edge: (edge) => rampColour(part(valueOf(edge))),
    legend: (nodes) => ticks.map((v) => [rampColour(part(v)), show(v), "bar"]).concat(roles(nodes)),
  };
}
