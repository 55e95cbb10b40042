// The bar above a page: copies its link, and keeps the addresses in it those of what is shown.
import { say } from "./nav.js";

const button = document.querySelector(".share .copy");
const text = button?.textContent ?? "";

/** copied puts a text on the clipboard, also where only the older way is allowed. */
async function copied(value) {
  try { await navigator.clipboard.writeText(value); return true; } catch { /* not on a page without https */ }
  const at = document.activeElement, box = document.createElement("textarea");
  box.value = value;
  box.className = "unseen";
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  if (at instanceof HTMLElement) at.focus({ preventScroll: true });
  return done;
}

/** copyLink copies the address of the page, and says so. */
export async function copyLink() {
  if (!(await copied(location.href))) return;
  const done = document.body.dataset.copied ?? "";
  say(done);
  if (!button) return;
  button.textContent = done;
  setTimeout(() => { button.textContent = text; }, 2000);
}

if (button) {
  button.hidden = false;
  button.addEventListener("click", copyLink);
}

// Who opens the form writes a name. Without the focus in it, the letters are shortcuts.
document.querySelector(".share details")?.addEventListener("toggle", (e) => {
  const box = /** @type {HTMLDetailsElement} */ (e.target);
  if (box.open) box.querySelector("input:not([type=hidden])")?.focus();
});

// A part that was replaced has another address than the page had when it was loaded.
document.addEventListener("assay:part", () => {
  const here = location.pathname + location.search;
  const view = document.querySelector(".share [name=url]");
  if (view) view.value = here;
  const settings = document.querySelector(".site .settings");
  if (settings) settings.href = "/settings?" + new URLSearchParams({ back: here });
});
