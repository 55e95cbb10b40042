// Declares the cases of a dataset and the rules of a gate as tests of Vitest.
import { beforeAll, describe, test, type TestContext } from "vitest";

import { run } from "./binary.js";
import { datasetFile } from "./dataset.js";
import { AssayError } from "./error.js";
import { evaluate, type EvaluateOptions } from "./evaluate.js";
import { dashed } from "./flags.js";
import { inFolder, type Report, type Test } from "./report.js";
import type { Target } from "./asked.js";

/** Settings that select the cases, which `assay dataset sample` takes too. */
const SELECTION = ["format", "split", "queries", "minRelevance", "map", "qrels", "sample", "seed", "tags", "ids", "limit"] as const;

/** How the cases are evaluated: the options of `evaluate`, and this. */
export interface CasesOptions extends EvaluateOptions {
  /** The most milliseconds that the run may take; the default is ten minutes. */
  runTimeout?: number;
}

/**
 * Declares a suite with a test for each case of the dataset and one for each rule of the gate. The run happens once,
 * before the first of its tests; with a filter (`vitest -t`) only the cases of the selected tests are asked.
 */
export function evaluateCases(name: string, target: Target, options: CasesOptions): void {
  const { runTimeout = 600_000, ...settings } = options;
  describe(name, async () => {
    let report: Report | undefined;
    let failure: unknown;
    let ended = "";
    const cases = await casesOf(settings);
    const rules = settings.gate === undefined ? [] : typeof settings.gate === "string" ? [settings.gate] : [...settings.gate];

    // The suite is the first argument in Vitest 3, and the second in later versions, which want no name for the first.
    beforeAll(async function () {
      const suite = ([...arguments] as unknown[]).find((one): one is { tasks: { mode: string }[] } =>
        Array.isArray((one as { tasks?: unknown } | undefined)?.tasks),
      );
      const chosen = (suite?.tasks ?? []).flatMap((task, i) => (task.mode === "run" || task.mode === "queued" ? [i] : []));
      const ids = chosen.map((i) => cases[i]?.id);
      // Rules are about all cases, and an id with a comma cannot be named.
      const some = ids.length > 0 && ids.length < cases.length && ids.every((id) => id !== undefined && !/[,()]/.test(id));
      try {
        report = await evaluate(target, some ? { ...settings, ids: ids as string[] } : settings);
      } catch (error) {
        // A run whose target failed every case has a report that says why of each.
        if (error instanceof AssayError && error.report) {
          report = error.report;
          ended = error.message;
        } else {
          failure = error;
        }
      }
    }, runTimeout);

    /** Passes, skips or fails as the run says. */
    const settle = (context: TestContext, found: Test | undefined, missing: string): void => {
      if (failure !== undefined) throw plain(failure instanceof Error ? failure.message : String(failure));
      if (found === undefined) return context.skip(missing);
      if (found.outcome === "skipped") return context.skip(found.reason);
      if (found.outcome !== "passed") throw plain([found.reason ?? found.name, found.detail?.trimEnd()].filter(Boolean).join("\n"));
    };
    const testsOf = (rule: boolean): Test[] =>
      report?.tests.suites.filter((suite) => (suite.name === "gate") === rule).flatMap(({ tests }) => tests) ?? [];

    for (const { id, title } of cases) {
      test(title, (context) => {
        // A case that is asked several times fails if one of its answers does.
        const all = testsOf(false).filter((one) => one.case === id || one.case?.startsWith(`${id}#`));
        settle(context, all.find((one) => one.outcome === "failure" || one.outcome === "error") ?? all[0], "the run did not ask this case");
      });
    }
    const gated = (rule: string): Test | undefined => testsOf(true).find((one) => squeezed(one.name) === squeezed(rule));
    for (const rule of rules) {
      test(`gate: ${rule}`, (context) => settle(context, gated(rule), "the run has no such rule"));
    }
    // Thresholds, a baseline, and rules of a configuration file.
    test("gate", (context) => {
      if (ended) throw plain(ended);
      const limits = Object.entries(settings.threshold ?? {}).flatMap(([metric, value]) => [`${metric}>=${value}`, `${metric}<=${value}`]);
      const others = testsOf(true).filter(
        ({ name }) => limits.includes(squeezed(name)) || !rules.some((rule) => squeezed(rule) === squeezed(name)),
      );
      const failed = others.filter((one) => one.outcome === "failure" || one.outcome === "error");
      const open = others.find((one) => one.outcome === "skipped");
      if (failed.length > 0) throw plain(failed.map((one) => one.reason ?? one.name).join("\n"));
      const run = testsOf(false).find((one) => one.case === undefined);
      settle(context, run ?? open ?? others[0], "no thresholds and no baseline");
    });
  });
}

/** Returns the cases that a run selects, by asking the program. */
async function casesOf(settings: EvaluateOptions): Promise<{ id: string; title: string }[]> {
  return inFolder(async (folder) => {
    const file = await datasetFile(settings.dataset, folder);
    const args = ["dataset", "sample", file, "-", "--to", "jsonl"];
    for (const name of SELECTION) {
      const value = settings[name];
      if (value !== undefined) args.push(`--${dashed(name)}=${String(value)}`);
    }
    const lines = (await run(args, { cwd: settings.cwd, env: settings.env })).split("\n");
    const cases = lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as { id?: string; question?: string });
    return cases
      .filter(({ id }) => id !== undefined)
      .map(({ id, question = "" }) => ({ id: id!, title: `${id}: ${question.replace(/\s+/g, " ")}` }));
  });
}

/** Returns an error that is shown as its message: the place of this file says nothing of a failed case. */
function plain(message: string): Error {
  const error = new Error(message);
  error.name = "assay";
  error.stack = `assay: ${message}`;
  return error;
}

/** Returns a rule without differences of spacing. */
function squeezed(rule: string): string {
  return rule.replace(/\s+/g, "").replace("≥", ">=").replace("≤", "<=");
}
