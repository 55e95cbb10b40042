// <query-box> offers the words with which a filter that is being typed can go on. Arrow keys
// choose, Tab or Enter take, Escape closes.
import { parse } from "./nav.js";

class QueryBox extends HTMLElement {
  connectedCallback() {
    this.input = this.querySelector("input");
    for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"]]) {
      this.input.setAttribute(name, value);
    }
    this.input.addEventListener("input", () => this.ask());
    this.input.addEventListener("blur", () => this.close());
    this.input.addEventListener("keydown", (e) => this.key(e));
    // A click would take the focus from the box first.
    this.addEventListener("pointerdown", (e) => {
      const option = e.target.closest("[role=option]");
      if (option) { e.preventDefault(); this.take(option); }
    });
  }

  async ask() {
    this.asking?.abort();
    const mine = (this.asking = new AbortController());
    const { value, selectionEnd } = this.input;
    if (selectionEnd !== value.length || !value.trim()) { this.close(); return; }
    try {
      const reply = await fetch(this.dataset.options + "?" + new URLSearchParams({ q: value }), { signal: mine.signal });
      const list = reply.ok ? parse(await reply.text()).getElementById("part-options") : null;
      if (list && this.input.value === value && document.activeElement === this.input) this.show(document.adoptNode(list));
    } catch { /* the box works without */ }
  }

  show(list) {
    this.close();
    if (!list.children.length) return;
    this.list = list;
    this.append(list);
    this.input.setAttribute("aria-expanded", "true");
    this.input.setAttribute("aria-controls", list.id);
  }

  close() {
    this.list?.remove();
    this.list = null;
    this.at = null;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.input.removeAttribute("aria-controls");
  }

  choose(option) {
    this.at?.setAttribute("aria-selected", "false");
    this.at = option;
    option.setAttribute("aria-selected", "true");
    this.input.setAttribute("aria-activedescendant", option.id);
  }

  take(option) {
    this.input.value = option.dataset.value;
    this.close();
    // The name of a field goes on with its values.
    if (this.input.value.endsWith(":")) this.ask();
  }

  key(e) {
    if (!this.list) return;
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      const all = [...this.list.children], down = e.key === "ArrowDown";
      const i = this.at ? all.indexOf(this.at) + (down ? 1 : -1) : down ? 0 : all.length - 1;
      this.choose(all[(i + all.length) % all.length]);
    } else if ((e.key === "Enter" || e.key === "Tab") && this.at) this.take(this.at);
    else if (e.key === "Escape") this.close();
    else return;
    e.preventDefault();
    e.stopPropagation();
  }
}

customElements.define("query-box", QueryBox);
