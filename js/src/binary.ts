import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";

import { AssayError, messageOf } from "./error.js";

/** Returns the path of the program: that of ASSAY_BINARY, else that of the package for this machine. */
export function binary(): string {
  const given = process.env["ASSAY_BINARY"];
  if (given) {
    if (!existsSync(given)) throw new AssayError(`ASSAY_BINARY is ${given}: there is no such file`);
    return given;
  }
  const name = `@assay-eval/${process.platform}-${process.arch}`;
  const file = process.platform === "win32" ? "assay.exe" : "assay";
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/${file}`);
  } catch (cause) {
    const why =
      `the program is not installed: expected the package ${name}, which npm installs with assay-eval unless it omits ` +
      "optional dependencies, or the path of assay in ASSAY_BINARY";
    throw new AssayError(why, undefined, { cause });
  }
}

/** How the program is run. */
export interface ProcessOptions {
  /** The working directory; the default is that of this process. */
  cwd?: string | undefined;
  /** Variables that are added to those of this process. */
  env?: Record<string, string | undefined> | undefined;
}

/** Runs a command and returns its standard output. It rejects with the message of the program. */
export async function run(args: string[], options: ProcessOptions = {}): Promise<string> {
  const child = spawn(binary(), args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const [out, err, exitCode] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number>((resolve, reject) => {
      child.on("error", (cause) => reject(notStarted(cause)));
      child.on("close", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 3)));
    }),
  ]);
  if (exitCode !== 0) throw new AssayError(messageOf(exitCode, err), exitCode);
  return out;
}

/** Runs a command and returns its standard output, for what cannot wait. It throws the message of the program. */
export function runSync(args: string[]): string {
  const done = spawnSync(binary(), args, { encoding: "utf8", maxBuffer: 1 << 28, windowsHide: true });
  if (done.error) throw notStarted(done.error);
  const exitCode = done.status ?? 3;
  if (exitCode !== 0) throw new AssayError(messageOf(exitCode, done.stderr), exitCode);
  return done.stdout;
}

/** Returns the error of a program that the system does not start. */
export function notStarted(cause: Error): AssayError {
  return new AssayError(`assay cannot be started: ${cause.message}`, undefined, { cause });
}

/** Reads a stream to its end. */
export async function text(from: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of from) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
