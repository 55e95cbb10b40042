import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";

import { AssayError, compare, evaluate, type EvaluateOptions, type Target } from "assay-eval";
import { beforeEach, expect, test } from "vitest";

import { questions } from "./questions.js";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "assay-test-"));
});

const on = (target: Target, more: Partial<EvaluateOptions> = {}) =>
  evaluate(target, { dataset: questions, metrics: ["hit@1", "exact_match"], retries: 0, cwd, ...more });

const found = { answer: "24", passages: [{ text: "24 days", document: "leave.md" }] };

test("a function is asked every question, and told what it may need", async () => {
  const asked: unknown[] = [];
  const report = await on(
    (question, { id, topK, metadata, signal }) => {
      asked.push([question, id, topK, metadata, signal.aborted]);
      return found;
    },
    { topK: 7, concurrency: 3 },
  );
  expect(asked).toHaveLength(3);
  expect(asked).toEqual(expect.arrayContaining(questions.map(({ question, id }) => [question, id, 7, {}, false])));
  expect(report.summary["hit@1"]).toMatchObject({ mean: 1 / 3, n: 3, title: "Hit@1" });
  expect(report.summary["exact_match"]!.mean).toBe(1 / 3);
  expect(report.cases.map(({ answer }) => answer)).toEqual(["24", "24", "24"]);
  expect(report).toMatchObject({ passed: true, exitCode: 0, failures: [], verdict: undefined, message: "" });
  expect(report.check()).toBe(report);
  expect(report.run.target.adapter).toBe("exec");
  expect(readdirSync(cwd)).toEqual(["results"]);
  expect(readdirSync(join(cwd, "results"))).toContain("assay.db");
});

async function* pieces(...all: unknown[]): AsyncGenerator<unknown> {
  yield* all;
}

function* returning(result: unknown, ...all: unknown[]): Generator<unknown> {
  yield* all;
  return result;
}

test.each<[string, unknown, string, number | null]>([
  ["text", "24", "24", null],
  ["a number", 24, "24", null],
  ["text later", Promise.resolve("24"), "24", null],
  ["a stream of text", pieces("2", "4"), "24", null],
  ["a stream of the text so far", pieces("2", "24", "24"), "24", null],
  ["a stream of events", pieces('data: {"token": "2"}\n\n', 'data: {"token": "4"}\n\n', "data: [DONE]\n\n"), "24", null],
  ["a stream of bytes", pieces(Buffer.from('{"delta": "2"}\n'), Buffer.from('{"delta": "4"}\n')), "24", null],
  ["a stream of equal lines", pieces('{"delta": "24"}\n', '{"delta": "24"}\n'), "2424", null],
  ["a generator", ["2", "4"].values(), "24", null],
  ["what a generator returns", returning("24", "Thinking"), "24", null],
  ["what a generator of events returns", returning(found, { step: "search" }), "24", 1],
  ["a generator that returns a count", returning(2, "2", "4"), "24", null],
  ["a result of the AI SDK without sources", { text: "24", sources: [], toolResults: [] }, "24", null],
  ["JSON", JSON.stringify(found), "24", 1],
  ["JSON of its own", '{"verdict": true}', '{"verdict": true}', null],
  ["bytes", Buffer.from("24"), "24", null],
  [
    "a response of the AI SDK in steps",
    new Response(
      ["start-step", "text-delta:Let me look.", "finish-step", "start-step", "text-delta:24", "finish-step", "finish"]
        .map((part) => part.split(":"))
        .map(([type, delta]) => `data: ${JSON.stringify({ type, delta })}\n\n`)
        .join(""),
    ),
    "24",
    null,
  ],
  ["a stream of objects so far", pieces({ answer: "2" }, { answer: "24", contexts: [{ text: "x", source: "leave.md" }] }), "24", 1],
  ["a stream of objects", pieces({ answer: "2" }, { answer: "4" }, { contexts: [{ text: "x", source: "leave.md" }] }), "24", 1],
  ["a stream of chunks", pieces(...["2", "4"].map((content) => ({ choices: [{ delta: { content } }] }))), "24", null],
  [
    "a stream of events of Anthropic",
    pieces({ type: "content_block_delta", delta: { type: "text_delta", text: "24" } }, { type: "message_stop" }),
    "24",
    null,
  ],
  ["a stream beside passages", { answer: pieces("2", "4"), passages: found.passages }, "24", 1],
  ["the content of a message", [{ type: "thinking", thinking: "25?" }, { type: "text", text: "24" }], "24", null],
  ["a chat completion as the answer", { answer: { choices: [{ message: { content: "24" } }] }, passages: found.passages }, "24", 1],
  ["passages alone", [{ text: "24 days", source: "leave.md" }], "", 1],
  ["passages beside their scores", { answer: "24", documents: [[{ text: "24 days", source: "leave.md" }, 0.5]] }, "24", 1],
  ["documents of LangChain beside their scores", [[{ pageContent: "24 days", metadata: { source: "leave.md" } }, 0.5]], "", 1],
  ["names of others", { result: "24", source_documents: [{ page_content: "24 days", metadata: { source: "leave.md" } }] }, "24", 1],
  ["a chat completion", { choices: [{ message: { role: "assistant", content: "24" } }] }, "24", null],
  ["numbers without JSON form", { answer: "24", n: 12n, when: new Date(0), of: new Map([["a", new Set([1])]]) }, "24", null],
  ["a line separator", "2\u20284", "2\u20284", null],
])("a result may be %s", async (_, result, answer, hit) => {
  const report = await on(() => result, { ids: "leave" });
  expect(report.cases[0]!.answer ?? "").toBe(answer);
  expect(report.summary["hit@1"]!.mean).toBe(hit);
});

