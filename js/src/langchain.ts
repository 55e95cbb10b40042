// Hears what a chain of LangChain.js does, and tells it as stages.
import { isMessage, isPassage, readableValue, textOf, type Fields, type Stage } from "./reply.js";

/** One run of a retriever, a model or a tool. */
interface Run {
  kind: "retriever" | "model" | "tool" | "chain";
  name: string;
  parent: string | undefined;
  began: number;
  took?: number;
  input?: unknown;
  output?: unknown;
  model?: string | undefined;
  tokens?: Fields;
  /** The documents in the input of a chain, those of each field, and those that it made of them. */
  given?: unknown[];
  lists?: Record<string, unknown[]>;
  made?: unknown[] | undefined;
  failed?: boolean;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/i;

/** A callback handler of LangChain.js that hears the stages of one question. */
export interface LangChainStages {
  /** Events are handled before the chain goes on, so that none is missing at its end. */
  awaitHandlers: true;
  // The parameters are those of the handlers of @langchain/core, in the order of each version.
  handleChainStart(chain: any, inputs: any, runId: string, ...more: any[]): void;
  handleChainEnd(outputs: any, runId: string, parentRunId?: string, tags?: any, more?: any): void;
  handleChainError(error: any, runId: string): void;
  handleToolError(error: any, runId: string): void;
  handleRetrieverStart(retriever: any, query: any, runId: string, parentRunId?: string, tags?: any, metadata?: any, name?: string): void;
  handleRetrieverEnd(documents: any, runId: string): void;
  handleLLMStart(llm: any, prompts: any, runId: string, parentRunId?: string, extra?: any, tags?: any, metadata?: any, name?: string): void;
  handleChatModelStart(
    llm: any,
    messages: any,
    runId: string,
    parentRunId?: string,
    extra?: any,
    tags?: any,
    metadata?: any,
    name?: string,
  ): void;
  handleLLMEnd(output: any, runId: string): void;
  handleToolStart(tool: any, input: any, runId: string, parentRunId?: string, tags?: any, metadata?: any, name?: string): void;
  handleToolEnd(output: any, runId: string): void;
  /** The stages so far, in the order in which they began. The call whose reply is the answer is the generator. */
  stages(answer?: string): Stage[];
}

/**
 * Returns a callback handler that hears one question: `chain.invoke(input, { callbacks: [handler] })`. `evaluate` gives
 * each question one, so it is needed only by a program that makes its reply itself.
 */
export function stages(): LangChainStages {
  // Runs are in the order in which they began, so that parallel ones do not change places from question to question.
  const runs = new Map<string, Run>();
  const begin = (runId: string, run: Omit<Run, "began">): void => {
    runs.set(runId, { ...run, began: performance.now() });
  };
  const end = (runId: string, more: Partial<Run>): void => {
    const run = runs.get(runId);
    if (run) Object.assign(run, more, { took: performance.now() - run.began });
  };
  const above = (run: Run): Run[] => {
    const out: Run[] = [];
    let next = runs.get(run.parent ?? "");
    while (next && !out.includes(next)) {
      out.push(next);
      next = runs.get(next.parent ?? "");
    }
    return out;
  };
  const within = (run: Run, kind: Run["kind"]): boolean => above(run).some((other) => other.kind === kind);
  // Graphs raise errors of their own to continue elsewhere.
  const fail = (error: Fields | undefined, runId: string): void => {
    const run = runs.get(runId);
    if (run) run.failed = error?.["is_bubble_up"] !== true;
  };
  const model = (runId: string, input: string, llm: Fields, parent?: string, extra?: Fields, metadata?: Fields, name?: string): void => {
    const settings = extra?.["invocation_params"] as Fields | undefined;
    const named = metadata?.["ls_model_name"] ?? settings?.["model"] ?? settings?.["model_name"];
    begin(runId, { kind: "model", name: name ?? nameOf(llm), parent, input, model: typeof named === "string" ? named : undefined });
  };

  return {
    awaitHandlers: true,
    handleChainStart(chain, inputs, runId, ...more) {
      // The parent is the fourth parameter of @langchain/core 0.3, and the eighth of 1.0.
      const parent = [more[0], more[4]].find((id) => typeof id === "string" && UUID.test(id)) as string | undefined;
      begin(runId, { kind: "chain", name: nameOf(chain), parent, ...received(inputs) });
    },
    handleChainEnd(outputs, runId, _parent, _tags, more) {
      const run = runs.get(runId);
      if (run && more?.inputs) Object.assign(run, received(more.inputs)); // of a stream
      end(runId, run?.given ? { made: madeOf(run, outputs ?? {}) } : {});
    },
    handleChainError: fail,
    handleToolError: fail,
    handleRetrieverStart(retriever, query, runId, parent, _tags, _metadata, name) {
      begin(runId, { kind: "retriever", name: name ?? nameOf(retriever), parent, input: query });
    },
    handleRetrieverEnd(documents, runId) {
      end(runId, { output: readableValue(documents) });
    },
    handleLLMStart(llm, prompts, runId, parent, extra, _tags, metadata, name) {
      model(runId, prompts.join("\n\n"), llm, parent, extra, metadata, name);
    },
    handleChatModelStart(llm, messages, runId, parent, extra, _tags, metadata, name) {
      model(runId, messages.flat().map(textOf).join("\n\n"), llm, parent, extra, metadata, name);
    },
    handleLLMEnd(output, runId) {
      const first = output.generations?.[0]?.[0];
      const response = first?.message?.response_metadata;
      const named = response?.model_name ?? response?.model;
      end(runId, {
        output: first?.text || textOf(first?.message),
        tokens: tokensOf(first?.message?.usage_metadata ?? output.llmOutput?.tokenUsage),
        ...(typeof named === "string" ? { model: named } : {}),
      });
    },
    handleToolStart(tool, input, runId, parent, _tags, _metadata, name) {
      begin(runId, { kind: "tool", name: name ?? nameOf(tool), parent, input });
    },
    handleToolEnd(output, runId) {
      end(runId, { output: textOf(output) || undefined });
    },
    stages(answer = "") {
      let ended = [...runs.values()].filter((run) => run.took !== undefined);
      // What a failed chain found is none if another searched in its place.
      const lasting = ended.filter((run) => !above(run).some((other) => other.failed));
      if (lasting.some((run) => run.kind === "retriever")) ended = ended.filter((run) => run.kind === "model" || lasting.includes(run));
      const found = ended.filter((run) => run.kind === "retriever" && !within(run, "retriever"));
      const asked = ended.filter((run) => run.kind === "model" && !within(run, "retriever"));
      // Of the calls after the last retrieval, the reply of the generator is the answer, or most of it.
      let answering: Run | undefined;
      let last: Run | undefined;
      let most = [1, 0]; // without such a reply it is the last call: the answer was in the call of a tool, was changed afterwards, or is empty
      for (const run of asked) {
        const said = String(run.output ?? "");
        const same = answer.includes(said) || said.includes(answer) ? Math.min(said.length, answer.length) : 0;
        const better = same > most[0]! || (same === most[0] && -said.length >= most[1]!);
        if (!found.every((other) => other.began < run.began)) continue;
        last = run;
        if (better) [answering, most] = [run, [same, -said.length]];
      }
      answering ??= last;
      const filters = merged(
        ended.filter((run) => {
          const searches = ended.some((other) => other.kind === "retriever" && above(other).includes(run));
          return run.made && !searches && !within(run, "retriever") && !sameDocuments(run.given!, run.made);
        }),
        above,
      );
      const out: Stage[] = [];
      for (const run of ended) {
        const filter = filters.get(run);
        if (filter) out.push(filter);
        else if (found.includes(run)) {
          const inner = ended.filter(
            (other) => other.kind === "retriever" && above(other).find(({ kind }) => kind === "retriever") === run,
          );
          out.push(...retrieved(run, inner));
        } else if (run.kind === "model") {
          out.push(run === answering ? spoken("generate", run) : { ...spoken(`model call ${run.name}`, run), note: "not the answer" });
        } else if (run.kind === "tool") {
          // A tool may be named like a stage, but its output is text.
          out.push({ name: `tool ${run.name}`, input: run.input, output: run.output, latency_ms: run.took! });
        }
      }
      return out;
    },
  };
}

/** Returns the documents of a list of them, of pairs with a score or of such lists, or of the lists of an object, if it has any and nothing else. */
function documentsIn(value: unknown): unknown[] | undefined {
  if (!Array.isArray(value)) {
    const lists = typeof value === "object" && value !== null ? Object.values(value).filter(Array.isArray) : [];
    const all = lists.flatMap((list) => documentsIn(list) ?? []);
    return all.length > 0 ? all : undefined;
  }
  const isOne = (one: unknown): boolean => typeof one === "object" && one !== null && isPassage(one);
  const parts = value.map((one) => {
    if (isOne(one) || (Array.isArray(one) && one.length === 2 && isOne(one[0]) && typeof one[1] === "number")) return [one];
    return Array.isArray(one) ? (one.length > 0 ? documentsIn(one) : []) : undefined;
  });
  const all = parts.flatMap((part) => part ?? []);
  return all.length > 0 && parts.every(Boolean) ? all : undefined;
}

/** Returns what a chain knows of the documents in its input: all, and those of each field. */
function received(inputs: unknown): Pick<Run, "given" | "lists"> {
  const given = documentsIn(inputs);
  if (!given) return {};
  const lists = Object.entries(inputs as Fields).flatMap(([name, value]) => {
    const documents = Array.isArray(value) ? documentsIn(value) : undefined;
    return documents ? [[name, documents] as const] : [];
  });
  return { given, lists: Object.fromEntries(lists) };
}

/**
 * Returns the documents that a chain made of those in its input. A node of a graph that passes them on makes none; in a new
 * field they count if it is the only one, and the node says nothing beside them.
 */
function madeOf(run: Run, outputs: Fields | unknown[]): unknown[] | undefined {
  // What is no object is under this name, but not in a stream.
  const only = Array.isArray(outputs) ? outputs : Object.keys(outputs).length === 1 ? outputs["output"] : undefined;
  if (Array.isArray(only)) return only.length > 0 ? documentsIn(only) : [];
  const own: unknown[][] = [];
  const others: unknown[][] = [];
  for (const [name, value] of Object.entries(outputs)) {
    const made = Array.isArray(value) ? (value.length > 0 ? documentsIn(value) : []) : undefined;
    const from = new Set(run.given!.map(keyOf));
    if (!made?.every((one) => from.has(keyOf(one))) || [run.given!, ...Object.values(run.lists!)].some((list) => sameDocuments(list, made)))
      continue;
    if (run.lists![name]) own.push(made);
    else if (made.length > 0) others.push(made);
  }
  const says = Object.values(outputs).some((value) => typeof value === "string" || isMessage(Array.isArray(value) ? value.at(-1) : value));
  const whole = own.find((made) => made.length > 0);
  return !whole && others.length === 1 && !says ? others[0] : (whole ?? own[0]);
}

/** Returns the stage of each filter, the outermost alone. Of filters that follow each other the last is the stage. */
function merged(filters: Run[], above: (run: Run) => Run[]): Map<Run, Stage> {
  const out = new Map<Run, Stage>();
  const input = new Map<Run, unknown[]>();
  const end = (run: Run): number => run.began + run.took!;
  for (const run of filters.sort((a, b) => end(a) - end(b))) {
    if (filters.some((other) => above(run).includes(other))) continue;
    const from = new Set(run.given!.map(keyOf));
    const before = [...out.keys()].find((other) => other.made!.some((one) => from.has(keyOf(one))));
    input.set(run, input.get(before!) ?? run.given!);
    if (before) out.delete(before);
    out.set(run, { name: "filter", input: input.get(run)!.map(scored), output: run.made!.map(scored), latency_ms: run.took! });
  }
  return out;
}

/** Returns a document, or a pair of one and its score, as a plain object. */
function scored(one: unknown): Fields {
  const [document, score] = Array.isArray(one) ? (one as unknown[]) : [one];
  return { ...(readableValue(document) as Fields), ...(score === undefined ? {} : { score }) };
}

function keyOf(one: unknown): string {
  const { id, text, metadata } = scored(one) as { id?: unknown; text?: unknown; metadata?: Fields };
  return JSON.stringify([id ?? metadata?.["id"], metadata?.["source"], text]);
}

function sameDocuments(some: unknown[], others: unknown[]): boolean {
  return some.length === others.length && some.every((one, i) => keyOf(one) === keyOf(others[i]));
}

/** Returns the stages of a retriever. One that compresses what another found is a stage of its own. */
function retrieved(run: Run, inner: Run[]): Stage[] {
  const whole: Stage = { name: "retrieve", input: run.input, output: run.output, latency_ms: run.took! };
  if (!/compress|rerank/i.test(run.name) || inner.length !== 1) return [whole];
  const first = inner[0]!;
  return [
    { name: "retrieve", input: first.input, output: first.output, latency_ms: first.took! },
    { name: "filter", output: run.output, latency_ms: run.took! - first.took! },
  ];
}

function spoken(name: string, run: Run): Stage {
  return { name, input: run.input, output: run.output, latency_ms: run.took!, ...(run.model ? { model: run.model } : {}), ...run.tokens };
}

function nameOf(serialized: Fields | undefined): string {
  const id = serialized?.["id"];
  return Array.isArray(id) && id.length > 0 ? String(id.at(-1)) : "unnamed";
}

/** Returns the tokens of a model call under the names of stages. */
export function tokensOf(usage: Fields | undefined | null): Fields {
  const count = (...names: string[]): number | undefined =>
    names.map((name) => usage?.[name]).find((n): n is number => typeof n === "number");
  const input = count("input_tokens", "prompt_tokens", "promptTokens", "inputTokens");
  const output = count("output_tokens", "completion_tokens", "completionTokens", "outputTokens");
  return { ...(input === undefined ? {} : { input_tokens: input }), ...(output === undefined ? {} : { output_tokens: output }) };
}
