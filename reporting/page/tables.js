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
// Of several runs side by side the columns in `few` alone.
function matrixTable(groups, few) {
  const columns = new Map(), several = data.runs.length > 1;
  for (const group of groups) for (const figure of group.figures)
    if (!columns.has(figure.id) && (!several || !few || few.includes(figure.id))) columns.set(figure.id, figure.name);
  const largest = (id) => Math.max(...groups.flatMap((group) => group.figures.filter((f) => f.id === id)).flatMap((f) => f.values.map((v) => v ?? 0)));
  const most = new Map([...columns.keys()].filter((id) => BARS.includes(id)).map((id) => [id, id === "utilisation" ? 1 : largest(id)]));
  const names = make("tr", "", make("th", "")), head = several ? make("tr", "", make("th", "")) : names, body = make("tbody"), rows = [];
  for (const group of groups) {
    const row = make("tr", "", make("td", "", group.name)), values = [];
    for (const id of columns.keys()) {
      const figure = group.figures.find((f) => f.id === id);
      data.runs.forEach((_, run) => {
        const cell = valueCell(group, figure, run);
        if (most.get(id) > 0 && figure && figure.values[run]) {
          cell.classList.add("bar");
          cell.style.backgroundSize = 90 * Math.min(1, figure.values[run] / most.get(id)) + "% 2px";
        }
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
  return make("div", "wide", make("table", "", make("thead", "", ...new Set([names, head])), body), more);
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
