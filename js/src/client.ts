import { AssayError } from "./error.js";
import { linesOf } from "./lines.js";
import type { components, paths } from "./openapi.js";

/** The objects of the HTTP API, by name. */
export type Schemas = components["schemas"];

type Method = "get" | "post" | "put" | "patch" | "delete";

/** The paths that have a method. */
type PathOf<M extends Method> = { [P in keyof paths]: paths[P] extends { [K in M]: { responses: unknown } } ? P : never }[keyof paths];

type Operation<P extends keyof paths, M extends Method> = paths[P] extends { [K in M]: infer O } ? O : never;

/** What an operation returns. */
type Returned<O> = O extends { responses: infer R }
  ? { [S in keyof R & (200 | 201 | 202)]: R[S] extends { content: infer C } ? C[keyof C] : undefined }[keyof R & (200 | 201 | 202)]
  : undefined;

type PathPart<O> = O extends { parameters: { path: infer T } } ? { path: T } : { path?: undefined };

type QueryPart<O> = O extends { parameters: { query: infer T } }
  ? { query: T }
  : O extends { parameters: { query?: infer T } }
    ? { query?: T | undefined }
    : { query?: undefined };

type HeaderPart<O> = O extends { parameters: { header?: infer T } } ? { headers?: T | undefined } : { headers?: undefined };

type BodyPart<O> = O extends { requestBody: { content: infer C } }
  ? { body: C[keyof C] }
  : O extends { requestBody?: { content: infer C } }
    ? { body?: C[keyof C] | undefined }
    : { body?: undefined };

/** The parameters and the body of a request. */
export type RequestOptions<O> = PathPart<O> & QueryPart<O> & HeaderPart<O> & BodyPart<O> & { signal?: AbortSignal };

type Arguments<O> = Record<never, never> extends RequestOptions<O> ? [options?: RequestOptions<O>] : [options: RequestOptions<O>];

interface AnyRequest {
  path?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  headers?: Record<string, unknown> | undefined;
  body?: unknown;
  signal?: AbortSignal;
}

/** An event of a stream, such as the progress of a run. */
export interface ServerEvent {
  event: string;
  id: string | undefined;
  data: unknown;
}

/**
 * A client of the HTTP API of `assay serve`, typed from the description that the server gives of itself:
 * `await client.get("/api/v1/runs/{run_id}", { path: { run_id } })`. A request that fails rejects with an AssayError
 * that has the status and what the server says.
 */
export class Client {
  readonly #url: string;
  readonly #token: string | undefined;
  readonly #fetch: typeof fetch;

  constructor(url: string | URL, options: { token?: string; fetch?: typeof fetch } = {}) {
    this.#url = String(url).replace(/\/+$/, "");
    this.#token = options.token;
    this.#fetch = options.fetch ?? fetch;
  }

  async get<P extends PathOf<"get">>(path: P, ...[options]: Arguments<Operation<P, "get">>): Promise<Returned<Operation<P, "get">>> {
    return (await this.#ask("GET", path, options as AnyRequest)) as Returned<Operation<P, "get">>;
  }

  async post<P extends PathOf<"post">>(path: P, ...[options]: Arguments<Operation<P, "post">>): Promise<Returned<Operation<P, "post">>> {
    return (await this.#ask("POST", path, options as AnyRequest)) as Returned<Operation<P, "post">>;
  }

  async put<P extends PathOf<"put">>(path: P, ...[options]: Arguments<Operation<P, "put">>): Promise<Returned<Operation<P, "put">>> {
    return (await this.#ask("PUT", path, options as AnyRequest)) as Returned<Operation<P, "put">>;
  }

  async patch<P extends PathOf<"patch">>(
    path: P,
    ...[options]: Arguments<Operation<P, "patch">>
  ): Promise<Returned<Operation<P, "patch">>> {
    return (await this.#ask("PATCH", path, options as AnyRequest)) as Returned<Operation<P, "patch">>;
  }

  async delete<P extends PathOf<"delete">>(
    path: P,
    ...[options]: Arguments<Operation<P, "delete">>
  ): Promise<Returned<Operation<P, "delete">>> {
    return (await this.#ask("DELETE", path, options as AnyRequest)) as Returned<Operation<P, "delete">>;
  }

  /** Yields the events of a stream, such as those of a run until it ends. */
  async *events<P extends PathOf<"get">>(path: P, ...[options]: Arguments<Operation<P, "get">>): AsyncGenerator<ServerEvent> {
    const response = await this.#send("GET", path, { ...(options as AnyRequest), headers: { accept: "text/event-stream" } });
    let event = "message";
    let id: string | undefined;
    let data: string[] = [];
    for await (const line of linesOf(response.body!)) {
      const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line)!;
      if (name === "event") event = value!;
      else if (name === "id") id = value!;
      else if (name === "data") data.push(value!);
      else if (line === "" && data.length > 0) {
        yield { event, id, data: JSON.parse(data.join("\n")) };
        event = "message";
        data = [];
      }
    }
  }

  async #ask(method: string, path: string, options?: AnyRequest): Promise<unknown> {
    const response = await this.#send(method, path, options);
    const text = await response.text();
    if (text === "") return undefined;
    return /\bjson\b/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : text;
  }

  async #send(
    method: string,
    path: string,
    { path: places = {}, query = {}, headers = {}, body, signal }: AnyRequest = {},
  ): Promise<Response> {
    const address = new URL(this.#url + path.replace(/\{(\w+)\}/g, (_, name: string) => segment(String(places[name]))));
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) address.searchParams.set(name, Array.isArray(value) ? value.join(",") : String(value));
    }
    const sent = new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]));
    if (this.#token) sent.set("authorization", `Bearer ${this.#token}`);
    const plain = typeof body === "string" || body instanceof FormData || body instanceof Blob || body instanceof Uint8Array;
    if (body !== undefined && !plain) sent.set("content-type", "application/json");
    const content = body === undefined ? null : plain ? (body as BodyInit) : JSON.stringify(body);
    const response = await this.#fetch(address, { method, headers: sent, body: content, ...(signal ? { signal } : {}) });
    if (response.ok) return response;
    throw new AssayError(`${method} ${address.pathname}: ${response.status} ${problem(await response.text()) || response.statusText}`);
  }
}

/** Returns what a server says of a request that failed: the detail of a problem, with its places. */
function problem(text: string): string {
  try {
    const said = JSON.parse(text) as { title?: string; detail?: string; errors?: { message?: string; location?: string }[] };
    const places = said.errors?.map(({ message, location }) => [location, message].filter(Boolean).join(": ")) ?? [];
    return [said.detail ?? said.title, ...places].filter(Boolean).join("; ");
  } catch {
    return text.trim();
  }
}

/** Returns a value as a part of a path: a URL would lose "." and "..", which the server knows by another name, too. */
function segment(value: string): string {
  return { ".": "~Lg", "..": "~Li4" }[value] ?? encodeURIComponent(value);
}
