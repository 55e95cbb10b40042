// <search-box> in its dialog searches pages, runs, metrics and cases as one types. The page
// /search shows the same without a script.
import { parse } from "./nav.js";
import { Listbox } from "./listbox.js";

const pause = 120; // ms without a key before the server is asked

class SearchBox extends HTMLElement {
  connectedCallback() {
    this.input = this.querySelector("input");
    this.box = new Listbox(this.input, this, (option) => this.take(option));
    this.input.addEventListener("input", () => { clearTimeout(this.wait); this.wait = setTimeout(() => this.ask(), pause); });
    this.input.addEventListener("keydown", (e) => this.key(e));
  }

  async ask() {
    this.asking?.abort();
    const mine = (this.asking = new AbortController()), q = this.input.value;
    try {
      const reply = await fetch(this.dataset.options + "?" + new URLSearchParams({ q }), { headers: { "Assay-Part": "options" }, signal: mine.signal });
      const list = reply.ok ? parse(await reply.text()).getElementById("part-options") : null;
      if (!list || this.input.value !== q) return;
      this.box.show(document.adoptNode(list));
      this.box.choose(this.box.options[0]);
      this.dataset.of = q;
    } catch { /* the page /search says what is wrong */ }
  }

  /** take goes to a page, or saves a choice as the form of the settings does. */
  take(option) {
    if (option.dataset.value) { location.assign(option.dataset.value); return; }
    const form = document.createElement("form");
    form.method = "post";
    form.action = "/settings";
    const [name, value] = option.dataset.post.split(" ");
    for (const [n, v] of [[name, value], ["back", location.pathname + location.search]]) {
      const field = document.createElement("input");
      field.type = "hidden";
      field.name = n;
      field.value = v;
      form.append(field);
    }
    document.body.append(form);
    form.submit();
  }

  key(e) {
    // Enter before the answer to what is typed leads to the page of the search.
    if (e.key === "Enter" && !e.isComposing && this.dataset.of !== this.input.value) {
      e.preventDefault();
      location.assign(this.dataset.options + "?" + new URLSearchParams({ q: this.input.value }));
      return;
    }
    this.box.key(e);
  }
}

customElements.define("search-box", SearchBox);

const dialog = document.getElementById("palette"), box = /** @type {any} */ (dialog.querySelector("search-box"));
dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close(); });

/** openSearch shows the dialog, and the pages before anything is typed. */
export function openSearch() {
  if (dialog.open) return;
  dialog.showModal();
  box.input.select();
  box.ask();
}

document.querySelector(".site .find").addEventListener("click", (/** @type {MouseEvent} */ e) => {
  if (e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
  e.preventDefault();
  openSearch();
});
