#!/usr/bin/env node
// Is the program: runs it with the same arguments, streams and signals, and ends as it ends.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import process from "node:process";

import { binary } from "./binary.js";

function main(): void {
  let path: string;
  try {
    path = binary();
  } catch (error) {
    console.error(`assay: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 3;
    return;
  }
  const signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  // Heard before the program runs, so that none ends this process alone.
  for (const signal of signals) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to both processes, and a second one would end assay at once.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
  child.on("error", (error) => {
    console.error(`assay: ${path} cannot be started: ${error.message}`);
    process.exitCode = 3;
  });
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
  });
}

main();
