package embed

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"github.com/assay-eval/assay/llm"
)

const teiKind = "tei"

var tei = Kind{
	Name:    teiKind,
	Doc:     "a server of Hugging Face's text-embeddings-inference, by its /embed",
	Example: "--embedder tei:BAAI/bge-small-en-v1.5",
	Server:  true,
	Wants:   "MODEL",
	Free:    true,
	Batch:   32, // the default of --max-client-batch-size
	Open: func(s Setup) (Source, error) {
		e, err := llm.OpenEndpoint(teiKind, s.Options, "embed")
		if err != nil {
			return nil, err
		}
		return &teiSource{server: server{e, s.Model}}, nil
	},
}

type teiSource struct {
	server
	mu sync.Mutex
	// known is set once the server's model was compared with the one that was named.
	known bool
}

// Vectors implements [Source].
func (s *teiSource) Vectors(ctx context.Context, texts []string) (Batch, error) {
	if err := s.check(ctx); err != nil {
		return Batch{}, err
	}
	return cutting(func(cut bool) (Batch, error) {
		fields := map[string]any{"inputs": texts, "normalize": true, "truncate": cut}
		body, header, err := s.PostJSON(ctx, s.model, fields, "inputs", "truncate")
		if err != nil {
			return Batch{}, err
		}
		var v []vector
		if err := s.Decode(s.model, body, &v); err != nil {
			return Batch{}, err
		}
		n, _ := strconv.ParseFloat(header.Get("X-Compute-Tokens"), 64) // which older servers do not send
		return Batch{Vectors: plain(v), Tokens: tokens(n)}, nil
	})
}

// check compares the model of the server, which has one and is not asked for it by name,
// with the one that the user named. A server that does not say is believed.
func (s *teiSource) check(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known {
		return nil
	}
	body, err := s.Get(ctx, s.model, "info")
	if err != nil {
		if llm.Refused(err) || llm.IsKind(err, llm.KindModel) {
			s.known = true
			return nil
		}
		return err
	}
	var info struct {
		Model string `json:"model_id"`
	}
	if err := json.Unmarshal(body, &info); err == nil && info.Model != "" && info.Model != s.model {
		return s.Fail(s.model, llm.KindModel, fmt.Sprintf("the server has the model %q: expected %s:%s", info.Model, teiKind, info.Model))
	}
	s.known = true
	return nil
}
