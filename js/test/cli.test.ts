import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

const launcher = join(dirname(createRequire(import.meta.url).resolve("assay-eval")), "cli.js");

const start = (args: string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [launcher, ...args], { encoding: "utf8", input: "from outside\n", env: { ...process.env, ...env } });

/** Writes a program that stands in for assay. */
function program(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "assay-test-")), "assay");
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

test("the launcher is the program", () => {
  expect(start(["--version"]).stdout).toMatch(/^assay /);
  expect(start(["run"])).toMatchObject({ status: 3, stderr: expect.stringContaining("no dataset: set --dataset FILE") });
});

test("arguments, input and exit code are those of the program", () => {
  const done = start(["a b", "*"], { ASSAY_BINARY: program('printf "%s|" "$@"; cat; exit 2') });
  expect(done).toMatchObject({ status: 2, stdout: "a b|*|from outside\n" });
  expect(start([], { ASSAY_BINARY: program("kill -TERM $$") }).status).toBe(128 + 15);
});

test("a program that is not there is told", () => {
  expect(start([], { ASSAY_BINARY: "/nowhere" })).toMatchObject({
    status: 3,
    stderr: "assay: ASSAY_BINARY is /nowhere: there is no such file\n",
  });
});

test("a signal is passed on", async () => {
  const path = program('trap "echo stopped; exit 143" TERM\necho ready\nwhile :; do sleep 0.1; done');
  const child = spawn(process.execPath, [launcher], { env: { ...process.env, ASSAY_BINARY: path }, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (part) => {
    if (!said.includes("ready") && (said += part).includes("ready")) child.kill("SIGTERM");
    else said += part;
  });
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(143);
  expect(said).toContain("stopped");
});
