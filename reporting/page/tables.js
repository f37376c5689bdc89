// Tables: figures below each other with a column for each run, and things of a kind with a column for each figure.
function valueCell(group, figure, run) {
  const cell = make("td", "value", figure ? figure.texts[run] : "–");
  if (!figure) return cell;
  cell.dataset.figure = [group.kind, group.name, figure.id, run].join("/");
  if (figure.values[run] !== null) cell.title = figure.values[run] + (figure.unit && figure.unit !== "share" ? " " + figure.unit : "");
  return cell;
}

function differenceCell(figure, run) {
  const kind = figure.better[run] > 0 ? " better" : figure.better[run] < 0 ? " worse" : "";
  return make("td", "difference" + kind, figure.differences[run]);
}

function runHeader(differences) {
  const row = make("tr", "", make("th", ""));
  data.runs.forEach((run, i) => {
    row.append(make("th", "value", key(i), run.name));
    if (differences && i > 0) row.append(make("th", ""));
  });
  return make("thead", "", row);
}

function figureTable(group) {
  const body = make("tbody");
  for (const figure of group.figures) {
    const row = make("tr", "", make("td", "", figure.name));
    data.runs.forEach((_, run) => {
      row.append(valueCell(group, figure, run));
      if (run > 0) row.append(differenceCell(figure, run));
    });
    body.append(row);
  }
  const table = make("table", "");
  if (data.runs.length > 1) table.append(runHeader(true));
  table.append(body);
  return make("div", "wide", table);
}

// The first rows, and a button for the others.
const FEW = 15;
// Shown by bars: shares as they are, others against the column's largest.
const BARS = ["utilisation", "per_second", "mean", "p95", "response_time_seconds.mean", "response_time_seconds.p95"];
// A line below a cell's figure, as long as its share of the column's largest.
function addBar(cell, value, most) {
  if (!(most > 0) || !value) return;
  cell.classList.add("bar");
  cell.style.backgroundSize = 90 * Math.min(1, value / most) + "% 2px";
}
// A table, and below it what its bars say, if it has some.
function explained(table, body) {
  const used = [...body.querySelectorAll(".bar")].map((cell) => cell.dataset.figure.split("/").at(-2) === "utilisation");
  const words = used.some((share) => !share) ? `A blue line below a figure is as long as its share of the column's largest${used.includes(true) ? ", of utilisation as it is" : ""}.`
    : "A blue line below a utilisation is as long as it is, of the whole width at 100 %.";
  return used.length ? [table, make("p", "faint bars", words)] : [table];
}
// Of several runs side by side the columns in `few` alone.
function matrixTable(groups, few) {
  const columns = new Map(), several = data.runs.length > 1, nameOf = (id) => groups.flatMap((g) => g.figures).find((f) => f.id === id).name;
  for (const id of data.columns[groups[0].kind]) if (!several || !few || few.includes(id)) columns.set(id, nameOf(id));
  const largest = (id) => Math.max(...groups.flatMap((group) => group.figures.filter((f) => f.id === id)).flatMap((f) => f.values.map((v) => v ?? 0)));
  const most = new Map([...columns.keys()].filter((id) => BARS.includes(id)).map((id) => [id, id === "utilisation" ? 1 : largest(id)]));
  const names = make("tr", "", make("th", "")), head = several ? make("tr", "", make("th", "")) : names, body = make("tbody"), rows = [];
  for (const group of groups) {
    const row = make("tr", "", make("td", "", group.shown)), values = [];
    for (const id of columns.keys()) {
      const figure = group.figures.find((f) => f.id === id);
      data.runs.forEach((_, run) => {
        const cell = valueCell(group, figure, run);
        if (figure) addBar(cell, figure.values[run], most.get(id));
        row.append(cell);
        values.push(figure ? figure.values[run] : null);
      });
    }
    rows.push({ row, values });
  }
  let all = false;
  const more = make("button", "", `Show all ${rows.length}`);
  more.type = "button";
  const show = () => {
    body.replaceChildren(...rows.slice(0, all ? rows.length : FEW).map((r) => r.row));
    more.hidden = all || rows.length <= FEW;
  };
  let index = 0;
  for (const name of columns.values()) {
    if (several) {
      const above = make("th", "value", name);
      above.colSpan = data.runs.length;
      names.append(above);
    }
    data.runs.forEach((run, i) => {
      const at = index++, button = make("button", "", ...(several ? [key(i), run.name] : [name]));
      button.type = "button";
      const cell = make("th", "value", button);
      button.addEventListener("click", () => {
        const down = cell.getAttribute("aria-sort") !== "descending";
        for (const other of head.children) other.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rank = (r) => r.values[at] ?? -Infinity;
        rows.sort((a, b) => (down ? rank(b) - rank(a) : rank(a) - rank(b)) || 0);
        show();
      });
      head.append(cell);
    });
  }
  more.addEventListener("click", () => { all = true; show(); });
  addEventListener("beforeprint", () => { all = all || rows.length <= 60; show(); });
  show();
  return explained(make("div", "wide", make("table", "", make("thead", "", ...new Set([names, head])), body), more), body);
}

