// What the page of findings has, from the answer to the details.
const data = JSON.parse(document.getElementById("data").textContent);
const main = document.querySelector("main"), several = data.experiments.length > 1;

function section(id, title, ...children) {
  const content = children.filter((child) => child);
  if (content.length === 0) return;
  const part = make("section", "", ...(title ? [make("h2", "", title)] : []), ...content);
  part.id = id;
  part.tabIndex = -1;
  main.append(part);
  if (!title || document.querySelectorAll("nav a").length > 8) return;
  const name = title.split(",")[0];
  if ([...document.querySelectorAll("nav a")].some((other) => other.textContent === name)) return;
  const link = make("a", "", name);
  link.href = "#" + id;
  document.getElementById("sections").append(link);
}

function answers() {
  return data.experiments.flatMap((experiment, i) => [
    ...(several ? [make("h3", "", key(i), experiment.name)] : []),
    ...experiment.answers.map((answer) => make("div", "answer " + answer.kind, make("b", "", ...coded(answer.text)))),
    make("ul", "requires", ...experiment.requires.map((r) =>
      make("li", "", `requires ${r.requires}: `, experiment.searches.length ? make("span", "faint", `met by ${r.met} of the ${counted(r.of, "run")} of the search`)
        : make("span", r.met === r.of ? "kept" : "broken", r.met === r.of ? "met" : `met by ${r.met} of ${counted(r.of, "run")}`)))),
    ...experiment.notes.map((note) => make("p", "note", note)),
  ]);
}

// Of a search the limit, of a sweep the ranges of its measures: those that are required first, and of whole runs where nothing else is measured.
function cards() {
  const list = [];
  data.experiments.forEach((experiment, i) => {
    const name = several ? `, ${experiment.name}` : "";
    for (const search of experiment.searches) {
      const factor = experiment.factors.find((f) => f.searched), other = Object.keys(search.settings).length ? settingsText(search.settings) : "";
      const big = { found: search.low, nowhere: `< ${search.low}`, always: `≥ ${search.high}` }[search.outcome] || "–";
      list.push(make("div", "card", make("h3", "plain", `${factor.name}, the largest that holds${name}`), make("div", "big", big),
        make("div", "more", [other, search.outcome === "found" ? `no longer at ${search.high}` : search.outcome, counted(search.runs, "run")].filter((t) => t).join(" · "))));
    }
    if (experiment.searches.length) return;
    const asked = experiment.measures.filter((m) => !m.whole_run), bounded = (m) => experiment.requires.some((r) => r.requires.includes(m.name));
    const order = asked.length ? [...asked.filter(bounded), ...asked.filter((m) => !bounded(m))] : experiment.measures.slice(0, 3);
    for (const measure of order) {
      const found = experiment.points.filter((p) => p.measures[measure.name] && p.measures[measure.name].mean !== null);
      if (found.length === 0) continue;
      const format = inUnit(measure.unit), means = found.map((p) => p.measures[measure.name].mean);
      const least = found[means.indexOf(Math.min(...means))], most = found[means.indexOf(Math.max(...means))];
      const card = make("div", "card", make("h3", "plain", measure.name + name), make("div", "big range", least === most ? format(means[0]) : `${format(Math.min(...means))} – ${format(Math.max(...means))}`));
      if (least !== most) card.append(make("div", "more", `least at ${settingsText(least.settings)}`), make("div", "more", `most at ${settingsText(most.settings)}`));
      list.push(card);
    }
  });
  return list.length ? make("div", "cards", ...list) : null;
}

