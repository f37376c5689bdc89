// Charts by uPlot: lines over time, and curves of percentiles.
function scaled(value, units) {
  const [scale, name] = units.find(([s]) => Math.abs(value) >= s) || units[units.length - 1];
  return `${+(value / scale).toPrecision(3)} ${name}`.trim();
}
const show = {
  seconds: (v) => v === 0 ? "0" : scaled(v, [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"]]),
  rate: (v) => v === 0 ? "0" : scaled(v, [[1e9, "Gbps"], [1e6, "Mbps"], [1e3, "Kbps"], [1, "bps"]]),
  count: (v) => String(+v.toPrecision(5)),
  share: (v) => `${+(100 * v).toPrecision(3)} %`,
};

// What no line leads to or from would not be seen.
function lonely(u, series) {
  const ys = u.data[series], there = (i) => ys[i] !== null && ys[i] !== undefined;
  return u.series[series].spanGaps ? [] : ys.map((_, i) => i).filter((i) => there(i) && !there(i - 1) && !there(i + 1));
}

// Of places on the axis those whose texts don't run into each other.
function apart(u, splits) {
  let last = -Infinity;
  return splits.map((x) => {
    const at = u.valToPos(x, "x");
    if (at - last < 64) return null;
    last = at;
    return x;
  });
}

// Of a chart: what its place has, or a half or all of the paper.
function roomFor(place) {
  if (theme.paper) return place.closest(".sides") ? PAPER / 2 - 14 : PAPER;
  return Math.max(280, place.clientWidth || 520);
}

// The ends of a logarithmic axis. The lower one has one digit: from 0.0095 on uPlot would step to 0.011, and then stand still for ever.
function logRange(low, high) {
  const step = 10 ** Math.floor(Math.log10(low));
  return [+(Math.floor(low / step) * step).toPrecision(1), high];
}
// The places on it that have a text: 1, 2, 5, 10 ...
const roundTicks = (u, splits) => splits.map((v) => /^[125]e/.test((+v.toPrecision(6)).toExponential()) ? v : null);

const axisLabel = (label) => ({ label, labelSize: 18, labelGap: 0, labelFont: "12px system-ui, Helvetica, Arial, sans-serif" });

// `lines`: {label, colour, dash, ys}; `shades`: spans of x, `marks`: places on x.
function chart(title, xs, lines, options) {
  const place = make("div"), figure = make("figure", "chart", make("h3", "", title), place);
  if (lines.length === 1) figure.classList.add("alone");
  figure.tabIndex = 0;
  figure.setAttribute("role", "img");
  const scale = options.yAxis && options.yAxis.label;
  figure.setAttribute("aria-label", `${title}${scale ? `, ${scale}` : ""}: ${lines.map((line) => line.label).join(", ")}`);
  const format = (v, i) => i === null || i === undefined ? "" : v === null || v === undefined ? "–" : options.show(v);
  let plot;
  const axis = (more) => ({
    stroke: theme.colour("faint"), grid: { stroke: theme.colour("rule"), width: 1 }, ticks: { show: false },
    font: "12px system-ui, Helvetica, Arial, sans-serif", ...more,
  });
  const draw = () => {
    if (plot) plot.destroy();
    const below = (u) => {
      const box = u.bbox;
      for (const [from, to, name] of options.shades || []) {
        const left = Math.max(u.valToPos(from, "x", true), box.left), right = Math.min(u.valToPos(to, "x", true), box.left + box.width);
        u.ctx.fillStyle = theme.colour(name);
        if (right > left) u.ctx.fillRect(left, box.top, right - left, box.height);
      }
      u.ctx.fillStyle = theme.colour("faint");
      for (const at of options.marks || []) u.ctx.fillRect(Math.round(u.valToPos(at, "x", true)), box.top, 1, box.height);
    };
    plot = new uPlot({
      width: roomFor(place), height: options.height || 190, padding: [8, 22, 0, 0],
      cursor: { drag: { x: false, y: false }, sync: options.sync ? { key: options.sync } : undefined, y: false },
      scales: { x: { time: false, ...options.x }, y: options.y || { range: (u, low, high) => [0, high > 0 ? 1.06 * high : 1] } },
      axes: [axis({ size: 30, ...options.xAxis }), axis({ size: 78, values: (u, splits) => splits.map((v) => v === null ? "" : options.show(v)), ...options.yAxis })],
      series: [{ label: options.xLabel, value: (u, v) => v === null ? "" : options.showX(v) }, ...lines.map((line) => ({
        label: line.label, stroke: line.colour(), width: 1.6, dash: line.dash, spanGaps: !!options.spanGaps,
        points: options.dots ? { show: true, size: 6 } : { show: true, size: 5, filter: lonely }, value: (u, v, s, i) => format(v, i),
      }))],
      legend: { markers: { fill: (u, i) => i > 0 ? linePaint(lines[i - 1].colour(), lines[i - 1].dash) : "transparent" } },
      hooks: { drawClear: [below] },
    }, [xs, ...lines.map((line) => line.ys)], place);
  };
  figure.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = Math.min(xs.length - 1, Math.max(0, plot.cursor.idx === null || plot.cursor.idx === undefined ? 0 : plot.cursor.idx + step));
    plot.setCursor({ left: plot.valToPos(xs[at], "x"), top: 10 });
  });
  repaint.push(draw);
  addEventListener("resize", () => plot && plot.setSize({ width: roomFor(place), height: options.height || 190 }));
  return figure;
}

