// Detail is the panel that shows one case, with ways to the next one. The
// address names the case, so that it can be bookmarked.
class Detail {
  constructor(table, draw) {
    Object.assign(this, { table, draw, dialog: $("detail"), row: null });
    this.dialog.addEventListener("close", () => {
      history.replaceState(null, "", location.pathname + location.search);
      this.back?.isConnected && this.back.focus();
    });
    this.dialog.addEventListener("click", (e) => { if (e.target === this.dialog) this.dialog.close(); });
    this.dialog.addEventListener("keydown", (e) => {
      if (e.altKey || e.ctrlKey || e.metaKey) return;
      if (e.key === "j" || e.key === "ArrowRight") this.step(1);
      if (e.key === "k" || e.key === "ArrowLeft") this.step(-1);
    });
    addEventListener("hashchange", () => this.fromAddress());
  }

  fromAddress() {
    const name = /^#case=(.*)$/.exec(location.hash)?.[1];
    if (name === undefined) return;
    let id;
    try { id = decodeURIComponent(name); } catch { return; }
    const row = this.table.rows.find((r) => r.id === id);
    if (row && row !== this.row) this.open(row);
  }

  step(by) {
    const row = this.table.shown[this.table.shown.indexOf(this.row) + by];
    if (row) this.open(row);
  }

  open(row) {
    this.row = row;
    const at = this.table.shown.indexOf(row), last = this.table.shown.length - 1;
    const button = (label, text, by, off) => el("button", { type: "button", class: "step", "aria-label": label, title: label, disabled: off, onclick: () => this.step(by) }, text);
    this.dialog.replaceChildren(
      el("div", { class: "bartop" },
        el("h2", { id: "detail-title", dir: "auto" }, row.id),
        button("Previous case (k)", "←", -1, at <= 0), button("Next case (j)", "→", 1, at < 0 || at >= last),
        el("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => this.dialog.close() }, "✕")),
      el("div", { class: "detail" }, this.draw(row)));
    if (!this.dialog.open) {
      this.back = document.activeElement;
      this.dialog.showModal();
    }
    this.dialog.scrollTop = 0;
    this.dialog.querySelector(".close").focus({ preventScroll: true });
    history.replaceState(null, "", "#case=" + encodeURIComponent(row.id));
  }
}

// block is a headed part of the panel; nothing when it has no content.
function block(title, ...content) {
  return [el("h3", {}, title), ...content];
}

const prose = (text, kind = "") => el("p", { class: "prose " + kind, dir: "auto" }, text || "(empty)");

// labels shows what the data set says about the case.
function labels(want) {
  return (want || []).map((label) => block(label.name,
    label.values.length === 0 ? el("p", { class: "dim" }, "none, by the label")
      : label.values.length === 1 ? prose(label.values[0])
        : el("ul", { class: label.values.every((v) => v.length < 60) ? "labels" : null }, label.values.map((value) => el("li", { dir: "auto" }, value)))));
}

// grade says what the labels say about a passage.
function grade(passage) {
  if (passage.grade === undefined) return null;
  if (passage.grade >= 1) return el("span", { class: "mark good" }, passage.grade > 1 ? `relevant, grade ${passage.grade}` : "relevant");
  return el("span", { class: "mark none" }, passage.grade === 0 ? "not relevant" : "not judged");
}

// stateOf shows a score that is no number.
const stateOf = (state) => el("span", { class: "state" + (state === "target_error" || state === "judge_error" ? " bad" : "") }, words[state] || state);
