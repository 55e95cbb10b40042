import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { BaseRetriever } from "@langchain/core/retrievers";
import { Document } from "@langchain/core/documents";
import { AIMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda, RunnableParallel, RunnableSequence } from "@langchain/core/runnables";
import { FakeListChatModel, FakeStreamingLLM } from "@langchain/core/utils/testing";
import { Annotation, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { evaluate, type EvaluateOptions, type Target } from "assay-eval";
import { stages } from "assay-eval/langchain";
import { expect, test } from "vitest";

import { questions } from "./questions.js";
import { chain, documents, EchoModel, retriever, WordRetriever } from "./rag.js";

const cwd = mkdtempSync(join(tmpdir(), "assay-test-"));
const on = (target: Target, more: Partial<EvaluateOptions> = {}) =>
  evaluate(target, { dataset: questions, metrics: ["hit@1", "exact_match"], retries: 0, cwd, ...more });

/** The trace of the first case, without times. */
const trace = async (target: Target, more: Partial<EvaluateOptions> = {}) => {
  const [first] = (await on(target, { ids: "leave", ...more })).cases;
  return first!.trace?.stages.map(({ latency_ms, ...stage }) => ({ ...stage, timed: typeof latency_ms === "number" })) ?? [];
};

test("a chain reports what its retriever found and what its model said", async () => {
  const report = await on(chain);
  expect(report.summary["hit@1"]).toMatchObject({ mean: 2 / 3, n: 3 });
  const first = report.cases[0]!;
  expect(first.answer).toBe(documents["leave.md"]);
  expect(first.passages!.map(({ source, text }) => [source, text])).toEqual([
    ["leave.md", documents["leave.md"]],
    ["equipment.md", documents["equipment.md"]],
  ]);
  const [retrieve, generate] = first.trace!.stages;
  expect(retrieve).toMatchObject({ name: "retrieve", input: questions[0]!.question });
  expect(retrieve!.output).toHaveLength(2);
  expect(generate).toMatchObject({ name: "generate", model: "echo-1", output: documents["leave.md"], input_tokens: 30, output_tokens: 12 });
  expect(generate!.input).toContain(`Context: ${documents["leave.md"]}`);
  expect(generate!.latency_ms).toBeGreaterThan(0);
  expect(first).toMatchObject({ input_tokens: 30, output_tokens: 12 });
  // What the retriever did not find is lost there.
  expect(report.data.waterfall).toMatchObject({ cases: 3 });
  expect(report.data.waterfall!.stages.find(({ stage }) => stage === "retrieve")).toMatchObject({ lost: 1 });
});

test("the last call of a model generates, also if its reply is in the call of a tool", async () => {
  const called = RunnableSequence.from([
    chain.steps[0] as never,
    ChatPromptTemplate.fromTemplate("{context}"),
    new FakeListChatModel({ responses: [""] }),
    () => "24 days",
  ]);
  const [, generate] = await trace(called);
  expect(generate).toMatchObject({ name: "generate", input: expect.stringContaining(documents["leave.md"]!) });
});

test("what a chain found whose model failed is not what its fallback answered from", async () => {
  const fails = RunnableSequence.from([
    { context: new WordRetriever(3).pipe(() => ""), question: (question: string) => question },
    RunnableLambda.from(() => {
      throw new Error("the model is down");
    }),
  ]);
  const [first] = (await on(fails.withFallbacks([chain as never]), { ids: "leave" })).cases;
  expect(first!.trace!.stages.map(({ name }) => name)).toEqual(["retrieve", "generate"]);
  expect(first!.passages).toHaveLength(2);
});

test("concurrent questions keep their stages apart", async () => {
  const report = await on(chain, { concurrency: 3 });
  for (const one of report.cases) expect(one.trace!.stages[0]!.input).toBe(one.question);
});

test("many questions at once cause no warnings of listeners", async () => {
  const warnings: Error[] = [];
  const heard = (warning: Error): void => void warnings.push(warning);
  process.on("warning", heard);
  await on(chain, { dataset: Array.from({ length: 30 }, (_, i) => ({ ...questions[0]!, id: `q${i}` })), concurrency: 15 });
  process.off("warning", heard);
  expect(warnings).toEqual([]);
});

test("a retriever alone is scored on retrieval", async () => {
  const report = await on(new WordRetriever(1));
  expect(report.cases[0]!.passages!.map(({ source }) => source)).toEqual(["leave.md"]);
  expect(report.summary["hit@1"]!.mean).toBeCloseTo(2 / 3);
});

test("a function passes the callbacks on", async () => {
  expect(await trace((question, { callbacks }) => chain.invoke(question, { callbacks }))).toMatchObject([
    { name: "retrieve" },
    { name: "generate" },
  ]);
  // Stages of its own win.
  expect(
    await trace(async (question, { callbacks }) => ({
      answer: await chain.invoke(question, { callbacks }),
      stages: [{ name: "retrieve", output: ["mine"] }],
    })),
  ).toMatchObject([{ name: "retrieve", output: [{ text: "mine" }] }]);
});

test("a streamed chain reports its stages", async () => {
  expect(await trace((question, { callbacks }) => chain.stream(question, { callbacks }))).toMatchObject([
    { name: "retrieve" },
    { name: "generate" },
  ]);
  const llm = new FakeStreamingLLM({ responses: ["24"] });
  const [first] = (await on((question, { callbacks }) => llm.stream(question, { callbacks }), { ids: "leave" })).cases;
  expect(first).toMatchObject({ answer: "24", trace: { stages: [{ name: "generate", output: "24" }] } });
});

test("a prompt declares the name of its input", async () => {
  const prompted = ChatPromptTemplate.fromTemplate("Context: you asked {user_input}").pipe(new EchoModel({}));
  const [first] = (await on(prompted, { ids: "leave" })).cases;
  expect(first).toMatchObject({ answer: `you asked ${questions[0]!.question}`, input_tokens: 30 });
  const other = RunnableLambda.from(({ ticket }: { ticket: string }) => `about ${ticket}`);
  const [second] = (await on(other, { ids: "leave", input: (ticket) => ({ ticket }) })).cases;
  expect(second!.answer).toBe(`about ${questions[0]!.question}`);
});

test("a dict of an answer and documents, and the state of a graph, are read", async () => {
  const parallel = RunnableParallel.from({ answer: () => new AIMessage("24"), context: retriever });
  const [first] = (await on(parallel, { ids: "leave" })).cases;
  expect(first!.answer).toBe("24");
  expect(first!.passages).toHaveLength(2);
  const state = RunnableLambda.from((question: string) => ({ messages: [{ role: "user", content: question }, new AIMessage("24")] }));
  expect((await on(state, { ids: "leave" })).cases[0]!.answer).toBe("24");
});

/** Asks another retriever, and keeps the last document that it found. */
class LastOfCompressionRetriever extends BaseRetriever {
  lc_namespace = ["test"];
  static override lc_name(): string {
    return "LastOfCompressionRetriever";
  }
  override async _getRelevantDocuments(question: string, manager?: { getChild(): any }): Promise<Document[]> {
    return (await retriever.invoke(question, { callbacks: manager?.getChild() })).slice(-1);
  }
}

test("a retriever that compresses what another found is a stage of its own", async () => {
  expect(await trace(new LastOfCompressionRetriever())).toMatchObject([
    { name: "retrieve", output: [{ source: "leave.md" }, { source: "equipment.md" }] },
    { name: "filter", output: [{ source: "equipment.md" }] },
  ]);
});

/** The documents of the last of several searches, each with a score. */
const fuse = (lists: Document[][]): [Document, number][] => lists.at(-1)!.map((one, i) => [one, 1 / (i + 1)]);
const text = (pairs: [Document, number][]): string => pairs.map(([one]) => one.pageContent).join("\n");
const fusing = RunnableSequence.from([
  (question: string) => [question, "the canteen opens at noon"],
  RunnableLambda.from((queries: string[], config) => retriever.batch(queries, config)),
  fuse,
  text,
]);

test("a step that makes one list of those of several searches is a filter", async () => {
  const searches = [
    { name: "retrieve", output: [{ source: "leave.md" }, { source: "equipment.md" }] },
    { name: "retrieve", output: [{ source: "canteen.md" }, { source: "leave.md" }] },
  ];
  const kept = {
    name: "filter",
    output: [
      { source: "canteen.md", score: 1 },
      { source: "leave.md", score: 0.5 },
    ],
  };
  const [first] = (await on(fusing, { ids: "leave" })).cases;
  expect(first!.trace!.stages).toMatchObject([...searches, kept]);
  expect(first!.trace!.stages.at(-1)!.input).toHaveLength(4);
  expect(first!.passages!.map(({ source }) => source)).toEqual(["canteen.md", "leave.md"]);
  expect(await trace((question, { callbacks }) => fusing.stream(question, { callbacks }))).toMatchObject([...searches, kept]);
});

test("a node of a graph that keeps some of its documents is a filter", async () => {
  const State = Annotation.Root({
    question: Annotation<string>,
    found: Annotation<Document[]>,
    documents: Annotation<Document[]>,
    answer: Annotation<string>,
  });
  const graph = (field: "found" | "documents") =>
    new StateGraph(State)
      .addNode("find", async ({ question }) => ({ found: await retriever.invoke(question) }))
      .addNode("pass", ({ found }) => ({ found }))
      .addNode("grade", ({ found }) => ({ [field]: found.slice(1) }))
      .addNode("say", (state) => ({ answer: state[field][0]!.pageContent, documents: state.found }))
      .addEdge(START, "find")
      .addEdge("find", "pass")
      .addEdge("pass", "grade")
      .addEdge("grade", "say")
      .compile();
  for (const field of ["found", "documents"] as const) {
    expect(await trace(graph(field))).toMatchObject([{ name: "retrieve" }, { name: "filter", output: [{ source: "equipment.md" }] }]);
  }
});

test("a model call before the retrieval is not the answer", async () => {
  const rewriting = RunnableSequence.from([
    new FakeListChatModel({ responses: ["days of leave"] }),
    (said: AIMessage) => String(said.content),
    retriever,
  ]);
  const seen = await trace(rewriting);
  expect(seen.map(({ name }) => name)).toEqual(["model call FakeListChatModel", "retrieve"]);
  const [, retrieve] = seen;
  expect(retrieve!.input).toBe("days of leave");
});

test("a failing chain has the stages that ended, and no others", async () => {
  const heard = stages();
  const failing = RunnableSequence.from([
    retriever,
    () => {
      throw new Error("no");
    },
  ]);
  await expect(failing.invoke("leave", { callbacks: [heard] })).rejects.toThrow("no");
  expect(heard.stages().map(({ name }) => name)).toEqual(["retrieve"]);
});

test("a graph of messages and a graph with a question are targets", async () => {
  const model = new FakeListChatModel({ responses: ["24"] });
  const messages = new StateGraph(MessagesAnnotation)
    .addNode("find", async ({ messages }) => {
      await retriever.invoke(String(messages.at(-1)!.content));
      return {};
    })
    .addNode("say", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addEdge(START, "find")
    .addEdge("find", "say")
    .compile();
  const State = Annotation.Root({ question: Annotation<string>, context: Annotation<Document[]>, answer: Annotation<string> });
  const fields = new StateGraph(State)
    .addNode("find", async ({ question }) => ({ context: await retriever.invoke(question) }))
    .addNode("say", async ({ question }) => ({ answer: String((await model.invoke(question)).content) }))
    .addEdge(START, "find")
    .addEdge("find", "say")
    .compile();
  const stopped = new StateGraph(MessagesAnnotation)
    .addNode("say", () => ({ messages: [new AIMessage("24")] }))
    .addNode("check", () => ({}))
    .addEdge(START, "say")
    .addEdge("say", "check")
    .compile({ interruptBefore: ["check"] });
  await expect(on(stopped)).rejects.toThrow("the graph stopped at an interrupt");
  for (const graph of [messages, fields]) {
    const [first] = (await on(graph, { ids: "leave" })).cases;
    expect(first!.answer).toBe("24");
    expect(first!.passages!.map(({ source }) => source)).toEqual(["leave.md", "equipment.md"]);
    expect(first!.trace!.stages.map(({ name }) => name)).toEqual(["retrieve", "generate"]);
  }
});
