// What the scripts of the pages take for granted: an element that a selector finds is one of
// the page, which has the properties of the controls that the scripts look for.

type Found = Omit<HTMLInputElement, "max"> &
  Pick<HTMLAnchorElement, "href"> &
  Pick<HTMLFormElement, "method" | "requestSubmit"> &
  Pick<HTMLDialogElement, "open" | "showModal" | "close"> & { max: any };

interface ParentNode {
  querySelector(selectors: "claim-links"): (Found & { walk(by: number): void }) | null;
  querySelector(selectors: string): Found | null;
  querySelectorAll(selectors: string): NodeListOf<Found>;
}

interface Element {
  closest(selectors: string): Found | null;
}

interface Document {
  getElementById(id: string): Found | null;
}

// Not in the library yet.
declare var trustedTypes: { createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string } } | undefined;
