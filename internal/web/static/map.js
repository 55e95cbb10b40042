// <case-map> draws a cell for each case of a list, in its order, shaded by a metric. A
// click, or the arrow keys and Enter, go to the page of the list at that place.
import { load } from "./nav.js";

const none = 254, failed = 255;

class CaseMap extends HTMLElement {
  connectedCallback() {
    this.canvas = document.createElement("canvas");
    this.append(this.canvas);
    this.tabIndex = 0;
    this.setAttribute("role", "slider");
    this.setAttribute("aria-label", this.title);
    this.setAttribute("aria-valuemin", "1");
    this.setAttribute("aria-valuemax", String(Math.ceil(this.of / this.size)));
    this.at = Number(new URLSearchParams(location.search).get("page") ?? 1);
    this.tell();
    this.addEventListener("click", (e) => this.go(1 + Math.floor(this.cellAt(e) / this.size)));
    this.addEventListener("keydown", (e) => this.key(e));
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(this);
    fetch(this.dataset.cells).then((r) => (r.ok ? r.arrayBuffer() : null)).then((body) => {
      if (body) { this.cells = new Uint8Array(body); this.draw(); }
    }).catch(() => {});
  }

  disconnectedCallback() { this.resized.disconnect(); }

  get size() { return Number(this.dataset.size); }
  get of() { return Number(this.dataset.of); }

  tell() {
    this.setAttribute("aria-valuenow", String(this.at));
  }

  key(e) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[e.key];
    if (e.key === "Enter") this.go(this.at);
    else if (by) {
      this.at = Math.min(Math.max(this.at + by, 1), Math.ceil(this.of / this.size));
      this.tell();
      this.draw();
    } else return;
    e.preventDefault();
    e.stopPropagation();
  }

  go(page) {
    const url = new URL(this.dataset.page, location.href);
    if (page > 1) url.searchParams.set("page", String(page)); else url.searchParams.delete("page");
    load(url.href, "list");
  }

  /** columns and rows of the grid of cells, in the order of reading from top to bottom. */
  grid() {
    const width = this.canvas.width, height = this.canvas.height, n = this.cells?.length ?? 1;
    const side = Math.max(1, Math.floor(Math.sqrt((width * height) / n)));
    const rows = Math.max(1, Math.floor(height / side));
    const columns = Math.ceil(n / rows);
    return { rows, columns, w: width / columns, h: height / rows };
  }

  cellAt(e) {
    const box = this.canvas.getBoundingClientRect(), scale = this.canvas.width / box.width, g = this.grid();
    const column = Math.floor(((e.clientX - box.left) * scale) / g.w), row = Math.floor(((e.clientY - box.top) * scale) / g.h);
    return Math.min(Math.max(column * g.rows + row, 0), (this.cells?.length ?? 1) - 1);
  }

  draw() {
    if (!this.cells || !this.clientWidth) return;
    const scale = devicePixelRatio || 1;
    this.canvas.width = Math.round(this.clientWidth * scale);
    this.canvas.height = Math.round(40 * scale);
    const style = getComputedStyle(this), paint = this.canvas.getContext("2d");
    const bar = style.getPropertyValue("--bar"), bad = style.getPropertyValue("--bad"), hair = style.getPropertyValue("--rule");
    const g = this.grid(), gap = g.w > 4 ? 1 : 0;
    for (let i = 0; i < this.cells.length; i++) {
      const v = this.cells[i], x = Math.floor(i / g.rows) * g.w, y = (i % g.rows) * g.h;
      paint.globalAlpha = v < none ? 0.12 + (0.88 * v) / 200 : 1;
      paint.fillStyle = v === failed ? bad : v === none ? hair : bar;
      paint.fillRect(x, y, Math.max(g.w - gap, 0.5), Math.max(g.h - gap, 0.5));
    }
    paint.globalAlpha = 1;
    paint.strokeStyle = style.getPropertyValue("--ink");
    paint.lineWidth = 2;
    const from = Math.floor(((this.at - 1) * this.size) / g.rows), to = Math.ceil(Math.min(this.at * this.size, this.cells.length) / g.rows);
    paint.strokeRect(from * g.w + 1, 1, Math.max((to - from) * g.w - 2, 2), this.canvas.height - 2);
  }
}

customElements.define("case-map", CaseMap);
