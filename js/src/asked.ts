import type { LangChainStages } from "./langchain.js";

/** What a target is told beside the question. */
export interface Asked {
  /** The id of the case. */
  id: string;
  /** The number of passages that are wanted. */
  topK: number;
  /** The metadata of the case. */
  metadata: Record<string, unknown>;
  /** Aborted when the run ends before the reply. */
  signal: AbortSignal;
  /** Callbacks of LangChain that report the stages: pass them on, as in `chain.invoke(input, { callbacks })`. */
  callbacks: LangChainStages[];
}

/** What a target returns: text, passages, an object of both, or a stream. "Requests and replies" in the documentation lists the shapes. */
export type Answer = unknown;

/** A function that answers a question. */
export type AnswerFunction = (question: string, asked: Asked) => Answer | Promise<Answer>;

/** A chain, a graph or a retriever of LangChain.js. */
export interface RunnableLike {
  // Any input: of a chain that takes no text, the setting `input` makes one of the question.
  invoke(input: any, config?: any): Promise<unknown>;
}

/** An engine, a retriever or an index of LlamaIndex.TS. */
export type LlamaIndexLike =
  | { query(params: any): Promise<unknown> }
  | { retrieve(params: any): Promise<unknown> }
  | { chat(params: any): Promise<unknown> }
  | { asQueryEngine(options?: any): { query(params: any): Promise<unknown> } };

/** What can be evaluated. */
export type Target = AnswerFunction | RunnableLike | LlamaIndexLike;
