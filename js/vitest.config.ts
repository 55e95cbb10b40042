import { defineConfig } from "vitest/config";

// Tests start programs: what they wait for is bounded generously.
export default defineConfig({ test: { include: ["test/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 } });
