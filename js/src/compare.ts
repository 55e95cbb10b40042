import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { run, type ProcessOptions } from "./binary.js";
import { inFolder, Report } from "./report.js";
import type { AssayReport } from "./report-schema.js";

/** A difference of a metric between a run and the first one. "Comparisons" in the documentation of the report file explains it. */
export interface Difference {
  n: number;
  old: number | null;
  new: number | null;
  diff: number | null;
  /** The interval of the difference, corrected for the number of tests. */
  ci: [number, number] | null;
  p: number | null;
  p_adjusted: number | null;
  /** Whether a difference is shown. */
  shown: boolean;
  wins: number;
  ties: number;
  losses: number;
  /** A sentence to quote. */
  sentence?: string;
}

/** The main members of a comparison, as assay writes it. */
export interface ComparisonData {
  schema: "assay.comparison/1";
  level: number;
  tests: number;
  baseline: string;
  runs: Record<string, AssayReport["run"]>;
  summary: Record<
    string,
    {
      title: string;
      unit: string;
      better: string;
      estimates: AssayReport["summary"];
      differences: Record<string, Difference>;
    }
  >;
  warnings: string[];
  cases: { id: string; question: string; runs?: unknown }[];
}

/** A comparison of two runs on the same cases. */
export class Comparison {
  /** Everything in the comparison. */
  readonly data: ComparisonData;
  readonly #text: string;
  readonly #html: string;

  /** Makes a comparison of what the program wrote. */
  constructor(json: string, text: string, html: string) {
    this.data = JSON.parse(json) as ComparisonData;
    this.#text = text;
    this.#html = html;
  }

  /** The metrics with their estimates and differences, by the metric's name. */
  get summary(): ComparisonData["summary"] {
    return this.data.summary;
  }

  /** A sentence for each difference. */
  get sentences(): string[] {
    return Object.values(this.data.summary)
      .flatMap((metric) => Object.values(metric.differences))
      .flatMap((difference) => (difference.sentence ? [difference.sentence] : []));
  }

  /** Returns the comparison as one HTML page. */
  html(): string {
    return this.#html;
  }

  /** Returns the comparison as text, as assay compare prints it. */
  toString(): string {
    return this.#text;
  }
}

/** Settings of a comparison. */
export interface CompareOptions extends ProcessOptions {
  /** The metrics that are compared; the default is all that both runs have. */
  metrics?: readonly string[];
  /** The metric that the comparison is about. It is tested alone, without correction for the others. */
  primary?: string;
  /** The test of the differences. */
  test?: "sign-flip" | "t" | "wilcoxon" | "mcnemar";
  /** The database of runs, if a run is named by its id. */
  store?: string;
}

/**
 * Compares two runs case by case. A run is a report, the file of a report or a baseline, or the name or the id of a
 * stored run. The first is the baseline.
 */
export async function compare(a: Report | string, b: Report | string, options: CompareOptions = {}): Promise<Comparison> {
  return inFolder(async (folder) => {
    const runs = await Promise.all(
      [a, b].map(async (one, i) => {
        if (!(one instanceof Report)) return one;
        const file = join(folder, `${i + 1}.json`);
        await writeFile(file, one.json());
        return file;
      }),
    );
    const args = ["compare", ...runs];
    if (options.metrics) args.push(`--metrics=${options.metrics.join(",")}`);
    if (options.primary) args.push(`--primary=${options.primary}`);
    if (options.test) args.push(`--test=${options.test}`);
    if (options.store) args.push(`--store=${options.store}`);
    const as = (format: string): Promise<string> => run([...args, `--format=${format}`], options);
    return new Comparison(await as("json"), await as("terminal"), await as("html"));
  });
}
