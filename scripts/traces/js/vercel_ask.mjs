// Asks the questions by a version of the AI SDK of Vercel: embed, a search by hand,
// generateText with a tool at hand. A span of the program's own encloses each question, as
// a server's would.
import { z } from "zod";
import * as ferry from "./ferry.mjs";

// ai is the module of that version, createOpenAI its provider, stopWhen its limit of steps.
// instrument switches its telemetry on once the corpus is embedded, and returns the settings
// of each call.
export async function askAll({ ai, createOpenAI, stopWhen, instrument }) {
  const openai = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL, apiKey: "none" });
  const embedder = openai.embedding(ferry.embeddingModel);
  const { embeddings } = await ai.embedMany({ model: embedder, values: ferry.passages.map((p) => p.text) });
  const tools = {
    last_ferry: ai.tool({
      description: "The time at which the last ferry leaves a harbour on Sundays.",
      inputSchema: z.object({ harbour: z.enum(["Venn", "Skerry"]) }),
      execute: async ({ harbour }) => `${ferry.lastFerry[harbour]} from ${harbour}`,
    }),
  };
  const provider = ferry.provider();
  const tracer = provider.getTracer("ferry");
  const settings = instrument(tracer);

  async function ask(question) {
    const { embedding } = await ai.embed({ model: embedder, value: question, ...settings });
    const found = ferry.nearest(embedding, embeddings);
    const context = found.map(([, p]) => p.text).join("\n\n");
    const result = await ai.generateText({
      model: openai.chat(ferry.model),
      system: ferry.system,
      prompt: ferry.prompt(context, question),
      temperature: 0,
      tools,
      stopWhen,
      ...settings,
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
}
