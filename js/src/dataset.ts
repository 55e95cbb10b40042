import { writeFile } from "node:fs/promises";
import { join } from "node:path";

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

/** Returns the path of a dataset. Objects are written to the folder as JSON Lines, which assay reads and checks. */
export async function datasetFile(dataset: string | readonly Case[], folder: string): Promise<string> {
  if (typeof dataset === "string") return dataset;
  if (!Array.isArray(dataset)) throw new TypeError("dataset: want the path of a file, or a list of objects with a question");
  const path = join(folder, "dataset.jsonl");
  await writeFile(path, dataset.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return path;
}
