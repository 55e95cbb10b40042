// Uses a server by way of the types that were generated into client.d.ts: it lists,
// filters, compares, starts, follows and cancels.
import createClient from "openapi-fetch";
import type { components, paths } from "./client.js";

const client = createClient<paths>({ baseUrl: process.argv[2] });

function want(ok: boolean, said: unknown): asserts ok {
  if (!ok) throw new Error(JSON.stringify(said));
}

async function start(body: components["schemas"]["RunRequest"]): Promise<string> {
  const { data, error } = await client.POST("/api/v1/runs", { body });
  want(data !== undefined, error);
  return data.run_id;
}

// follow reads the events of a run until one with a name; it returns its data and the
// number of cases.
async function follow(run: string, until: string): Promise<[{ state: string; total: number }, number]> {
  const { data } = await client.GET("/api/v1/runs/{run_id}/events", {
    params: { path: { run_id: run } },
    parseAs: "stream",
  });
  want(data instanceof ReadableStream, data);
  const text = new TextDecoder();
  let rest = "";
  let name = "";
  let cases = 0;
  for await (const part of data as ReadableStream<Uint8Array>) {
    const lines = (rest + text.decode(part, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("event: ")) {
        name = line.slice("event: ".length);
        if (name === "case") cases++;
      }
      if (line.startsWith("data: ") && name === until) return [JSON.parse(line.slice("data: ".length)), cases];
    }
  }
  throw new Error(`run ${run}: its events end before ${until}`);
}

const ids: string[] = [];
for (const [i, k] of [3, 1].entries()) {
  const run = await start({ name: `typescript ${i}`, dataset: "rivers.jsonl", config: { "top-k": k } });
  const [end, cases] = await follow(run, "done");
  want(end.state === "finished" && cases === 3, [end, cases]);
  ids.push(run);
}

const runs = await client.GET("/api/v1/runs", { params: { query: { name: "typescript 1" } } });
want(runs.data?.total === 1 && runs.data.items[0].run_id === ids[1], runs);
const path = { run_id: ids[0] };
const cases = await client.GET("/api/v1/runs/{run_id}/cases", { params: { path, query: { q: "hit@1>0.5 Rome", sort: "-mrr" } } });
want(cases.data?.total === 1 && cases.data.items[0].case_id === "tc_3", cases);
const wrong = await client.GET("/api/v1/runs/{run_id}/cases", { params: { path, query: { q: "hit@1>" } } });
want(wrong.error?.errors?.[0].location === "query.q", wrong);

const both = ids.join(",");
const compared = await client.GET("/api/v1/comparisons", { params: { query: { runs: both } } });
want(compared.data?.baseline_id === ids[0] && compared.data.metrics.length === 2, compared);
want(compared.data.metrics[0].differences[0].n === 3, compared);
const pairs = await client.GET("/api/v1/comparisons/cases", { params: { query: { runs: both, class: "both_right" } } });
want(pairs.data?.total === 3 && pairs.data.items[0].cells.length === 2, pairs);

const slow = await start({ dataset: "slow.jsonl", target: "slow", config: { concurrency: 1 } });
await follow(slow, "case");
const cancelled = await client.POST("/api/v1/runs/{run_id}/cancel", { params: { path: { run_id: slow } } });
want(cancelled.data?.run_id === slow, cancelled);
const [end, n] = await follow(slow, "done");
want(end.state === "cancelled" && n > 0 && n < end.total, [end, n]);
