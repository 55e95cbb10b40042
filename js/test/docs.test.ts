// Runs every snippet of docs/typescript.md as the file that the line before it names.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, expect, test } from "vitest";

import { questions } from "./questions.js";
import { documents } from "./rag.js";

const here = dirname(fileURLToPath(import.meta.url));
// The page is beside the tests of the installed package, and in docs of the repository.
const page = [join(here, "..", "typescript.md"), join(here, "..", "..", "docs", "typescript.md")].find(existsSync)!;
const text = readFileSync(page, "utf8");
const snippets = [...text.matchAll(/<!-- file: (\S+) -->\n\n```ts\n(.*?)```/gs)].map(([, name, code]) => ({ name: name!, code: code! }));
const launcher = join(dirname(createRequire(import.meta.url).resolve("assay-eval")), "cli.js");
let work: string;

beforeAll(() => {
  // Beside the packages, so that imports find them.
  work = mkdtempSync(join(here, "..", "snippets-"));
  for (const { name, code } of snippets) writeFileSync(join(work, name), code);
  for (const name of ["rag.ts", "engine.ts", "search.ts"]) cpSync(join(here, name), join(work, name));
  const lines = questions.map((one) => `${JSON.stringify(one)}\n`).join("");
  mkdirSync(join(work, "docs"));
  for (const [name, content] of Object.entries(documents)) writeFileSync(join(work, "docs", name), content);
  writeFileSync(join(work, "questions.jsonl"), lines);
  writeFileSync(join(work, "package.json"), JSON.stringify({ type: "module" }));
  const config = JSON.parse(readFileSync(join(here, "tsconfig.json"), "utf8"));
  writeFileSync(
    join(work, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...config.compilerOptions, noEmit: false, outDir: "out" }, include: ["*.ts"] }),
  );
  const modules = join(here, "..", "node_modules");
  if (!existsSync(join(modules, "assay-eval"))) {
    // In the repository the package is the folder above.
    mkdirSync(join(work, "node_modules"));
    symlinkSync(join(here, ".."), join(work, "node_modules", "assay-eval"), "dir");
  }
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const compiled = spawnSync(process.execPath, [tsc, "-p", work], { encoding: "utf8" });
  if (compiled.status !== 0) throw new Error(compiled.stdout);
  writeFileSync(join(work, "out", "vitest.config.js"), "export default { test: { testTimeout: 120_000 } };\n");
  for (const name of ["questions.jsonl", "docs"]) cpSync(join(work, name), join(work, "out", name), { recursive: true });
});

afterAll(() => rmSync(work, { recursive: true, force: true }));

const start = (args: string[], env: Record<string, string> = {}): string => {
  const done = spawnSync(process.execPath, args, {
    cwd: join(work, "out"),
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", VITEST: "", ...env },
  });
  expect(done.stderr).not.toContain("Error");
  expect(done.status, done.stdout + done.stderr).toBe(0);
  return done.stdout;
};

test("every block of code is run", () => {
  expect(snippets).toHaveLength([...text.matchAll(/^```ts$/gm)].length);
  expect(snippets.map(({ name }) => name)).toEqual([
    "chain.test.ts",
    "function.ts",
    "search.test.ts",
    "stages.ts",
    "llamaindex.ts",
    "compare.ts",
    "client.ts",
  ]);
});

test("the tests pass", () => {
  const program = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const said = start([program, "run", "--reporter=verbose", "--root", join(work, "out")]);
  expect(said).toContain("the chain finds the right documents");
  expect(said).toContain("search > laptop: Who replaces a broken laptop?");
  expect(said).toContain("search > gate: errors <= 0");
});

test("the programs print what they should", () => {
  expect(start(["function.js"])).toContain("2 cases · exec in the calling program");
  expect(existsSync(join(work, "out", "report.html"))).toBe(true);
  expect(start(["stages.js"])).toContain("stage: 'retrieve'");
  expect(start(["llamaindex.js"])).toContain("name: 'generate'");
  expect(start(["compare.js"])).toContain("Hit@1");
});

test("the client follows a run", async () => {
  const server = spawn(
    process.execPath,
    [launcher, "serve", "--addr", "127.0.0.1:0", "--quiet", "--corpus", "docs", "--datasets", ".", "--retriever", "sparse"],
    { cwd: work, stdio: ["ignore", "pipe", "pipe"] },
  );
  const gone = new Promise((resolve) => server.on("close", resolve));
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let said = "";
      for (const from of [server.stdout, server.stderr]) {
        from.on("data", (part) => {
          const listening = /listening on (http:\S+)/.exec((said += part));
          if (listening) resolve(listening[1]!);
        });
      }
      server.on("exit", (code) => reject(new Error(`assay serve ended with exit code ${code}: ${said}`)));
    });
    expect(start(["client.js"], { ASSAY_URL: url })).toBe("finished\n");
  } finally {
    server.kill("SIGTERM");
    await gone;
  }
});
