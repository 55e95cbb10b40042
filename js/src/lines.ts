/** Yields the lines of a stream of bytes. What follows the last line end is not a line. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const part of stream) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) yield line.replace(/\r$/, "");
  }
}
