import { spawn, type ChildProcessByStdio } from "node:child_process";
import { setMaxListeners } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join, relative, resolve as absolute } from "node:path";
import process from "node:process";
import type { Readable, Writable } from "node:stream";

import type { AnswerFunction, Target } from "./asked.js";
import { binary, notStarted, text, type ProcessOptions } from "./binary.js";
import { datasetFile, located, type Case } from "./dataset.js";
import { AssayError, messageOf } from "./error.js";
import { flags } from "./flags.js";
import { linesOf } from "./lines.js";
import { replyOf, type Fields } from "./reply.js";
import { inFolder, Report } from "./report.js";
import type { Settings } from "./settings.js";
import { functionOf } from "./target.js";

/** How a target is evaluated: every setting of `assay run`, and these. */
export interface EvaluateOptions extends Omit<Settings, "dataset">, ProcessOptions {
  /** The cases: the path of a file in any format that assay reads, or a list of objects. */
  dataset: string | readonly Case[];
  /** Makes the input of a runnable from the question, where it takes neither text nor what its prompt or graph declares. */
  input?: (question: string) => unknown;
  /** The configuration file; the default is eval-config.yaml in the working directory, if there is one. */
  config?: string | undefined;
  /** The id of an interrupted run to continue with the same target, dataset and settings; true is the latest one. */
  resume?: boolean | string | undefined;
  /** Ends the run. What is finished is stored. */
  signal?: AbortSignal | undefined;
}

/** Options that are not settings of the program. */
const OWN = ["dataset", "input", "config", "resume", "signal", "cwd", "env"];

/**
 * Asks a target every question of a dataset and scores its answers. It resolves with the report whether the run
 * passed or not (`report.check()` throws then), and rejects with an AssayError if the run could not be done.
 */
export async function evaluate(target: Target, options: EvaluateOptions): Promise<Report> {
  const { dataset, input, config, resume, signal, cwd, env, ...settings } = options;
  const [ask, form, warnings = []] = functionOf(target, input);
  if (dataset === undefined) throw new TypeError("dataset: expected the path of a file, or a list of objects with a question");
  signal?.throwIfAborted();
  return inFolder(async (folder) => {
    const file = await datasetFile(dataset, folder);
    const formats = formatsOf(settings);
    const output = settings.output ?? join(folder, "report");
    const args = ["run", ...flags({ ...settings, output, formats: [...new Set([...formats, "json", "tests"])] }, OWN)];
    args.push("--adapter=exec", "--command=-", `--dataset=${file}`, "--quiet", ...(config === undefined ? [] : [`--config=${config}`]));
    if (resume) args.push(resume === true ? "--resume" : `--resume=${resume}`);
    const base = absolute(cwd ?? ".", output.replace(/\.(json|html|md|csv|xml|txt)$/, ""));
    const [exitCode, stderr] = await talk(args, ask, form, warnings, { cwd, env }, signal);
    // Only this program has the target.
    const resumes = 'evaluate(…, { resume: "$1" }) with the same target, dataset and settings';
    const message = exitCode === 0 ? "" : located(messageOf(exitCode, stderr), file).replace(/assay run --resume=(\S+).*(?= resumes it)/, resumes);
    let report: Report | undefined;
    if (existsSync(`${base}.json`) && existsSync(`${base}.tests.json`)) {
      report = new Report(located(await readFile(`${base}.json`, "utf8"), file), await readFile(`${base}.tests.json`, "utf8"), exitCode, message);
      if (!formats.includes("tests")) await rm(`${base}.tests.json`);
    }
    if (report && exitCode <= 2) return report;
    throw new AssayError(message || "the run wrote no report", exitCode, { report, ...(signal?.aborted ? { cause: signal.reason } : {}) });
  });
}

/** Returns the formats of the report files that stay: none unless output names them. */
function formatsOf(settings: Settings): string[] {
  if (settings.output === undefined) return [];
  const given = settings.formats ?? ["markdown", "json", "html"];
  return typeof given === "string" ? given.split(",").map((one) => one.trim()) : [...given];
}

/** How long a run that is ended waits for replies to open questions, in milliseconds. */
const DROP = 500;