test("a response of fetch is read, and its status", async () => {
  const report = await on(
    (_, { id }) => (id === "parking" ? new Response("no such index", { status: 404 }) : Response.json(found)),
    { ids: "leave,parking" },
  );
  expect(report.cases.map(({ answer }) => answer)).toEqual(["24", null]);
  expect(report.failures[0]).toContain('"status": 404, no such index');
});

test("what a target throws is the failure of its case", async () => {
  const report = await on((_, { id }) => {
    if (id === "laptop") throw new TypeError("no index", { cause: new Error("disk is full") });
    if (id === "parking") return undefined;
    return found;
  });
  expect(report.failures).toHaveLength(2);
  expect(report.failures[0]).toMatch(
    /laptop: Who replaces a broken laptop\? – exception: TypeError: no index: disk is full \(.*evaluate\.test\.ts:\d+/,
  );
  expect(String(report)).toContain("exec in the calling program function(text)");
  expect(report.failures[1]).toContain("the target returned undefined: expected an answer, passages, or an object of both");
});

test.each([new TypeError("expected a message"), new RangeError("no key"), Object.assign(new Error("bug"), { status: 400 })])(
  "an exception in the first case is not retried, and the next case gets text: %s",
  async (thrown) => {
    const asked: unknown[] = [];
    const report = await on(
      (question) => {
        asked.push(question);
        if (asked.length === 1) throw thrown;
        return found;
      },
      { retries: 3, concurrency: 1 },
    );
    expect(asked).toEqual(questions.map(({ question }) => question));
    expect(report.cases.map(({ status }) => status)).toEqual(["error", "ok", "ok"]);
  },
);

test("a promise within a result is the failure of its case", async () => {
  const report = await on(() => ({ answer: Promise.resolve("24") }), { ids: "leave" }).catch((error) => error);
  expect(String(report.message ?? report.failures[0])).toContain("the target returned a promise in answer: expected its value, as of await");
});

test.each<[string, unknown]>([
  ["alone", new RangeError("no index")],
  ["as the answer", { answer: new RangeError("no index"), contexts: ["24"] }],
  ["as the passages", { answer: "24", contexts: new RangeError("no index") }],
  ["in a list of passages", { answer: "24", contexts: [found.passages[0], new RangeError("no index")] }],
  ["as the output of a stage", { answer: "24", stages: [{ name: "retrieve", output: new RangeError("no index") }] }],
  ["in a settled promise", { answer: { status: "rejected", reason: new RangeError("no index") } }],
  ["as the text of a passage", { answer: "24", context: [{ pageContent: new RangeError("no index"), metadata: {} }] }],
  ["in a stream", pieces("2", new RangeError("no index"))],
])("an error %s is the failure of its case", async (_, result) => {
  await expect(on(() => result, { ids: "leave" })).rejects.toThrow(/RangeError: no index \(.*evaluate\.test\.ts:\d+/);
});

test("a function in place of a result is the failure of its case", async () => {
  for (const [place, result] of Object.entries({ "what it returned": () => "24", answer: { answer: "24".trim, contexts: ["24"] } }))
    await expect(on(() => result, { ids: "leave" })).rejects.toThrow(`the target returned a function in ${place}: expected its value, as of a call`);
});

test("an answer that is undefined is empty, and what stands beside an answer is left", async () => {
  const beside = { answer: "24", response: undefined, content: undefined, text: () => "25", debug: { shards: [new Error("down")] }, passages: found.passages };
  expect((await on(() => beside)).cases.map(({ answer }) => answer)).toEqual(["24", "24", "24"]);
  expect((await on(() => ({ answer: undefined, passages: found.passages }))).summary["exact_match"]!.n).toBe(3);
});

test("the message of a thrown object is that of the failure", async () => {
  await expect(on(() => Promise.reject({ code: 429, message: "Too many requests" }), { ids: "leave" })).rejects.toThrow('"leave": Too many requests');
});

test.each([
  [{ code: 429, message: "slow down" }, 2],
  [Object.assign(new Error("slow down"), { response: { status: 503 } }), 2],
  [new DOMException("slow", "TimeoutError"), 2],
  [{ code: 404, message: "none" }, 1],
  [{ status: 501, message: "none" }, 1],
])("an outage that is thrown is tried again: %j", async (error, asked) => {
  let n = 0;
  await on(() => Promise.reject((n++, error)), { ids: "leave", retries: 1 }).catch(() => undefined);
  expect(n).toBe(asked);
});

test("a passage without its text is the failure of its case", async () => {
  const result = { answer: "24", context: [{ pageContent: undefined, metadata: {} }] };
  await expect(on(() => result, { ids: "leave" })).rejects.toThrow("a passage whose pageContent is undefined: expected its text");
});

test("a circular result is the failure of its case", async () => {
  const loop: Record<string, unknown> = { answer: "24" };
  loop["self"] = loop;
  await expect(on(() => loop)).rejects.toThrow(/circular structure/);
});

test("a target that fails every case rejects, with the report", async () => {
  const error = (await on(() => Promise.reject(new Error("no key"))).catch((e: unknown) => e)) as AssayError;
  expect(error).toBeInstanceOf(AssayError);
  expect(error.exitCode).toBe(3);
  expect(error.message).toContain('the target failed all 3 cases; "leave": no key');
  expect(error.report!.failures).toHaveLength(3);
});

test("bad input rejects with the message of the program", async () => {
  await expect(on(() => "", { dataset: "nowhere.jsonl" })).rejects.toThrow(/nowhere\.jsonl: no such file/);
  await expect(on(() => "", { metrics: ["hitt@1"] })).rejects.toThrow(/hitt.*did you mean "?hit/);
  await expect(on(() => "", { topk: 3 } as never)).rejects.toThrow('there is no setting "topk": did you mean topK?');
  await expect(on(() => "", { nonsense: 3 } as never)).rejects.toThrow("assay doctor config --all lists the settings");
  await expect(on(() => "", { topK: {} as never })).resolves.toBeDefined();
  await expect(on(() => "", { topK: [{}] as never })).rejects.toThrow("topK: object is no value of a setting");
  await expect(on({} as never)).rejects.toThrow("the target is Object: expected a function, or an object with one of invoke, query");
});

test("errors name the row of the caller", async () => {
  const bad = on(() => "", { dataset: [{ question: "a?" }, { question: "" }] });
  await expect(bad).rejects.toThrow(/row 1 of the dataset/);
  await expect(bad).rejects.not.toThrow(/jsonl/);
});

test("a run on objects names them by their hash", async () => {
  const report = await on(() => found);
  expect(report.run.dataset.name).toMatch(/^rows-[0-9a-f]{12}$/);
});

test("each case has a thread of its own, or the report warns", async () => {
  const threads: unknown[] = [];
  const graph = (thread: string) => ({
    config: { configurable: { thread_id: thread, other: 1 } },
    invoke: async (_: unknown, config: { configurable: { thread_id: string; other: number } }) => {
      threads.push(config.configurable.thread_id);
      expect(config.configurable.other).toBe(1);
      return found;
    },
  });
  const own = await on(graph("{{case_id}}"));
  expect(new Set(threads).size).toBe(3);
  expect(threads.every((one) => /^(leave|laptop|parking)-[0-9a-f]{8}$/.test(String(one)))).toBe(true);
  expect(String(own)).not.toContain("thread_id");
  const fixed = String(await on(graph("fixed"))).replaceAll("\n ", "");
  expect(fixed).toContain('every case has the thread_id "fixed", so a case sees those before it: set it to "{{case_id}}"');
  const session = { config: { configurable: { sessionId: "fixed" } }, invoke: async () => found };
  expect(String(await on(session)).replaceAll("\n ", "")).toContain('every case has the sessionId "fixed"');
});

test("a chain with a memory is warned about", async () => {
  const chain = { memory: { loadMemoryVariables: () => ({}) }, invoke: async () => found };
  expect(String(await on(chain)).replaceAll("\n ", "")).toContain("the chain keeps a conversation (memory)");
});

test("a rule that is missed resolves, and check throws its sentence", async () => {
  const report = await on(() => found, { gate: ["hit@1 >= 0.9", "errors <= 0"], threshold: { exact_match: 0.2 } });
  expect(report).toMatchObject({ passed: false, exitCode: 1, verdict: "fail" });
  expect(report.failures).toEqual([
    expect.stringContaining("laptop: Who replaces a broken laptop? – none of the expected evidence is among the first 1, exact_match 0.000 misses 0.2"),
    expect.stringContaining("parking: Where may I park? – none of the expected evidence is among the first 1, exact_match 0.000 misses 0.2"),
    "hit@1 >= 0.9: 0.3333 misses 0.9",
  ]);
  expect(() => report.check()).toThrow(AssayError);
  expect(() => report.check()).toThrow(/hit@1 >= 0\.9: 0\.3333 misses 0\.9/);
});

test("a critical case that fails has exit code 2", async () => {
  const dataset = questions.map((one) => ({
    ...one,
    critical: one.id === "leave",
    ...(one.id === "leave" ? { ground_truth: "24 days" } : {}),
  }));
  const report = await on(() => "25 days", { dataset });
  expect(report.exitCode).toBe(2);
  expect(report.message).toContain("1 of 1 critical cases failed: first leave");
  expect(report.failures[0]).toContain("critical case: the answer is wrong");
});

test("the report is text, a page and a file", async () => {
  const report = await on(() => found);
  expect(String(report)).toContain("3 cases · exec in the calling program");
  expect(inspect(report)).toBe(String(report));
  expect(await report.html()).toMatch(/^<!doctype html>/i);
  await report.save(join(cwd, "report.html"));
  await report.save(join(cwd, "report.json"));
  expect(readFileSync(join(cwd, "report.html"), "utf8")).toBe(await report.html());
  expect(JSON.parse(readFileSync(join(cwd, "report.json"), "utf8"))).toEqual(report.data);
  await expect(report.save("report.pdf")).rejects.toThrow("report.pdf: expected a name that ends with .html or .json");
});

test("output keeps the files that it names", async () => {
  await on(() => found, { output: "out/eval" });
  expect(readdirSync(join(cwd, "out")).sort()).toEqual(["eval.html", "eval.json", "eval.md", "results.jsonl"]);
  await on(() => found, { output: "some/eval.json", formats: "csv, tests" });
  expect(readdirSync(join(cwd, "some")).sort()).toEqual(["eval.csv", "eval.json", "eval.tests.json", "results.jsonl"]);
});

test("a file and a configuration are read in the working directory", async () => {
  writeFileSync(join(cwd, "gold.csv"), "id,question,answer\na,Where?,here\n");
  writeFileSync(join(cwd, "mine.yaml"), "metrics: [exact_match]\nname: of the file\n");
  const report = await evaluate(() => "here", { dataset: "gold.csv", config: "mine.yaml", cwd });
  expect(report.run.name).toBe("of the file");
  expect(Object.keys(report.summary)).toEqual(["exact_match"]);
});

test("texts of any kind arrive whole", async () => {
  const question = '2\u20284 \u00e9\ud83d\ude00 "\\ 東京? '.repeat(5000);
  const report = await evaluate((asked) => asked, { dataset: [{ question, ground_truth: question }], metrics: ["exact_match"], cwd });
  expect(report.cases[0]).toMatchObject({ question, answer: question });
});

test("two runs at once do not meet", async () => {
  const [a, b] = await Promise.all([on(() => "24"), on(() => "the service desk")]);
  expect(a.cases[0]!.answer).toBe("24");
  expect(b.cases[0]!.answer).toBe("the service desk");
  expect(a.run.id).not.toBe(b.run.id);
});

test("an interrupted run is resumed with the same function alone", async () => {
  const stop = new AbortController();
  let n = 0;
  const first = async () => {
    if (++n === 2) {
      stop.abort(new Error("enough"));
      await new Promise((resolve) => setTimeout(resolve, 1000)); // the program hears of it before it asks on
    }
    return "24 days";
  };
  const own = { concurrency: 1, store: "resumed.db" };
  const ended = await on(first, { ...own, signal: stop.signal }).catch((error: Error) => error.message);
  const resume = /evaluate\(…, \{ resume: "(\S+)" \}\)/.exec(String(ended))![1]!;
  await expect(on(async () => "no", { ...own, resume })).rejects.toThrow(/it asked first\(text\), and the target is now/);
  expect((await on(first, { ...own, resume })).cases).toHaveLength(questions.length);
  expect((await on(first, { ...own, resume })).cases).toHaveLength(questions.length);
  await expect(on(first, { ...own, resume, dataset: questions.slice(1) })).rejects.toThrow(/^the rows differ from those that the run was started with\n/);
});

test("a signal ends the run, and the questions that are open", async () => {
  const stop = new AbortController();
  let told: AbortSignal | undefined;
  const running = on(
    (_, { id, signal }) => {
      if (id === "leave") return found;
      told = signal;
      stop.abort(new Error("enough"));
      // What fails because the run ends is no failure of the case.
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
    { signal: stop.signal },
  );
  const error = (await running.catch((e: unknown) => e)) as AssayError;
  expect(error.report?.cases.map(({ id }) => id)).toEqual(["leave"]);
  expect(error).toMatchObject({ exitCode: 130, cause: { message: "enough" } });
  expect(error.message).toContain("interrupted after 1 of 3 cases");
  expect(told!.aborted).toBe(true);
});

test("runs are compared case by case", async () => {
  const before = await on(() => "24", { name: "before" });
  const after = await on((question) => (question.includes("laptop") ? "the service desk" : "24"), { name: "after" });
  const comparison = await compare(before, after, { metrics: ["exact_match"] });
  const difference = comparison.summary["exact_match"]!.differences["after"]!;
  expect(difference).toMatchObject({ n: 3, wins: 1, losses: 0, shown: false });
  expect(comparison.sentences[0]).toContain("No difference in Exact match can be shown between before and after");
  expect(String(comparison)).toContain("exact_match");
  expect(comparison.html()).toMatch(/^<!doctype html>/i);
  const stored = await compare("before", after.run.id, { cwd, primary: "exact_match" });
  expect(stored.summary["exact_match"]!.differences["after"]!.diff).toBeCloseTo(1 / 3);
  await expect(compare("nothing", after, { cwd })).rejects.toThrow(/nothing/);
});

// A result of streamText makes a promise whenever its text is read, which fails with the model.
test("a getter of a result that is no response of fetch is not read", async () => {
  let reads = 0;
  class Result {
    get text(): Promise<string> {
      reads++;
      return Promise.reject(new Error("no output"));
    }
  }
  await on(() => new Result()).catch(() => undefined);
  expect(reads).toBe(0);
});
