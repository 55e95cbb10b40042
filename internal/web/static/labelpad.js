// <label-pad> keeps labels while people go on. A label is shown as given at once, and waits in
// a queue until the server has it: each is sent with a key of its own, as often as it takes,
// so that it is kept once. The next cases are loaded ahead.
import { parse, say } from "./nav.js";

const loadedAhead = 6;
const longest = 5000; // ms between two attempts

const key = () => [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");

class LabelPad extends HTMLElement {
  connectedCallback() {
    this.queue = []; // what the server does not have, oldest first
    this.ahead = []; // the parts of the next cases
    this.given = []; // what was given here, for the way back
    this.done = new Set(); // cases that were labelled here
    this.known = new Map(); // of each case its label: id and version
    this.pause = 0;
    this.addEventListener("submit", (e) => this.submitted(e));
    this.addEventListener("click", (e) => this.clicked(e));
    this.leaving = (e) => { if (this.queue.length) e.preventDefault(); };
    addEventListener("beforeunload", this.leaving);
    this.online = () => this.wake?.();
    addEventListener("online", this.online);
    this.replaced = (e) => { if (e.detail === "label") { this.ahead = []; this.look(); } };
    document.addEventListener("assay:part", this.replaced);
    this.addEventListener("assay:press", (/** @type {CustomEvent} */ e) => this.press(e.detail));
    this.look();
  }

  disconnectedCallback() {
    removeEventListener("beforeunload", this.leaving);
    removeEventListener("online", this.online);
    document.removeEventListener("assay:part", this.replaced);
  }

  get task() { return document.getElementById("part-label"); }

  /** press does what a key says. */
  press(name) {
    if (name === "undo") this.undo();
    else if (name === "note") this.task.querySelector("textarea")?.focus();
    else this.task.querySelector({ skip: ".skip-case", blind: ".blind" }[name] ?? "." + name)?.click();
  }

  submitted(e) {
    e.preventDefault();
    if (e.target.matches(".lab-undo")) e.target.submit();
    else if (e.submitter) this.give(e.submitter.value);
  }

  clicked(e) {
    if (e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
    if (e.target.closest(".skip-case")) { e.preventDefault(); this.forward(); }
    if (e.target.closest(".undo-last")) this.undo();
  }

  give(label) {
    const part = this.task, d = part.dataset;
    if (this.waiting || !d.case) return;
    const body = { run_id: d.run, case_id: d.case, metric: d.metric, how: d.how, comment: part.querySelector("textarea").value };
    if ("sighted" in d) body.sighted = true;
    if (label === "unsure") body.unsure = true; else body.value = Number(label);
    const job = { key: key(), case: d.case, part, version: Number(d.version), body, label };
    this.queue.push(job);
    this.given.push(job);
    this.done.add(d.case);
    this.forward();
    this.drain();
  }

  /** undo takes the last label back, and shows its case again. */
  undo() {
    const last = this.given.pop();
    if (!last) { this.task.querySelector(".lab-undo button")?.click(); return; }
    const i = this.queue.indexOf(last);
    if (i > 0 || (i === 0 && !this.flying)) this.queue.splice(i, 1);
    else this.queue.push({ key: key(), case: last.case, undo: last });
    this.done.delete(last.case);
    if (!this.waiting) this.ahead.unshift(this.task);
    this.waiting = false;
    this.show(last.part);
    this.drain();
  }

  /** forward shows the next case, as soon as there is one. */
  forward() {
    const next = this.ahead.shift();
    this.waiting = !next;
    if (next) this.show(next);
    this.tell();
    this.look();
  }

  show(part) {
    const old = this.task, at = document.activeElement;
    const lost = old.contains(at) || at === document.body;
    old.replaceWith(part);
    history.pushState({ part: "label" }, "", part.dataset.address);
    scrollTo({ top: 0 });
    if (lost) part.querySelector("h1").focus({ preventScroll: true });
    say(part.querySelector(".lab-case .prose")?.textContent.slice(0, 300) ?? part.textContent);
    this.tell();
  }

  /** look loads the next cases, one after the other. */
  async look() {
    if (this.looking) return;
    this.looking = true;
    try {
      while (this.ahead.length < loadedAhead) {
        let next = (this.ahead.at(-1) ?? this.task).dataset.next;
        if (!next) {
          // The end of the order, as far as the server knows what is labelled.
          if (!this.waiting) return;
          if (this.queue.length) { await this.rest(); continue; }
          next = this.fresh();
        }
        const part = await this.load(next);
        if (!part) { await this.rest(); continue; }
        if (this.done.has(part.dataset.case)) {
          if (!this.waiting) return;
          if (this.queue.length) { await this.rest(); continue; }
          const anew = await this.load(this.fresh());
          if (!anew) { await this.rest(); continue; }
          this.arrived(anew);
          return;
        }
        this.pause = 0;
        this.arrived(part);
        if (!part.dataset.case) return;
      }
    } finally {
      this.looking = false;
    }
  }

  arrived(part) {
    if (this.waiting) { this.waiting = false; this.show(part); } else this.ahead.push(part);
  }

  /** fresh is the address of whichever case is next for the server. */
  fresh() {
    const url = new URL(this.task.dataset.address, location.href);
    url.searchParams.delete("case");
    return url.href;
  }

  /** load returns the part of a page, null if there is none now. */
  async load(href) {
    try {
      const reply = await fetch(href, { headers: { "Assay-Part": "label" }, signal: AbortSignal.timeout(10000) });
      const part = reply.ok && !reply.redirected ? parse(await reply.text()).getElementById("part-label") : null;
      return part && document.adoptNode(part);
    } catch { return null; }
  }

  /** rest waits a while, longer each time, or until the network is back. */
  async rest() {
    this.pause = Math.min(longest, this.pause ? this.pause * 2 : 200);
    await new Promise((done) => { this.wake = done; setTimeout(done, this.pause); });
  }

  /** drain sends what is in the queue, in its order. */
  async drain() {
    this.tell();
    if (this.sending) return;
    this.sending = true;
    while (this.queue.length) {
      const job = this.queue[0];
      this.flying = true;
      const reply = await this.send(job).catch(() => null);
      this.flying = false;
      const again = !reply || reply.status >= 500 || [401, 408, 409, 425, 429].includes(reply.status);
      this.out = reply?.status === 401;
      if (again) { this.tell(); await this.rest(); continue; }
      await this.took(job, reply);
      this.pause = 0;
      this.queue.shift();
      this.tell();
    }
    this.sending = false;
    this.refresh();
  }

  send(job) {
    const known = this.known.get(job.case);
    const headers = { "If-Match": String(known?.version ?? job.version ?? 0), "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(10000);
    if (!job.undo) {
      headers["Idempotency-Key"] = job.key;
      return fetch("/api/v1/labels", { method: "POST", headers, body: JSON.stringify(job.body), signal });
    }
    if (!known?.id) return Promise.resolve(new Response("{}", { status: 204 })); // it was never kept
    const was = job.undo.part.dataset.was, address = "/api/v1/labels/" + known.id;
    if (!was) return fetch(address, { method: "DELETE", headers: { "If-Match": headers["If-Match"] }, signal });
    const back = { comment: job.undo.part.querySelector("textarea").defaultValue };
    if (was === "unsure") back.unsure = true; else back.value = Number(was);
    return fetch(address, { method: "PATCH", headers, body: JSON.stringify(back), signal });
  }

  /** took keeps what the server said of a label, or tells why it was not kept. */
  async took(job, reply) {
    if (reply.status === 204) return;
    const said = await reply.json().catch(() => ({}));
    if (reply.ok) {
      const old = this.known.get(job.case);
      this.known.set(job.case, said.label_id ? { id: said.label_id, version: said.version } : { ...old, version: old.version + 1 });
      return;
    }
    const d = this.dataset, word = (s) => job.part?.querySelector(`.lab-buttons button[value="${s}"]`)?.dataset.word ?? (s === "none" ? d.none : s);
    const [is, yours] = (said.errors ?? []).map((e) => e.value?.label);
    const text = reply.status === 412 && is ? d.conflict.replace("{is}", word(is)).replace("{yours}", word(yours)) : said.detail ?? reply.statusText;
    const link = document.createElement("a"), item = document.createElement("li");
    link.href = (job.part ?? job.undo.part).dataset.address;
    link.textContent = job.case;
    item.append(`${d.notSaved} · `, link, ` · ${text}`);
    const list = this.querySelector(".lab-problems");
    list.append(item);
    list.hidden = false;
  }

  /** refresh shows the progress, and the mean as it narrows. */
  async refresh() {
    const part = this.task, fresh = await this.load(part.dataset.address);
    const now = fresh?.querySelector(".lab-progress");
    if (now && part === this.task) part.querySelector(".lab-progress").replaceWith(now);
  }

  /** tell says how much is not saved. */
  tell() {
    const d = this.dataset, line = this.querySelector(".lab-queue"), n = this.queue.length;
    this.querySelector(".undo-last").hidden = !this.given.length;
    line.textContent = [n ? d.unsaved.replace("{n}", String(n)) : "", this.out ? d.signedOut : "", this.waiting ? d.waiting : ""].filter(Boolean).join(" · ");
    line.hidden = !line.textContent;
  }
}

customElements.define("label-pad", LabelPad);