// Which factor is along, and which levels of the others are lines: all of them, up to a dozen, or one of each that is chosen.
const MOST_LINES = 12, COLOURS = 6;
function factorPlots() {
  const [first] = data.experiments, factors = first.factors.filter((f) => f.levels.length > 1);
  if (factors.length === 0) return null;
  const together = data.experiments.filter((e) => e === first || first.factors.every((f) => e.factors.some((g) => g.name === f.name)));
  const numeric = (f) => f.values && f.unit !== undefined, searched = factors.find((f) => f.searched);
  const most = (list) => list.reduce((a, b) => b.levels.length > a.levels.length ? b : a, list[0]);
  let along = searched || most(factors.filter(numeric)) || factors[0];
  const held = new Map();  // factor: level, "" for all
  const choice = make("div", "choice"), legend = make("div", "legend"), place = make("div"), figures = make("div", "sides"), whole = make("div", "sides");
  const levelsOf = (name) => [...new Set(together.flatMap((e) => e.factors.find((f) => f.name === name).levels))];
  const valuesOf = (name) => new Map(together.flatMap((e) => { const f = e.factors.find((g) => g.name === name); return f.levels.map((l, i) => [l, f.values ? f.values[i] : null]); }));
  const others = () => first.factors.filter((f) => f !== along && f.levels.length > 1);
  // So that each line has a colour of its own.
  const hold = () => {
    held.clear();
    let lines = others().reduce((product, f) => product * levelsOf(f.name).length, 1);
    for (const f of others()) {
      if (lines <= COLOURS) break;
      held.set(f.name, levelsOf(f.name)[0]);
      lines /= levelsOf(f.name).length;
    }
  };
  const show = () => {
    const values = valuesOf(along.name), categorical = !along.values || [...values.values()].some((v) => v === null);
    let levels = levelsOf(along.name);
    if (!categorical) levels.sort((a, b) => values.get(a) - values.get(b));
    const xs = categorical ? levels : levels.map((l) => values.get(l));
    const log = !categorical && isGeometric(xs);
    const combinations = [];
    for (const experiment of together)
      for (const point of experiment.points) {
        const rest = others().map((f) => [f.name, point.settings[f.name]]);
        if (rest.some(([name, level]) => held.get(name) && held.get(name) !== level)) continue;
        const label = rest.filter(([name]) => !held.get(name)).map(([name, level]) => `${name} = ${level}`).join(", ");
        let line = combinations.find((c) => c.label === label && c.experiment === experiment);
        if (!line) combinations.push(line = { label, experiment, points: [] });
        line.points.push(point);
      }
    const labels = [...new Set(combinations.map((c) => c.label))], shown = combinations.filter((c) => labels.indexOf(c.label) < MOST_LINES);
    const colourOf = (c) => labels.length > 1 ? labels.indexOf(c.label) : data.experiments.indexOf(c.experiment);
    const nameOf = (c) => [several ? c.experiment.name : "", c.label].filter((t) => t).join(", ") || "mean";
    const dashOf = (c) => labels.length > 1 && c.experiment !== first || !several && labels.indexOf(c.label) >= COLOURS ? DASHES[1] : undefined;
    legend.replaceChildren(...(shown.length > 1 ? shown.map((c) => { const mark = make("span", "key"); mark.style.background = linePaint(seriesColour(colourOf(c)), dashOf(c)); return make("span", "", mark, nameOf(c)); }) : []),
      ...(labels.length > MOST_LINES ? [make("span", "faint", `${labels.length - MOST_LINES} more lines: choose levels above`)] : []));
    const chartsOf = (wanted) => first.measures.filter((m) => m.whole_run === wanted).map((measure) => factorChart(measure.name, measure, axisOf(along), xs, levels,
      shown.map((c) => ({ label: nameOf(c), colour: () => seriesColour(colourOf(c)), dash: dashOf(c), points: c.points.flatMap((p) => {
        const found = p.measures[measure.name], x = categorical ? p.settings[along.name] : values.get(p.settings[along.name]);
        return found && found.mean !== null ? [{ x, mean: found.mean, half: found.half_width, values: found.values, text: found.text, spread: found.spread, met: c.experiment.requires.length === 0 || p.met === p.runs }] : [];
      }) })), { categorical, log, bound: boundOf(first, measure), answers: along.searched ? together.flatMap((e) => e.searches.filter((s) => s.outcome === "found").map((s) => s.low)) : [] })).filter((f) => f);
    const measured = chartsOf(false), all = chartsOf(true);
    figures.replaceChildren(...measured);
    whole.replaceChildren(...(all.length ? all : []));
    wholeTitle.hidden = all.length === 0;
    for (const figure of [...measured, ...all]) figure.redraw();
    drawn = [...measured, ...all];
  };
  let drawn = [];
  const wholeTitle = make("h3", "whole", "All web workloads of a run together");
  const controls = () => {
    choice.replaceChildren();
    if (factors.length > 1) {
      const select = make("select", "", ...factors.map((f) => make("option", "", f.name)));
      select.value = along.name;
      select.id = "along";
      select.addEventListener("change", () => { along = factors.find((f) => f.name === select.value); hold(); controls(); show(); document.getElementById("along").focus(); });
      choice.append(make("label", "", "over", select));
    }
    for (const factor of others()) {
      const select = make("select", "", make("option", "", "all"), ...levelsOf(factor.name).map((l) => make("option", "", l)));
      select.value = held.get(factor.name) || "all";
      select.addEventListener("change", () => { held.set(factor.name, select.value === "all" ? "" : select.value); show(); });
      choice.append(make("label", "", factor.name, select));
    }
  };
  hold();
  controls();
  const answered = searched && together.some((e) => e.searches.some((s) => s.outcome === "found"));
  const intervals = first.points.some((p) => Object.values(p.measures).some((m) => m.half_width !== null));
  const bounded = first.measures.some((m) => boundOf(first, m) !== null);
  const note = [intervals ? `Bars are ${first.interval}, if nothing else stands below a chart.` : "One run of each combination, and so no confidence intervals.",
    together.some((e) => e.requires.length) ? "A hollow point does not meet what is required." : "", bounded ? "A dashed yellow line is a bound." : "", answered ? "A dashed green one is what the search found." : ""].filter((t) => t).join(" ");
  place.append(choice, legend, figures, wholeTitle, whole, make("p", "faint", note));
  repaint.push(show);
  let timer;
  addEventListener("resize", () => { clearTimeout(timer); timer = setTimeout(() => drawn.forEach((figure) => figure.redraw()), 100); });
  return place;
}

