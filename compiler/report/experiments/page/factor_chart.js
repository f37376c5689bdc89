// A measure over a factor, by uPlot: means with their intervals, a line for each combination of the other factors' levels. Where requirements do
// not hold the point is hollow.
const UNITS = { "s": show.seconds, "bit/s": show.rate, "share": show.share, "B": (v) => v === 0 ? "0" : scaled(v, [[2 ** 20, "MB"], [1024, "KB"], [1, "B"]]) };
const plain = (v) => v === 0 ? "0" : Math.abs(v) >= 1e6 ? scaled(v, [[1e9, "G"], [1e6, "M"]]) : String(+v.toPrecision(4));
const inUnit = (unit) => UNITS[unit] || plain;

// Levels that are a factor apart, and not so much a step.
function isGeometric(values) {
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  if (sorted.length < 3 || sorted[0] <= 0) return false;
  const ratios = sorted.slice(1).map((v, i) => v / sorted[i]), steps = sorted.slice(1).map((v, i) => v - sorted[i]);
  return sorted[sorted.length - 1] / sorted[0] >= 6 && Math.max(...ratios) / Math.min(...ratios) < Math.max(...steps) / Math.min(...steps);
}

// What stands in a requirement as the bound of this measure alone, or is joined by && with others: "p95(homes) < 40 ms && p95(phones) < 90 ms".
function boundOf(experiment, measure) {
  const units = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, min: 60, "%": 0.01, bps: 1, Kbps: 1e3, Mbps: 1e6, Gbps: 1e9, "": 1 };
  for (const { requires } of experiment.requires) for (const part of requires.split("&&")) {
    const found = part.match(/^[\s(]*(\w+\([\w, ]+\))\s*[<>]=?\s*([\d.]+)\s*([a-zA-Z%]*)[\s)]*$/);
    if (found && found[1] === measure.name && found[3] in units) return Number(found[2]) * units[found[3]];
  }
  return null;
}

// Of a mean the ends of its interval, as far as they are possible: nothing that is measured is below zero, and no share above one.
function intervalOf(point, measure) {
  return point.half ? [Math.max(0, point.mean - point.half), Math.min(measure.unit === "share" ? 1 : Infinity, point.mean + point.half)] : null;
}
const rangeOf = (point) => point.values.length > 1 ? [Math.min(...point.values), Math.max(...point.values)] : null;

// Labels that do not stand over each other; those in `first` are there before others.
function labelsApart(u, places, texts, room, first = []) {
  const taken = [], shown = places.map(() => "");
  const put = (i) => {
    const position = u.valToPos(places[i], "x"), width = 7 * texts[i].length / 2 + room;
    if (taken.some(([from, to]) => position + width > from && position - width < to)) return;
    taken.push([position - width, position + width]);
    shown[i] = texts[i];
  };
  places.forEach((_, i) => first.includes(texts[i]) && put(i));
  places.forEach((_, i) => first.includes(texts[i]) || put(i));
  return shown;
}

