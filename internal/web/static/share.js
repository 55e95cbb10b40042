// The bar above a page copies its link. Addresses in the head follow what is shown.
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

// A part that was replaced has another address than the page had when it was loaded.
document.addEventListener("assay:part", () => {
  const here = location.pathname + location.search;
  const settings = document.querySelector(".site .settings");
  if (settings) settings.href = "/settings?" + new URLSearchParams({ back: here });
});
