// A query engine of LlamaIndex.TS over the documents of rag.ts, with a model that needs no network.
import { MockLLM } from "@llamaindex/core/llms/mock";
import { BaseRetriever, getResponseSynthesizer, RetrieverQueryEngine, Settings, TextNode, type NodeWithScore } from "llamaindex";

import { search } from "./search.js";

/** Finds the documents that share most words with the question. */
export class NodeRetriever extends BaseRetriever {
  constructor() {
    super();
  }
  override async _retrieve({ query }: { query: unknown }): Promise<NodeWithScore[]> {
    return (await search(String(query), 2)).map(({ name, text }, i) => ({
      node: new TextNode({ text, metadata: { file_name: name }, relationships: { SOURCE: { nodeId: name, metadata: {} } } as never }),
      score: 1 / (i + 1),
    }));
  }
}

Settings.llm = new MockLLM({ responseMessage: "24 days" });

export const engine = new RetrieverQueryEngine(new NodeRetriever(), getResponseSynthesizer("compact"));