// `xs`: places with their `texts`; `lines`: {label, colour, dash, points: [{x, mean, half, text, spread, values, met}]}.
function factorChart(title, measure, axisName, xs, texts, lines, options) {
  const format = inUnit(measure.unit), categorical = options.categorical;
  const places = xs.map((_, i) => i), at = new Map(xs.map((x, i) => [x, i]));
  const data = lines.map((line) => {
    const ys = xs.map(() => null);
    for (const point of line.points) if (at.has(point.x)) ys[at.get(point.x)] = point;
    return ys;
  });
  const all = data.flat().filter((p) => p);
  if (all.length === 0) return null;
  // Of one kind in a chart: where one interval is wider than its mean, and says nothing, all points have what was measured.
  const ranges = all.some((point) => point.half > Math.abs(point.mean));
  for (const point of all) point.ends = ranges ? rangeOf(point) : intervalOf(point, measure);
  const answers = categorical ? [] : (options.answers || []).filter((text) => texts.includes(text));
  const bound = options.bound, bounds = bound === null ? [] : [bound], means = all.map((p) => p.mean);
  const seen = all.flatMap((p) => p.ends || [p.mean]).concat(bounds), least = Math.min(...means);
  const wide = least > 0 && Math.max(...means, ...bounds) > 20 * least;
  const top = Math.max(...seen), bottom = Math.min(...seen.filter((y) => y > least / 4), least);
  const place = make("div"), figure = make("figure", "chart factor", make("h3", "", title), place);
  if (ranges) figure.append(make("p", "faint", "Bars are the ranges of what the runs measured, as an interval here is wider than its mean."));
  figure.dataset.bars = ranges ? "ranges" : "intervals";
  figure.tabIndex = 0;
  figure.dataset.measure = measure.name;
  figure.setAttribute("role", "img");
  figure.setAttribute("aria-label", `${title}${wide ? ", log scale" : ""} over ${axisName}${options.log ? ", log scale" : ""}: ${lines.map((line) => line.label).join(", ")}`);
  const offset = (i) => categorical ? (i - (lines.length - 1) / 2) * Math.min(14, 120 / lines.length) : 0;
  let plot;
  const axis = (more) => ({ stroke: theme.colour("faint"), grid: { stroke: theme.colour("rule"), width: 1 }, ticks: { show: false },
    font: "12px system-ui, Helvetica, Arial, sans-serif", ...more });
  const drawPoints = (u) => {
    const ctx = u.ctx, ratio = devicePixelRatio;
    ctx.save();
    ctx.setLineDash([]);
    if (bound !== null) {
      const y = Math.floor(u.valToPos(bound, "y", true)) + 0.5;  // on pixels, so that it is not grey
      if (y >= u.bbox.top && y <= u.bbox.top + u.bbox.height) {
        ctx.strokeStyle = theme.colour("warn");
        ctx.lineWidth = ratio;
        ctx.setLineDash([4 * ratio, 4 * ratio]);
        ctx.beginPath(); ctx.moveTo(u.bbox.left, y); ctx.lineTo(u.bbox.left + u.bbox.width, y); ctx.stroke();
        ctx.setLineDash([]);
      }
    }
    ctx.strokeStyle = theme.colour("good");
    ctx.lineWidth = ratio;
    ctx.setLineDash([4 * ratio, 4 * ratio]);
    for (const text of answers) {
      const x = Math.floor(u.valToPos(xs[texts.indexOf(text)], "x", true)) + 0.5;
      ctx.beginPath(); ctx.moveTo(x, u.bbox.top); ctx.lineTo(x, u.bbox.top + u.bbox.height); ctx.stroke();
    }
    ctx.setLineDash([]);
    lines.forEach((line, i) => {
      ctx.strokeStyle = line.colour();
      ctx.lineWidth = 1.4 * ratio;
      data[i].forEach((point, k) => {
        if (!point) return;
        const x = u.valToPos(categorical ? places[k] : xs[k], "x", true) + offset(i) * ratio, y = u.valToPos(point.mean, "y", true);
        const cap = 3.5 * ratio, place = (value) => u.valToPos(wide ? Math.max(value, u.scales.y.min) : value, "y", true);
        ctx.beginPath();
        if (point.ends) { ctx.moveTo(x, place(point.ends[0])); ctx.lineTo(x, place(point.ends[1])); }
        for (const value of point.ends || []) { ctx.moveTo(x - cap, place(value)); ctx.lineTo(x + cap, place(value)); }
        ctx.stroke();
        ctx.fillStyle = point.met ? line.colour() : theme.colour("paper");
        ctx.beginPath(); ctx.arc(x, y, 3.4 * ratio, 0, 2 * Math.PI); ctx.fill(); ctx.stroke();
      });
    });
    ctx.restore();
  };
  const draw = () => {
    if (plot) plot.destroy();
    const xScale = categorical ? { time: false, range: [-0.6, xs.length - 0.4] }
      : options.log ? { time: false, distr: 3, range: (u, a, b) => [a / 1.12, b * 1.12] }
      : { time: false, range: (u, a, b) => a === b ? [a - 1, a + 1] : [a - 0.04 * (b - a), b + 0.04 * (b - a)] };
    plot = new uPlot({
      width: roomFor(place), height: 250, padding: [8, 22, 0, 0],
      cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
      scales: { x: xScale, y: wide ? { distr: 3, range: () => logRange(bottom / 1.5, top * 1.3) } : { range: () => [0, top > 0 ? 1.06 * top : 1] } },
      axes: [axis({ size: 34, label: options.log ? `${axisName.replace(/\.$/, "")}, log scale` : axisName, labelSize: 22, labelFont: "12px system-ui, Helvetica, Arial, sans-serif", splits: () => categorical ? places : xs, values: (u, splits) => labelsApart(u, splits, texts, 6, answers), filter: (u, splits) => splits,
               grid: { show: categorical ? false : true, stroke: theme.colour("rule"), width: 1 } }),
             axis({ size: 78, values: (u, splits) => splits.map((v) => v === null ? "" : format(v)),
                    ...(wide ? { ...axisLabel("log scale"), filter: roundTicks } : {}) })],
      series: [{ label: axisName, value: (u, v, s, i) => i === null || i === undefined ? "–" : texts[i] }, ...lines.map((line, i) => ({
        label: line.label, stroke: line.colour(), width: categorical ? 0 : 1.6, dash: line.dash, spanGaps: true, points: { show: false },
        paths: categorical ? () => null : undefined,
        value: (u, v, s, k) => { const p = k === null || k === undefined ? null : data[i][k]; return p ? [p.text, p.spread].filter((t) => t).join(" ") : "–"; },
      }))],
      legend: { markers: { fill: (u, i) => i > 0 ? linePaint(lines[i - 1].colour(), lines[i - 1].dash) : "transparent" } },
      hooks: { draw: [drawPoints] },
    }, [categorical ? places : xs, ...data.map((ys) => ys.map((p) => p ? p.mean : null))], place);
  };
  figure.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const now = plot.cursor.idx, next = Math.min(xs.length - 1, Math.max(0, now === null || now === undefined ? 0 : now + step));
    plot.setCursor({ left: plot.valToPos(categorical ? next : xs[next], "x"), top: 10 });
  });
  figure.redraw = draw;
  return figure;
}

