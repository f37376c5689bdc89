// What the page has, from the answers to the details.
const data = JSON.parse(document.getElementById("data").textContent);
const main = document.querySelector("main"), several = data.runs.length > 1;
const groupsOf = (kind) => data.groups.filter((group) => group.kind === kind);

// What `fold` says stays folded until somebody wants it: on the screen, and on paper, too.
function fold(title, ...content) {
  const details = make("details", "detail", make("summary", "", title), ...content);
  details.addEventListener("toggle", () => dispatchEvent(new Event("resize")));  // charts take the room that there is now
  return details;
}
function section(id, title, short, ...children) { add(id, title, short, false, children); }
function folded(id, title, short, ...children) { add(id, title, short, true, children); }
function add(id, title, short, folds, children) {
  const content = children.filter((child) => child);
  if (content.length === 0) return;
  const part = folds ? make("section", "", fold(make("h2", "", title), ...content)) : make("section", "", ...(title ? [make("h2", "", title)] : []), ...content);
  part.id = id;
  part.tabIndex = -1;
  main.append(part);
  if (!title || !short || document.querySelectorAll("nav a").length > 8) return;
  const link = make("a", "", short);
  link.href = "#" + id;
  if (folds) link.addEventListener("click", () => { part.firstChild.open = true; });
  document.getElementById("sections").append(link);
}

function verdicts() {
  const kinds = { "simulated": "simulated", "kept up": "kept", "degraded": "degraded", "not valid": "broken", "failed": "broken" };
  return data.runs.map((run, i) => {
    const name = several ? [make("span", "name", key(i), run.name)] : [];
    const word = make("b", kinds[run.verdict] || "simulated", run.verdict);
    const reasons = run.reasons.map((reason) => make("li", "faint", ...coded(reason)));
    const thresholds = run.thresholds.map((threshold) =>
      make("li", "", ...coded(threshold.requires), ": ", make("span", ...(threshold.met ? ["kept", "met"] : threshold.judged === false ? ["degraded", "not measured"] : ["broken", "not met"])), make("span", "faint", "; ", ...coded(threshold.found))));
    return make("div", "verdict", ...name, word, make("ul", "", ...reasons, ...thresholds));
  });
}

// When, where and with what: what somebody asks who is sent the page.
function origin() {
  const text = (name) => { const fact = data.facts.find((f) => f.name === name); return fact && fact.texts.every((t) => t === fact.texts[0]) ? fact.texts[0] : ""; };
  const about = text("about"), words = ["started", "machine", "versions"].map(text).filter((t) => t), command = text("command");
  return make("div", "origin faint", ...(about ? [make("p", "about", ...coded(about))] : []), ...(words.length ? [make("p", "", words.join(" · "))] : []),
    ...(command ? [make("p", "", make("code", "", command))] : []));
}

// "11.3 transactions/s", "34 completed", "median 80 ms".
function inWords(figure) {
  if (figure.unit === "1/s") return figure.texts[0].replace("/s", " transactions/s");
  if (figure.unit === "s") return `${figure.name.split(", ").pop()} ${figure.texts[0]}`;
  return `${figure.texts[0]} ${figure.name.replace(/^(transactions|transfers|requests|datagrams|packets) /, "")}`;
}

function headlineCards() {
  return make("div", "cards", ...data.headlines.map(({ title, figure, second, details }) => {
    const mixed = !second && figure.id.startsWith("response_time") && groupsOf("workload").filter((group) => group.figures.some((f) => f.id === "response_time_seconds.mean")).length > 1;
    const card = make("div", "card", make("h3", "", mixed ? `${title}, all workloads` : title));
    const pair = (run) => [[figure, "p50"], [second, "p95"]].flatMap(([f, name]) => [make("span", "big", f.texts[run]), make("span", "of", name)]);
    if (second) {
      card.classList.add("paired");
      data.runs.forEach((run, i) => card.append(make("div", "row", ...(several ? [key(i)] : []), ...pair(i), ...(several ? [make("span", "of run", run.name)] : []))));
      if (!several) card.append(make("div", "more", [...details.map(inWords), ...(second.texts[0] === "–" ? ["too few for a p95"] : [])].join(" · ")));
      return card;
    }
    if (!several) {
      const more = details.map(inWords).join(" · ");
      card.append(make("div", "big", figure.texts[0]), make("div", "more", more));
      return card;
    }
    data.runs.forEach((run, i) => {
      const row = make("div", "row", make("span", "", key(i)), make("span", "big", figure.texts[i]));
      if (i > 0) {
        const difference = differenceCell(figure, i), text = make("span", difference.className, difference.textContent);
        text.style.color = figure.better[i] > 0 ? "var(--good)" : figure.better[i] < 0 ? "var(--bad)" : "";
        row.append(text);
      }
      row.append(make("span", "of", run.name));
      card.append(row);
    });
    return card;
  }));
}