// Workloads below each other, and those figures that people compare first. Of several runs a row each.
const TIMES = ["response_time_seconds", "round_trip_seconds", "delay_seconds", "transfer_time_seconds"];
const FIRST = [["completed", ["transactions.completed", "transfers.completed", "requests.received", "datagrams.received"]],
  ["failed or lost", ["failed_share", "requests.lost_share", "datagrams.lost_share", "fluid.lost_share"]],
  ...["median", "p95", "p99", "mean"].map((key) => [key, TIMES.map((time) => `${time}.${key}`)]),
  ["completed/s", ["transactions.per_second"]], ["throughput", ["throughput_bps", "goodput_bps", "fluid.carried_bps"]]];
const PAGES = [...[["mean", "mean"], ["p50", "median"], ["p95", "p95"], ["p99", "p99"]].map(([name, key]) => [name, [`page_time_seconds.${key}`]]),
  ["pages", ["pages.completed"]], ["failed", ["pages.failed"]]];
const MOST_ROWS = 60;
// What requests have where their workload has one of these.
const OF_REQUEST = [["completed", "completed"], ["completed/s", "per_second"], ["throughput", "throughput_bps"], ["failed or lost", "failed_share"],
  ...["mean", "median", "p95", "p99"].map((key) => [key, `response_time_seconds.${key}`])];
// Thresholds by what they measure: whether those of that cell are met. `measures`: "p95(shop)", "failed(shop, "login")".
const MEASURED = { completed: "completed", "completed/s": "per_second", throughput: "throughput", "failed or lost": "failed", mean: "mean_time", median: "p50", p95: "p95", p99: "p99" };
function judgement(run, column, workload, request) {
  const name = `${MEASURED[column]}(${workload}${request === undefined ? "" : `, "${request}"`})`;
  const judged = data.runs[run].thresholds.filter((threshold) => Object.keys(threshold.measures).includes(name));
  if (judged.length === 0) return null;
  const bad = judged.find((threshold) => !threshold.met) || judged[0];
  return { kind: bad.met ? "kept" : bad.judged === false ? "degraded" : "broken", text: `${bad.requires}: ${bad.met ? "met" : bad.judged === false ? "not measured" : "not met"}` };
}
// Rows of workloads, and below each those of its requests, with the figures of `wanted`: {name, ids of which one is there}.
function workloadTable(groups, markOf, wanted) {
  const figureOf = (group, ids) => group.figures.find((f) => ids.includes(f.id));
  const columns = wanted.filter(([, ids]) => groups.some((group) => figureOf(group, ids))), body = make("tbody");
  const most = columns.map(([, ids]) => Math.max(...groups.map((group) => figureOf(group, ids)).flatMap((f) => f ? f.values.map((v) => v ?? 0) : [])));
  const barred = ["completed/s", "mean", "p95"], rows = [];
  let judges = false;
  const add = (group, i, kind, mark, find, workload, request) => {
    const row = make("tr", kind, make("td", "", mark, data.runs.length > 1 ? `${group.shown}, ${data.runs[i].name}` : group.shown));
    columns.forEach(([name, ids], column) => {
      const figure = find(name, ids), cell = valueCell(group, figure, i), judged = wanted === FIRST && judgement(i, name, workload, request);
      if (figure && barred.includes(name)) addBar(cell, figure.values[i], most[column]);
      if (judged) {
        cell.classList.add("judged", judged.kind);
        cell.title += `${cell.title ? "; " : ""}${judged.text}`;
        judges = true;
      }
      row.append(cell);
    });
    rows.push(row);
  };
  const last = (i) => i === data.runs.length - 1 && data.runs.length > 1 ? "edge" : "";
  groups.forEach((group, at) => {
    const requests = wanted === FIRST ? requestsOf(group) : [];
    data.runs.forEach((run, i) => add(group, i, requests.length ? "class" : last(i), markOf(at, i), (name, ids) => figureOf(group, ids), group.name));
    for (const request of requests) data.runs.forEach((run, i) =>
      add(request, i, `request ${last(i)}`, "", (name) => request.figures.find((f) => f.id === (OF_REQUEST.find(([column]) => column === name) || [])[1]), group.name, request.name));
  });
  const head = make("tr", "", make("th", ""), ...columns.map(([name]) => make("th", "value", name)));
  body.append(...rows.slice(0, MOST_ROWS));
  const more = make("button", "", `Show all ${rows.length}`);
  more.type = "button";
  more.hidden = rows.length <= MOST_ROWS;
  more.addEventListener("click", () => { body.replaceChildren(...rows); more.hidden = true; });
  const judged = judges ? [make("p", "faint bars", "Of figures that have a ", make("span", "judged kept", "threshold"), " the cell says whether it is met, ",
    make("span", "judged broken", "not met"), " or ", make("span", "judged degraded", "not measured"), "; pointing at it shows which.")] : [];
  addEventListener("beforeprint", () => { body.replaceChildren(...rows); more.hidden = true; });
  return explained(make("div", "wide", make("table", "", make("thead", "", head), body), more), body).concat(judged);
}

function factTable() {
  const body = make("tbody");
  for (const fact of data.facts) {
    const same = fact.texts.every((text) => text === fact.texts[0]);
    const row = make("tr", "", make("td", "", fact.name));
    if (same && data.runs.length > 1) {
      const cell = make("td", "", fact.texts[0]);
      cell.colSpan = data.runs.length;
      row.append(cell);
    } else {
      for (const text of fact.texts) row.append(make("td", "", text || "–"));
    }
    body.append(row);
  }
  const table = make("table", "facts");
  if (data.runs.length > 1) {
    table.append(runHeader(false));
    for (const cell of table.querySelectorAll("th")) cell.className = "";
  }
  table.append(body);
  return make("div", "wide", table);
}
