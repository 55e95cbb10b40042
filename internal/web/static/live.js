// <run-live> follows a run that goes on: its progress at once, its numbers every few
// seconds, and the whole page at its end. A hidden tab holds no stream.
import { load } from "./nav.js";

const pause = 3000; // ms between two looks at the numbers

class RunLive extends HTMLElement {
  connectedCallback() {
    this.seen = () => (document.hidden ? this.close() : this.open());
    document.addEventListener("visibilitychange", this.seen);
    this.loaded = () => { this.text.textContent = document.getElementById("part-run").dataset.progress ?? this.text.textContent; };
    document.addEventListener("assay:part", this.loaded);
    this.last = Date.now();
    this.seen();
  }

  disconnectedCallback() {
    document.removeEventListener("visibilitychange", this.seen);
    document.removeEventListener("assay:part", this.loaded);
    this.close();
  }

  get text() { return this.querySelector(".progress-text"); }

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
    this.text.textContent = this.text.textContent.replace(/\d+/, String(s.done));
    if (Date.now() - this.last < pause) return;
    this.last = Date.now();
    load(location.href, "run", { push: false, quiet: true });
  }
}

customElements.define("run-live", RunLive);
