// Answers each question with what the npm package makes of it: the question is the result of a target as JSON.
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");
const ts = require(`${process.argv[2]}/node_modules/typescript`);

const source = readFileSync(`${__dirname}/../../js/src/reply.ts`, "utf8");
const module_ = { exports: {} };
const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
new Function("exports", ts.transpileModule(source, { compilerOptions }).outputText)(module_.exports);

// What "langchain" has is a message of LangChain, or its pieces.
const { AIMessage, AIMessageChunk } = require(`${process.argv[2]}/node_modules/@langchain/core/messages`);

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { seq, question } = JSON.parse(line);
  const result = JSON.parse(question);
  if (Array.isArray(result.langchain)) {
    const pieces = result.langchain.map((piece) => new AIMessageChunk(piece))[Symbol.iterator]();
    return console.log(JSON.stringify({ ...(await module_.exports.replyOf(pieces)), seq }));
  }
  console.log(JSON.stringify({ ...(await module_.exports.replyOf(result.langchain ? new AIMessage(result.langchain) : result)), seq }));
});
