// Makes JSON of what a target returns. What a reply means is decided by assay, which knows the common shapes: only
// objects that JSON cannot carry are changed here, which are those of LangChain and LlamaIndex, and streams.

/** An object of unknown members. */
export type Fields = Record<string, unknown>;

/** A stage in the form of a reply. "Stages" in the documentation of targets explains it. */
export interface Stage {
  name: string;
  input?: unknown;
  output?: unknown;
  model?: string;
  latency_ms?: number;
  input_tokens?: number;
  output_tokens?: number;
  note?: string;
}

/** A result with the stages that were heard while it was made. They are asked for when a stream has ended. */
export class Reported {
  constructor(
    readonly result: unknown,
    readonly stages: (answer: string) => Stage[] | Promise<Stage[]>,
  ) {}
}

/** Names of the answer among those that assay knows, to find the call that wrote it. */
const ANSWERS = ["answer", "final_answer", "response", "result", "output", "generation", "output_text", "text", "content", "body", "returned_text"];

/** Returns the reply to a question. Stages and tokens of the result itself win over those that were heard. */
export async function replyOf(result: unknown): Promise<Fields> {
  if (!(result instanceof Reported)) return read(result);
  const reply = await replyOf(result.result);
  const messages = reply["messages"];
  const said = ANSWERS.map((name) => textOf(reply[name])).find((text) => text !== "");
  const heard = await result.stages(said ?? textOf(Array.isArray(messages) ? messages.at(-1) : ""));
  if (heard.length > 0) reply["stages"] ??= heard;
  const sum = (name: "input_tokens" | "output_tokens"): number => heard.reduce((n, stage) => n + (stage[name] ?? 0), 0);
  const usage = { input_tokens: sum("input_tokens"), output_tokens: sum("output_tokens") };
  if (usage.input_tokens + usage.output_tokens > 0) reply["usage"] ??= usage;
  return reply;
}

async function read(result: unknown): Promise<Fields> {
  result = sound(result, "what it returned");
  if (isStream(result)) result = await joined(result);
  if (result instanceof Uint8Array) result = new TextDecoder().decode(result);
  if (typeof result === "string") return { returned_text: result }; // assay decides whether it is JSON, events or lines
  if (result === undefined || result === null) {
    throw new TypeError(`the target returned ${result}: expected an answer, passages, or an object of both`);
  }
  if (Array.isArray(result)) {
    if (result.length > 0 && result.every(isMessage)) return readable({ messages: result });
    if (result.length > 0 && result.every((one) => one?.recipient_id ?? one?.replyToId)) return { body: JSON.stringify(result) }; // what a bot says
    return isContent(result) ? readable({ answer: result }) : { passages: result.map((one) => readableValue(one)) };
  }
  if (typeof result !== "object") return { answer: String(result) };
  if (isMessage(result)) return readable({ answer: result, usage: result.usage_metadata });
  if (isPassage(result)) return { passages: [readableValue(result)] };
  const own = result as Fields;
  const status = own["status"]; // no other member is read before: a getter of the AI SDK makes a promise that may fail
  if (typeof status === "number" && typeof own["text"] === "function") {
    // A response of fetch.
    const body = await (own as unknown as Response).text();
    return status < 400 ? { body } : { status, message: body.slice(0, 200) };
  }
  if ("sourceNodes" in own || isResponse(own)) {
    // A response of LlamaIndex has its text in a getter.
    return readable({ answer: own["response"] ?? textOf(own["message"]), source_nodes: own["sourceNodes"] });
  }
  return readable(own);
}

async function readable(of: Fields): Promise<Fields> {
  const out: Fields = {};
  for (const [name, value] of Object.entries(of)) {
    if (value instanceof Promise && (ANSWERS.includes(name) || /context|source|document|passage|citation/i.test(name))) {
      value.catch(() => undefined);
      throw new TypeError(`the target returned a promise in ${name}: expected its value, as of await`);
    }
    if (typeof value === "function" && /^(text|content|body)$/.test(name)) continue; // a method, as of Google's SDK
    const known = ANSWERS.includes(name) ? sound(value ?? null, name) : value; // an answer that is undefined is empty
    out[name] = readableValue(isStream(known) ? await joined(known) : known, 0, name);
  }
  return out;
}

/** Reports whether a list is the content of a message: blocks of types such as text and thinking, that are no passages. */
function isContent(list: unknown[]): boolean {
  const types = list.map((one) => {
    const block = (typeof one === "object" && one !== null && !isPassage(one) ? one : {}) as Fields;
    const other = ["source", "metadata", "score", "url", "title", "document_id"].some((name) => block[name]);
    return typeof block["type"] === "string" && !other ? block["type"] : "";
  });
  return types.every((type) => type !== "") && types.some((type) => /^(output_)?text$|think|reasoning/.test(type));
}