// Of an axis the factor, and what the model says of it.
const axisOf = (factor) => factor.about ? `${factor.name}: ${factor.about.length > 80 ? factor.about.slice(0, 78) + "…" : factor.about}` : factor.name;

function searchSection() {
  const parts = data.experiments.flatMap((experiment) => {
    const factor = experiment.factors.find((f) => f.searched);
    if (!factor) return [];
    return experiment.searches.flatMap((search) => {
      const figure = searchChart(experiment, search, factor);
      return figure ? [make("div", "sides", figure, make("div", "", make("h3", "", several ? experiment.name : "Values, as they were tried"), stepsTable(search, factor)))] : [];
    });
  });
  return parts.length ? make("div", "", make("p", "faint", "Green holds, a red cross does not; the line is what was found. Near the boundary each value has all repetitions, and the majority decides."), ...parts) : null;
}

// Percentiles of chosen runs.
function curves() {
  const all = data.experiments.flatMap((experiment, e) => experiment.curves.map((curve) => ({ ...curve, experiment, run: experiment.runs.find((r) => r.name === curve.run), e })));
  if (all.length === 0) return null;
  const places = (c) => c.experiment.factors.map((f) => { const level = c.run.settings[f.name], at = f.levels.indexOf(level); return f.values ? f.values[at] ?? at : at; });
  all.sort((a, b) => {
    if (a.e !== b.e) return a.e - b.e;
    const y = places(b), differ = places(a).map((x, i) => x - y[i]).find((d) => d !== 0);
    return differ || a.run.repetition - b.run.repetition;
  });
  const workloads = [...new Set(all.map((c) => c.workload))];
  let workload = workloads[0];
  const named = (c) => [several ? c.experiment.name : "", settingsText(c.run.settings), c.experiment.runs.some((r) => r.repetition > 1) ? `run ${c.run.repetition}` : ""].filter((t) => t).join(", ");
  const chosen = new Set(), firsts = all.filter((c) => c.workload === workload && c.run.repetition === 1), FEW = 6;
  for (let i = 0; i < Math.min(FEW, firsts.length); ++i) chosen.add(firsts[Math.round(i * (firsts.length - 1) / Math.max(1, Math.min(FEW, firsts.length) - 1))]);
  const place = make("div"), picks = make("div", "picks"), choice = make("div", "choice");
  let figure;
  const show = () => {
    const lines = all.filter((c) => chosen.has(c)).map((c, i) => ({ label: named(c), colour: () => seriesColour(i), dash: DASHES[Math.floor(i / COLOURS) % 4], points: c.points }));
    const before = repaint.length;
    figure = percentileLines(`Times of ${workload}`, lines, 300);
    draw = figure && repaint[before];
    repaint.length = before;  // the page paints it by the function below, however often it is made anew
    if (!figure) return place.replaceChildren(make("p", "faint", "Choose runs below."));
    place.replaceChildren(figure);
    draw();
  };
  let draw = null;
  repaint.push(() => draw && draw());
  const list = () => picks.replaceChildren(...all.filter((c) => c.workload === workload).map((c) => {
    const box = make("input");
    box.type = "checkbox";
    box.checked = chosen.has(c);
    box.addEventListener("change", () => { if (box.checked) chosen.add(c); else chosen.delete(c); show(); });
    return make("label", "", box, " " + named(c));
  }));
  if (workloads.length > 1) {
    const select = make("select", "", ...workloads.map((w) => make("option", "", w)));
    select.addEventListener("change", () => {
      const names = new Set([...chosen].map((c) => c.experiment.name + "/" + c.run.name));
      workload = select.value;
      chosen.clear();
      for (const c of all) if (c.workload === workload && names.has(c.experiment.name + "/" + c.run.name)) chosen.add(c);
      list();
      show();
    });
    choice.append(make("label", "", "workload", select));
  }
  list();
  queueMicrotask(show);
  return make("div", "", choice, place, make("details", "choose", make("summary", "", `Choose among ${counted(all.filter((c) => c.workload === workload).length, "run")}`), picks));
}

