/** Three cases: two that the chain of rag.ts answers, and one that it does not. */
export const questions = [
  { id: "leave", question: "How many days of leave has everybody in the first year?", ground_truth: "24", expected_contexts: ["leave.md"] },
  { id: "laptop", question: "Who replaces a broken laptop?", ground_truth: "the service desk", expected_contexts: ["equipment.md"] },
  { id: "parking", question: "Where may I park?", ground_truth: "behind the canteen", expected_contexts: ["parking.md"] },
];
