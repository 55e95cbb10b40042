// The table of cases is in the page. The script takes its rows out and puts
// back those that are chosen, a page at a time. What a row holds was written as
// text by the program: nothing here parses text as markup.

const $ = (id) => document.getElementById(id);

// later calls f once when calls have ceased for a moment.
function later(f, ms) {
  let timer;
  return () => { clearTimeout(timer); timer = setTimeout(f, ms); };
}

class CaseTable {
  constructor(open, size = 50) {
    const table = document.querySelector(".cases");
    // A narrow page lays the rows out as blocks, which must not take their roles away.
    for (const [role, nodes] of [["table", [table]], ["rowgroup", [table.tHead, table.tBodies[0]]], ["row", table.rows],
      ["columnheader", table.tHead.rows[0].cells]]) for (const n of nodes) n.setAttribute("role", role);
    Object.assign(this, { open, size, head: [...table.tHead.rows[0].cells], body: table.tBodies[0] });
    this.rows = [...this.body.rows];
    this.column = new Map(this.head.map((th, i) => [th.dataset.id, i]));
    this.text = new Map(this.rows.map((row) => [row, this.textOf(row)]));
    this.query = "";
    this.keep = () => true;
    this.order = null; // compares two rows when no column is chosen
    this.sort = null; // {column, down}
    this.hidden = () => false; // tells by its head whether a column is hidden
    this.unfolded = false; // whether the columns on which all agree are shown
    this.chosen = ""; // the column that a narrow page shows
    this.page = 0;
    this.head.forEach((th, i) => th.firstChild.addEventListener("click", () => this.turnOrder(i)));
    const fold = $("agreed");
    fold?.addEventListener("click", () => {
      this.unfolded = !this.unfolded;
      fold.setAttribute("aria-expanded", this.unfolded);
      this.draw();
    });
    $("back").addEventListener("click", () => this.turn(-1));
    $("forward").addEventListener("click", () => this.turn(1));
    this.body.addEventListener("keydown", (e) => this.move(e));
    this.body.addEventListener("click", (e) => { if (!String(getSelection())) this.open(e.target.closest("tr")); });
  }

  // textOf is what the search looks through: the id, the question, the tags and
  // the answers.
  textOf(row) {
    const answers = row.querySelector("template").content.querySelectorAll(".answer");
    return [row.dataset.id, ...[...row.querySelector(".q").children, ...answers].map((n) => n.textContent)].join("\n").toLowerCase();
  }

  // cell is the row's cell of a column by its id; value is its number, null
  // without one.
  cell(row, id) { return row.cells[this.column.get(id)]; }
  value(row, id) { return number(this.cell(row, id)); }

  // select lists the rows that are chosen, in order.
  select() {
    const query = this.query.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const rows = this.rows.filter((row) => query.every((word) => this.text.get(row).includes(word)) && this.keep(row));
    if (this.sort) {
      const { column, down } = this.sort, byText = "text" in this.head[column].dataset;
      const value = new Map(rows.map((row) => [row, byText ? row.cells[column].textContent : number(row.cells[column])]));
      rows.sort((a, b) => {
        const x = value.get(a), y = value.get(b);
        if (x === null || y === null) return (x === null) - (y === null);
        const order = byText ? x.localeCompare(y) : x - y;
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
    const found = this.shown.length, count = $("count");
    for (const cells of [this.head, ...rows.map((row) => row.cells)]) {
      this.head.forEach((th, i) => {
        const chosen = th.dataset.id === this.chosen, folded = "folded" in th.dataset;
        if (cells[i] !== th) cells[i].setAttribute("role", "cell");
        cells[i].hidden = this.hidden(th) || folded && !this.unfolded && !chosen;
        cells[i].classList.toggle("chosen", chosen || folded);
      });
    }
    this.head.forEach((th, i) => {
      if (this.sort?.column === i) th.setAttribute("aria-sort", this.sort.down ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    });
    this.body.replaceChildren(...rows);
    count.textContent = found === this.rows.length ? count.dataset.all : count.dataset.some.replace("#", found);
    $("where").textContent = found ? `${first + 1}–${first + rows.length}` : "";
    $("pager").hidden = found <= this.size;
    $("back").disabled = this.page === 0;
    $("forward").disabled = first + this.size >= found;
    $("empty").hidden = found > 0;
  }

  // turnOrder sorts by a column: the low end first, where the losses are; then
  // the other way; then the order of the page again.
  turnOrder(column) {
    if (this.sort?.column !== column) this.sort = { column, down: false };
    else if (!this.sort.down) this.sort.down = true;
    else this.sort = null;
    this.update();
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

const number = (cell) => cell.dataset.sort === undefined ? null : Number(cell.dataset.sort);

// start reads the form now and whenever it changes.
function start(table, apply) {
  const form = $("filters"), soon = later(apply, 120);
  form.addEventListener("submit", (e) => e.preventDefault());
  for (const field of form.elements) {
    if (field.tagName === "SELECT") field.addEventListener("change", apply);
    else field.addEventListener("input", soon);
  }
  apply();
}
