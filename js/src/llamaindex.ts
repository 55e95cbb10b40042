// Hears what an engine of LlamaIndex.TS does, and tells it as stages.
import { tokensOf } from "./langchain.js";
import { readableValue, Reported, textOf, type Fields, type Stage } from "./reply.js";
import type { AnswerFunction, Asked, LlamaIndexLike } from "./asked.js";

/** The part of @llamaindex/core/global that is used. */
interface Global {
  CallbackManager: new () => { on(event: any, handler: (event: any) => void): unknown };
  Settings: { withCallbackManager(manager: any, ask: () => unknown): unknown };
}

/**
 * Returns a function that asks an engine, a retriever, an index or a function of yours that uses them, and reports the
 * stages. `evaluate` does this by itself for objects of LlamaIndex; a function needs it.
 */
export function traced(target: LlamaIndexLike | AnswerFunction): (question: string, asked: Asked) => Promise<Reported> {
  const ask = typeof target === "function" ? target : engine(target);
  return async (question, asked) => {
    const { CallbackManager, Settings } = await loaded();
    const heard = new Listener();
    const manager = new CallbackManager();
    for (const event of ["query", "retrieve", "synthesize", "llm"]) {
      manager.on(`${event}-start`, ({ detail }) => heard.begin(event, detail));
      manager.on(`${event}-end`, ({ detail }) => heard.end(detail));
    }
    // Events are dispatched in microtasks.
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    const result = await Settings.withCallbackManager(manager, () => ask(question, asked));
    await settled();
    const response = result as { sourceNodes?: unknown } | null | undefined;
    if (Array.isArray(response?.sourceNodes)) {
      const found = heard.withoutAnswers(response.sourceNodes);
      // Without nodes, as of a custom engine that returns a text, what was retrieved counts.
      response.sourceNodes = found.length > 0 || (response.sourceNodes.length === 0 && !heard.retrieved()) ? found : undefined;
    }
    return new Reported(result, async () => {
      await settled();
      return heard.stages();
    });
  };
}

