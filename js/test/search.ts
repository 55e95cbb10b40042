// A search without any framework.
import { documents } from "./rag.js";

/** Returns the documents that share most words with the question. */
export async function search(question: string, topK: number): Promise<{ name: string; text: string }[]> {
  const asked = new Set(question.toLowerCase().split(/\W+/));
  const score = (text: string): number =>
    text
      .toLowerCase()
      .split(/\W+/)
      .filter((word) => asked.has(word)).length;
  return Object.entries(documents)
    .map(([name, text]) => ({ name, text }))
    .sort((a, b) => score(b.text) - score(a.text))
    .slice(0, topK);
}
