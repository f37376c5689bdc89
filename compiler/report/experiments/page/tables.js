// Tables of what was found.
const settingsText = (settings) => Object.entries(settings).map(([name, level]) => `${name} = ${level}`).join(", ") || "the model as it is";
const holdsText = (step) => step.holds === null ? "not measured" : step.holds ? "holds" : "does not hold";
const counted = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;
const metText = (point) => point.failed ? `${point.failed} failed` : point.met === point.runs ? "yes" : point.met === 0 ? "no" : `${point.met} of ${point.runs}`;

// Rows of {cells, values}, sorted by a click on a column's name; the first ones, and a button for the others.
function sortable(columns, rows, most) {
  const head = make("tr"), body = make("tbody");
  let all = rows.length <= most + 5;
  const more = make("button", "", `Show all ${rows.length}`);
  more.type = "button";
  const show = () => {
    body.replaceChildren(...rows.slice(0, all ? rows.length : most).map((row) => row.element));
    more.hidden = all;
  };
  columns.forEach(({ name, kind }, at) => {
    const button = make("button", "", name), cell = make("th", kind || "", button);
    button.type = "button";
    if (kind !== "value") button.style.textAlign = "left";
    button.addEventListener("click", () => {
      const down = cell.getAttribute("aria-sort") !== "descending";
      for (const other of head.children) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      rows.sort((a, b) => {
        const x = a.values[at], y = b.values[at];
        const order = x === null ? -1 : y === null ? 1 : typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
        return down ? -order : order;
      });
      show();
    });
    head.append(cell);
  });
  more.addEventListener("click", () => { all = true; show(); });
  addEventListener("beforeprint", () => { all = all || rows.length <= 200; show(); });
  show();
  return make("div", "wide", make("table", "", make("thead", "", head), body), more);
}

const levelValue = (factor, level) => factor.values ? factor.values[factor.levels.indexOf(level)] ?? null : level;

function meansTable(experiment) {
  const required = experiment.requires.length > 0;
  const columns = [...experiment.factors.map((f) => ({ name: f.name })), ...experiment.measures.map((m) => ({ name: m.name, kind: "value" })),
    { name: "runs", kind: "value" }, ...(required ? [{ name: "met", kind: "value" }] : [])];
  const rows = experiment.points.map((point) => {
    const element = make("tr"), values = [];
    for (const factor of experiment.factors) {
      element.append(make("td", "level", point.settings[factor.name]));
      values.push(levelValue(factor, point.settings[factor.name]));
    }
    for (const measure of experiment.measures) {
      const found = point.measures[measure.name], mean = make("td", "value", found ? found.text : "–");
      if (found && found.mean !== null) mean.title = found.mean + (measure.unit && measure.unit !== "share" ? " " + measure.unit : "");
      mean.dataset.found = [settingsText(point.settings), measure.name].join("/");
      const interval = make("div", "interval", found ? found.spread : "");
      if (found && found.missing) interval.title = `no interval: ${found.missing}`;
      if (found && found.batches) interval.title = `${found.batches} batches`;
      mean.append(interval);
      element.append(mean);
      values.push(found ? found.mean : null);
    }
    element.append(make("td", "value", String(point.runs)));
    values.push(point.runs);
    if (required) {
      element.append(make("td", "value " + (point.failed || point.met < point.runs ? "worse" : "better"), metText(point)));
      values.push(point.met / point.runs);
    }
    return { element, values };
  });
  return sortable(columns, rows, 40);
}