/** Returns LlamaIndex as the program of the user has it. */
async function loaded(): Promise<Global> {
  const names = ["@llamaindex/core/global", "llamaindex"];
  for (const name of names) {
    try {
      return (await import(name)) as Global;
    } catch (error) {
      if ((error as { code?: string }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    }
  }
  throw new Error(`stages of LlamaIndex need one of the packages ${names.join(", ")}`);
}

function engine(target: LlamaIndexLike): AnswerFunction {
  const has = target as unknown as Record<string, ((params?: any) => any) | undefined>;
  if (has["query"]) return (question) => has["query"]!({ query: question });
  if (has["asQueryEngine"]) return (question, { topK }) => has["asQueryEngine"]!({ similarityTopK: topK }).query({ query: question });
  if (has["chat"]) return (question) => has["chat"]!({ message: question, chatHistory: [] });
  return (question) => has["retrieve"]!({ query: question });
}

interface Heard {
  event: string;
  began: number;
  took?: number;
  detail: Fields;
}

/** Keeps the events of one question. */
class Listener {
  readonly #heard = new Map<string, Heard>();

  begin(event: string, detail: Fields): void {
    this.#heard.set(String(detail["id"]), { event, began: performance.now(), detail });
  }

  end(detail: Fields): void {
    const one = this.#heard.get(String(detail["id"]));
    if (one) Object.assign(one, { took: performance.now() - one.began, detail: { ...one.detail, ...detail } });
  }

  /** Returns nodes without those that no retriever returned and that have the answer of an engine within another, as to a sub-question. */
  withoutAnswers(nodes: unknown[]): unknown[] {
    const ended = [...this.#heard.values()].filter((one) => one.took !== undefined);
    const queries = ended.filter(({ event }) => event === "query");
    const inner = queries
      .filter((one) => queries.some((other) => other !== one && within(one, other)))
      .map(({ detail }) => String((detail["response"] as Fields | undefined)?.["response"] ?? ""))
      .filter((said) => said.trim() !== "")
      .flatMap((said) => [said, JSON.stringify(said).slice(1, -1)]);
    const found = ids(ended.filter(({ event }) => event === "retrieve").flatMap(({ detail }) => detail["nodes"] as unknown[]));
    return nodes.filter((node) => {
      const text = String((readableValue(node) as Fields)["text"] ?? "");
      return found.includes(ids([node])[0]) || !inner.some((said) => text.includes(said));
    });
  }

  retrieved(): boolean {
    return [...this.#heard.values()].some(({ event, took }) => event === "retrieve" && took !== undefined);
  }

  stages(): Stage[] {
    const ended = [...this.#heard.values()].filter((one) => one.took !== undefined);
    const synthesis = ended.findLast(({ event }) => event === "synthesize");
    const found = ended.filter(({ event }) => event === "retrieve");
    const calls = ended.filter(({ event }) => event === "llm");
    // Without a synthesizer the answer is that of the last model call, unless something was retrieved with what it said.
    const last = calls.at(-1);
    const answering = !synthesis && last && found.every(({ began }) => began < last.began) ? last : undefined;
    const out: Stage[] = [];
    for (const one of ended) {
      if (one.event === "retrieve") {
        const query = one.detail["query"] as Fields | undefined;
        out.push({ name: "retrieve", input: textOf(query?.["query"]), output: readableValue(one.detail["nodes"]), latency_ms: one.took! });
      } else if (one === synthesis) {
        const inner = ended.filter(({ event }) => event === "synthesize").slice(0, -1);
        out.push(...this.#synthesized(one, inner, found, calls));
      } else if (one.event === "llm" && !(synthesis && within(one, synthesis))) {
        const response = one.detail["response"] as Fields | undefined;
        out.push({
          name: one === answering ? "generate" : "model call",
          input: promptOf(one),
          output: textOf(response?.["message"]),
          latency_ms: one.took!,
          ...used([one]),
          ...(one === answering ? {} : { note: "not the answer" }),
        });
      }
    }
    return out;
  }

  /** Returns the stages of a synthesis: what postprocessors kept of the retrieved nodes, if it differs, and the answer. */
  #synthesized(one: Heard, inner: Heard[], found: Heard[], calls: Heard[]): Stage[] {
    const nodesOf = ({ detail }: Heard): unknown[] | undefined => (detail["query"] as Fields | undefined)?.["nodes"] as unknown[] | undefined;
    const given = nodesOf(one);
    const before = found.flatMap(({ detail }) => detail["nodes"] as unknown[]);
    const inside = calls.filter((call) => within(call, one));
    const answers = given && given.length > 0 && this.withoutAnswers(given).length === 0;
    const out: Stage[] = [];
    // Engines within it have answered from what their own postprocessors kept.
    const kept = answers ? inner.flatMap((other) => nodesOf(other) ?? []) : given;
    const dropped = answers ? inner.length === found.length && kept!.length < before.length : found.length > 0;
    if (kept && dropped && ids(kept).join("\n") !== ids(before).join("\n")) {
      out.push({ name: "filter", output: readableValue(kept) });
    }
    const response = one.detail["response"] as Fields | undefined;
    out.push({
      name: "generate",
      input: answers ? inside.map(promptOf).join("\n\n") || undefined : readableValue(given),
      output: response && typeof response["response"] === "string" ? response["response"] : undefined,
      latency_ms: one.took!,
      ...used(inside),
    });
    return out;
  }
}

/** Returns the prompt of a model call. */
function promptOf({ detail }: Heard): string | undefined {
  return (detail["messages"] as unknown[] | undefined)?.map(textOf).join("\n\n");
}

function within(one: Heard, other: Heard): boolean {
  return one.began >= other.began && one.began + one.took! <= other.began + other.took!;
}

function ids(nodes: unknown[]): unknown[] {
  return nodes.map((node) => ((node as Fields)["node"] as Fields | undefined)?.["id_"]);
}

/** Returns the model and the tokens of model calls. */
function used(calls: Heard[]): Partial<Stage> {
  let model: string | undefined;
  const sum: Record<string, number> = {};
  for (const { detail } of calls) {
    const raw = (detail["response"] as Fields | undefined)?.["raw"] as Fields | Fields[] | null | undefined;
    for (const part of Array.isArray(raw) ? raw.map((chunk) => (chunk["raw"] ?? chunk) as Fields) : [raw]) {
      if (typeof part?.["model"] === "string") model = part["model"];
      const usage = tokensOf((part?.["usage"] ?? part?.["usageMetadata"]) as Fields | undefined);
      for (const [name, n] of Object.entries(usage)) sum[name] = (sum[name] ?? 0) + (n as number);
    }
  }
  return { ...(model ? { model } : {}), ...sum };
}