/** Throws an error or a function that was returned in place of a result, and returns another value. */
function sound(value: unknown, place: string): unknown {
  if (value instanceof Error) throw value;
  if (typeof value === "function") throw new TypeError(`the target returned a function in ${place}: expected its value, as of a call`);
  return value;
}

/** Names of fields that report errors beside a result. */
const ERRORS = /error|exception|fail|warn|debug|metadata/i;

/** Returns a value with passages and messages of the frameworks as plain objects. It throws an error in place of a result. */
export function readableValue(value: unknown, depth = 0, name = ""): unknown {
  if (value instanceof Error) return ERRORS.test(name) ? String(value) : sound(value, name);
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null || depth > 8) return value;
  if (isScored(value)) return { ...(readableValue(value[0], depth + 1, name) as Fields), score: value[1] };
  if (Array.isArray(value)) return value.map((item) => readableValue(item, depth + 1, name));
  if (isMessage(value)) {
    const ends = ["tool_calls", "invalid_tool_calls", "response_metadata", "additional_kwargs"];
    return { role: roleOf(value), content: sound(value.content, "content"), ...Object.fromEntries(ends.map((name) => [name, value[name]])) };
  }
  if (isPassage(value)) return passage(value);
  if (value instanceof Map) return readableValue(Object.fromEntries(value), depth, name);
  if (value instanceof Set) return readableValue([...value], depth, name);
  if (Object.getPrototypeOf(value) !== Object.prototype && typeof (value as Fields)["toJSON"] === "function") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, readableValue(item, depth + 1, ERRORS.test(name) ? name : key)]));
}

interface Message extends Fields {
  content: unknown;
  usage_metadata?: unknown;
}

/** Reports whether a value is a message of LangChain. */
export function isMessage(value: unknown): value is Message {
  const message = value as Fields | null;
  return (
    typeof message === "object" &&
    message !== null &&
    "content" in message &&
    (typeof message["_getType"] === "function" || typeof message["getType"] === "function")
  );
}

function roleOf(message: Message): string {
  const call = (message["getType"] ?? message["_getType"]) as (this: Message) => string;
  const roles: Record<string, string> = { ai: "assistant", human: "user" };
  const type = call.call(message);
  return roles[type] ?? type;
}

/** Reports whether a value is a document of LangChain, or a node of LlamaIndex with or without a score. */
export function isPassage(value: object): boolean {
  const one = value as Fields;
  const node = one["node"] as Fields | undefined;
  return "pageContent" in one || isNode(one) || (typeof node === "object" && node !== null && isNode(node));
}

/** Reports whether a value is a passage beside its score, as similaritySearchWithScore returns them. */
function isScored(value: object): value is [object, number] {
  if (!Array.isArray(value) || value.length !== 2 || typeof value[1] !== "number") return false;
  return typeof value[0] === "object" && value[0] !== null && !Array.isArray(value[0]);
}

function isNode(value: Fields): boolean {
  return typeof value["getContent"] === "function" && "id_" in value;
}

/** Returns a passage of a framework as a plain object, under names that assay knows. */
function passage(value: object): Fields {
  const one = value as Fields;
  if ("pageContent" in one && sound(one["pageContent"], "pageContent") === undefined)
    throw new TypeError("the target returned a passage whose pageContent is undefined: expected its text");
  if (Object.getPrototypeOf(one) === Object.prototype && "pageContent" in one) return one;
  if ("pageContent" in one) return { text: one["pageContent"], id: one["id"], metadata: one["metadata"] };
  const node = (isNode(one) ? one : one["node"]) as Fields;
  const source = node["sourceNode"] as Fields | undefined;
  return {
    text: (node["getContent"] as (mode: string) => string).call(node, "NONE"),
    id: node["id_"],
    document_id: source?.["nodeId"],
    score: one["score"],
    metadata: node["metadata"],
  };
}

function isResponse(value: Fields): boolean {
  const message = value["message"] as Fields | undefined;
  return typeof message === "object" && message !== null && "content" in message && "raw" in value;
}

/** Returns the text of a message: its content, or the texts of its blocks. */
export function textOf(message: unknown): string {
  if (typeof message === "string") return message;
  if (Array.isArray(message))
    return message.map((block) => (typeof block === "string" ? block : String((block as Fields)["text"] ?? ""))).join("");
  if (typeof message !== "object" || message === null) return "";
  return textOf((message as Fields)["content"] ?? (message as Fields)["text"]);
}

