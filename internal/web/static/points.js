// Warns before a reader leaves points that are not saved.

let dirty = !!document.querySelector("form.points-form[data-dirty]");

const formAt = (e) => /** @type {Element} */ (e.target).closest?.("form.points-form");

document.addEventListener("input", (e) => { if (formAt(e)) dirty = true; });
document.addEventListener("submit", (e) => { if (formAt(e)) dirty = false; });
addEventListener("beforeunload", (e) => { if (dirty) e.preventDefault(); });
