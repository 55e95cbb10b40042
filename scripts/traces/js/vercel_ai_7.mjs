// The AI SDK of Vercel, version 7, with @ai-sdk/otel.
import { OpenTelemetry } from "@ai-sdk/otel";
import * as ai from "ai-7";
import { createOpenAI } from "ai-sdk-openai-4";
import { askAll } from "./vercel_ask.mjs";

await askAll({
  ai,
  createOpenAI,
  stopWhen: ai.isStepCount(3),
  instrument(tracer) {
    ai.registerTelemetry(new OpenTelemetry({ tracer }));
    return { telemetry: { functionId: "answer-passenger" } };
  },
});