function workload(group) {
  const curves = percentileCharts(group.name), table = figureTable(group);
  if (!several) table.classList.toggle("narrow", curves.length === 0);
  if (curves.length === 0) return table;
  return several ? make("div", "", make("div", curves.length > 1 ? "sides" : "", ...curves), table) : make("div", "sides", make("div", "", ...curves), table);
}

// By second. The counts of a last interval that is a part of one would look like a fall.
function wholeSeconds(run, values) {
  const step = stepOf(run), intervals = run.end / step, rates = step === 1 ? values : values.map((v) => v / step);
  return intervals > Math.floor(intervals) && rates.length === Math.ceil(intervals) ? rates.slice(0, -1).concat([null]) : rates;
}

function overTime() {
  const series = (name) => (run) => run.series[name] && run.series[name].some((v) => v !== null) ? run.series[name] : null;
  const counts = (name) => (run) => run.series[name].length && run.series.completed.concat(run.series.failed).some((v) => v) ? wholeSeconds(run, run.series[name]) : null;
  const live = (name) => Object.assign((run) => run.live && run.live[name], { step: 1 });
  const charts = [
    secondsChart("Throughput", show.rate, [{ of: series("throughput_bps"), only: true }]),
    secondsChart("Completed per second", show.count, [{ of: counts("completed") }]),
    secondsChart("Failed per second", show.count, [{ of: counts("failed"), only: true }]),
    secondsChart("Response time, mean", show.seconds, [{ of: series("response_mean_seconds") }]),
    ...(several ? [secondsChart("Response time, p95", show.seconds, [{ of: series("response_p95_seconds") }])]
      : [secondsChart("Response time, percentiles", show.seconds, [{ label: "median", of: series("response_median_seconds") },
        { label: "p95", of: series("response_p95_seconds") }, { label: "p99", of: series("response_p99_seconds") }])]),
    secondsChart("Response time, longest", show.seconds, [{ of: series("response_max_seconds") }]),
    secondsChart("Slip", show.seconds, [{ label: "p99", of: live("slip_p99_seconds") }, { label: "max", of: live("slip_max_seconds"), dashed: true }]),
    secondsChart("Packets that the kernel dropped or did not take", show.count,
      [{ label: "dropped", of: live("kernel_drops"), only: true }, { label: "not taken", of: live("send_failures"), only: true, dashed: true }]),
    secondsChart("What others took from the server", show.seconds, [{ of: live("server_lost_seconds"), only: true }]),
    secondsChart("By how much means may be too high", show.share, [{ of: live("may_be_high"), only: true }]),
  ].filter((c) => c);
  charts.push(...requestsOverTime());
  if (charts.length === 0) return [];
  const notes = [];
  if (!several && data.runs[0].warmup > 0) notes.push("The warm-up is shaded; figures leave it out.");
  if (!several && data.runs[0].degraded.length) notes.push("Seconds that lateness touched are marked.");
  return [...(notes.length ? [make("p", "faint", notes.join(" "))] : []), make("div", "sides", ...charts)];
}

