package target

import (
	"strings"

	"github.com/assay-eval/assay/target/reply"
)

// batches are the lines of files with the results of a provider's batch: which fields such a line has, and
// the paths of the case's id or question, of the reply, and of what failed, the first that leads to something.
var batches = []struct {
	has               [2]string
	id, answer, fails string
}{
	{[2]string{"custom_id", "response"}, "custom_id", "response.body", "error response.body.error"}, // OpenAI, Mistral, Groq
	{[2]string{"custom_id", "result"}, "custom_id", "result.message", "result.error result.type"},   // Anthropic
	{[2]string{"recordId", "modelInput"}, "recordId", "modelOutput", "error"},                       // Bedrock
	{[2]string{"request", "status"}, "key", "response", "status error"},                             // Vertex AI
	{[2]string{"key", "response"}, "key", "response", "error"},                                      // Gemini API
	{[2]string{"key", "error"}, "key", "response", "error"},
}

// unbatched makes a recorded response of the result of one request of a batch; another line stays as it is.
func unbatched(line map[string]any) map[string]any {
	at := func(paths string) any {
		for path := range strings.FieldsSeq(paths) {
			p, err := reply.ParsePath(path)
			if v, ok := p.Value(line); err == nil && ok && v != "" {
				return v
			}
		}
		return nil
	}
	for _, b := range batches {
		_, one := line[b.has[0]]
		_, two := line[b.has[1]]
		id, asked := at(b.id), at("request.contents[-1].parts[-1].text")
		if !one || !two || id == nil && asked == nil {
			continue
		}
		out, why := map[string]any{"id": id, "question": asked, "response": at(b.answer)}, at(b.fails)
		if o, ok := out["response"].(map[string]any); ok && len(o) > 0 && o["error"] == nil {
			why = nil
		}
		if out["error"] = why; why != nil {
			delete(out, "response")
		}
		return out
	}
	return line
}