function differencesTable(name) {
  const [first] = data.experiments, entries = data.differences.filter((d) => d.experiment === name);
  const columns = [{ name: "settings" }, { name: "measure" }, { name: first.name, kind: "value" }, { name, kind: "value" }, { name: "difference", kind: "value" }, { name: "", kind: "value" }, { name: "95 %" }, { name: "interval" }, { name: "variance left", kind: "value" }];
  const rows = entries.map((d) => {
    const measure = first.measures.find((m) => m.name === d.measure), format = inUnit(measure.unit);
    const better = measure.better === "higher" ? d.difference > 0 : d.difference < 0;
    const tint = d.differs ? (better ? "better" : "worse") : "";
    const words = d.differs === null ? "no interval" : d.differs ? "differs" : d.method === "Welch" && d.overlaps ? "intervals overlap" : "not shown";
    const method = d.method === "paired" ? `paired, ${d.pairs} seeds` : d.method || "–";
    const element = make("tr", "", make("td", "", settingsText(d.settings)), make("td", "", d.measure), make("td", "value", format(d.first)), make("td", "value", format(d.second)),
      make("td", "value " + tint, (d.difference > 0 ? "+" : "") + format(d.difference) + (d.half_width === null ? "" : ` ± ${format(d.half_width)}`)),
      make("td", "value " + tint, d.share === null ? "" : `${d.share > 0 ? "+" : ""}${(100 * d.share).toFixed(1)} %`),
      make("td", d.differs ? "differs" : "faint", words), make("td", "", method), make("td", "value", varianceText(d)));
    if (d.method === "paired") element.title = `correlation ${d.correlation.toFixed(2)}; by Welch ± ${format(d.welch_half_width)}`;
    return { element, values: [settingsText(d.settings), d.measure, d.first, d.second, d.difference, d.share, words, method, d.variance_left] };
  });
  return sortable(columns, rows, 60);
}

// Of a difference's variance what common seeds left.
const varianceText = (d) => d.variance_left === null ? "" : d.variance_left < 0.001 ? "< 0.1 %" : `${+(100 * d.variance_left).toPrecision(d.variance_left >= 1 ? 3 : 2)} %${d.variance_left >= 1 ? ", no help" : ""}`;
const VARIANCE = "Variance left: of a difference, as a share of what runs with other seeds would have; from 100 % on the same seeds did not help.";

// What the levels of one factor change.
function effectsTable(experiment, factor) {
  const others = experiment.factors.filter((f) => f !== factor);
  const columns = [...others.map((f) => ({ name: f.name })), { name: factor.name }, { name: "measure" }, { name: `at ${factor.levels[0]}`, kind: "value" }, { name: "difference", kind: "value" }, { name: "", kind: "value" }, { name: "95 %" }, { name: "pairs", kind: "value" }, { name: "variance left", kind: "value" }];
  const rows = experiment.effects.filter((e) => e.factor === factor.name).map((e) => {
    const measure = experiment.measures.find((m) => m.name === e.measure), format = inUnit(measure.unit);
    const better = measure.better === "higher" ? e.difference > 0 : e.difference < 0, tint = e.differs ? (better ? "better" : "worse") : "";
    const element = make("tr", "", ...others.map((f) => make("td", "level", e.settings[f.name])), make("td", "level", e.level), make("td", "", e.measure), make("td", "value", format(e.first)),
      make("td", "value " + tint, `${e.difference > 0 ? "+" : ""}${format(e.difference)} ± ${format(e.half_width)}`), make("td", "value " + tint, e.share === null ? "" : `${e.share > 0 ? "+" : ""}${(100 * e.share).toFixed(1)} %`),
      make("td", e.differs ? "differs" : "faint", e.differs ? "differs" : "not shown"), make("td", "value", e.pairs), make("td", "value", varianceText(e)));
    element.title = `correlation ${e.correlation.toFixed(2)}`;
    return { element, values: [...others.map((f) => levelValue(f, e.settings[f.name])), levelValue(factor, e.level), e.measure, e.first, e.difference, e.share, e.differs ? 1 : 0, e.pairs, e.variance_left] };
  });
  const together = Math.max(...experiment.effects.filter((e) => e.factor === factor.name).map((e) => e.comparisons));
  return make("div", "", make("h3", "", `From ${factor.name} = ${factor.levels[0]}`), sortable(columns, rows, 40),
    make("p", "faint", `Paired, with the same seeds${together > 1 ? `; 95 % for all ${together} of a measure together (Bonferroni)` : ""}.`));
}

