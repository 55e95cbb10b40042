// Is checked and not run: what the types of the package allow, and what they refuse.
import { Client, evaluate, type Report } from "assay-eval";
import { evaluateCases } from "assay-eval/vitest";

export const report: Report = await evaluate((question) => question, {
  dataset: "gold.csv",
  metrics: ["hit@1"],
  timeout: "500ms",
  weight: { mrr: 2 },
});
export const mean: number | null | undefined = report.check().summary["hit@1"]?.mean;

// @ts-expect-error an unknown setting
await evaluate(() => "", { dataset: "gold.csv", topk: 3 });
// @ts-expect-error an unknown word
await evaluate(() => "", { dataset: "gold.csv", inconclusive: "maybe" });
// @ts-expect-error no dataset
await evaluate(() => "", {});
// @ts-expect-error no target
await evaluate({ ask: () => "" }, { dataset: "gold.csv" });
// @ts-expect-error a case without a question
await evaluate(() => "", { dataset: [{ id: "a" }] });
evaluateCases("a chain", { invoke: async (question: string) => question }, { dataset: "gold.csv", runTimeout: 1000 });

const client = new Client("http://127.0.0.1:8321");
export const state: string = (await client.get("/api/v1/runs/{run_id}", { path: { run_id: "a" } })).state;
await client.get("/api/v1/runs");
// @ts-expect-error a path without its parameter
await client.get("/api/v1/runs/{run_id}");
// @ts-expect-error an unknown path
await client.get("/api/v1/rums");
// @ts-expect-error a method that the path does not have
await client.patch("/api/v1/runs");
// @ts-expect-error an unknown member of a query
await client.get("/api/v1/runs", { query: { nam: "a" } });