// Of one run a line for each request, of several a chart for each and a line for each run. Those with most transactions stand first: six in a chart.
const MANY = 6;
function requestsOverTime() {
  const total = (series) => series.completed.concat(series.failed).reduce((sum, count) => sum + count, 0);
  const names = [...new Set(data.runs.flatMap((run) => run.requests.map((series) => series.name)))];
  const of = (run, name) => run.requests.find((series) => series.name === name), most = (name) => Math.max(...data.runs.map((run) => of(run, name) ? total(of(run, name)) : 0));
  names.sort((a, b) => most(b) - most(a));
  const kinds = [["Completed per second", show.count, "completed"], ["Failed per second", show.count, "failed"], ["Response time, mean", show.seconds, "response_mean_seconds"]];
  const line = (run, name, key, label, at) => ({ label, colour: () => seriesColour(at), step: stepOf(run),
    ys: key.startsWith("response") ? of(run, name)[key] : wholeSeconds(run, of(run, name)[key]) });
  const draw = (some, more) => kinds.flatMap(([title, format, key]) => several
    ? some.map((name) => secondsLines(`${title}, ${name}`, format, says(key, data.runs.flatMap((run, i) => of(run, name) ? [line(run, name, key, run.name, i)] : []))))
    : [secondsLines(`${title}, by request${more}`, format, says(key, some.map((name, at) => line(data.runs[0], name, key, name, at))))]).filter((figure) => figure);
  const says = (key, lines) => lines.filter((l) => l.ys.some((y) => key === "failed" ? y > 0 : y !== null));
  if (names.length === 0) return [];
  const shown = several ? [] : draw(names.slice(0, MANY), "");
  const rest = several ? [draw(names, "")] : Array.from({ length: Math.ceil(names.length / MANY) - 1 }, (_, i) => draw(names.slice(MANY * (i + 1), MANY * (i + 2)), `, ${MANY * (i + 1) + 1} to ${Math.min(names.length, MANY * (i + 2))}`));
  if (rest.flat().length) {
    const more = fold(several ? "By request" : `The other ${names.length - MANY} requests`, make("div", "sides", ...rest.flat()));
    more.classList.add("across");
    shown.push(more);
  }
  return shown;
}

function timelineEvents() {
  return data.runs.filter((run) => run.events.length).flatMap((run) => [make("h3", "", several ? `What changed, ${run.name}` : "What changed"),
    make("ul", "events", ...run.events.map((h) => make("li", "", `${show.seconds(h.seconds)}: ${h.what}`)))]);
}

// An SVG of the compiler's, with styles of its own that stay inside.
function pictures() {
  if (data.pictures.length === 0) return [];
  const row = make("div", ""), places = data.pictures.map((picture, i) => {
    const place = make("div", "picture"), button = make("button", "", several ? `${picture.what}, ${picture.run}` : picture.what);
    place.attachShadow({ mode: "open" });
    repaint.push(() => {
      place.shadowRoot.innerHTML = theme.dark() ? picture.dark : picture.light;
      const svg = place.shadowRoot.querySelector("svg");
      svg.style.maxWidth = "100%";
      svg.style.height = "auto";
      svg.querySelector("rect").setAttribute("fill", "none");  // the page's paper
    });
    button.type = "button";
    button.addEventListener("click", () => choose(i));
    row.append(button, " ");
    return place;
  });
  const choose = (chosen) => places.forEach((place, i) => {
    place.hidden = i !== chosen;
    row.querySelectorAll("button")[i].setAttribute("aria-pressed", i === chosen);
  });
  choose(0);
  return [row, ...places];
}

function endpoints() {
  const lines = [];
  data.runs.forEach((run, i) => run.endpoints.forEach((endpoint, at) => lines.push({
    label: several ? `${run.name}, ${endpoint.name}` : endpoint.name, dash: several ? DASHES[at % 4] : undefined,
    colour: () => seriesColour(several ? i : at), ys: endpoint.seconds.slip_max_seconds, step: 1 })));
  return lines.length > 0 && lines.length <= 12 ? secondsLines("Slip by endpoint, the longest of each second", show.seconds, lines) : null;
}

const FEW_COLUMNS = ["per_second", "failed", "median", "p95", "response_time_seconds.median", "response_time_seconds.p95", "response_time_seconds.p99",
  "utilisation", "busiest", "packets", "dropped_share", "lost_share"];
