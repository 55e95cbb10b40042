export { compare, Comparison, type CompareOptions, type ComparisonData, type Difference } from "./compare.js";
export { Client, type RequestOptions, type Schemas, type ServerEvent } from "./client.js";
export type { Case } from "./dataset.js";
export { AssayError } from "./error.js";
export { evaluate, type EvaluateOptions } from "./evaluate.js";
export { Report, type Test, type Tests } from "./report.js";
export type { AssayReport } from "./report-schema.js";
export type { Settings } from "./settings.js";
export type { Answer, AnswerFunction, Asked, LlamaIndexLike, RunnableLike, Target } from "./asked.js";
