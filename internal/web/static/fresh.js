// <page-fresh> loads a part of the page again from time to time, while it is seen and the reader
// is at nothing in it: the focus, a selection and the place in a wide table stay.
import { load } from "./nav.js";

const pause = 30_000; // ms

class PageFresh extends HTMLElement {
  connectedCallback() { this.timer = setInterval(() => this.look(), pause); }

  disconnectedCallback() { clearInterval(this.timer); }

  /** look loads the part, unless the reader is at something in it. */
  look() {
    const name = this.dataset.part, part = document.getElementById("part-" + name), chosen = getSelection();
    if (document.hidden || !part || part.contains(document.activeElement)) return;
    if (!chosen.isCollapsed && chosen.containsNode(part, true)) return;
    load(location.href, name, { push: false, quiet: true });
  }
}

customElements.define("page-fresh", PageFresh);
