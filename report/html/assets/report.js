// The report of one run: its table of cases, and the panel of a case.

const { metrics, texts, cases } = data;

const statusWord = (c) => el("span", { class: "word" + (c.status === "ok" ? "" : " bad") }, c.status === "failed" ? "below threshold" : c.status, c.critical ? " · critical" : null);

const columns = [
  { title: "Case", class: "id", value: (c) => c.id, cell: (c) => c.id },
  { title: "Status", class: "st", value: (c) => c.status, cell: statusWord },
  { title: "Question", class: "q", value: (c) => c.question, cell: (c) => [
    el("span", { class: "clamp", dir: "auto" }, c.question), c.tags ? el("span", { class: "tagline" }, c.tags.join(" · ")) : null] },
  ...metrics.map((m, i) => ({
    title: m.name, class: "num m", metric: i,
    value: (c) => c.scores[i].value ?? null,
    cell: (c) => c.scores[i].state === "scored" ? c.scores[i].shown || number(m, c.scores[i].value) : stateOf(c.scores[i].state),
  })),
  { title: "Time", class: "num late", value: (c) => c.latency, cell: (c) => duration(c.latency) },
];

const detail = new Detail(new CaseTable($("table"), {
  rows: cases, columns, open: (c) => detail.open(c),
  search: (c) => [c.id, c.question, c.answer || "", (c.tags || []).join(" ")].join("\n"),
}), drawCase);
const table = detail.table;

const tags = new Set(cases.flatMap((c) => c.tags || []));
options($("tag"), [...tags].sort((a, b) => a.localeCompare(b)).map((t) => [t, t]));
options($("metric"), metrics.map((m, i) => [String(i), m.name]));

// apply reads the form. On a narrow page only the chosen metric has a column.
function apply() {
  const status = $("status").value, tag = $("tag").value, metric = $("metric").value;
  const below = $("below").value === "" ? null : Number($("below").value);
  table.query = $("search").value;
  table.keep = (c) => {
    if (status === "critical" || status === "slow" ? !c[status] : status && c.status !== status) return false;
    if (tag && !(c.tags || []).includes(tag)) return false;
    if (below === null) return true;
    const limited = metric === "" ? c.scores : [c.scores[Number(metric)]];
    return limited.some((s) => s.value !== undefined && s.value < below || s.state === "target_error");
  };
  table.order = $("order").value === "low" ? (a, b) => a.rank - b.rank : null;
  const chosen = metric === "" ? 0 : Number(metric);
  for (const column of columns) {
    if (column.metric !== undefined) column.class = "num m" + (column.metric === chosen ? " chosen" : "");
  }
  table.update();
}

$("filters").addEventListener("submit", (e) => e.preventDefault());
$("search").addEventListener("input", later(apply, 120));
for (const id of ["status", "tag", "metric", "order"]) $(id).addEventListener("change", apply);
$("below").addEventListener("input", later(apply, 120));
apply();
detail.fromAddress();

function drawCase(c) {
  return [
    el("p", { class: "question prose", dir: "auto" }, c.question),
    el("p", { class: "source" }, statusWord(c), c.tags ? " · " + c.tags.join(" · ") : null,
      c.latency !== null ? ` · ${duration(c.latency)}${c.slow ? " (slow)" : ""}` : null, c.cost ? ` · $${c.cost}` : null),
    c.misses ? block("Below threshold", el("ul", {}, c.misses.map((m) => el("li", {}, m)))) : null,
    c.failure ? block(`Failure: ${c.failure.kind}`, prose(c.failure.message), el("p", { class: "source" }, `after ${c.failure.attempts}`)) : null,
    c.tries ? block("Failed attempts", el("ol", {}, c.tries.map((t) => el("li", { dir: "auto" }, t)), c.more ? el("li", {}, `and ${c.more} more`) : null)) : null,
    c.answer !== null ? block("Answer", answer(c)) : null,
    labels(c.want),
    lost(c.lost),
    c.transcript ? block("Transcript against the reference", heard(c.transcript)) : null,
    parts(c.parts),
    block("Scores", scores(c)),
    c.claims ? block("Unsupported claims", el("ul", {}, c.claims.map(claim))) : null,
    c.remarks ? block("Remarks of the judging", el("ul", {}, c.remarks.map((r) => el("li", { dir: "auto" }, r)))) : null,
    retrieved(c),
    c.stages ? block("Trace", trace(c)) : null,
    c.notes ? block("Notes", el("ul", {}, c.notes.map((n) => el("li", {}, n)))) : null,
  ];
}

// answer shows the answer with its citations, "[1]", as ways to the passages.
function answer(c) {
  const p = prose(c.answer, "answer");
  if (!c.passages || !c.answer) return p;
  p.replaceChildren(...c.answer.split(/(\[\d{1,3}\])/).map((part) => {
    const rank = Number(/^\[(\d+)\]$/.exec(part)?.[1]);
    if (!rank || rank > c.passages.length) return part;
    return el("button", { type: "button", class: "cite", title: c.passages[rank - 1].name, onclick: () => point(rank) }, part);
  }));
  return p;
}

function point(rank) {
  const item = $("passage-" + rank);
  item.scrollIntoView({ block: "center" });
  document.querySelectorAll(".flash").forEach((n) => n.classList.remove("flash"));
  item.classList.add("flash");
}