function stepsTable(search, factor) {
  const body = make("tbody");
  for (const step of search.steps)
    body.append(make("tr", "", make("td", "", step.level), make("td", "value", String(step.runs)), make("td", "value " + (step.holds ? "better" : "worse"), holdsText(step))));
  return make("table", "", make("thead", "", make("tr", "", make("th", "", factor.name), make("th", "value", "runs"), make("th", "value", ""))), body);
}

function failuresTable(experiment) {
  const causes = [...new Set(experiment.points.flatMap((p) => Object.keys(p.failures)))];
  if (causes.length === 0) return null;
  const columns = [...experiment.factors.map((f) => ({ name: f.name })), ...causes.map((name) => ({ name, kind: "value" }))];
  const rows = experiment.points.filter((p) => Object.keys(p.failures).length).map((p) => ({
    element: make("tr", "", ...experiment.factors.map((f) => make("td", "level", p.settings[f.name])), ...causes.map((c) => make("td", "value", p.failures[c] ? String(p.failures[c]) : "–"))),
    values: [...experiment.factors.map((f) => levelValue(f, p.settings[f.name])), ...causes.map((c) => p.failures[c] || 0)],
  }));
  return sortable(columns, rows, 40);
}

function runsTable(experiment) {
  const columns = [...experiment.factors.map((f) => ({ name: f.name })), { name: "repetition", kind: "value" }, { name: "seed", kind: "value" }, { name: "verdict" }, { name: "met", kind: "value" },
    { name: "took", kind: "value" }, { name: "results" }];
  const kinds = { "kept up": "kept", "degraded": "degraded", "not valid": "broken", "failed": "broken" };
  const rows = experiment.runs.map((run) => {
    const path = `runs/${run.name}/results.json`, link = make("a", "", run.name);
    if (experiment.way) link.href = [experiment.way, "runs", ...[run.name, "results.json"].map(encodeURIComponent)].join("/");
    else link.title = path;
    const verdict = make("td", kinds[run.verdict] || "", run.verdict || "–");
    verdict.title = run.reasons.join("; ");
    return {
      element: make("tr", "", ...experiment.factors.map((f) => make("td", "level", run.settings[f.name])), make("td", "value", String(run.repetition)), make("td", "value", String(run.seed)), verdict,
        make("td", "value", run.status === 0 || run.status === 99 ? (run.met ? "yes" : "no") : `status ${run.status}`), make("td", "value", `${+run.seconds.toPrecision(3)} s`), make("td", "", link)),
      values: [...experiment.factors.map((f) => levelValue(f, run.settings[f.name])), run.repetition, run.seed, run.verdict, run.met ? 1 : 0, run.seconds, run.name],
    };
  });
  return sortable(columns, rows, 100);
}

function badRuns(experiment, verdicts) {
  const bad = experiment.runs.filter((run) => verdicts.includes(run.verdict));
  const FEW = 6, list = (runs) => make("ul", "requires", ...runs.map((run) => make("li", "", make("b", run.verdict === "degraded" ? "degraded" : "broken", run.verdict), ` ${settingsText(run.settings)}, repetition ${run.repetition}`,
    make("span", "faint", ...coded(run.reasons.length ? `: ${run.reasons.join("; ")}` : "")))));
  if (bad.length === 0) return null;
  return make("div", "", list(bad.slice(0, FEW)), ...(bad.length > FEW ? [make("details", "", make("summary", "", `${bad.length - FEW} more`), list(bad.slice(FEW)))] : []));
}

function factsTable() {
  const names = [...new Set(data.experiments.flatMap((e) => e.facts.map((f) => f.name)))], body = make("tbody");
  for (const name of names)
    body.append(make("tr", "", make("td", "", name), ...data.experiments.map((e) => make("td", "", e.facts.filter((f) => f.name === name).map((f) => f.text).join(", ") || "–"))));
  const table = make("table", "facts");
  if (data.experiments.length > 1) table.append(make("thead", "", make("tr", "", make("th", ""), ...data.experiments.map((e, i) => make("th", "", key(i), e.name)))));
  table.append(body);
  return make("div", "wide", table);
}
