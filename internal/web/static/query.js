// <query-box> offers the words with which a filter that is being typed can go on. Arrow keys
// choose, Tab or Enter take, Escape closes.
import { parse } from "./nav.js";
import { Listbox } from "./listbox.js";

class QueryBox extends HTMLElement {
  connectedCallback() {
    this.input = this.querySelector("input");
    this.box = new Listbox(this.input, this, (option) => this.take(option));
    this.input.addEventListener("input", () => this.ask());
    this.input.addEventListener("blur", () => this.box.close());
    this.input.addEventListener("keydown", (e) => this.key(e));
  }

  async ask() {
    this.asking?.abort();
    const mine = (this.asking = new AbortController());
    const { value, selectionEnd } = this.input;
    if (selectionEnd !== value.length || !value.trim()) { this.box.close(); return; }
    try {
      const reply = await fetch(this.dataset.options + "?" + new URLSearchParams({ q: value }), { signal: mine.signal });
      const list = reply.ok ? parse(await reply.text()).getElementById("part-options") : null;
      if (!list || this.input.value !== value || document.activeElement !== this.input) return;
      if (list.children.length) this.box.show(document.adoptNode(list)); else this.box.close();
    } catch { /* the box works without */ }
  }

  take(option) {
    this.input.value = option.dataset.value;
    this.box.close();
    // The name of a field goes on with its values.
    if (this.input.value.endsWith(":")) this.ask();
  }

  key(e) {
    if (!this.box.list || this.box.key(e)) return;
    if (e.key === "Tab" && this.box.at) this.take(this.box.at);
    else if (e.key === "Escape") this.box.close();
    else return;
    e.preventDefault();
    e.stopPropagation();
  }
}

customElements.define("query-box", QueryBox);
