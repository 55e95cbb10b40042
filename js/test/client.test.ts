// Uses a server by way of the client alone: it lists, filters, compares, starts, follows and cancels.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { AssayError, Client, type Schemas } from "assay-eval";
import { afterAll, beforeAll, expect, test } from "vitest";

import { documents } from "./rag.js";
import { questions } from "./questions.js";

const launcher = join(dirname(createRequire(import.meta.url).resolve("assay-eval")), "cli.js");
let remote: Server;
let server: ChildProcess;
let gone: Promise<unknown>;
let client: Client;

beforeAll(async () => {
  remote = createServer((_, response) => {
    // Long enough for a client to cancel a run of sixty cases.
    setTimeout(() => response.end(JSON.stringify({ answer: "24 days", passages: [{ id: "leave.md", text: "24 days" }] })), 50);
  });
  await new Promise<void>((resolve) => remote.listen(0, "127.0.0.1", resolve));
  const dir = mkdtempSync(join(tmpdir(), "assay-test-"));
  mkdirSync(join(dir, "docs"));
  mkdirSync(join(dir, "data"));
  for (const [name, text] of Object.entries(documents)) writeFileSync(join(dir, "docs", name), text);
  const lines = (all: object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join("");
  writeFileSync(join(dir, "data", "gold.jsonl"), lines(questions));
  writeFileSync(join(dir, "data", "slow.jsonl"), lines(Array.from({ length: 60 }, (_, i) => ({ ...questions[0], id: `s${i}` }))));
  const address = `http://127.0.0.1:${(remote.address() as AddressInfo).port}`;
  writeFileSync(
    join(dir, "assay.yaml"),
    `configs:\n  slow:\n    adapter: http\n    endpoint: ${address}\n    send: {question: '{{question}}'}\n`,
  );
  // The server ends with the launcher, which passes the signal on.
  server = spawn(
    process.execPath,
    [
      launcher,
      "serve",
      "--config",
      "assay.yaml",
      "--addr",
      "127.0.0.1:0",
      "--quiet",
      "--corpus",
      "docs",
      "--datasets",
      "data",
      "--retriever",
      "sparse",
      "--metrics",
      "hit@1,mrr",
    ],
    { cwd: dir, stdio: ["ignore", "pipe", "pipe"] },
  );
  gone = new Promise((resolve) => server.on("close", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    for (const from of [server.stdout!, server.stderr!]) {
      from.on("data", (part) => {
        const listening = /listening on (http:\S+)/.exec((said += part));
        if (listening) resolve(listening[1]!);
      });
    }
    server.on("exit", (code) => reject(new Error(`assay serve ended with exit code ${code}: ${said}`)));
  });
  client = new Client(url);
});

afterAll(async () => {
  server.kill("SIGTERM");
  await gone;
  remote.close();
});

const start = async (body: Schemas["RunRequest"]): Promise<string> => (await client.post("/api/v1/runs", { body })).run_id;

/** Follows a run until an event, and returns its data and the number of cases before it. */
async function follow(run_id: string, until: string): Promise<[any, number]> {
  let cases = 0;
  for await (const { event, data } of client.events("/api/v1/runs/{run_id}/events", { path: { run_id } })) {
    if (event === "case") cases++;
    if (event === until) return [data, cases];
  }
  throw new Error(`run ${run_id}: its events end before ${until}`);
}

test("a client starts runs, follows them and compares them", async () => {
  const ids: string[] = [];
  for (const k of [3, 1]) {
    const run = await start({ name: `client ${k}`, dataset: "gold.jsonl", config: { "top-k": k } });
    expect(await follow(run, "done")).toMatchObject([{ state: "finished" }, 3]);
    ids.push(run);
  }
  const runs = await client.get("/api/v1/runs", { query: { name: "client 1" } });
  expect(runs).toMatchObject({ total: 1, items: [{ run_id: ids[1] }] });
  const path = { run_id: ids[0]! };
  const cases = await client.get("/api/v1/runs/{run_id}/cases", { path, query: { q: "hit@1>0.5 laptop", sort: "-mrr" } });
  expect(cases).toMatchObject({ total: 1, items: [{ case_id: "laptop" }] });
  const compared = await client.get("/api/v1/compare", { query: { runs: ids.join(","), cases: false } });
  expect(compared).toMatchObject({ baseline: "client 3", summary: { "hit@1": { differences: { "client 1": { n: 3 } } } } });
});

test("a client cancels a run", async () => {
  const run_id = await start({ dataset: "slow.jsonl", target: "slow", config: { concurrency: 1 } });
  await follow(run_id, "case");
  expect(await client.post("/api/v1/runs/{run_id}/cancel", { path: { run_id } })).toMatchObject({ run_id });
  const [end, n] = await follow(run_id, "done");
  expect(end.state).toBe("cancelled");
  expect(n).toBeLessThan(end.total);
});

test("a request that fails says what the server says", async () => {
  const error = await client.get("/api/v1/runs/{run_id}", { path: { run_id: "no/such run" } }).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(AssayError);
  expect((error as Error).message).toMatch(/^GET \/api\/v1\/runs\/no%2Fsuch%20run: 404 .*no\/such run/);
  const [first] = (await client.get("/api/v1/runs")).items!;
  await expect(client.get("/api/v1/runs/{run_id}/cases", { path: { run_id: first!.run_id }, query: { q: "hit@1>" } })).rejects.toThrow(
    /query\.q/,
  );
});
