package target

import (
	"encoding/json"
	"strings"

	"github.com/assay-eval/assay/target/reply"
)

// batches are the lines of files with the results of a provider's batch: which fields such a line has, and
// the paths of the case's id or question, of the reply, and of what failed, the first that leads to something.
var batches = []struct {
	has               [2]string
	id, answer, fails string
}{
	{[2]string{"custom_id", "response"}, "custom_id", "response.body response", "error response.body.error"}, // OpenAI, Mistral, Groq, Claude on Vertex AI
	{[2]string{"custom_id", "result"}, "custom_id", "result.message", "result.error result.type"},            // Anthropic
	{[2]string{"recordId", "modelInput"}, "recordId", "modelOutput", "error"},                                // Bedrock
	{[2]string{"request", "status"}, "key", "response", "status error"},                                      // Vertex AI
	{[2]string{"key", "response"}, "key", "response", "error"},                                               // Gemini API
	{[2]string{"key", "error"}, "key", "response", "error"},
}

// asked are the paths of the question in the request of a batch.
const asked = "request.contents[-1].parts[-1].text request.messages[-1].content[-1].text request.messages[-1].content " +
	"modelInput.messages[-1].content[-1].text modelInput.messages[-1].content modelInput.prompt modelInput.inputText"

// unbatched makes a recorded response of the result of one request of a batch, whose reply is body if it is an object; another
// line stays as it is.
func unbatched(line map[string]any) (out, body map[string]any) {
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
		id := at(b.id)
		question, _ := at(asked).(string)
		if !one || !two || id == nil && question == "" {
			continue
		}
		out, why := map[string]any{"id": id, "question": question, "response": at(b.answer)}, at(b.fails)
		body, _ = out["response"].(map[string]any)
		status, _ := at("response.status_code").(json.Number)
		switch code, _ := status.Int64(); {
		case reply.Blocked(body) != "":
			why = nil
		case len(body) == 0 || body["error"] != nil:
		case code >= 400 && why == nil:
			why = "status " + status.String()
		default:
			why = nil
		}
		if out["error"] = why; why != nil || len(body) > 0 {
			delete(out, "response")
		}
		if why != nil {
			body = nil
		}
		return out, body
	}
	return line, nil
}