const [first] = data.experiments;
document.querySelector("h1").textContent = [...new Set(data.experiments.map((e) => `${e.name}, of ${e.model}`))].join("; ");
document.getElementById("subtitle").textContent = several ? `${data.experiments.length} experiments; differences are from ${first.name}`
  : [first.about, `experiment, ${counted(first.runs.length, "run")}, ${first.mode}`].filter((text) => text).join(" · ");

section("answer", "", ...answers(), cards());
const varied = first.factors.filter((f) => f.levels.length > 1);
section("factors", varied.length === 1 ? `Over ${varied[0].name}` : "Over factors", factorPlots());
section("search", "Search", searchSection());
for (const other of data.experiments.slice(1)) {
  const entries = data.differences.filter((d) => d.experiment === other.name);
  section("differences-" + data.experiments.indexOf(other), `Differences, ${other.name} from ${first.name}`, make("p", "faint", entries.length
    ? `With 95 % confidence intervals of the difference: paired where all runs of both have the same seeds, else Welch's. Where one holds zero no difference is shown to exist; by Welch the means' own intervals mostly overlap then. ${entries.some((d) => d.method === "paired") ? VARIANCE : ""}`
    : "They have no combination of levels in common."), entries.length ? differencesTable(other.name) : null);
}
for (const [i, experiment] of data.experiments.entries()) section("means-" + i, several ? `Means, ${experiment.name}` : "Means", meansTable(experiment), make("p", "faint", `±: ${experiment.interval}`));
for (const [i, experiment] of data.experiments.entries()) {
  const tables = experiment.factors.filter((f) => (experiment.effects || []).some((e) => e.factor === f.name)).map((f) => effectsTable(experiment, f));
  section("effects-" + i, several ? `Differences between levels, ${experiment.name}` : "Differences between levels", ...tables, tables.length ? make("p", "faint", VARIANCE) : null);
}
section("percentiles", "Percentiles", curves());
for (const [i, experiment] of data.experiments.entries()) {
  const named = (title) => several ? `${title}, ${experiment.name}` : title, table = failuresTable(experiment);
  section("failures-" + i, named("Failures"), badRuns(experiment, ["failed"]), table ? make("p", "faint", "Transactions by cause, all repetitions together.") : null, table);
  section("late-" + i, named("Runs that did not keep up"), badRuns(experiment, ["not valid", "degraded"]));
}
for (const [i, experiment] of data.experiments.entries())
  section("runs-" + i, several ? `Runs, ${experiment.name}` : "Runs", make("details", "", make("summary", "", `${counted(experiment.runs.length, "run")} with settings`), runsTable(experiment)));
section("facts", "Experiment", factsTable());

watchKeys();
watchPaper();
theme.show(document.documentElement.dataset.theme);
