import type { Report } from "./report.js";

/** Exit codes of the program. `assay exit-codes` explains them. */
export const OK = 0;
export const FATAL = 3;

/** The program could not do what it was asked, or a run did not pass. The message is that of the program. */
export class AssayError extends Error {
  override name = "AssayError";
  /** The exit code of the program: 1 and 2 of a run that did not pass, 3 for a fatal error, 130 when it was interrupted. */
  readonly exitCode: number;
  /** The report of the run, if one was written: also of a run whose target failed every case. */
  readonly report: Report | undefined;

  constructor(message: string, exitCode: number = FATAL, options: { report?: Report | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exitCode = exitCode;
    this.report = options.report;
  }
}

/** Returns the message of the program: what it wrote on standard error, without its name before each line. */
export function messageOf(exitCode: number, stderr: string): string {
  const lines = stderr
    .trim()
    .split(/\r?\n/)
    .map((line) => line.replace(/^assay: /, "").trimEnd());
  return lines.join("\n") || `assay ended with exit code ${exitCode} and wrote nothing`;
}
