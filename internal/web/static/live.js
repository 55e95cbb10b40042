// <run-live> follows a run that goes on: its progress at once, its numbers every few
// seconds, and the whole page at its end. A hidden tab holds no stream.
import { load } from "./nav.js";

const pause = 3000; // ms between two looks at the numbers

class RunLive extends HTMLElement {
  connectedCallback() {
    this.seen = () => (document.hidden ? this.close() : this.open());
    document.addEventListener("visibilitychange", this.seen);
    this.last = Date.now();
    this.seen();
  }

  disconnectedCallback() {
    document.removeEventListener("visibilitychange", this.seen);
    this.close();
  }

  open() {
    if (this.source) return;
    this.source = new EventSource(this.dataset.events);
    this.source.addEventListener("state", (e) => this.state(JSON.parse(e.data)));
    this.source.addEventListener("done", () => { this.close(); location.reload(); });
  }

  close() {
    this.source?.close();
    this.source = null;
  }

  state(s) {
    const bar = this.querySelector("progress");
    bar.max = Math.max(s.total, 1);
    bar.value = s.done;
    const text = this.querySelector(".progress-text");
    text.textContent = text.textContent.replace(/\d+/, String(s.done));
    if (Date.now() - this.last < pause) return;
    this.last = Date.now();
    load(location.href, "run", { push: false, quiet: true });
  }
}

customElements.define("run-live", RunLive);
