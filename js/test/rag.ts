// A chain of LangChain.js over three documents, with a retriever and a model that need no network.
import { BaseRetriever } from "@langchain/core/retrievers";
import { Document } from "@langchain/core/documents";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnablePassthrough, RunnableSequence } from "@langchain/core/runnables";

export const documents: Record<string, string> = {
  "leave.md": "In the first year everybody has 24 days of leave.",
  "equipment.md": "The service desk replaces a broken laptop within two days.",
  "canteen.md": "The canteen opens at noon and closes at two.",
};

const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

/** Finds the documents that share most words with the question. */
export class WordRetriever extends BaseRetriever {
  lc_namespace = ["test"];
  constructor(readonly k = 2) {
    super();
  }
  override async _getRelevantDocuments(question: string): Promise<Document[]> {
    const asked = words(question);
    const score = (name: string): number => [...words(documents[name]!)].filter((word) => asked.has(word)).length;
    const found = Object.keys(documents)
      .sort((a, b) => score(b) - score(a))
      .slice(0, this.k);
    return found.map((source) => new Document({ pageContent: documents[source]!, metadata: { source } }));
  }
}

/** A model that repeats the first document of its prompt. */
export class EchoModel extends BaseChatModel {
  _llmType(): string {
    return "echo";
  }
  override invocationParams(): { model: string } {
    return { model: "echo-1" };
  }
  async _generate(messages: BaseMessage[]) {
    const text = /Context: (.*)/.exec(String(messages.at(-1)!.content))?.[1] ?? "I do not know.";
    const message = new AIMessage({ content: text, usage_metadata: { input_tokens: 30, output_tokens: 12, total_tokens: 42 } });
    return { generations: [{ text, message }] };
  }
}

const prompt = ChatPromptTemplate.fromTemplate("Context: {context}\n\nQuestion: {question}");
const joined = (found: Document[]): string => found.map((one) => one.pageContent).join("\n");

export const retriever = new WordRetriever();

export const chain = RunnableSequence.from([
  { context: retriever.pipe(joined), question: new RunnablePassthrough() },
  prompt,
  new EchoModel({}),
  new StringOutputParser(),
]);