function isStream(value: unknown): value is AsyncIterable<unknown> | Iterable<unknown> {
  if (typeof value !== "object" || value === null || "sourceNodes" in value) return false;
  return Symbol.asyncIterator in value || (Symbol.iterator in value && "next" in value);
}

/** Reports whether a piece of a stream is an object of no framework, such as a chunk of a provider. */
function isEvent(piece: unknown): boolean {
  if (typeof piece !== "object" || piece === null || piece instanceof Uint8Array || isMessage(piece) || isPassage(piece)) return false;
  const one = piece as Fields;
  if ("sourceNodes" in one || (typeof one["delta"] === "string" && !("type" in one))) return false;
  return !Object.values(one)
    .flat()
    .some((value) => isMessage(value) || (typeof value === "object" && value !== null && isPassage(value)));
}

/** Reports whether what a generator returns is its result, so that it yielded its progress, and not a count or the like. */
function isResult(returned: unknown): boolean {
  if (typeof returned === "string") return returned.trim() !== "";
  if (typeof returned !== "object" || returned === null || Array.isArray(returned)) return false;
  return isMessage(returned) || "sourceNodes" in returned || ANSWERS.some((name) => name in returned);
}

/** Joins the pieces of a stream: texts, pieces of messages, responses, or objects of such. Events of others are joined by assay, as over HTTP. */
async function joined(stream: AsyncIterable<unknown> | Iterable<unknown>): Promise<unknown> {
  const pieces: unknown[] = [];
  const steps = Symbol.asyncIterator in stream ? stream[Symbol.asyncIterator]() : stream[Symbol.iterator]();
  let step = await steps.next();
  for (; step.done !== true; step = await steps.next()) pieces.push(sound(await step.value, "a stream"));
  const returned: unknown = await step.value;
  if (isResult(returned)) return returned;
  if (pieces.some(isEvent) && pieces.every((piece) => typeof piece === "string" || isEvent(piece)))
    return pieces.map((piece) => `data: ${JSON.stringify(readableValue(piece))}\n\n`).join("");
  const messages = pieces.filter(isMessage);
  if (messages.length > 0 && messages.length === pieces.length) {
    const all = (name: string): Fields => Object.assign({}, ...messages.map((piece) => piece[name]));
    const calls = messages.flatMap((piece) => (piece["tool_call_chunks"] ?? piece["tool_calls"] ?? []) as unknown[]);
    const usage = messages.findLast((piece) => piece.usage_metadata)?.usage_metadata;
    const ends = { response_metadata: all("response_metadata"), additional_kwargs: all("additional_kwargs") };
    return { role: "assistant", content: gathered(messages.map(textOf)), tool_calls: calls, usage, ...ends };
  }
  const answers: string[] = [];
  const decoder = new TextDecoder();
  const whole: Fields = {};
  const texts: Record<string, string[]> = {};
  let last: Fields | undefined;
  for (const piece of pieces) {
    if (typeof piece === "string") answers.push(piece);
    else if (piece instanceof Uint8Array) answers.push(decoder.decode(piece, { stream: true }));
    else if (isMessage(piece)) answers.push(textOf(piece));
    else if (typeof piece === "object" && piece !== null) {
      last = piece as Fields;
      if (typeof last["delta"] === "string") {
        answers.push(last["delta"]); // LlamaIndex
        continue;
      }
      for (const [name, value] of Object.entries(last)) {
        const text = isMessage(value) ? textOf(value) : value;
        if (typeof text === "string") (texts[name] ??= []).push(text);
        else delete texts[name];
        whole[name] = value;
      }
    }
  }
  const answer = gathered(answers);
  for (const [name, some] of Object.entries(texts)) if (some.length > 1) whole[name] = gathered(some);
  if (last?.["sourceNodes"]) whole["sourceNodes"] = last["sourceNodes"];
  if (Object.keys(whole).length === 0) return answer;
  return answer === "" ? whole : { ...whole, response: answer, answer };
}

/** Returns the text of a stream whose events are pieces, or the whole text so far each time, as those of HTTP are told apart. */
function gathered(all: string[]): string {
  const texts = all.filter((text) => text !== "");
  const first = texts[0] ?? "";
  const last = texts.at(-1) ?? "";
  const grows = texts.every((text, i) => text.startsWith(texts[i - 1] ?? ""));
  const repeats = texts.every((text) => text === first.repeat(Math.floor(text.length / first.length)));
  return texts.length > 1 && grows && ((last !== first && !repeats) || (first.length >= 16 && !first.endsWith("\n"))) ? last : texts.join("");
}
