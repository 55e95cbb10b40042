import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Document, ObjectType, RetrieverQueryEngine, Settings, TextNode, BaseRetriever, type NodeWithScore, getResponseSynthesizer } from "llamaindex";
import { MockLLM } from "@llamaindex/core/llms/mock";
import { evaluate, type EvaluateOptions, type Target } from "assay-eval";
import { traced } from "assay-eval/llamaindex";
import { expect, test } from "vitest";

import { questions } from "./questions.js";
import { documents } from "./rag.js";

const cwd = mkdtempSync(join(tmpdir(), "assay-test-"));
const on = (target: Target, more: Partial<EvaluateOptions> = {}) =>
  evaluate(target, { dataset: questions, metrics: ["hit@1", "exact_match"], retries: 0, cwd, ...more });

/** Finds the documents that share most words with the question. */
class WordRetriever extends BaseRetriever {
  constructor() {
    super();
  }
  override async _retrieve({ query }: { query: unknown }): Promise<NodeWithScore[]> {
    const asked = new Set(String(query).toLowerCase().split(/\W+/));
    return Object.entries(documents).map(([name, text]) => {
      const node = new TextNode({ text, metadata: { file_name: name }, relationships: { SOURCE: { nodeId: name, metadata: {} } } as never });
      return { node, score: text.toLowerCase().split(/\W+/).filter((word) => asked.has(word)).length };
    }).sort((a, b) => b.score - a.score).slice(0, 2);
  }
}

Settings.llm = new MockLLM({ responseMessage: "24 days" });
const engine = new RetrieverQueryEngine(new WordRetriever(), getResponseSynthesizer("compact"));

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
  const reranked = new RetrieverQueryEngine(new WordRetriever(), getResponseSynthesizer("compact"), [
    { postprocessNodes: async (nodes: NodeWithScore[]) => nodes.slice(-1) },
  ]);
  const [first] = (await on(reranked, { ids: "leave" })).cases;
  expect(first!.trace!.stages.map(({ name }) => name)).toEqual(["retrieve", "filter", "generate"]);
  expect(first!.trace!.stages[1]).toMatchObject({ output: [{ document: "equipment.md" }] });
});

test("a retriever and a streaming engine are targets", async () => {
  const report = await on(new WordRetriever());
  expect(report.summary["hit@1"]!.mean).toBeCloseTo(2 / 3);
  const [first] = (await on(traced((question) => engine.query({ query: question, stream: true })), { ids: "leave" })).cases;
  expect(first!.answer).toBe("24 days");
  expect(first!.passages).toHaveLength(2);
});

test("a function that uses LlamaIndex is traced", async () => {
  const [first] = (await on(traced(async (question) => {
    const nodes = await new WordRetriever().retrieve(question);
    const said = await Settings.llm.chat({ messages: [{ role: "user", content: `${nodes.length} nodes, ${question}` }] });
    return { answer: said.message.content, contexts: nodes };
  }), { ids: "leave" })).cases;
  expect(first!.answer).toBe("24 days");
  expect(first!.passages).toHaveLength(2);
  expect(first!.trace!.stages[0]!.name).toBe("retrieve");
  expect(ObjectType.TEXT).toBeDefined();
  expect(new Document({ text: "x" }).id_).toBeDefined();
});