// Where the time goes: what each phase adds to the mean response time, a bar for each workload and run. A phase that few transactions had, as those that
// connected, weighs by their share, so that a bar is as long as the mean of all.
const PHASES = ["connect", "TLS", "first byte", "transfer"];
function phaseBars() {
  const rows = [], seen = new Set();
  for (const workload of fewWorkloads()) data.runs.forEach((run, i) => {
    const value = (id, group = workload) => { const figure = group && group.figures.find((f) => f.id === id); return figure ? figure.values[i] ?? 0 : 0; };
    const all = value("transactions.completed"), whole = value("response_time_seconds.mean");
    if (!(all > 0 && whole > 0)) return;
    const parts = PHASES.map((name) => {
      const group = groupsOf("phase").find((g) => g.name === `${workload.name}, ${name}`), samples = value("samples", group), mean = value("mean", group);
      return { name, value: mean * samples / all, text: `${name}: ${show.seconds(mean)} of ${show.count(samples)} of ${show.count(all)} transactions` };
    });
    const told = parts.reduce((sum, part) => sum + part.value, 0);
    if (told === 0) return;
    parts.push({ name: "other", value: whole - told > 0.005 * whole ? whole - told : 0, text: "other: waiting for its turn, redirections, and requests sent again" });
    for (const part of parts) if (part.value > 0) seen.add(part.name);
    rows.push({ label: several ? [key(i), `${workload.shown}, ${run.name}`] : [workload.shown], parts, whole });
  });
  if (rows.length === 0) return [];
  const most = Math.max(...rows.map((row) => row.whole)), names = [...PHASES, "other"];
  const legend = make("p", "faint legend", ...names.filter((name) => seen.has(name)).map((name) => make("span", "", key(names.indexOf(name)), name)));
  const bars = make("div", "stacks", legend, ...rows.map((row) => {
    const bar = make("div", "stack", ...row.parts.map((phase, at) => {
      const part = make("span", "");
      part.style.width = 100 * phase.value / most + "%";
      part.hidden = phase.value === 0;
      part.dataset.phase = phase.name;
      part.title = `${phase.text}; ${show.seconds(phase.value)} of the mean`;
      repaint.push(() => { part.style.background = seriesColour(at); });
      return part;
    }));
    return make("div", "stacked", make("span", "of", ...row.label), bar, make("span", "value", show.seconds(row.whole)));
  }));
  return [bars, make("p", "faint", "A bar is as long as the mean response time: what few transactions had, as those that connected, weighs by their share."),
    ...(seen.has("TLS") ? [make("p", "faint", "Over TLS the first byte can be read when its record is whole. So a response of one record, which has up to 16 KB, is all first byte and has no transfer, as in curl's time_starttransfer.")] : [])];
}

function phases() {
  const groups = groupsOf("phase");
  return groups.length ? [...phaseBars(), fold("Each phase alone", ...matrixTable(groups, FEW_COLUMNS))] : [];
}

const COARSE = "Percentiles of these groups are at most 1.6 % too high, those of workloads are more exact: the same transactions may have two figures.";
function matrices(all) {
  for (const [id, title, short, kind, by] of all) {
    const groups = groupsOf(kind).filter((group) => !by || group.by === by), told = ["phase", "report", "subnetwork", "size", "status"].includes(kind), note = (text) => make("p", "faint", text);
    if (groups.length === 0) continue;
    const above = kind === "endpoint" ? [endpoints()] : [];
    if (kind === "link" && data.pictures.length === 0) above.push(note("Drawn on the network: anmlc report RESULTS.json --network MODEL.anml -o PAGE.html"));
    folded(id, title, short, ...above, ...matrixTable(groups, told || kind === "array" ? FEW_COLUMNS : null), told ? note(COARSE) : null);
  }
}

// Without the elements of large arrays, for which their sum stands.
const fewWorkloads = () => groupsOf("workload").filter((group) => !group.one_of_many);

// What requests of a file came to, of the workload of that name.
function requestsOf(group) {
  if (!data.runs.some((run) => run.requesters.includes(group.name))) return [];
  const alone = groupsOf("request");
  return alone.length ? alone.filter((request) => request.by === group.name) : groupsOf("report").filter((request) => request.by === "request");
}

