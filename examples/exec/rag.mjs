// The same in JavaScript, which may answer several questions at once: with
// "pipelined: true", replies are told apart by their seq and come in any order.
import { createInterface } from "node:readline";

const library = {
  "leave.md": "In the first year everybody has 24 days of leave.",
  "equipment.md": "The service desk replaces a broken laptop within two days.",
};
const words = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

async function answer({ seq, question, top_k }) {
  const asked = words(question);
  const shared = (name) => [...words(library[name])].filter((word) => asked.has(word)).length;
  const found = Object.keys(library).sort((a, b) => shared(b) - shared(a)).slice(0, top_k ?? 1);
  return { seq, answer: library[found[0]], passages: found.map((name) => ({ document: name, text: library[name] })) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  answer(asked).then(
    (reply) => console.log(JSON.stringify(reply)),
    (error) => console.log(JSON.stringify({ seq: asked.seq, error: String(error) })),
  );
}