function scores(c) {
  return el("table", { class: "scores" }, el("tbody", {}, metrics.map((m, i) => {
    const s = c.scores[i];
    return el("tr", {},
      el("th", { scope: "row" }, m.title, m.weight ? el("small", {}, `weight ${m.weight}`) : null),
      el("td", { class: "num" }, s.state === "scored" ? s.shown || number(m, s.value) : stateOf(s.state),
        s.bounds ? el("small", {}, `${number(m, s.bounds[0])}…${number(m, s.bounds[1])}`) : null,
        s.verdict ? el("small", {}, m.wants, " ", el("b", { class: "verdict " + s.verdict.toLowerCase() }, s.verdict)) : null),
      el("td", {}, s.reason ? el("div", { dir: "auto" }, s.reason) : null,
        s.evidence ? el("ul", { class: "proof" }, s.evidence.map((e) => el("li", { dir: "auto" }, el("b", {}, e.kind), " ", e.text, e.where ? ` (${e.where})` : null)),
          s.more ? el("li", {}, `and ${s.more} more`) : null) : null));
  })));
}

// claim shows one of the answer that nothing bears out.
function claim(c) {
  return el("li", { dir: "auto" }, c.kind === "unsupported" ? null : [el("b", {}, c.kind), " "], c.text, " ",
    el("span", { class: "source" }, [c.where, "by " + c.by].filter(Boolean).join(" · ")));
}

// lost shows what became of the evidence, and of the case with the right outputs.
function lost(l) {
  if (!l) return null;
  return [
    l.verdict ? block("Where it was lost", prose(l.verdict)) : null,
    l.facts ? block("Facts", el("ul", {}, l.facts.map((f) => el("li", { dir: "auto" }, el("span", { class: "outcome" + (f.lost ? " bad" : "") }, f.outcome), f.text)),
      l.more ? el("li", {}, `and ${l.more} more`) : null)) : null,
    l.rungs ? block("With the right outputs", el("ul", {}, l.rungs.map((r) => el("li", { dir: "auto" }, r)))) : null,
    l.notes ? el("ul", { class: "proof" }, l.notes.map((n) => el("li", {}, n))) : null,
  ];
}

// heard shows a transcript with its errors: struck out what was said and not
// heard, underlined what was heard and not said.
function heard(t) {
  return [
    el("p", { class: "heard", dir: "auto" }, t.pieces.map((p, i) => [i ? " " : null,
      p.wrong ? [p.ref ? el("del", { title: "said" }, p.ref) : null, p.ref && p.hyp ? " " : null, p.hyp ? el("ins", { title: "heard" }, p.hyp) : null] : p.hyp])),
    el("p", { class: "source" }, t.note),
  ];
}

// parts shows the sub-questions with what was found, and what the filter dropped.
function parts(list) {
  if (!list) return null;
  const asked = list.filter((p) => p.question), dropped = list.filter((p) => p.dropped?.length);
  const fold = (p) => p.passages?.length ? el("details", {}, el("summary", {}, p.counts), passageList(p.passages)) : el("div", { class: "source" }, p.counts);
  return [
    asked.length ? block("Sub-questions", el("ol", {}, asked.map((p) => el("li", { dir: "auto" }, p.question, fold(p))))) : null,
    dropped.length ? block("Dropped by the filter", dropped.map((p) => [p.question && list.length > 1 ? el("p", { class: "source", dir: "auto" }, p.question) : null, passageList(p.dropped),
      p.more ? el("p", { class: "source" }, `and ${p.more} more`) : null])) : null,
  ];
}

function retrieved(c) {
  if (c.answer === null) return null;
  if (!c.passages) return block("Retrieved passages", el("p", { class: "dim" }, "not reported by the target"));
  if (c.passages.length === 0) return block("Retrieved passages", el("p", { class: "dim" }, "none"));
  return block(`Retrieved passages (${c.passages.length})`, passageList(c.passages, "passage-"));
}

function passageList(passages, prefix) {
  return el("ol", {}, passages.map((p, i) => el("li", { id: prefix ? prefix + (i + 1) : null },
    el("div", { class: "source", dir: "auto" }, p.name || "unnamed", p.title && p.title !== p.name ? ` · ${p.title}` : null,
      p.score ? ` · ${p.score.toPrecision(4)}` : null, " ", grade(p)),
    p.text !== undefined ? long(texts[p.text]) : null)));
}

// long folds what would fill the screen.
function long(text) {
  if (text.length < 700) return prose(text);
  return el("details", {}, el("summary", {}, text.slice(0, 220) + "…"), prose(text));
}

function trace(c) {
  const longest = Math.max(...c.stages.map((s) => s.latency), 1e-9);
  return el("table", {}, el("tbody", {}, c.stages.map((s) => {
    const bar = el("i");
    bar.style.width = `${(100 * s.latency) / longest}%`;
    const part = (name, index) => index === undefined ? null : el("details", {}, el("summary", {}, name), el("pre", { dir: "auto" }, texts[index]));
    return el("tr", {},
      el("th", { scope: "row" }, s.name, s.model ? el("small", {}, s.model) : null),
      el("td", {}, el("div", { class: "track" }, bar), s.note ? el("div", { class: "source" }, s.note) : null,
        part("prompt", s.prompt), part("input", s.input), part("output", s.output),
        s.passages ? el("details", {}, el("summary", {}, `output: ${s.passages.length} ${s.passages.length === 1 ? "passage" : "passages"}`), passageList(s.passages)) : null),
      el("td", { class: "num" }, duration(s.latency)));
  })));
}
