// What the programs in JavaScript share, as ferry.py does for those in Python: the corpus,
// the provider of tracers that writes traces.jsonl, and what is expected of a trace.
//
// A program runs as `node NAME.mjs FOLDER` with OPENAI_BASE_URL at server.py.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

const corpus = JSON.parse(readFileSync(process.env.FERRY_CORPUS, "utf8"));
export const passages = corpus.passages;
export const questions = corpus.questions;
export const lastFerry = corpus.last_ferry;
export const model = "ferry-chat";
export const embeddingModel = "text-embedding-ferry";
export const top = 2;
export const system = "You answer passengers of the Kestrel Line.";
export const prompt = (context, question) =>
  `Answer from the passages alone.\n\n${context}\n\nQuestion: ${question}`;

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });

export const metadata = ({ id, title, source }) => ({ id, title, source });

// The document of expected.json from a framework's metadata, text and score.
export const document = ({ id, source, title }, text, score = null) => ({ id, source, title, text, score });

// The passages nearest to a vector, best first, as [score, passage].
export function nearest(asked, vectors) {
  const scored = passages.map((p, i) => [vectors[i].reduce((sum, x, j) => sum + x * asked[j], 0), p]);
  return scored.sort((a, b) => b[0] - a[0]).slice(0, top);
}

class FileExporter {
  path = join(folder, "traces.jsonl");

  constructor() {
    writeFileSync(this.path, "");
  }

  export(spans, done) {
    appendFileSync(this.path, Buffer.from(JsonTraceSerializer.serializeRequest(spans)).toString("utf8") + "\n");
    done({ code: 0 });
  }

  async shutdown() {}
}

// A provider, also the global one. Each forceFlush writes what ended since the last as one line.
export function provider() {
  const processor = new BatchSpanProcessor(new FileExporter(), { scheduledDelayMillis: 600_000 });
  const made = new NodeTracerProvider({
    resource: resourceFromAttributes({ "service.name": "ferry-assistant" }),
    spanProcessors: [processor],
  });
  made.register();
  return made;
}

// Gathers expected.json; see Expected in ferry.py.
export class Expected {
  entries = [];
  address = process.env.OPENAI_BASE_URL.replace(/\/v1$/, "") + "/record";

  async start() {
    await fetch(this.address, { method: "DELETE" });
  }

  async add(question, answer, retrieved, tools = []) {
    const record = await (await fetch(this.address)).json();
    await this.start();
    const last = JSON.stringify(record.at(-1)?.request.messages ?? "");
    const places = passages.map((p) => [last.indexOf(JSON.stringify(p.text).slice(1, -1)), p.id]);
    this.entries.push({
      question,
      answer,
      retrieved,
      reranked: [],
      prompt_contains: places.filter(([at]) => at >= 0).sort(([a], [b]) => a - b).map(([, id]) => id),
      calls: record.map(({ request, usage }) => ({
        model: request.model,
        input_tokens: usage.prompt_tokens,
        output_tokens: usage.completion_tokens,
      })),
      tools,
      sub_questions: [],
    });
  }

  write() {
    writeFileSync(join(folder, "expected.json"), JSON.stringify(this.entries, null, 1) + "\n");
  }
}
