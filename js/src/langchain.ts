// Hears what a chain of LangChain.js does, and tells it as stages.
import { readableValue, textOf, type Fields, type Stage } from "./reply.js";

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
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/i;

/** A callback handler of LangChain.js that hears the stages of one question. */
export interface LangChainStages {
  /** Events are handled before the chain goes on, so that none is missing at its end. */
  awaitHandlers: true;
  // The parameters are those of the handlers of @langchain/core, in the order of each version.
  handleChainStart(chain: any, inputs: any, runId: string, ...more: any[]): void;
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
  const model = (runId: string, input: string, llm: Fields, parent?: string, extra?: Fields, metadata?: Fields, name?: string): void => {
    const settings = extra?.["invocation_params"] as Fields | undefined;
    const named = metadata?.["ls_model_name"] ?? settings?.["model"] ?? settings?.["model_name"];
    begin(runId, { kind: "model", name: name ?? nameOf(llm), parent, input, model: typeof named === "string" ? named : undefined });
  };

  return {
    awaitHandlers: true,
    handleChainStart(chain, _inputs, runId, ...more) {
      // The parent is the fourth parameter of @langchain/core 0.3, and the eighth of 1.0.
      const parent = [more[0], more[4]].find((id) => typeof id === "string" && UUID.test(id)) as string | undefined;
      begin(runId, { kind: "chain", name: nameOf(chain), parent });
    },
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
      const ended = [...runs.values()].filter((run) => run.took !== undefined);
      const found = ended.filter((run) => run.kind === "retriever" && !within(run, "retriever"));
      const asked = ended.filter((run) => run.kind === "model" && !within(run, "retriever"));
      // Of the calls after the last retrieval, the reply of the generator is the answer, or most of it.
      let answering: Run | undefined;
      let most = [1, 0];
      for (const run of asked) {
        const said = String(run.output ?? "");
        const same = answer.includes(said) || said.includes(answer) ? Math.min(said.length, answer.length) : 0;
        const better = same > most[0]! || (same === most[0] && -said.length >= most[1]!);
        if (found.every((other) => other.began < run.began) && better) [answering, most] = [run, [same, -said.length]];
      }
      const out: Stage[] = [];
      for (const run of ended) {
        if (found.includes(run)) {
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
