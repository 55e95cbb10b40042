// <claim-links> lights the words of a claim, in the answer, in the list of claims and in the
// passages, while the focus or the pointer is on one of them. Without it the links lead there.

class ClaimLinks extends HTMLElement {
  connectedCallback() {
    this.addEventListener("focusin", (e) => this.light(e.target));
    this.addEventListener("focusout", () => this.light(null));
    this.addEventListener("pointerover", (e) => this.light(e.target));
    this.addEventListener("walk", (e) => this.walk(/** @type {CustomEvent} */ (e).detail));
    this.addEventListener("pointerleave", () => this.light(document.activeElement));
  }

  /** light marks everything that belongs to the claims of an element. */
  light(at) {
    const claims = at?.closest?.("[data-claims]")?.dataset.claims.split(" ") ?? [];
    for (const e of this.querySelectorAll("[data-claims]")) {
      e.classList.toggle("lit", e.dataset.claims.split(" ").some((n) => claims.includes(n)));
    }
  }

  /** walk puts the focus on the number of a neighbouring claim, and shows its words. */
  walk(by) {
    const all = [...this.querySelectorAll(".claims > li")].map((li) => li.dataset.claims);
    if (!all.length) return;
    const here = document.activeElement?.closest?.("claim-links [data-claims]")?.dataset.claims.split(" ")[0];
    const i = all.indexOf(here ?? "");
    const n = all[i < 0 ? (by > 0 ? 0 : all.length - 1) : (i + by + all.length) % all.length];
    const to = document.getElementById("said-" + n) ?? this.querySelector(`#claim-${n} > .claim-no`);
    for (let d = to.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
    document.getElementById(`words-${n}-1`)?.nextElementSibling?.scrollIntoView({ block: "nearest" });
    to.focus();
  }
}

customElements.define("claim-links", ClaimLinks);
