// Shortcuts. What they are stands in the help, which the server writes: the listener reads
// it there.
import { follow } from "./nav.js";
import { openSearch } from "./palette.js";
import { copyLink } from "./share.js";

const help = document.getElementById("keys");
const does = new Map([...help.querySelectorAll("[data-keys]")].map((d) => [d.dataset.keys, d.dataset.does]));
const off = "keys" in document.body.dataset;

for (const b of document.querySelectorAll(".site .keys")) {
  b.hidden = false;
  b.addEventListener("click", () => help.showModal());
}

const rows = () => [...document.querySelectorAll("[data-rows] tbody tr")];

/** move puts the focus on the row that is so many rows away. */
function move(by) {
  const all = rows();
  const at = all.indexOf(document.activeElement?.closest("tr"));
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)];
  next?.querySelector("a.open")?.focus();
}

// The steps that are still to take, to the next cases or to the previous ones.
let steps = 0, walking = false;

/** walk goes to neighbours of a case: a key pressed while one loads is another step. */
async function walk(by) {
  steps += by;
  if (walking) return;
  walking = true;
  while (steps) {
    const step = Math.sign(steps), link = document.querySelector(`.one a[rel=${step > 0 ? "next" : "prev"}]`);
    if (!link || !(await follow(link))) break;
    steps -= step;
  }
  steps = 0;
  walking = false;
}

/** turn goes to the neighbour of a case, or to the row in a list. */
function turn(by) {
  if (document.querySelector(".one")) walk(by); else move(by);
}

let passage = -1;

const passages = () => [...document.querySelectorAll(".found > ol > li")];

/** toPassage puts the focus on a passage of the case. */
function toPassage(i) {
  const li = passages()[i];
  if (!li) return;
  passage = i;
  li.tabIndex = -1;
  li.focus();
}

// A citation leads to its passage.
document.addEventListener("click", (e) => {
  const cite = /** @type {Element} */ (e.target).closest?.(".cite");
  if (cite) toPassage(Number(cite.dataset.rank) - 1);
});

/** walkClaims asks for the claim that is so many claims away. */
function walkClaims(by) {
  document.querySelector("claim-links")?.dispatchEvent(new CustomEvent("walk", { detail: by }));
}

const actions = {
  search: openSearch,
  help: () => help.showModal(),
  filter: () => { const f = document.getElementById("filter"); f?.focus(); f?.select(); },
  runs: () => location.assign("/"),
  new: () => location.assign("/new"),
  datasets: () => location.assign("/datasets"),
  comparison: () => location.assign("/compare"),
  trends: () => location.assign("/trends"),
  frontier: () => location.assign("/frontier"),
  next: () => turn(1),
  previous: () => turn(-1),
  lab: () => location.assign("/judge"),
  open: () => document.activeElement?.closest("[data-rows] tr")?.querySelector("a.open")?.click(),
  back: () => {
    const a = document.querySelector("a.back");
    if (a) sessionStorage.setItem(cameFrom, location.pathname);
    a?.click();
  },
  mark: () => document.activeElement?.closest("tr")?.querySelector("input[type=checkbox]")?.click(),
  compare: () => document.querySelector(".compare-marked:not(:disabled)")?.click(),
  passage: (e) => {
    const n = passages().length;
    if (n) toPassage((passage + (e.shiftKey ? n - 1 : 1)) % n);
  },
  class: () => document.querySelector(".classes a[aria-keyshortcuts=f]")?.click(),
  diff: () => document.querySelector("a[aria-keyshortcuts=d]")?.click(),
  claim: () => walkClaims(1),
  claimBefore: () => walkClaims(-1),
  link: () => copyLink(),
};

for (const name of ["right", "wrong", "unsure", "skip", "undo", "note", "blind"]) {
  actions[name] = () => document.querySelector("label-pad")?.dispatchEvent(new CustomEvent("assay:press", { detail: name }));
}

// The way back leads to the row of the page that was left.
const cameFrom = "assay-from";
const left = sessionStorage.getItem(cameFrom);
sessionStorage.removeItem(cameFrom);
if (left) [...document.querySelectorAll("[data-rows] a.open")].find((a) => new URL(a.href).pathname === left)?.focus();

let before = "";

document.addEventListener("keydown", (e) => {
  if (e.altKey || e.isComposing) return;
  if (e.ctrlKey || e.metaKey) {
    const act = !help.open && actions[does.get("Ctrl+" + e.key.toLowerCase())];
    if (act) { e.preventDefault(); act(e); }
    return;
  }
  const at = /** @type {Element} */ (e.target);
  const typing = at.closest?.("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]");
  if (typing) {
    if (e.key === "Escape") typing.blur();
    return;
  }
  if (document.querySelector("dialog[open]") || (off && e.key.length === 1)) return;
  // A focused control has its own Enter.
  if (e.key === "Enter" && at.closest("a, button, summary, input")) return;
  const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
  const both = before + " " + key;
  before = key === "g" ? key : "";
  const act = actions[does.get(both) ?? does.get(key)];
  if (!act) return;
  e.preventDefault();
  act(e);
});

/** count allows a comparison only of two to ten runs. */
function count() {
  const form = document.querySelector("form.marks");
  if (!form) return;
  const n = form.querySelectorAll("input[name=run]:checked").length;
  form.querySelector(".compare-marked").disabled = n < 2 || n > 10;
}
count();
document.addEventListener("change", count);
document.addEventListener("assay:part", () => { passage = -1; count(); });
