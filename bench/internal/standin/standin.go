// Package standin is a model that speaks the protocol of OpenAI and replies as the stand-in of
// judges does, after a latency.
package standin

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/llm"
)

// InputTokens and OutputTokens are what each reply says that it took.
const (
	InputTokens  = 1000
	OutputTokens = 100
)

// A Model is the server.
type Model struct {
	// Latency is how long a reply takes.
	Latency time.Duration
	// Asked is called with the digest of each prompt (see [Digest]) when it arrives; it may
	// be called concurrently.
	Asked func(digest string)
}

// question finds the questions that the stand-in writes, and their first words: they hold
// whole sentences, and questions have about ten words.
var question = regexp.MustCompile(`("question":"(?:[^" ]+ ){0,11}[^" ]*)[^"]*"`)

// ServeHTTP implements [http.Handler].
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		fmt.Fprint(w, `{"data":[{"id":"stand-in"}]}`)
		return
	}
	var body struct {
		Messages []struct{ Role, Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var request llm.Request
	for _, one := range body.Messages {
		request.Messages = append(request.Messages, llm.Message{Role: one.Role, Text: one.Content})
	}
	m.Asked(Digest(request))
	said, err := Reply(request)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	time.Sleep(m.Latency)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"model": "stand-in", "choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": said}}},
		"usage": map[string]any{"prompt_tokens": InputTokens, "completion_tokens": OutputTokens},
	})
}

// Reply returns what the stand-in of judges replies to a request, with questions of a length
// that questions have. The error is that of [model.StandIn.Answer].
func Reply(r llm.Request) (string, error) {
	said, err := model.StandIn{}.Answer(r)
	if err != nil {
		return "", err
	}
	return question.ReplaceAllString(said, `$1?"`), nil
}

// nonce finds the nonce of a call in its prompt.
var nonce = regexp.MustCompile(`<data nonce="([0-9a-f]+)">`)

// Digest returns the same text for all calls with one prompt: the nonce, which each call has
// of its own, does not count. It is the same for the request that the ledger keeps.
func Digest(r llm.Request) string {
	turns := r.Messages
	if r.System != "" {
		turns = append([]llm.Message{{Role: "system", Text: r.System}}, turns...)
	}
	mark := llm.NonceMark
	for _, turn := range turns {
		if found := nonce.FindStringSubmatch(turn.Text); found != nil {
			mark = found[1]
			break
		}
	}
	sum := sha256.New()
	for _, turn := range turns {
		fmt.Fprintf(sum, "%s\x00%s\x00", turn.Role, strings.ReplaceAll(turn.Text, mark, llm.NonceMark))
	}
	return hex.EncodeToString(sum.Sum(nil)[:12])
}
