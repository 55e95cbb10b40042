import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

/**
 * A case of a dataset that is given as objects, in the format of assay. Objects of any other format that assay reads will
 * do, too. "Formats of datasets" in the documentation lists all members.
 */
export interface Case {
  question: string;
  /** Made of the question when missing. */
  id?: string | number;
  /** The reference answer, or several of which any is right. */
  ground_truth?: string | readonly string[];
  /** Ids or file names of the documents that are relevant. */
  expected_contexts?: readonly (string | { id: string; grade?: number })[];
  /** Texts that should be retrieved. */
  reference_contexts?: readonly string[];
  expected_keywords?: readonly string[];
  tags?: readonly string[];
  /** Whether a failure of the case fails the run. */
  critical?: boolean;
  metadata?: Record<string, unknown>;
  [member: string]: unknown;
}

/**
 * Returns the path of a dataset. Objects are written to the folder as JSON Lines, which assay reads and checks. Their file
 * has their hash as its name, so that a run on the same objects can be resumed.
 */
export async function datasetFile(dataset: string | readonly Case[], folder: string): Promise<string> {
  if (typeof dataset === "string") return dataset;
  if (!Array.isArray(dataset)) throw new TypeError("dataset: expected the path of a file, or a list of objects with a question");
  const rows = dataset.map((one) => `${JSON.stringify(one)}\n`).join("");
  const path = join(folder, `rows-${createHash("sha256").update(rows).digest("hex").slice(0, 12)}.jsonl`);
  await writeFile(path, rows);
  return path;
}

/** Returns a message of assay with the objects of the caller, counted from 0, in place of the lines of their file. */
export function located(message: string, path: string): string {
  if (!basename(path).startsWith("rows-")) return message;
  const row = (line: string): string => `row ${Number(line) - 1} of the dataset`;
  const placed = (line: string): string => {
    const [first = "", ...more] = line.split(path);
    const named = more.map((part) => part.replace(/^(?::(\d+))?/, (_, n?: string) => (n ? row(n) : "the dataset")));
    return [first, ...named].join("").replace(/\bin line (\d+)/g, (_, n: string) => `in ${row(n)}`);
  };
  return message
    .replace(/\S*dataset "[^"]*rows-\w+\.jsonl": the run was started with "[^"]*"/, "the rows differ from those that the run was started with")
    .split("\n")
    .map((line) => (line.includes(path) ? placed(line) : line))
    .join("\n");
}
