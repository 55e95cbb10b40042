// The AI SDK of Vercel, version 6, with experimental_telemetry.
import { createOpenAI } from "@ai-sdk/openai";
import * as ai from "ai";
import { askAll } from "./vercel_ask.mjs";

await askAll({
  ai,
  createOpenAI,
  stopWhen: ai.stepCountIs(3),
  instrument: (tracer) => ({ experimental_telemetry: { isEnabled: true, functionId: "answer-passenger", tracer } }),
});
