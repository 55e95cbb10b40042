// LangChain.js, traced by @arizeai/openinference-instrumentation-langchain.
import * as CallbackManagerModule from "@langchain/core/callbacks/manager";
import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import { Document } from "@langchain/core/documents";
import { StringOutputParser } from "@langchain/core/output_parsers";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { BaseRetriever } from "@langchain/core/retrievers";
import { RunnablePassthrough, RunnableSequence } from "@langchain/core/runnables";
import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import * as ferry from "./ferry.mjs";

const configuration = { baseURL: process.env.OPENAI_BASE_URL };
const embeddings = new OpenAIEmbeddings({ model: ferry.embeddingModel, configuration });
const vectors = await embeddings.embedDocuments(ferry.passages.map((p) => p.text));

class ScoredRetriever extends BaseRetriever {
  lc_namespace = ["ferry"];

  async _getRelevantDocuments(question) {
    const found = ferry.nearest(await embeddings.embedQuery(question), vectors);
    return found.map(
      ([score, p]) => new Document({ id: p.id, pageContent: p.text, metadata: { ...ferry.metadata(p), score } }),
    );
  }
}

const answer = RunnableSequence.from([
  ({ documents, question }) => ({ context: documents.map((d) => d.pageContent).join("\n\n"), question }),
  ChatPromptTemplate.fromMessages([["system", ferry.system], ["human", ferry.prompt("{context}", "{question}")]]),
  new ChatOpenAI({ model: ferry.model, temperature: 0, configuration }),
  new StringOutputParser(),
]);
const chain = RunnableSequence.from([
  { documents: new ScoredRetriever(), question: new RunnablePassthrough() },
  RunnablePassthrough.assign({ answer }),
]);

const provider = ferry.provider();
new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(CallbackManagerModule);
const expected = new ferry.Expected();
await expected.start();
for (const question of ferry.questions) {
  const result = await chain.invoke(question);
  const found = result.documents.map((d) => ferry.document(d.metadata, d.pageContent, d.metadata.score));
  await expected.add(question, result.answer, [found]);
  await provider.forceFlush();
}
expected.write();
await provider.shutdown();
