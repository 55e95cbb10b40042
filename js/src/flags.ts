import { settingNames, type Settings } from "./settings.js";

/** Returns the arguments that set settings. An unknown name is a TypeError that names the nearest. */
export function flags(settings: Settings, more: readonly string[] = []): string[] {
  const out: string[] = [];
  for (const [name, value] of Object.entries(settings)) {
    if (!(settingNames as readonly string[]).includes(name)) throw new TypeError(unknown(name, more));
    if (value === undefined || value === null) continue;
    for (const text of texts(name, value)) out.push(`--set=${dashed(name)}=${text}`);
  }
  return out;
}

/** Returns the name of a setting on a command line. */
export function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the values of a flag: one, or those of a flag that is repeated. */
function texts(name: string, value: unknown): string[] {
  // The value of this setting alone is JSON.
  if (name === "send" && typeof value !== "string") return [JSON.stringify(value)];
  if (Array.isArray(value)) return [value.map((item) => textOf(name, item)).join(",")];
  if (typeof value === "object" && value !== null) {
    const between = name === "header" ? ": " : "=";
    return Object.entries(value).map(([key, entry]) => `${key}${between}${textOf(name, entry)}`);
  }
  return [textOf(name, value)];
}

function textOf(name: string, value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  throw new TypeError(
    `${name}: ${typeof value} is no value of a setting: expected text, a number, true or false, or a list or an object of them`,
  );
}

function unknown(name: string, more: readonly string[]): string {
  const names = [...settingNames, ...more];
  const close = names.map((other) => ({ other, far: distance(name.toLowerCase(), other.toLowerCase()) })).sort((a, b) => a.far - b.far)[0];
  const hint =
    close && close.far <= Math.max(2, name.length / 3) ? `did you mean ${close.other}?` : "assay doctor config --all lists the settings";
  return `there is no setting ${JSON.stringify(name)}: ${hint}`;
}

/** Counts the letters that must be changed, added or dropped to make one word of another. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      next.push(Math.min(row[k]! + 1, next[k - 1]! + 1, row[k - 1]! + (a[i - 1] === b[k - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
