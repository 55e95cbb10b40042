// CaseTable shows rows a page at a time, so that thousands of them cost no more
// than fifty. A column has a title, a class, cell(row) for what is shown and
// value(row) for its order; null values come last either way.
class CaseTable {
  constructor(place, { rows, columns, search, open, size = 50 }) {
    Object.assign(this, { rows, columns, open, size });
    this.haystack = new Map(rows.map((row) => [row, search(row).toLowerCase()]));
    this.query = "";
    this.keep = () => true;
    this.order = null; // compares two rows when no column is chosen
    this.sort = null; // {column, down}
    this.page = 0;
    this.count = el("span", { role: "status", "aria-live": "polite" });
    this.back = el("button", { type: "button", "aria-label": "Previous page", onclick: () => this.turn(-1) }, "←");
    this.next = el("button", { type: "button", "aria-label": "Next page", onclick: () => this.turn(1) }, "→");
    this.where = el("span");
    this.head = el("thead");
    this.body = el("tbody", { onkeydown: (e) => this.move(e) });
    this.empty = el("p", { class: "empty", hidden: true }, "No case fits.");
    place.replaceChildren(
      el("div", { class: "tools" }, this.count, el("span", { class: "pager" }, this.back, this.where, this.next)),
      el("div", { class: "scroll" }, el("table", { class: "cases" }, this.head, this.body)), this.empty);
  }

  // shown lists the rows that fit, in order.
  select() {
    const query = this.query.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const rows = this.rows.filter((row) => {
      const text = this.haystack.get(row);
      return query.every((word) => text.includes(word)) && this.keep(row);
    });
    if (this.sort) {
      const { column, down } = this.sort;
      const value = new Map(rows.map((row) => [row, column.value(row)]));
      rows.sort((a, b) => {
        const x = value.get(a), y = value.get(b);
        if (x === null || y === null) return (x === null) - (y === null);
        const order = typeof x === "string" ? x.localeCompare(y) : x - y;
        return down ? -order : order;
      });
    } else if (this.order) {
      rows.sort(this.order);
    }
    return rows;
  }

  update() {
    this.page = 0;
    this.shown = this.select();
    this.draw();
  }

  turn(by) {
    this.page += by;
    this.draw();
    this.body.querySelector(".open")?.focus({ preventScroll: true });
  }

  draw() {
    const first = this.page * this.size, rows = this.shown.slice(first, first + this.size);
    const pages = Math.ceil(this.shown.length / this.size);
    this.head.replaceChildren(el("tr", {}, this.columns.map((column) => this.header(column))));
    this.body.replaceChildren(...rows.map((row) => this.row(row)));
    const all = this.rows.length, found = this.shown.length;
    this.count.textContent = found === all ? `${grouped(all)} ${all === 1 ? "case" : "cases"}` : `${grouped(found)} of ${grouped(all)} cases`;
    this.where.textContent = found ? `${grouped(first + 1)}–${grouped(first + rows.length)}` : "";
    this.back.parentNode.hidden = pages < 2;
    this.back.disabled = this.page === 0;
    this.next.disabled = this.page >= pages - 1;
    this.empty.hidden = found > 0;
  }

  header(column) {
    const on = this.sort?.column === column;
    const turn = () => {
      // First click: the low end first, where the losses are; then the other
      // way; then the order of the page again.
      if (!on) this.sort = { column, down: false };
      else if (!this.sort.down) this.sort.down = true;
      else this.sort = null;
      this.update();
      this.head.querySelectorAll("button")[this.columns.indexOf(column)].focus();
    };
    return el("th", { scope: "col", class: column.class, "aria-sort": on ? (this.sort.down ? "descending" : "ascending") : null },
      el("button", { type: "button", onclick: turn }, column.title));
  }

  row(row) {
    const cells = this.columns.map((column, i) => {
      const content = column.cell(row);
      if (i > 0) return el("td", { class: column.class }, content);
      return el("td", { class: column.class }, el("button", { type: "button", class: "open", title: content, "aria-haspopup": "dialog" }, content));
    });
    return el("tr", { onclick: () => { if (!String(getSelection())) this.open(row); } }, cells);
  }

  // move lets the arrow keys walk through the rows.
  move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const buttons = [...this.body.querySelectorAll(".open")];
    const next = buttons[buttons.indexOf(document.activeElement) + step];
    if (next) { next.focus(); event.preventDefault(); }
  }
}