// Workloads, as classes of clients, each with its requests: the figures, and all their curves, those of the slowest first.
function workloads() {
  const all = groupsOf("workload"), asking = all.some((group) => requestsOf(group).length);
  if (all.length < 2 && !asking) return [];
  const groups = asking ? all.filter((group) => !group.one_of_many) : all, elements = asking ? all.filter((group) => group.one_of_many) : [];
  if (all.length < 2) return workloadTable(groups, (at, i) => several ? key(i) : "", FIRST).concat(failures());
  // Of one run each workload has a colour, of several each run, as everywhere.
  const chunk = several ? Math.max(1, Math.floor(12 / data.runs.length)) : MANY, slow = (group) => Math.max(...group.figures.filter((f) => TIMES.some((time) => f.id === `${time}.p95` || f.id === `${time}.median`)).flatMap((f) => f.values.map((v) => v ?? 0)), 0);
  const ranked = fewWorkloads().sort((a, b) => slow(b) - slow(a)), colours = new Map(ranked.map((group, at) => [group, at % chunk]));
  const linesOf = (some, kinds) => some.flatMap((group, at) => data.runs.map((run, i) => ({
    label: several ? `${group.shown}, ${run.name}` : group.shown, points: kinds.map((of) => curveOf(run, group.name, of)).find((points) => points.length) || [],
    colour: () => seriesColour(several ? i : at), dash: several ? DASHES[at % 4] : undefined }))).filter((line) => line.points.length > 1);
  // Of web workloads requests and pages, each in a chart of its own; what has neither stands with the requests.
  const others = Object.keys(CURVES).filter((of) => of !== "page_time_seconds"), there = others.filter((of) => data.runs.some((run) => run.curves.some((curve) => curve.of === of)));
  const draw = (some, more) => [[there.length === 1 ? CURVES[there[0]] : "times of all workloads", others], [CURVES.page_time_seconds, ["page_time_seconds"]]]
    .map(([what, kinds]) => percentileLines(`Percentiles of ${what}${more}`, linesOf(some, kinds), 260)).filter((figure) => figure);
  const shown = draw(ranked.slice(0, chunk), ranked.length > chunk ? `, the ${chunk} slowest` : "");
  const rest = Array.from({ length: Math.max(0, Math.ceil(ranked.length / chunk) - 1) }, (_, i) => draw(ranked.slice(chunk * (i + 1), chunk * (i + 2)), `, ${chunk * (i + 1) + 1} to ${Math.min(ranked.length, chunk * (i + 2))}`)).flat();
  const mark = (group, i) => key(several ? i : colours.get(group) ?? 0);
  return [...workloadTable(groups, (at, i) => colours.has(groups[at]) && (several || colours.size <= chunk) ? mark(groups[at], i) : "", FIRST), ...failures(), make("div", shown.length > 1 ? "sides" : "", ...shown),
    rest.length ? fold("Percentiles of the other workloads", make("div", "sides", ...rest)) : null,
    elements.length ? fold("Workloads of arrays, each by itself", ...workloadTable(elements, () => "", FIRST)) : null];
}

// How requests failed: how many of each cause, and what the first was answered.
function failures() {
  const lines = data.runs.flatMap((run, i) => run.failures.map((failure) => {
    const causes = Object.entries(failure.causes).filter(([, count]) => count).map(([cause, count]) => `${show.count(count)} ${cause.replace(/_/g, " ")}`).join(", "), { first } = failure;
    return make("li", "", ...(several ? [key(i)] : []), make("b", "", `${failure.workload}, ${failure.request}`), `: ${causes}`,
      ...(first ? [make("span", "faint", `; the first: ${first.cause.replace(/_/g, " ")}${first.origin ? ` at ${first.origin}` : ""}${first.status ? `, status ${first.status}` : ""}`, ...(first.body ? [", ", make("code", "", first.body)] : []))] : []));
  }));
  if (lines.length === 0) return [];
  const list = (some) => make("ul", "failures", ...some);
  return [make("h3", "", "How requests failed"), list(lines.slice(0, 10)), ...(lines.length > 10 ? [fold(`The other ${lines.length - 10}`, list(lines.slice(10)))] : [])];
}

// Of those that open pages the times of whole ones.
function pages() {
  const groups = groupsOf("workload").filter((group) => group.figures.some((figure) => figure.id === "page_time_seconds.mean"));
  return groups.length ? workloadTable(groups, (at, i) => key(several ? i : at), PAGES) : [];
}

// What tells the runs apart: a parameter with another number in each; else what they completed per second.
function runsOver() {
  if (data.runs.length < 3) return null;
  const [group] = groupsOf("run"), figure = (id) => group && group.figures.find((f) => f.id === id);
  const rising = (values) => values.map((_, i) => i).sort((a, b) => values[a] - values[b]);
  for (const name of Object.keys(data.runs[0].parameters)) {
    const given = data.runs.map((run) => run.parameters[name]);
    if (!given.every((p) => p && typeof p.value === "number")) continue;
    const values = given.map((p) => p.value);
    if (new Set(values).size === values.length) return { name, values, texts: given.map((p) => p.text), order: rising(values), figure };
  }
  const done = figure("transactions.per_second");
  if (!done || new Set(done.values).size < done.values.length || done.values.includes(null)) return null;
  return { name: "transactions per second", values: done.values, texts: done.texts, order: rising(done.values), figure };
}

