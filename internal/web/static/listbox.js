// The options below a box of text, as the combobox pattern of ARIA has them: the focus stays
// in the box, arrow keys choose, Enter or a click takes.

export class Listbox {
  /**
   * @param {HTMLInputElement} input
   * @param {HTMLElement} host the element that holds the list
   * @param {(option: HTMLElement) => void} take what is done with the option that is taken
   */
  constructor(input, host, take) {
    this.input = input;
    this.host = host;
    this.take = take;
    /** @type {HTMLElement | null} */ this.list = null;
    /** @type {HTMLElement | null} */ this.at = null;
    for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"]]) {
      input.setAttribute(name, value);
    }
    // A click would take the focus from the box first.
    host.addEventListener("pointerdown", (e) => {
      const option = /** @type {Element} */ (e.target).closest("[role=option]");
      if (option) { e.preventDefault(); take(/** @type {HTMLElement} */ (option)); }
    });
  }

  /** @returns {HTMLElement[]} */
  get options() { return [...(this.list?.querySelectorAll("[role=option]") ?? [])].map((o) => /** @type {HTMLElement} */ (o)); }

  /** @param {HTMLElement} list */
  show(list) {
    this.close();
    this.list = list;
    this.host.append(list);
    this.input.setAttribute("aria-expanded", "true");
    this.input.setAttribute("aria-controls", list.id);
  }

  close() {
    this.list?.remove();
    this.list = null;
    this.at = null;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.input.removeAttribute("aria-controls");
  }

  /** @param {HTMLElement | undefined} option */
  choose(option) {
    if (!option) return;
    this.at?.setAttribute("aria-selected", "false");
    this.at = option;
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", option.id);
  }

  /**
   * key does what a key does in the list, and reports whether it does something.
   * @param {KeyboardEvent} e
   */
  key(e) {
    const all = this.options, down = e.key === "ArrowDown";
    if (e.isComposing || !all.length) return false;
    if (down || e.key === "ArrowUp") {
      const i = this.at ? all.indexOf(this.at) + (down ? 1 : -1) : down ? 0 : all.length - 1;
      this.choose(all[(i + all.length) % all.length]);
    } else if (e.key === "Enter" && this.at) this.take(this.at);
    else return false;
    e.preventDefault();
    e.stopPropagation();
    return true;
  }
}
