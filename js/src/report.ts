import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { inspect } from "node:util";

import { run, runSync } from "./binary.js";
import { AssayError } from "./error.js";
import type { AssayReport } from "./report-schema.js";

/** A case or a rule of a run as a test, as in the JUnit file. */
export interface Test {
  name: string;
  /** The id of the case; absent for a rule. */
  case?: string;
  outcome: "passed" | "failure" | "error" | "skipped";
  seconds: number;
  /** Why the test did not pass, or was skipped: a sentence. */
  reason?: string;
  /** What helps to understand it: the question, the answer, what was wanted, the scores. */
  detail?: string;
  /** The scores of a case, or how a rule ended. */
  told?: string;
}

/** The tests of a run: a suite of its cases, and a suite named "gate" if it has rules. */
export interface Tests {
  schema: "assay.tests/1";
  run: string;
  suites: { name: string; tests: Test[] }[];
}

/** The report of one run. */
export class Report {
  /** Everything in the report. The page "The report file" of the documentation explains each member. */
  readonly data: AssayReport;
  /** The cases and the rules as tests, with the sentences of the program. */
  readonly tests: Tests;
  /** The exit code of the run: 0, 1 when a threshold or a rule is missed or undecided, 2 when a critical case failed, 3. */
  readonly exitCode: number;
  /** What the program said of the exit code; "" when the run passed. */
  readonly message: string;
  readonly #json: string;

  /** Makes a report of what the program wrote. */
  constructor(json: string, tests: string, exitCode: number, message: string) {
    this.#json = json;
    this.data = JSON.parse(json) as AssayReport;
    this.tests = JSON.parse(tests) as Tests;
    this.exitCode = exitCode;
    this.message = message;
  }

  /** What can affect a result: the dataset, the target, the metrics, every setting. */
  get run(): AssayReport["run"] {
    return this.data.run;
  }

  /** The estimate of each metric with its interval, by the metric's name. */
  get summary(): AssayReport["summary"] {
    return this.data.summary;
  }

  /** One entry for each case: the answer, the passages, the scores, the trace. */
  get cases(): AssayReport["cases"] {
    return this.data.cases;
  }

  /** The verdict on thresholds, rules and a baseline; undefined without any. */
  get verdict(): "pass" | "fail" | "inconclusive" | undefined {
    return this.data.gate?.verdict;
  }

  /** Whether the run ended with exit code 0. */
  get passed(): boolean {
    return this.exitCode === 0;
  }

  /** A sentence for every case and every rule that did not pass. */
  get failures(): string[] {
    return this.tests.suites
      .flatMap((suite) => suite.tests)
      .filter((test) => test.outcome === "failure" || test.outcome === "error")
      .map(sentence);
  }

  /** Throws an AssayError with the failures unless the run passed. */
  check(): this {
    if (!this.passed) throw new AssayError(this.failures.join("\n") || this.message, this.exitCode, { report: this });
    return this;
  }

  /** Returns the report as one HTML page. */
  async html(): Promise<string> {
    return inFile(this.#json, (file) => run(["report", file, "--format", "html"]));
  }

  /** Writes the report to a file: .html or .json. */
  async save(path: string): Promise<void> {
    const kind = extname(path);
    if (kind !== ".html" && kind !== ".json") throw new TypeError(`${path}: expected a name that ends with .html or .json`);
    await writeFile(path, kind === ".html" ? await this.html() : this.#json);
  }

  /** Returns the report as text, as assay run prints it. */
  toString(): string {
    const folder = mkdtempSync(join(tmpdir(), "assay-"));
    try {
      const file = join(folder, "report.json");
      writeFileSync(file, this.#json);
      return runSync(["report", file, "--format", "terminal"]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Returns the report as the program wrote it. */
  json(): string {
    return this.#json;
  }

  /** Returns the report as text, for console.log. */
  [inspect.custom](): string {
    return this.toString();
  }
}

/** Returns the sentence of a test that did not pass. That of a rule begins with the rule. */
function sentence({ name, reason = "" }: Test): string {
  return reason === "" || reason.startsWith(name) ? reason || name : `${name} – ${reason}`;
}

/** Calls work with a temporary file that has a text. */
async function inFile<T>(json: string, work: (path: string) => Promise<T>): Promise<T> {
  return inFolder(async (folder) => {
    const file = join(folder, "report.json");
    await writeFile(file, json);
    return work(file);
  });
}

/** Calls work with a temporary folder, which is then removed. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "assay-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
