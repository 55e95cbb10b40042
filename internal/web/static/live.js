// <run-live> follows a run that goes on: its progress at once, its numbers every few
// seconds, and the whole page at its end. A hidden tab holds no stream, and the visible tabs
// of a browser share one: a browser keeps six connections to a server, and a stream holds one.
import { load } from "./nav.js";

const pause = 3000; // ms between two looks at the numbers
const retry = 2000; // ms before a stream that the server refused is asked for again
const paceTime = 30_000; // ms over which the pace of the run is measured

/** lasts is a time in seconds as hours, minutes and seconds, such as 1:05:09 or 0:30. */
function lasts(seconds) {
  const s = Math.max(1, Math.ceil(seconds)), pad = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const minutes = Math.floor(s / 60);
  return (s < 3600 ? String(minutes) : Math.floor(minutes / 60) + ":" + pad(minutes % 60)) + ":" + pad(s % 60);
}

class RunLive extends HTMLElement {
  connectedCallback() {
    this.seen = () => (document.hidden ? this.close() : this.open());
    document.addEventListener("visibilitychange", this.seen);
    this.loaded = () => { this.text.textContent = document.getElementById("part-run").dataset.progress ?? this.text.textContent; };
    document.addEventListener("assay:part", this.loaded);
    this.last = Date.now();
    this.looks = [];
    this.seen();
  }

  disconnectedCallback() {
    document.removeEventListener("visibilitychange", this.seen);
    document.removeEventListener("assay:part", this.loaded);
    this.close();
  }

  get text() { return this.querySelector(".progress-text"); }

  /** open listens to the tab that holds the stream, which is this one once no other does. */
  open() {
    if (this.closed) return;
    const closed = (this.closed = new AbortController()), name = "assay-live " + this.dataset.events;
    this.others = new BroadcastChannel(name);
    this.others.addEventListener("message", (e) => this.heard(e.data.type, e.data.text));
    const hold = () => this.hold(closed.signal);
    // A page without https has no locks: each tab of it has a stream of its own.
    if (navigator.locks) navigator.locks.request(name, { signal: closed.signal }, hold).catch(() => { /* it was closed while it waited */ });
    else hold();
  }

  close() {
    this.closed?.abort();
    this.closed = null;
    this.others?.close();
    clearTimeout(this.looking);
    this.looking = null;
  }

  /**
   * hold holds the stream until it is closed.
   * @param {AbortSignal} closed
   */
  async hold(closed) {
    while (!closed.aborted) {
      await this.stream(closed);
      if (!closed.aborted) await new Promise((r) => setTimeout(r, retry));
    }
  }

  /**
   * stream passes events on until it is closed, or the server refuses them.
   * @param {AbortSignal} closed
   * @returns {Promise<void>}
   */
  stream(closed) {
    return new Promise((ended) => {
      const source = new EventSource(this.dataset.events);
      const end = () => { source.close(); ended(); };
      closed.addEventListener("abort", end);
      // A connection that broke is made again by itself.
      source.addEventListener("error", () => { this.pass("lost", ""); if (source.readyState === EventSource.CLOSED) end(); });
      for (const type of ["progress", "done"]) {
        source.addEventListener(type, (e) => this.pass(type, e.data));
      }
    });
  }

  /**
   * pass shows an event in every tab.
   * @param {string} type
   * @param {string} text
   */
  pass(type, text) {
    this.others?.postMessage({ type, text });
    this.heard(type, text);
  }

  /**
   * heard shows what an event says.
   * @param {string} type
   * @param {string} text
   */
  heard(type, text) {
    this.querySelector(".lost").hidden = type !== "lost";
    const pace = this.querySelector(".pace");
    if (type === "lost") { pace.textContent = ""; this.looks = []; return; }
    if (type === "done") { this.close(); location.reload(); return; }
    const s = JSON.parse(text), bar = this.querySelector("progress"), first = Number(bar.value) === 0 && s.done > 0;
    bar.max = Math.max(s.total, 1);
    bar.value = s.done;
    const rate = this.rate(s), left = s.total - s.done;
    pace.textContent = rate > 0 && left > 0 ? "· " + this.dataset.pace
      .replace("{rate}", rate < 10 ? rate.toPrecision(2) : String(Math.round(rate))).replace("{left}", lasts(left / rate)) : "";
    const numbers = [s.done, s.total, s.failed];
    this.text.textContent = this.text.textContent.replace(/\d+/g, (n) => String(numbers.shift() ?? n));
    if (first) { clearTimeout(this.looking); this.looking = null; }
    const wait = first ? 0 : this.last + pause - Date.now();
    this.looking ??= setTimeout(() => this.look(), Math.max(wait, 0));
  }

  /** rate is the number of cases a second since the first look in the time of the pace, 0 at that look. */
  rate(s) {
    const now = performance.now();
    if (s.state !== "running") this.looks = [];
    while (this.looks.length > 1 && now - this.looks[0].at > paceTime) this.looks.shift();
    this.looks.push({ at: now, done: s.done });
    const first = this.looks[0];
    return now > first.at ? (1000 * (s.done - first.done)) / (now - first.at) : 0;
  }

  /** look loads the numbers. */
  look() {
    this.looking = null;
    this.last = Date.now();
    load(location.href, "run", { push: false, quiet: true });
  }
}

customElements.define("run-live", RunLive);