// Curves of percentiles, on an axis of nines. `lines`: {label, colour, dash, points: [[percent, value]]}.
function percentileLines(title, lines, height) {
  const drawn = lines.filter((line) => line.points.length > 1);
  const percents = [...new Set(drawn.flatMap((line) => line.points.map(([percent]) => percent)))].sort((a, b) => a - b);
  if (percents.length < 2) return null;
  const xs = percents.map((percent) => 1 / (1 - percent / 100)), last = xs[xs.length - 1];
  for (const line of drawn) {
    const by = new Map(line.points);
    line.ys = percents.map((percent) => by.get(percent) ?? null);
  }
  const ys = drawn.flatMap((line) => line.ys).filter((y) => y !== null), least = Math.min(...ys), most = Math.max(...ys);
  const wide = least > 0 && most > 30 * least;
  const ticks = [[2, "50 %"], [4, "75 %"], [10, "90 %"], [20, "95 %"], [100, "99 %"], [1000, "99.9 %"], [10000, "99.99 %"]].filter(([x]) => x <= 1.001 * last);
  return chart(title, xs, drawn, {
    height, show: show.seconds, showX: (x) => `${+(100 - 100 / x).toPrecision(6)} %`, xLabel: "percentile", spanGaps: true,
    x: { distr: 3, range: [2, last] },
    y: wide ? { distr: 3, range: (u, low, high) => logRange(low / 1.2, high * 1.2) } : undefined,
    xAxis: { ...axisLabel("percentile, log scale"), splits: () => ticks.map(([x]) => x), values: (u, splits) => splits.map((x) => (ticks.find(([t]) => t === x) || [0, ""])[1]), filter: (u, splits) => splits },
    yAxis: wide ? { ...axisLabel("log scale"), filter: roundTicks } : undefined,
  });
}

const CURVES = { response_time_seconds: "response times of requests", page_time_seconds: "times of whole pages", transfer_time_seconds: "times of transfers",
  round_trip_seconds: "round trips", delay_seconds: "one-way delays" };
const curveOf = (run, workload, of) => (run.curves.find((curve) => curve.workload === workload && curve.of === of) || { points: [] }).points;
const percentileCharts = (workload) => Object.entries(CURVES).map(([of, words]) => percentileLines(`Percentiles of ${words}`, data.runs.map((run, i) =>
  ({ label: run.name, colour: () => seriesColour(i), points: curveOf(run, workload, of) })), 260)).filter((figure) => figure);

// Arrays by second, of all runs on one axis. `of(run)`: the array, or nothing; one that says nothing is left out.
function secondsChart(title, format, curves) {
  const lines = [];
  data.runs.forEach((run, i) => curves.forEach(({ label, of, dashed, only }) => {
    const ys = of(run);
    if (!ys || ys.length === 0 || (only && !ys.some((y) => y > 0))) return;
    const name = data.runs.length > 1 ? (label ? `${run.name}, ${label}` : run.name) : label || title;
    const colour = data.runs.length > 1 || dashed ? i : lines.length;
    lines.push({ label: name, dash: dashed && DASHES[1], colour: () => seriesColour(colour), ys, step: of.step || stepOf(run) });
  }));
  const alone = lines.length === 1 && data.runs.length === 1 && curves.length > 1 && lines[0].label;
  return secondsLines(alone ? `${title.split(",")[0]}, ${alone}` : title, format, lines);
}

// Seconds in an entry of its series.
function stepOf(run) { return run.series.interval_seconds || 1; }

function secondsLines(title, format, lines) {
  const step = Math.max(1, ...lines.map((line) => line.step));
  const length = Math.max(0, ...lines.map((line) => Math.ceil(line.ys.length * line.step / step)));
  if (length < 2) return null;
  const xs = Array.from({ length }, (_, i) => i * step);
  for (const line of lines) line.ys = xs.map((x) => line.ys[Math.floor(x / line.step)] ?? null);
  const [first] = data.runs, shades = data.runs.length > 1 ? [] : [[0, first.warmup, "shade"], ...first.degraded.map(([from, to]) => [from, to, "alarm"])];
  return chart(title, xs, lines, {
    show: format, showX: (x) => `${x} s`, xLabel: "second", sync: "seconds", height: 170, shades, x: { range: [0, (length - 1) * step] },
    marks: data.runs.length > 1 ? [] : first.events.map((h) => h.seconds),
    xAxis: { values: (u, splits) => splits.map((v) => Number.isInteger(v) ? `${v} s` : "") },
  });
}
