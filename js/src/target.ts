import { randomUUID } from "node:crypto";

import type { AnswerFunction, LlamaIndexLike, RunnableLike, Target } from "./asked.js";
import { stages } from "./langchain.js";
import { traced } from "./llamaindex.js";
import { Reported, type Fields } from "./reply.js";

/** In the configuration of a chain or graph, stands for the case and is new for each question. */
const CASE = "{{case_id}}";

/** Returns the function that asks a target, how it does, and what its report should warn about. input makes the input of a runnable from the question. */
export function functionOf(target: Target, input?: (question: string) => unknown): [AnswerFunction, string, string[]?] {
  if (typeof target === "function" && !("invoke" in target)) return [withStages(target), `${target.name || "function"}(text)`];
  const has = (name: string): boolean =>
    (typeof target === "object" || typeof target === "function") &&
    target !== null &&
    typeof (target as unknown as Fields)[name] === "function";
  const kind =
    target === null ? "null" : typeof target === "object" ? ((target as object).constructor?.name ?? "an object") : typeof target;
  if (has("invoke")) {
    const runnable = target as RunnableLike;
    const of = input ?? ((question: string): unknown => usualInput(runnable as unknown as Fields, question));
    const set = ((target as unknown as Fields)["config"] as Fields | undefined)?.["configurable"] as Fields | undefined;
    const ask = withStages((question, { callbacks, signal, id }) =>
      runnable.invoke(of(question), { callbacks, signal, ...(set && { configurable: forCase(set, id) }) }),
    );
    const name = ["thread_id", "session_id", "sessionId", "conversation_id", "chat_id"].find((one) => set?.[one] !== undefined) ?? "";
    const thread = set?.[name];
    const leaks = thread !== undefined && !String(thread).includes(CASE);
    const warning = `every case has the ${name} ${JSON.stringify(thread)}, so a case sees those before it: set it to "${CASE}"`;
    const memory = (target as unknown as Fields)["memory"] as Fields | undefined;
    const keeps = `the chain keeps a conversation (memory), so a case may see those before it and those asked at the same time: make a new one for each question`;
    const warnings = [...(leaks ? [warning] : []), ...(typeof memory?.["loadMemoryVariables"] === "function" ? [keeps] : [])];
    return [ask, `${kind}.invoke(${input ? "input(text)" : JSON.stringify(of("text"))})`, warnings];
  }
  const method = ["query", "asQueryEngine", "chat", "retrieve"].find(has);
  if (method) return [traced(target as LlamaIndexLike), `${kind}.${method}(text)`];
  throw new TypeError(`the target is ${kind}: expected a function, or an object with one of invoke, query, retrieve, chat, asQueryEngine`);
}

/** Returns a configuration for a case. A checkpointer may keep the threads of earlier runs, so each question has its own. */
function forCase(set: Fields, id: string): Fields {
  const one = `${id}-${randomUUID().slice(0, 8)}`;
  return Object.fromEntries(Object.entries(set).map(([k, v]) => [k, typeof v === "string" ? v.replaceAll(CASE, one) : v]));
}

/** Adds the stages that callbacks of LangChain heard to a result that has none. */
function withStages(ask: AnswerFunction): AnswerFunction {
  return async (question, asked) => {
    const heard = stages();
    const result = await ask(question, { ...asked, callbacks: [heard] });
    return new Reported(result, (answer) => heard.stages(answer));
  };
}

/** Names under which prompts and graphs commonly take the question. */
const QUESTION = ["question", "query", "input", "user_input", "human_input", "prompt", "text"];

/** Returns the input of a runnable: what its graph or its first prompt declares, else the question as text. */
function usualInput(runnable: Fields, question: string): unknown {
  const graph = (runnable["channels"] ?? (runnable["builder"] as Fields | undefined)?.["channels"]) as Fields | undefined;
  const first = (runnable["first"] ?? runnable) as Fields;
  const names =
    graph && typeof graph === "object"
      ? Object.keys(graph)
      : Array.isArray(first["inputVariables"])
        ? (first["inputVariables"] as string[])
        : [];
  const input: Fields = {};
  for (const name of names) {
    if (QUESTION.includes(name)) input[name] = question;
    else if (name === "messages") input[name] = [{ role: "user", content: question }];
  }
  if (Object.keys(input).length === 0 && names.length === 1 && !graph) input[names[0]!] = question;
  return Object.keys(input).length > 0 ? input : question;
}
