import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MockLLM } from "@llamaindex/core/llms/mock";
import { getResponseSynthesizer, QueryEngineTool, RetrieverQueryEngine, SubQuestionQueryEngine, Settings, type NodeWithScore } from "llamaindex";
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

/** A model whose calls are events, as those of providers are. */
class HeardLLM extends MockLLM {
  override async complete(params: any): Promise<any> {
    const id = randomUUID();
    Settings.callbackManager.dispatchEvent("llm-start", { id, messages: [{ role: "user", content: params.prompt }] });
    const message = { role: "assistant", content: "24 days" } as const;
    Settings.callbackManager.dispatchEvent("llm-end", { id, response: { raw: null, message } });
    return { text: message.content, raw: null };
  }
}

/** Asks an engine with these postprocessors the question as its sub-question. */
function subQuestions(...postprocessors: { postprocessNodes(nodes: NodeWithScore[]): Promise<NodeWithScore[]> }[]): SubQuestionQueryEngine {
  const responseSynthesizer = getResponseSynthesizer("compact", { llm: new HeardLLM() });
  const queryEngine = new RetrieverQueryEngine(new NodeRetriever(), responseSynthesizer, postprocessors);
  return SubQuestionQueryEngine.fromDefaults({
    responseSynthesizer,
    queryEngineTools: [new QueryEngineTool({ queryEngine, metadata: { name: "staff", description: "the staff" } })],
    questionGen: { generate: async (_tools: unknown, query: any) => [{ subQuestion: String(query.query ?? query), toolName: "staff" }] } as never,
  });
}

test("a postprocessor of the engine of a sub-question is a stage", async () => {
  const [first] = (await on(subQuestions({ postprocessNodes: async (nodes) => nodes.slice(-1) }), { ids: "leave" })).cases;
  expect(first!.passages!.map(({ source }) => source)).toEqual(["equipment.md"]);
  expect(first!.trace!.stages.map(({ name }) => name)).toEqual(["retrieve", "model call", "filter", "generate"]);
});

test("the answers to sub-questions are no passages", async () => {
  const engines = subQuestions();
  const [first] = (await on(engines, { ids: "leave" })).cases;
  expect(first!.answer).toBe("24 days");
  expect(first!.passages!.map(({ source }) => source)).toEqual(["leave.md", "equipment.md"]);
  const stages = first!.trace!.stages;
  expect(stages.map(({ name }) => name)).toEqual(["retrieve", "model call", "generate"]);
  expect(stages[1]!.input).toContain(documents["leave.md"]);
  expect(stages[2]!.input).toContain("Sub question: ");
  expect(first!.attribution!.facts).toMatchObject([{ left: "whole" }]);
});

test("the passages of a response without nodes are those that were retrieved", async () => {
  const ask = async (question: string) => {
    await new NodeRetriever().retrieve({ query: question });
    return { response: "24 days", sourceNodes: [] };
  };
  const report = await on(traced(ask));
  expect(report.summary["hit@1"]!.mean).toBeCloseTo(2 / 3);
  const nothing = await on(traced(() => Promise.resolve({ response: "24 days", sourceNodes: [] })));
  expect(nothing.summary["hit@1"]!.mean).toBe(0);
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
