package llm_test

import (
	"testing"

	"github.com/assay-eval/assay/llm"
)

func TestFamily(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]string{
		"gpt-4.1-mini": "gpt", "chatgpt-4o-latest": "gpt", "gpt4o": "gpt", "o3": "gpt", "o4-mini": "gpt", "gpt-oss:20b": "gpt",
		"openai/gpt-4o": "gpt", "text-davinci-003": "gpt", "claude-sonnet-4-5": "claude", "anthropic.claude-3-haiku-20240307-v1:0": "claude",
		"gemini-2.5-pro": "gemini", "gemma3:27b": "gemma", "qwen3-32b": "qwen", "Qwen/Qwen2.5-7B-Instruct": "qwen", "qwq:32b": "qwen",
		"meta-llama/Llama-3.3-70B-Instruct": "llama", "llama3.2": "llama", "mistral-large-latest": "mistral", "open-mixtral-8x22b": "mistral",
		"deepseek-chat": "deepseek", "deepseek-r1-distill-qwen-32b": "deepseek", "glm-4.6": "glm", "THUDM/chatglm3-6b": "glm",
		"command-r-plus": "command", "grok-4": "grok", "kimi-k2": "kimi", "phi4": "phi", "yi-34b": "yi", "granite3.3:8b": "granite",
		"amazon.nova-pro-v1:0": "nova",
		"":                     "", "o": "", "o12": "", "ollama": "", "tiny": "", "my-own-model": "", "judge-o": "", "nova2": "nova", "4": "",
	} {
		if got := llm.Family(model); got != want {
			t.Errorf("the family of %q is %q, want %q", model, got, want)
		}
	}
}

func FuzzFamily(f *testing.F) {
	f.Add("gpt-4.1")
	f.Add("o")
	f.Fuzz(func(_ *testing.T, model string) { llm.Family(model) })
}
