// What the page has, from the answers to the details.
const data = JSON.parse(document.getElementById("data").textContent);
const main = document.querySelector("main"), several = data.runs.length > 1;
const groupsOf = (kind) => data.groups.filter((group) => group.kind === kind);

function section(id, title, short, ...children) {
  const content = children.filter((child) => child);
  if (content.length === 0) return;
  const part = make("section", "", ...(title ? [make("h2", "", title)] : []), ...content);
  part.id = id;
  part.tabIndex = -1;
  main.append(part);
  if (!title || document.querySelectorAll("nav a").length > 8) return;
  const link = make("a", "", short);
  link.href = "#" + id;
  document.getElementById("sections").append(link);
}

function verdicts() {
  const kinds = { "simulated": "simulated", "kept up": "kept", "degraded": "degraded", "not valid": "broken", "failed": "broken" };
  return data.runs.map((run, i) => {
    const name = several ? [make("span", "name", key(i), run.name)] : [];
    const word = make("b", kinds[run.verdict] || "simulated", run.verdict);
    const reasons = run.reasons.map((reason) => make("li", "faint", reason));
    const thresholds = run.thresholds.map((threshold) =>
      make("li", "", `${threshold.requires}: `, make("span", threshold.met ? "kept" : "broken", threshold.met ? "met" : "not met"), make("span", "faint", `; ${threshold.found}`)));
    return make("div", "verdict", ...name, word, make("ul", "", ...reasons, ...thresholds));
  });
}

// "11.3 transactions/s", "34 completed", "median 80 ms".
function inWords(figure) {
  if (figure.unit === "1/s") return figure.texts[0].replace("/s", " transactions/s");
  if (figure.unit === "s") return `${figure.name.split(", ").pop()} ${figure.texts[0]}`;
  return `${figure.texts[0]} ${figure.name.replace(/^(transactions|transfers|requests|datagrams|packets) /, "")}`;
}

function headlineCards() {
  return make("div", "cards", ...data.headlines.map(({ title, figure, details }) => {
    const card = make("div", "card", make("h3", "", title));
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
  const curve = percentileChart(group.name), table = figureTable(group);
  if (!several) table.classList.toggle("narrow", !curve);
  if (!curve) return table;
  return several ? make("div", "", curve, table) : make("div", "sides", make("div", "", curve), table);
}

// The counts of a last second that is a part of one would look like a fall.
function wholeSeconds(run, values) {
  const part = run.end - Math.floor(run.end);
  return part > 0 && part < 1 && values.length === Math.ceil(run.end) ? values.slice(0, -1).concat([null]) : values;
}

function overTime() {
  const series = (name) => (run) => run.series[name] && run.series[name].some((v) => v !== null) ? run.series[name] : null;
  const counts = (name) => (run) => run.series[name].length && run.series.completed.concat(run.series.failed).some((v) => v) ? wholeSeconds(run, run.series[name]) : null;
  const live = (name) => (run) => run.live && run.live[name];
  const charts = [
    secondsChart("Throughput", show.rate, [{ of: series("throughput_bps"), only: true }]),
    secondsChart("Completed per second", show.count, [{ of: counts("completed") }]),
    secondsChart("Failed per second", show.count, [{ of: counts("failed"), only: true }]),
    secondsChart("Response time, mean", show.seconds, [{ of: series("response_mean_seconds") }]),
    secondsChart("Response time, longest", show.seconds, [{ of: series("response_max_seconds") }]),
    secondsChart("Slip", show.seconds, [{ label: "p99", of: live("slip_p99_seconds") }, { label: "max", of: live("slip_max_seconds"), dashed: true }]),
    secondsChart("Packets that the kernel dropped or did not take", show.count,
      [{ label: "dropped", of: live("kernel_drops"), only: true }, { label: "not taken", of: live("send_failures"), only: true, dashed: true }]),
    secondsChart("By how much means may be too high", show.share, [{ of: live("may_be_high"), only: true }]),
  ].filter((c) => c);
  if (charts.length === 0) return [];
  const notes = [];
  if (!several && data.runs[0].warmup > 0) notes.push("The warm-up is shaded; figures leave it out.");
  if (!several && data.runs[0].degraded.length) notes.push("Seconds that lateness touched are marked.");
  return [...(notes.length ? [make("p", "faint", notes.join(" "))] : []), make("div", "sides", ...charts)];
}

function happenings() {
  return data.runs.filter((run) => run.happenings.length).flatMap((run) => [make("h3", "", several ? `What changed, ${run.name}` : "What changed"),
    make("ul", "happenings", ...run.happenings.map((h) => make("li", "", `${show.seconds(h.seconds)}: ${h.what}`)))]);
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
    label: several ? `${run.name}, ${endpoint.name}` : endpoint.name, dashed: several && at > 0,
    colour: () => seriesColour(several ? i : at), ys: endpoint.seconds.slip_max_seconds })));
  return lines.length > 0 && lines.length <= 12 ? secondsLines("Slip by endpoint, the longest of each second", show.seconds, lines) : null;
}

const first = data.runs[0];
document.querySelector("h1").textContent = [...new Set(data.runs.map((run) => run.model))].join(", ");
document.getElementById("subtitle").textContent = several ? `${data.runs.length} runs; differences are from ${first.name}` : first.file;

section("answer", "", "", ...verdicts(), ...data.notes.map((note) => make("p", "note", note)), headlineCards());
for (const [i, group] of groupsOf("workload").entries()) section("workload-" + i, group.title, group.name, workload(group));
section("time", "Over time", "Over time", ...overTime(), ...happenings());
section("network", "Network", "Network", ...pictures());
const matrices = [["links", "Links", "link"], ["endpoints", "Endpoints", "endpoint"], ["servers", "Servers", "server"], ["downtime", "Downtime", "downtime"]];
for (const [id, title, kind] of matrices) {
  const groups = groupsOf(kind);
  if (groups.length) section(id, title, title, kind === "endpoint" ? endpoints() : null, matrixTable(groups));
}
for (const group of groupsOf("run")) {
  const table = figureTable(group);
  table.classList.add("narrow");
  section("run", "Whole run", "Whole run", table);
}
section("facts", several ? "Runs" : "Run", several ? "Runs" : "Run", factTable());

document.getElementById("theme").addEventListener("click", theme.toggle);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "t") theme.toggle();
  const step = { n: 1, p: -1 }[event.key];
  if (!step) return;
  const parts = [...document.querySelectorAll("section")];
  const next = parts[Math.min(parts.length - 1, Math.max(0, parts.indexOf(document.activeElement.closest("section")) + step))];
  next.focus({ preventScroll: true });
  next.scrollIntoView();
});
theme.show(document.documentElement.dataset.theme);
