// Answers each question with what the npm package makes of it: the question is the result of a target as JSON.
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");
const ts = require(`${process.argv[2]}/node_modules/typescript`);

const source = readFileSync(`${__dirname}/../../js/src/reply.ts`, "utf8");
const module_ = { exports: {} };
const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
new Function("exports", ts.transpileModule(source, { compilerOptions }).outputText)(module_.exports);

// What "langchain" has is a message of LangChain.
const { AIMessage } = require(`${process.argv[2]}/node_modules/@langchain/core/messages`);

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { seq, question } = JSON.parse(line);
  const result = JSON.parse(question);
  console.log(JSON.stringify({ ...(await module_.exports.replyOf(result.langchain ? new AIMessage(result.langchain) : result)), seq }));
});
