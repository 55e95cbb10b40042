package rag

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/profile"
)

const (
	// MostRelevant is the highest relevance.
	MostRelevant = 10.0
	// batch is the maximum number of passages per call of the filter. Models lose count
	// in long lists; a list of ten results takes one call.
	batch = 20
)

// ModelFilter is a [Filter] that asks a model, with the filter templates of the
// profile: the passages of a sub-question in one call, or in calls of 20 or as many as
// fit the window. A reply in which a score is missing, given twice, for an unknown
// passage or outside 0 to 10 is sent back once.
type ModelFilter struct{ Model Model }

// Identity returns the model's identity.
func (f ModelFilter) Identity() string { return f.Model.Identity() }

var scoresSchema = json.RawMessage(
	`{"type":"object","additionalProperties":false,"required":["scores"],"properties":{"scores":{"type":"array","items":{"type":"object",` +
		`"additionalProperties":false,"required":["chunk","score"],"properties":{"chunk":{"type":"integer"},"score":{"type":"number"}}}}}}`)

// Relevance asks the model.
func (f ModelFilter) Relevance(ctx context.Context, t Turn, question string, passages []assay.Passage) ([]float64, Step, error) {
	var step Step
	var scores []float64
	empty, err := f.prompt(t, question, nil)
	if err != nil {
		return nil, step, &replyError{err}
	}
	room := f.Model.room() - llm.EstimateTokens(empty.System) - llm.EstimateTokens(empty.User)
	for len(scores) < len(passages) {
		first := len(scores)
		var chunks []profile.Chunk
		for left := room; first+len(chunks) < len(passages) && len(chunks) < batch; {
			c := chunkOf(first+len(chunks)+1, passages[first+len(chunks)])
			if left -= tokensOf(c); left < 0 {
				break
			}
			chunks = append(chunks, c)
		}
		if len(chunks) == 0 {
			return nil, step, lasting("passage %q does not fit the model's window of %d tokens: want a larger window, or smaller chunks",
				passages[first].ID, f.Model.room())
		}
		p, err := f.prompt(t, question, chunks)
		if err != nil {
			return nil, step, &replyError{err}
		}
		var read []float64
		one, err := f.Model.ask(ctx, f.Model.request(opFilter, t, p, scoresSchema), func(reply llm.Reply) (err error) {
			read, err = readScores(reply.Text, first+1, len(chunks))
			return err
		})
		step.then(one)
		if err != nil {
			return nil, step, err
		}
		scores = append(scores, read...)
	}
	return scores, step, nil
}

func (f ModelFilter) prompt(t Turn, question string, chunks []profile.Chunk) (profile.Prompt, error) {
	return t.Profile.Filter(t.Question, []profile.Section{{Question: question, Chunks: chunks}})
}

// readScores parses the scores of n chunks, numbered from first.
func readScores(reply string, first, n int) ([]float64, error) {
	var r struct {
		Scores []struct {
			Chunk *int     `json:"chunk"`
			Score *float64 `json:"score"`
		} `json:"scores"`
	}
	if err := readObject(reply, &r); err != nil {
		return nil, err
	}
	out := make([]float64, n)
	seen := make([]bool, n)
	for _, s := range r.Scores {
		if s.Chunk == nil || s.Score == nil {
			return nil, fmt.Errorf(`a score without "chunk" or "score": want both`)
		}
		i := *s.Chunk - first
		switch {
		case i < 0 || i >= n:
			return nil, fmt.Errorf("a score for chunk %d: want one for each from %d to %d", *s.Chunk, first, first+n-1)
		case seen[i]:
			return nil, fmt.Errorf("two scores for chunk %d: want one", *s.Chunk)
		case !(*s.Score >= 0 && *s.Score <= MostRelevant):
			return nil, fmt.Errorf("score %v for chunk %d: want 0 to 10", *s.Score, *s.Chunk)
		}
		out[i], seen[i] = *s.Score, true
	}
	for i, ok := range seen {
		if !ok {
			return nil, fmt.Errorf("no score for chunk %d: want one for each from %d to %d", first+i, first, first+n-1)
		}
	}
	return out, nil
}

// chunkOf returns a passage in its prompt form.
func chunkOf(n int, p assay.Passage) profile.Chunk {
	c := profile.Chunk{Number: n, Document: p.Document, Text: p.Text}
	for _, name := range []string{p.Title, p.Source, p.ID} {
		if c.Document == "" {
			c.Document = name
		}
	}
	if strings.TrimSpace(c.Text) == "" {
		// the document has only a title
		c.Text = p.Title
	}
	return c
}

// tokensOf estimates the size of a passage in a prompt.
func tokensOf(c profile.Chunk) int {
	return llm.EstimateTokens(profile.Chunks([]profile.Chunk{c})) + 1
}

// Similarity is a [Filter] without a model: the relevance is ten times the cosine of
// the embeddings of the sub-question and the passage, at least 0.
type Similarity struct{ Embedder assay.Embedder }

// Identity includes the embedder's identity.
func (f Similarity) Identity() string { return "similarity(" + f.Embedder.Identity() + ")" }

// Relevance embeds the question and the passages at once.
func (f Similarity) Relevance(ctx context.Context, _ Turn, question string, passages []assay.Passage) ([]float64, Step, error) {
	texts := []string{question}
	for _, p := range passages {
		texts = append(texts, titled(p))
	}
	vectors, err := embed(ctx, f.Embedder, texts)
	if err != nil {
		return nil, Step{}, err
	}
	scores := make([]float64, len(passages))
	for i, v := range vectors[1:] {
		scores[i] = MostRelevant * cosine(vectors[0], v)
	}
	return scores, Step{}, nil
}
