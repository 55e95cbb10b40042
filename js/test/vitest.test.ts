import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

const here = dirname(fileURLToPath(import.meta.url));

interface Result {
  title: string;
  status: string;
  messages: string;
}

/** Runs the suite of the fixture, and returns its tests, the questions that were asked, and what Vitest printed. */
async function vitest(...args: string[]): Promise<{ tests: Record<string, Result>; asked: string[]; said: string; code: number }> {
  const work = mkdtempSync(join(tmpdir(), "assay-test-"));
  const config = join(here, "fixture", "vitest.config.ts");
  const asked = join(work, "asked.txt");
  writeFileSync(asked, "");
  const program = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const child = spawn(
    process.execPath,
    [program, "run", "--config", config, "--reporter=default", "--reporter=json", `--outputFile=${join(work, "out.json")}`, ...args],
    {
      cwd: dirname(here),
      env: { ...process.env, ASKED: asked, WORK: work, NO_COLOR: "1", VITEST: "" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let said = "";
  for (const from of [child.stdout, child.stderr]) from.on("data", (part) => (said += part));
  const code = await new Promise<number>((resolve) => child.on("close", (status) => resolve(status ?? -1)));
  const out = JSON.parse(readFileSync(join(work, "out.json"), "utf8"));
  const tests = Object.fromEntries(
    out.testResults[0].assertionResults.map((one: any) => [
      one.fullName,
      { title: one.title, status: one.status, messages: one.failureMessages.join("\n") },
    ]),
  );
  return { tests, asked: readFileSync(asked, "utf8").split("\n").filter(Boolean), said, code };
}

test("cases and rules are tests, and their failures are sentences", async () => {
  const { tests, asked, said, code } = await vitest();
  expect(code).toBe(1);
  expect(asked).toHaveLength(3);
  const of = (name: string): Result => tests[`search ${name}`]!;
  expect(
    Object.keys(tests)
      .filter((name) => name.startsWith("search"))
      .map((name) => name.replace("search ", "")),
  ).toEqual([
    "leave: How many days of leave has everybody in the first year?",
    "laptop: Who replaces a broken laptop?",
    "parking: Where may I park?",
    "gate: hit@1>=0.5",
    "gate: exact_match >= 0.5",
    "gate",
  ]);
  expect(of("laptop: Who replaces a broken laptop?").status).toBe("passed");
  const parking = of("parking: Where may I park?");
  expect(parking.status).toBe("failed");
  expect(parking.messages).toMatch(/^assay: none of the expected evidence is among the first 1, hit@1 0\.000 misses 0\.9/);
  expect(parking.messages).toContain("question: Where may I park?");
  expect(parking.messages).not.toMatch(/\bat .*\.js/);
  expect(of("gate: hit@1>=0.5").status).toBe("passed");
  expect(of("gate: exact_match >= 0.5").messages).toBe("assay: exact_match >= 0.5: 0 misses 0.5");
  expect(of("gate").messages).toBe("assay: hit@1 0.667 (n 3) misses 0.9");
  expect(tests["both gate"]!.status).toBe("passed");
  expect(tests["down parking: Where may I park?"]!.messages).toContain("no key");
  expect(tests["down gate"]!.messages).toContain("the target failed all 3 cases");
  expect(tests["wrong gate"]!.messages).toContain("hitt@1");
  expect(said).not.toContain("node_modules");
});

test("a filter asks the cases of the chosen tests alone", async () => {
  const { tests, asked } = await vitest("-t", "search laptop");
  expect(asked).toEqual(["Who replaces a broken laptop?"]);
  expect(tests["search laptop: Who replaces a broken laptop?"]!.status).toBe("passed");
  expect(tests["search gate"]!.status).not.toBe("passed");
  expect((await vitest("-t", "search gate: hit")).asked).toHaveLength(3);
});
