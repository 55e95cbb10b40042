// The comparison of runs: who won which case, and the panel of a case with all
// answers side by side.

const { metrics, runs, cases } = data;

options($("metric"), metrics.map((m, i) => [String(i), m.name]));
options($("run"), runs.slice(1).map((name, i) => [String(i + 1), name]));

const chosen = () => ({ metric: Number($("metric").value), run: Number($("run").value) });
const valueOf = (c, run, metric) => c.runs[run]?.values[metric] ?? null;

// gain is how much better a run does than the baseline, null when one of them
// has no value.
function gain(c, run, metric) {
  const a = valueOf(c, 0, metric), b = valueOf(c, run, metric);
  if (a === null || b === null) return null;
  return metrics[metric].better === "lower" ? a - b : b - a;
}

function outcomeOf(c) {
  const { run, metric } = chosen(), g = gain(c, run, metric);
  if (g === null) return "unpaired";
  return Math.abs(g) < 1e-12 ? "same" : g > 0 ? "better" : "worse";
}

function shownValue(c, run, metric) {
  const entry = c.runs[run];
  if (!entry) return el("span", { class: "state" }, "not run");
  const value = entry.values[metric];
  return value === null ? stateOf(entry.states[metric]) : number(metrics[metric], value);
}

const signs = { better: "▲ ", worse: "▼ ", same: "", unpaired: "" };

function columnsNow() {
  const { run, metric } = chosen();
  return [
    { title: "Case", class: "id", value: (c) => c.id, cell: (c) => c.id },
    { title: "Question", class: "q", value: (c) => c.question, cell: (c) => [
      el("span", { class: "clamp", dir: "auto" }, c.question), c.tags ? el("span", { class: "tagline" }, c.tags.join(" · ")) : null] },
    { title: runs[0], class: "num late", value: (c) => valueOf(c, 0, metric), cell: (c) => shownValue(c, 0, metric) },
    { title: runs[run], class: "num late", value: (c) => valueOf(c, run, metric), cell: (c) => shownValue(c, run, metric) },
    { title: "Δ", class: "num m chosen", value: (c) => gain(c, run, metric), cell: (c) => change(c, run, metric) },
  ];
}

function change(c, run, metric) {
  const a = valueOf(c, 0, metric), b = valueOf(c, run, metric), outcome = outcomeOf(c);
  if (outcome === "unpaired") return el("span", { class: "state" }, "–");
  return el("span", { class: outcome === "worse" ? "bad" : null }, outcome === "same" ? "=" : signs[outcome] + signed(metrics[metric], b - a));
}

const detail = new Detail(new CaseTable($("table"), {
  rows: cases, columns: columnsNow(), open: (c) => detail.open(c),
  search: (c) => [c.id, c.question, (c.tags || []).join(" "), ...c.runs.map((r) => r?.answer || "")].join("\n"),
}), drawCase);
const table = detail.table;

function apply() {
  const outcome = $("outcome").value, { run, metric } = chosen();
  table.query = $("search").value;
  table.columns = columnsNow();
  table.sort = null;
  table.keep = (c) => {
    const is = outcomeOf(c);
    return !outcome || is === outcome || outcome === "missed" && c.missed || outcome === "changed" && (is === "better" || is === "worse");
  };
  // The largest changes first, whichever way they go.
  const size = new Map(cases.map((c) => [c, Math.abs(gain(c, run, metric) ?? -1)]));
  table.order = (a, b) => size.get(b) - size.get(a);
  table.update();
}

$("filters").addEventListener("submit", (e) => e.preventDefault());
$("search").addEventListener("input", later(apply, 120));
for (const id of ["metric", "run", "outcome"]) $(id).addEventListener("change", apply);
apply();
detail.fromAddress();

function drawCase(c) {
  return [
    c.question ? el("p", { class: "question prose", dir: "auto" }, c.question) : null,
    c.missed ? el("p", { class: "source" }, "no run solves this case") : null,
    c.tags ? el("p", { class: "source" }, c.tags.join(" · ")) : null,
    labels(c.want),
    block("Scores", el("div", { class: "scroll" }, scores(c))),
    block("Answers", el("div", { class: "side" }, c.runs.map((entry, i) => el("div", {},
      el("h3", {}, runs[i], i === 0 ? el("span", { class: "dim" }, " baseline") : null),
      answer(entry),
      entry?.draws ? el("p", { class: "source" }, `the first of ${entry.draws} draws; scores are their mean`) : null,
      entry && entry.latency !== null ? el("p", { class: "source" }, duration(entry.latency)) : null,
      entry?.passages ? el("ol", { class: "source" }, entry.passages.map((p) => el("li", {}, p.name || "unnamed", " ", grade(p)))) : null)))),
  ];
}

// answer shows what a run said. A baseline file remembers scores only.
function answer(entry) {
  if (!entry) return el("p", { class: "dim" }, "this case was not run");
  if (entry.failure) return prose(entry.failure);
  if (entry.answer === null) return el("p", { class: "dim" }, entry.status ? "no response" : "the answer was not recorded");
  return entry.no_answer ? el("p", { class: "dim" }, "the target gives no answers") : prose(entry.answer, "answer");
}

function scores(c) {
  return el("table", {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Metric"), runs.map((name) => el("th", { scope: "col", class: "num" }, name)))),
    el("tbody", {}, metrics.map((m, i) => el("tr", {}, el("th", { scope: "row" }, m.title),
      runs.map((_, run) => {
        const g = run === 0 ? null : gain(c, run, i);
        return el("td", { class: "num" }, shownValue(c, run, i),
          g === null || Math.abs(g) < 1e-12 ? null : el("small", { class: g < 0 ? "bad" : null }, (g > 0 ? "▲ " : "▼ ") + signed(m, valueOf(c, run, i) - valueOf(c, 0, i))));
      })))));
}
