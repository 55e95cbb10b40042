// Detail is the panel that shows one case, with ways to the next one. The
// address names the case, so that it can be bookmarked.
class Detail {
  constructor() {
    this.table = new CaseTable((row) => this.open(row));
    this.dialog = $("detail");
    this.row = null;
    this.dialog.addEventListener("close", () => {
      this.row = null;
      history.replaceState(null, "", location.pathname + location.search);
      this.back?.isConnected && this.back.focus();
    });
    this.dialog.addEventListener("click", (e) => {
      if (e.target === this.dialog) this.dialog.close();
      if (e.target.matches(".cite")) this.point(Number(e.target.dataset.rank));
    });
    this.dialog.addEventListener("keydown", (e) => {
      if (e.altKey || e.ctrlKey || e.metaKey) return;
      if (e.key === "j" || e.key === "ArrowRight") this.step(1);
      if (e.key === "k" || e.key === "ArrowLeft") this.step(-1);
    });
    $("previous").addEventListener("click", () => this.step(-1));
    $("next").addEventListener("click", () => this.step(1));
    $("close").addEventListener("click", () => this.dialog.close());
    addEventListener("hashchange", () => this.fromAddress());
  }

  fromAddress() {
    const name = /^#case=(.*)$/.exec(location.hash)?.[1];
    if (name === undefined) return;
    let id;
    try { id = decodeURIComponent(name); } catch { return; }
    const row = this.table.rows.find((r) => r.dataset.id === id);
    if (row && row !== this.row) this.open(row);
  }

  step(by) {
    const row = this.table.shown[this.table.shown.indexOf(this.row) + by];
    if (row) this.open(row);
  }

  open(row) {
    const at = this.table.shown.indexOf(row), id = row.dataset.id;
    this.row = row;
    $("detail-title").textContent = id;
    $("previous").disabled = at <= 0;
    $("next").disabled = at < 0 || at >= this.table.shown.length - 1;
    $("case").replaceChildren(row.querySelector("template").content.cloneNode(true));
    if (!this.dialog.open) {
      this.back = document.activeElement;
      this.dialog.showModal();
    }
    this.dialog.scrollTop = 0;
    $("close").focus({ preventScroll: true });
    history.replaceState(null, "", "#case=" + encodeURIComponent(id));
  }

  // point leads from a citation to the passage of that rank.
  point(rank) {
    const passage = $("case").querySelectorAll(".cited > li")[rank - 1];
    if (!passage) return;
    $("case").querySelectorAll(".flash").forEach((n) => n.classList.remove("flash"));
    passage.scrollIntoView({ block: "center" });
    passage.classList.add("flash");
  }
}

const detail = new Detail(), table = detail.table;
