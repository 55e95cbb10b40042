import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { getResponseSynthesizer, RetrieverQueryEngine, Settings, type NodeWithScore } from "llamaindex";
import { evaluate, type EvaluateOptions, type Target } from "assay-eval";
import { traced } from "assay-eval/llamaindex";
import { expect, test } from "vitest";

import { engine, NodeRetriever } from "./engine.js";
import { questions } from "./questions.js";
import { documents } from "./rag.js";

const cwd = mkdtempSync(join(tmpdir(), "assay-test-"));
const on = (target: Target, more: Partial<EvaluateOptions> = {}) =>
  evaluate(target, { dataset: questions, metrics: ["hit@1", "exact_match"], retries: 0, cwd, ...more });

test("an engine reports what it retrieved and what it answered", async () => {
  const report = await on(engine, { concurrency: 3 });
  expect(report.summary["hit@1"]!.mean).toBeCloseTo(2 / 3);
  const first = report.cases[0]!;
  expect(first.answer).toBe("24 days");
  expect(first.passages![0]).toMatchObject({ text: documents["leave.md"], document: "leave.md", source: "leave.md" });
  for (const one of report.cases) {
    expect(one.trace!.stages.map(({ name }) => name)).toEqual(["retrieve", "generate"]);
    expect(one.trace!.stages[0]!.input).toBe(one.question);
  }
  expect(first.trace!.stages[1]).toMatchObject({ output: "24 days", input: [{ document: "leave.md" }, { document: "equipment.md" }] });
});

test("a postprocessor is a stage", async () => {
  const reranked = new RetrieverQueryEngine(new NodeRetriever(), getResponseSynthesizer("compact"), [
    { postprocessNodes: async (nodes: NodeWithScore[]) => nodes.slice(-1) },
  ]);
  const [first] = (await on(reranked, { ids: "leave" })).cases;
  expect(first!.trace!.stages.map(({ name }) => name)).toEqual(["retrieve", "filter", "generate"]);
  expect(first!.trace!.stages[1]).toMatchObject({ output: [{ document: "equipment.md" }] });
});

test("a retriever and a streaming engine are targets", async () => {
  const report = await on(new NodeRetriever());
  expect(report.summary["hit@1"]!.mean).toBeCloseTo(2 / 3);
  const [first] = (
    await on(
      traced((question) => engine.query({ query: question, stream: true })),
      { ids: "leave" },
    )
  ).cases;
  expect(first!.answer).toBe("24 days");
  expect(first!.passages).toHaveLength(2);
});

test("a function that uses LlamaIndex is traced", async () => {
  const [first] = (
    await on(
      traced(async (question) => {
        const nodes = await new NodeRetriever().retrieve(question);
        const said = await Settings.llm.chat({ messages: [{ role: "user", content: `${nodes.length} nodes, ${question}` }] });
        return { answer: said.message.content, contexts: nodes };
      }),
      { ids: "leave" },
    )
  ).cases;
  expect(first!.answer).toBe("24 days");
  expect(first!.passages).toHaveLength(2);
  expect(first!.trace!.stages[0]!.name).toBe("retrieve");
});