function overLoad() {
  if (!over) return [];
  const xs = over.order.map((i) => over.values[i]), texts = over.order.map((i) => over.texts[i]);
  const lines = (shown) => shown.map(([label, id], at) => {
    const figure = over.figure(id);
    return figure ? { label, colour: () => seriesColour(at), ys: over.order.map((i) => figure.values[i]) } : null;
  }).filter((line) => line && line.ys.some((y) => y !== null));
  const draw = (title, format, shown, only) => {
    const drawn = lines(shown);
    if (drawn.length === 0 || (only && !drawn.some((line) => line.ys.some((y) => y > 0)))) return null;
    return chart(title, xs, drawn, {
      show: format, showX: (x) => texts[xs.indexOf(x)] ?? show.count(x), xLabel: over.name, spanGaps: true, dots: true, height: 220,
      xAxis: { splits: () => xs, values: (u, splits) => splits.map((x) => x === null ? "" : texts[xs.indexOf(x)]), filter: (u, splits) => apart(u, splits) },
    });
  };
  return [make("div", "sides", ...[
    draw("Throughput", show.rate, [["throughput", "throughput_bps"]]),
    draw("Transactions per second", show.count, [["completed", "transactions.per_second"]]),
    draw("Response time", show.seconds, [["mean", "response_time_seconds.mean"], ["median", "response_time_seconds.median"],
      ["p95", "response_time_seconds.p95"], ["p99", "response_time_seconds.p99"]]),
    draw("Failed, of those that ended", show.share, [["failed", "failed_share"]], true),
  ].filter((c) => c))];
}
const over = runsOver();

const first = data.runs[0];
document.querySelector("h1").textContent = [...new Set(data.runs.map((run) => run.model))].join(", ");
document.getElementById("subtitle").textContent = several ? `${data.runs.length} runs; differences are from ${first.name}` : first.file;

section("answer", "", "", origin(), ...verdicts(), ...data.notes.map((note) => make("p", "note", note)), headlineCards());
section("pages", "Whole pages", "Pages", ...pages());
section("workloads", data.runs.some((run) => run.requesters.length) ? "Workloads and requests" : "Workloads beside each other", "Workloads", ...workloads());
section("time", "Over time", "Over time", ...overTime(), ...timelineEvents());
section("load", over ? `Over ${over.name}` : "", "Over load", ...overLoad());
section("phases", "Phases of transactions", "Phases", ...phases());
section("network", "Network", "Network", ...pictures());
const lone = groupsOf("workload").length < 2;
for (const [i, group] of fewWorkloads().entries()) (lone ? section : folded)("workload-" + i, group.title, lone ? group.name : "", workload(group));
const reports = [...new Set(groupsOf("report").map((group) => group.by))].map((by, i) => ["report-" + i, `By ${by}`, i < 2 ? `By ${by}` : "", "report", by]);
matrices([...reports, ["checks", "Checks of responses", "Checks", "check"], ["subnetworks", "By subnetwork of the clients", "Subnetworks", "subnetwork"],
  ["sizes", "By size of the document", "Sizes", "size"], ["statuses", "By status of the response", "Statuses", "status"],
  ["arrays", "Arrays of links", "", "array"], ["links", "Links", "Links", "link"], ["buffers", "Shared buffers", "", "buffer"],
  ["radios", "Access points", "", "radio"], ["endpoints", "Endpoints", "Endpoints", "endpoint"], ["files", "Capture files", "", "file"],
  ["servers", "Servers", "Servers", "server"], ["downtime", "Downtime", "Downtime", "downtime"]]);
for (const group of groupsOf("run")) {
  const table = figureTable(group);
  table.classList.add("narrow");
  folded("run", "Whole run", "Whole run", table);
}
folded("facts", several ? "Runs" : "Run", several ? "Runs" : "Run", factTable());
main.append(make("p", "faint onpaper", "What is folded on the screen is not on paper: open it before printing."));

watchKeys();
watchPaper();
theme.show(document.documentElement.dataset.theme);
