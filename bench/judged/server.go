//go:build unix

package main

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"strings"
	"sync"

	"github.com/assay-eval/assay/bench/internal/standin"
	"github.com/assay-eval/assay/llm"
)

// A tally is what a program sent and was told.
type tally struct {
	calls, input, output, embedded int
}

// A server is the judge of all programs. It speaks the protocol of OpenAI below a path that
// begins with the name of a program, and counts for each.
type server struct {
	mu    sync.Mutex
	seen  map[string]tally
	wrong error
}

// count adds to the tally of a program.
func (s *server) count(program string, t tally) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := s.seen[program]
	s.seen[program] = tally{sum.calls + t.calls, sum.input + t.input, sum.output + t.output, sum.embedded + t.embedded}
}

// of returns the tally of a program.
func (s *server) of(program string) tally {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[program]
}

// failed returns the first request that had no reply.
func (s *server) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wrong
}

// ServeHTTP implements [http.Handler].
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	program, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	var reply any
	var err error
	switch {
	case r.Method == http.MethodGet && path == "v1/models":
		reply = map[string]any{"object": "list", "data": []any{map[string]any{"id": "stand-in", "object": "model"}}}
	case path == "v1/chat/completions":
		reply, err = s.chat(program, r)
	case path == "v1/embeddings":
		reply, err = s.embeddings(program, r)
	default:
		err = fmt.Errorf("no such path: %s %s", r.Method, r.URL.Path)
	}
	if err != nil {
		s.mu.Lock()
		if s.wrong == nil {
			s.wrong = fmt.Errorf("a request of %s: %w", program, err)
		}
		s.mu.Unlock()
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(reply)
}

// A chat is a request for a reply.
type chat struct {
	Model    string
	Messages []struct {
		Role    string
		Content content
	}
	// Format, Tools and Functions are what the reply must be, as JSON.
	Format    json.RawMessage `json:"response_format"`
	Tools     json.RawMessage
	Functions json.RawMessage
	LogProbs  bool
}

// A content is the text of a message, whether it came as a text or as parts.
type content string

// UnmarshalJSON implements [json.Unmarshaler].
func (c *content) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*c = content(text)
		return nil
	}
	var parts []struct{ Text string }
	err := json.Unmarshal(data, &parts)
	for _, p := range parts {
		*c += content(p.Text)
	}
	return err
}

func (s *server) chat(program string, r *http.Request) (any, error) {
	var asked chat
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		return nil, err
	}
	var request llm.Request
	sent := string(asked.Format) + string(asked.Tools) + string(asked.Functions)
	for _, m := range asked.Messages {
		sent += string(m.Content)
		request.Messages = append(request.Messages, llm.Message{Role: m.Role, Text: string(m.Content)})
	}
	say := reply
	if strings.HasPrefix(program, "assay") {
		say = func(chat) (string, error) { return standin.Reply(request) }
	}
	said, err := say(asked)
	if err != nil {
		return nil, err
	}
	input, err := tokens(sent)
	if err != nil {
		return nil, err
	}
	output, err := tokens(said)
	if err != nil {
		return nil, err
	}
	s.count(program, tally{calls: 1, input: input, output: output})
	choice := map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": said}}
	if asked.LogProbs {
		choice["logprobs"] = map[string]any{"content": logProbs(said)}
	}
	return map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": asked.Model, "choices": []any{choice},
		"usage": map[string]any{"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output},
	}, nil
}

// logProbs returns the words and signs of a reply as tokens that had no rivals.
func logProbs(said string) []any {
	var out []any
	for _, token := range strings.Fields(strings.NewReplacer(",", " , ", "}", " }", ":", " : ").Replace(said)) {
		out = append(out, map[string]any{"token": token, "logprob": -0.01, "bytes": nil,
			"top_logprobs": []any{map[string]any{"token": token, "logprob": -0.01, "bytes": nil}}})
	}
	return out
}

// dimensions is the length of an embedding, that of MiniLM.
const dimensions = 384

func (s *server) embeddings(program string, r *http.Request) (any, error) {
	var asked struct {
		Model  string
		Input  any
		Format string `json:"encoding_format"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		return nil, err
	}
	texts, ok := asked.Input.([]any)
	if !ok {
		texts = []any{asked.Input}
	}
	data := make([]any, len(texts))
	for i, one := range texts {
		text, ok := one.(string)
		if !ok {
			return nil, fmt.Errorf("an input of embeddings is %T: want a text", one)
		}
		v := embed(text)
		var shown any = v
		if asked.Format == "base64" {
			packed := make([]byte, 0, 4*len(v))
			for _, x := range v {
				packed = binary.LittleEndian.AppendUint32(packed, math.Float32bits(x))
			}
			shown = base64.StdEncoding.EncodeToString(packed)
		}
		data[i] = map[string]any{"object": "embedding", "index": i, "embedding": shown}
	}
	s.count(program, tally{embedded: len(texts)})
	usage := map[string]any{"prompt_tokens": 1, "total_tokens": 1}
	return map[string]any{"object": "list", "model": asked.Model, "data": data, "usage": usage}, nil
}

// embed returns a vector of length 1 that has the words of a text, each at one place.
func embed(text string) []float32 {
	v := make([]float32, dimensions)
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		h := fnv.New32a()
		_, _ = h.Write([]byte(w))
		v[h.Sum32()%dimensions]++
	}
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		v[0], sum = 1, 1
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}
