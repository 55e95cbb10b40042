// <page-wait> asks again for a page that is being prepared, and opens it once it is ready: the
// reply then has no such part, and nav.js loads the address.
import { load } from "./nav.js";

const pause = 1000; // ms between two looks

class PageWait extends HTMLElement {
  connectedCallback() {
    this.looking = setInterval(() => load(location.href, "wait", { push: false, quiet: true }), pause);
  }

  disconnectedCallback() { clearInterval(this.looking); }
}

customElements.define("page-wait", PageWait);
