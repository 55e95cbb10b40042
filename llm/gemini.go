package llm

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/lazyregexp"
	modelreply "github.com/assay-eval/assay/target/reply"
)

// gemini is the generateContent protocol of Google's Gemini API:
// https://ai.google.dev/api/generate-content.
var gemini = Protocol{
	Kind:     "gemini",
	Doc:      "Google's Gemini API, generateContent",
	Example:  "gemini-3.5-flash",
	BaseURL:  "https://generativelanguage.googleapis.com",
	KeyEnv:   "GEMINI_API_KEY",
	NeedsKey: true,
	Schema:   true,
	Seed:     true,
	Thinking: true,

	paths:     []string{"/models", "/v1beta"},
	listing:   "v1beta/models",
	authorize: func(h http.Header, _ *url.URL, key string) { h.Set("x-goog-api-key", key) },
	reserved:  []string{"contents", "systemInstruction", "system_instruction"},
	payload:   "candidates",
	errors: map[Kind]expression{
		// Both come with status 400.
		KindAuth:    lazyregexp.New(`(?i)API key (not valid|expired|not found)|location is not supported for the API`),
		KindTooLong: lazyregexp.New(`(?i)token count .{0,80}exceeds the maximum number of tokens`),
	},
	wait: geminiWait,
	dialect: func(*url.URL, string) dialect {
		return dialect{encode: encodeGemini, decode: decodeGemini, fallbacks: geminiFallbacks}
	},
}

// geminiFallbacks are what some models refuse; Gemma's take no system instruction
// and no form of the reply.
var geminiFallbacks = []fallback{
	dropIn("generationConfig", "thinkingConfig", noThinking, "thinking"),
	dropIn("generationConfig", "seed", noSeed),
	dropIn("generationConfig", "temperature", noTemperature),
	{
		name: "systemInstruction", words: []string{"developer instruction", "system instruction", "system_instruction"},
		warning: "does not support system instructions; the text was sent before the first message",
		apply: func(body map[string]any) bool {
			system, there := body["systemInstruction"]
			contents, _ := body["contents"].([]map[string]any)
			if !there || len(contents) == 0 {
				return false
			}
			delete(body, "systemInstruction")
			contents[0]["parts"] = append(system.(map[string]any)["parts"].([]map[string]any), contents[0]["parts"].([]map[string]any)...)
			return true
		},
	},
	dropIn("generationConfig", "responseJsonSchema", noSchema, "response_json_schema", "response_schema", "schema"),
	dropIn("generationConfig", "responseMimeType", noForm, "json mode", "response_mime_type"),
}

func encodeGemini(r Request) call {
	content := func(text string) []map[string]any { return []map[string]any{{"text": text}} }
	contents := []map[string]any{}
	for _, m := range r.Messages {
		role := m.Role
		if role == "assistant" {
			role = "model"
		}
		contents = append(contents, map[string]any{"role": role, "parts": content(m.Text)})
	}
	config := map[string]any{"maxOutputTokens": mostOutput(r)}
	if r.Schema != nil {
		config["responseMimeType"], config["responseJsonSchema"] = "application/json", r.Schema
	}
	if r.Temperature != nil {
		config["temperature"] = *r.Temperature
	}
	if r.Seed != nil {
		config["seed"] = *r.Seed
	}
	if r.Thinking > 0 {
		config["thinkingConfig"] = map[string]any{"thinkingBudget": r.Thinking, "includeThoughts": true}
	} else if r.Thinking < 0 {
		config["thinkingConfig"] = map[string]any{"thinkingBudget": 0}
	}
	body := map[string]any{"contents": contents, "generationConfig": config}
	if r.System != "" {
		body["systemInstruction"] = map[string]any{"parts": content(r.System)}
	}
	return call{path: "v1beta/" + geminiModel(r.Model) + ":generateContent", body: body}
}

// geminiModel is the resource of a model; a name may tell the collection itself,
// as "models/NAME" and "tunedModels/NAME" do.
func geminiModel(name string) string {
	collection, id, _ := strings.Cut(name, "/")
	if collection != "models" && collection != "tunedModels" {
		collection, id = "models", name
	}
	return collection + "/" + url.PathEscape(id)
}

func decodeGemini(body []byte) (Reply, error) {
	var v struct {
		Model      string `json:"modelVersion"`
		Candidates []struct {
			Content struct {
				Parts []struct {
					Text    string `json:"text"`
					Thought bool   `json:"thought"`
					Call    any    `json:"functionCall"`
				} `json:"parts"`
			} `json:"content"`
			Stop string `json:"finishReason"`
		} `json:"candidates"`
		Feedback struct {
			Blocked string `json:"blockReason"`
		} `json:"promptFeedback"`
		Usage side[struct {
			Input    count `json:"promptTokenCount"`
			Tools    count `json:"toolUsePromptTokenCount"`
			Cached   count `json:"cachedContentTokenCount"`
			Output   count `json:"candidatesTokenCount"`
			Thoughts count `json:"thoughtsTokenCount"`
		}] `json:"usageMetadata"`
	}
	if err := json.Unmarshal(body, &v); err != nil {
		return Reply{}, err
	}
	u := v.Usage.v
	reply := Reply{Model: v.Model, Usage: Usage{
		Input: int(u.Input + u.Tools), CacheRead: int(u.Cached),
		// Reasoning is not included in the count of the reply.
		Output: int(u.Output + u.Thoughts), Reasoning: int(u.Thoughts),
	}}
	if len(v.Candidates) == 0 {
		if v.Feedback.Blocked == "" {
			return Reply{}, errNoPayload
		}
		// The reply to a blocked request has no candidate.
		reply.Stop = "refusal"
		return reply, nil
	}
	reply.Stop = v.Candidates[0].Stop
	var said, thought strings.Builder
	for _, part := range v.Candidates[0].Content.Parts {
		if part.Call != nil {
			reply.Stop = modelreply.StopTool
		}
		if part.Thought {
			thought.WriteString(part.Text)
		} else {
			said.WriteString(part.Text)
		}
	}
	reply.Text, reply.Thinking = said.String(), thought.String()
	return reply, nil
}

// geminiWait reads the details of an error. The delay of a quota of the day is
// that of a minute, and says nothing: the quota is full again at midnight,
// Pacific time.
func geminiWait(_ http.Header, body []byte, _ func(time.Time) time.Duration) (wait time.Duration) {
	var v struct {
		Error struct {
			Details []struct {
				Delay      string `json:"retryDelay"`
				Violations []struct {
					Quota string `json:"quotaId"`
				} `json:"violations"`
			} `json:"details"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &v) != nil {
		return 0
	}
	for _, detail := range v.Error.Details {
		if d, err := time.ParseDuration(detail.Delay); err == nil {
			wait = max(wait, d)
		}
		for _, violation := range detail.Violations {
			if strings.Contains(violation.Quota, "PerDay") {
				wait = max(wait, 24*time.Hour)
			}
		}
	}
	return wait
}
