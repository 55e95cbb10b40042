// Replaces a part of the page where a link or a form names it in data-part, instead of
// loading all of it. The address, the focus and the way back are those of a full load.

const policy = globalThis.trustedTypes?.createPolicy("assay", { createHTML: (s) => s }) ?? { createHTML: (s) => s };

/** parse makes the elements of a reply of this server, whose templates escape every text. */
export function parse(text) {
  return new DOMParser().parseFromString(policy.createHTML(text), "text/html");
}

/** say tells a text to screen readers. */
export function say(text) {
  document.getElementById("said").textContent = text;
}

/** away shows or hides the line that says that the server does not answer. */
function away(is) {
  const line = document.querySelector(".away");
  line.textContent = is ? document.body.dataset.away : "";
  line.hidden = !is;
}

let going = null;

/** load replaces a part by that of an address. It reports whether it did. */
export async function load(href, part, { push = true, quiet = false } = {}) {
  going?.abort();
  const mine = (going = new AbortController());
  const old = document.getElementById("part-" + part);
  const busy = setTimeout(() => { old.setAttribute("aria-busy", "true"); if (!quiet) say(document.body.dataset.loading); }, 100);
  try {
    const reply = await fetch(href, { headers: { "Assay-Part": part }, signal: mine.signal });
    const fresh = reply.ok && !reply.redirected ? parse(await reply.text()).getElementById("part-" + part) : null;
    if (!fresh) { location.assign(href); return false; }
    away(false);
    swap(old, document.adoptNode(fresh));
    if (push) history.pushState({ part }, "", href);
    if (!quiet) say(document.body.dataset.loaded);
    document.dispatchEvent(new CustomEvent("assay:part", { detail: part }));
    return true;
  } catch (error) {
    if (error.name === "AbortError") return false;
    away(true);
    say(document.body.dataset.failed);
    return false;
  } finally {
    clearTimeout(busy);
    old.removeAttribute("aria-busy");
  }
}

/** swap puts a new part in the place of the old, and keeps what the reader is at. */
function swap(old, fresh) {
  const at = /** @type {HTMLInputElement} */ (document.activeElement);
  const id = old.contains(at) ? at.id : "";
  const typed = id && at.matches("input[type=search]") ? [at.value, at.selectionStart, at.selectionEnd] : null;
  const inside = old.contains(at);
  const open = [...old.querySelectorAll("details")].map((d) => d.open);
  const folds = [...fresh.querySelectorAll("details")];
  if (open.length === folds.length) folds.forEach((d, i) => { d.open = open[i]; });
  old.replaceWith(fresh);
  const title = fresh.querySelector("h1[data-title]");
  if (title) document.title = title.textContent + " · assay";
  if (!inside) return;
  const next = id ? document.getElementById(id) : fresh.querySelector("a.open, h1, a");
  if (!next) { document.getElementById("content").focus(); return; }
  if (!next.matches("a, button, input, select, [tabindex]")) next.tabIndex = -1;
  next.focus({ preventScroll: true });
  if (typed && next.matches("input[type=search]")) [next.value, next.selectionStart, next.selectionEnd] = typed;
}

/** formAddress is the address that a form of the method GET leads to, without empty fields. */
function formAddress(form) {
  const url = new URL(form.action);
  const all = new Map();
  for (const [name, value] of new FormData(form)) if (value) all.set(name, all.has(name) ? all.get(name) + "," + value : value);
  url.search = new URLSearchParams([...all]).toString();
  return url.href;
}

/** follow replaces the part of the page that a link names. It reports whether it did. */
export async function follow(a) {
  const href = a.href.baseVal ?? a.href, { part } = a.dataset;
  const done = await load(new URL(href, location.href).href, part);
  if (done && (part === "case" || part === "list" && (a.rel === "next" || a.rel === "prev"))) scrollTo({ top: 0 });
  return done;
}

document.addEventListener("click", (e) => {
  const a = /** @type {Element} */ (e.target).closest?.("a[data-part]");
  if (!a || e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
  e.preventDefault();
  follow(a);
});

document.addEventListener("submit", (e) => {
  // A field can be named "dataset", and hides the property of the form.
  const form = /** @type {HTMLFormElement} */ (e.target), part = form.getAttribute("data-part");
  if (!part || form.method !== "get") return;
  e.preventDefault();
  load(formAddress(form), part);
});

document.addEventListener("change", (e) => {
  const field = /** @type {HTMLSelectElement} */ (e.target);
  if (field.form?.getAttribute("data-part") && field.matches("select")) field.form.requestSubmit();
});

addEventListener("popstate", (e) => {
  const part = e.state?.part ?? document.querySelector("[id^=part-]")?.id.slice(5);
  if (part) load(location.href, part, { push: false, quiet: true });
});