/** Runs the program, answers its questions, and returns its exit code and what it wrote on standard error. */
async function talk(
  args: string[],
  ask: AnswerFunction,
  form: string,
  warnings: string[],
  options: ProcessOptions,
  signal?: AbortSignal,
): Promise<[number, string]> {
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(binary(), args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  const open = new Set<AbortController>();
  const abort = (reason: unknown): void => open.forEach((question) => question.abort(reason));
  let again: NodeJS.Timeout | undefined;
  const stop = (): void => {
    // The first signal lets open questions be answered, the second drops them.
    child.kill("SIGINT");
    abort(signal?.reason);
    again = setTimeout(() => child.kill("SIGINT"), DROP);
  };
  signal?.addEventListener("abort", stop, { once: true });
  // The program may end while a reply is on its way.
  child.stdin.on("error", () => {});
  child.stdin.write(`${JSON.stringify({ ready: true, asked: form })}\n`);
  try {
    const exitCode = new Promise<number>((done, failed) => {
      child.on("error", (cause) => failed(notStarted(cause)));
      child.on("close", (code, by) => done(code ?? (by === "SIGINT" ? 130 : 3)));
    });
    const stderr = text(child.stderr);
    const questions = (async (): Promise<void> => {
      for await (const line of linesOf(child.stdout)) {
        // A signal for each question: frameworks add a listener to it for each step.
        const question = new AbortController();
        setMaxListeners(0, question.signal);
        open.add(question);
        void answer(line, ask, warnings, question.signal).then((reply) => {
          open.delete(question);
          if (reply !== undefined && !child.stdin.destroyed) child.stdin.write(`${reply}\n`);
        });
      }
      child.stdin.end();
    })();
    const [code, said] = await Promise.all([exitCode, stderr, questions]);
    return [code, said];
  } finally {
    clearTimeout(again);
    abort(new AssayError("the run has ended"));
    signal?.removeEventListener("abort", stop);
  }
}

/** Returns the reply line to a question line; none if the target failed because the run was ended. */
async function answer(line: string, ask: AnswerFunction, warnings: string[], signal: AbortSignal): Promise<string | undefined> {
  const asked = JSON.parse(line) as { seq: number; id: string; question: string; top_k: number; metadata?: Record<string, unknown> };
  const { seq, id, question, top_k: topK } = asked;
  try {
    const result = await ask(question, { id, topK, metadata: asked.metadata ?? {}, signal, callbacks: [] });
    const reply = await replyOf(result);
    return JSON.stringify({ ...reply, ...(warnings.length > 0 && { warnings }), seq });
  } catch (error) {
    if (signal.aborted) return undefined;
    return JSON.stringify({ seq, error: explained(error), again: outage(error) });
  }
}

/** Returns an error and its causes as text. */
function explained(error: unknown): string {
  const parts: string[] = [];
  for (let one: unknown = error; one !== undefined && one !== null && parts.length < 5; one = (one as { cause?: unknown }).cause) {
    parts.push(one instanceof Error ? (one.name === "Error" ? one.message : `${one.name}: ${one.message}`) : String((one as Fields)["message"] ?? one));
    if (typeof one !== "object") break;
  }
  return (parts.join(": ") || "the target failed without a message") + placeOf(error);
}

/** Returns where an error was thrown: the first line of its stack that is of no package. */
function placeOf(error: unknown): string {
  for (const line of String((error as Error | undefined)?.stack ?? "").split("\n")) {
    const found = /^\s*at (?:(?:async )?(.*?) \()?(?:file:\/\/)?(.*?):(\d+):\d+\)?$/.exec(line);
    if (found && !/node_modules|^node:/.test(found[2]!)) {
      return ` (${relative(process.cwd(), found[2]!)}:${found[3]}${found[1] ? ` in ${found[1]}` : ""})`;
    }
  }
  return "";
}

/** Reports whether an error tells of a service that may answer later: a connection, a timeout, a status such as 429. */
function outage(error: unknown): boolean {
  for (let one = error as Fields | undefined, n = 0; typeof one === "object" && one !== null && n < 5; one = one["cause"] as Fields, n++) {
    const response = one["response"] as Fields | undefined;
    const codes = [one["status"], one["statusCode"], one["code"], response?.["status"], response?.["statusCode"]];
    const status = codes.find((code) => typeof code === "number" && code >= 100) as number | undefined; // 23 is a timeout of the DOM
    if (status !== undefined) return [408, 425, 429].includes(status) || (status >= 500 && ![501, 505].includes(status));
    const names = `${one["name"]} ${one["code"]} ${one.constructor?.name}`;
    if (/timeout|connect|ECONN|ETIMEDOUT|EAI_AGAIN|socket|rate.?limit|unavailable/i.test(names)) return true;
  }
  return false;
}