// What a search tried, one value after the other.
function searchChart(experiment, search, factor) {
  const values = new Map(factor.levels.map((level, i) => [level, factor.values[i]]));
  const steps = search.steps.map((step) => ({ ...step, value: values.get(step.level) })).filter((step) => step.value !== undefined);
  if (steps.length < 2) return null;
  const ys = steps.map((s) => s.value), log = Math.min(...ys) > 0 && Math.max(...ys) > 6 * Math.min(...ys);
  const other = Object.entries(search.settings).map(([name, level]) => `${name} = ${level}`).join(", ");
  const title = `${other ? other + ": " : ""}${factor.name} tried, ${counted(search.runs, "run")}`;
  const place = make("div"), figure = make("figure", "chart alone", make("h3", "", title), place), format = inUnit(factor.unit);
  figure.setAttribute("role", "img");
  figure.tabIndex = 0;
  figure.setAttribute("aria-label", `${title}${log ? ", log scale" : ""}: ${steps.map((s) => `${s.level} ${holdsText(s)}`).join(", ")}`);
  const low = search.outcome === "found" ? values.get(search.low) : undefined;
  let plot;
  const draw = () => {
    if (plot) plot.destroy();
    const axis = (more) => ({ stroke: theme.colour("faint"), grid: { stroke: theme.colour("rule"), width: 1 }, ticks: { show: false },
      font: "12px system-ui, Helvetica, Arial, sans-serif", ...more });
    plot = new uPlot({
      width: roomFor(place), height: 230, padding: [10, 22, 0, 0], cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
      scales: { x: { time: false, range: [0.5, steps.length + 0.5] },
        y: log ? { distr: 3, range: (u, a, b) => logRange(a / 1.3, b * 1.3) } : { range: (u, a, b) => [Math.min(0, a), b + 0.08 * (b - Math.min(0, a))] } },
      axes: [axis({ size: 34, splits: () => steps.map((_, i) => i + 1), values: (u, s) => s.map(String), grid: { show: false } }),
             axis({ size: 78, values: (u, splits) => splits.map((v) => v === null ? "" : format(v)), ...axisLabel(log ? `${factor.name}, log scale` : factor.name), filter: log ? roundTicks : undefined })],
      series: [{ label: "try", value: (u, v) => v === null ? "" : String(v) }, { label: factor.name, stroke: theme.colour("rule"), width: 1.4, points: { show: false },
        value: (u, v, s, i) => i === null || i === undefined ? "–" : `${steps[i].level} ${holdsText(steps[i])}` }],
      hooks: { draw: [(u) => {
        const ctx = u.ctx, ratio = devicePixelRatio;
        ctx.save();
        ctx.setLineDash([]);
        if (low !== undefined) {
          const y = u.valToPos(low, "y", true);
          ctx.strokeStyle = theme.colour("good");
          ctx.lineWidth = ratio; ctx.setLineDash([4 * ratio, 4 * ratio]);
          ctx.beginPath(); ctx.moveTo(u.bbox.left, y); ctx.lineTo(u.bbox.left + u.bbox.width, y); ctx.stroke(); ctx.setLineDash([]);
        }
        ctx.font = `${11 * ratio}px system-ui, Helvetica, Arial, sans-serif`;
        ctx.textAlign = "center";
        steps.forEach((step, i) => {
          const x = u.valToPos(i + 1, "x", true), y = u.valToPos(step.value, "y", true), r = 4 * ratio;
          ctx.lineWidth = 1.8 * ratio;
          ctx.strokeStyle = ctx.fillStyle = theme.colour(step.holds ? "good" : "bad");
          ctx.beginPath();
          if (step.holds) { ctx.arc(x, y, r, 0, 2 * Math.PI); ctx.fill(); }
          else { ctx.moveTo(x - r, y - r); ctx.lineTo(x + r, y + r); ctx.moveTo(x - r, y + r); ctx.lineTo(x + r, y - r); ctx.stroke(); }
          if (steps.length <= 16) { ctx.fillStyle = theme.colour("faint"); ctx.fillText(step.level, x, y - 9 * ratio); }
        });
        ctx.restore();
      }] },
    }, [steps.map((_, i) => i + 1), ys], place);
  };
  repaint.push(draw);
  addEventListener("resize", () => plot && plot.setSize({ width: roomFor(place), height: 230 }));
  return figure;
}
