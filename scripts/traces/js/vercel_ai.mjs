// The AI SDK of Vercel with experimental_telemetry: embed, a search by hand, generateText with
// a tool at hand. A span of the program's own encloses each question, as a server's would.
import { createOpenAI } from "@ai-sdk/openai";
import { trace } from "@opentelemetry/api";
import { embed, embedMany, generateText, stepCountIs, tool } from "ai";
import { z } from "zod";
import * as ferry from "./ferry.mjs";

const openai = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL, apiKey: "none" });
const embedder = openai.embedding(ferry.embeddingModel);
const { embeddings } = await embedMany({ model: embedder, values: ferry.passages.map((p) => p.text) });
const tools = {
  last_ferry: tool({
    description: "The time at which the last ferry leaves a harbour on Sundays.",
    inputSchema: z.object({ harbour: z.enum(["Venn", "Skerry"]) }),
    execute: async ({ harbour }) => `${ferry.lastFerry[harbour]} from ${harbour}`,
  }),
};

const provider = ferry.provider();
const tracer = trace.getTracer("ferry");
const experimental_telemetry = { isEnabled: true, functionId: "answer-passenger", tracer };

async function ask(question) {
  const { embedding } = await embed({ model: embedder, value: question, experimental_telemetry });
  const found = ferry.nearest(embedding, embeddings);
  const context = found.map(([, p]) => p.text).join("\n\n");
  const result = await generateText({
    model: openai.chat(ferry.model),
    system: ferry.system,
    prompt: ferry.prompt(context, question),
    temperature: 0,
    tools,
    stopWhen: stepCountIs(3),
    experimental_telemetry,
  });
  return { found, result };
}

const expected = new ferry.Expected();
await expected.start();
for (const question of ferry.questions) {
  const { found, result } = await tracer.startActiveSpan("ask", async (span) => {
    const done = await ask(question);
    span.end();
    return done;
  });
  const called = result.steps.flatMap((step) => step.toolResults);
  await expected.add(
    question,
    result.text,
    [found.map(([score, p]) => ferry.document(p, p.text, score))],
    called.map((r) => ({ name: r.toolName, arguments: r.input, result: r.output })),
  );
  await provider.forceFlush();
}
expected.write();
await provider.shutdown();
