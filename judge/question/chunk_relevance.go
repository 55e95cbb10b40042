package question

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
)

// A Chunk is a piece of a document whose relevance is asked about.
type Chunk struct {
	Document, Text string
	// Page is "" when it is not known.
	Page string
}

// chunkElements writes a question and chunks, numbered from 1 as elements and with an index from 0 by
// which the reply names them.
func chunkElements(question string, chunks []Chunk) []judge.Element {
	out := []judge.Element{{Name: "sub_question", Text: question}}
	for i, c := range chunks {
		out = append(out, judge.Element{
			Name: "chunk_" + strconv.Itoa(i+1), Text: c.Text,
			Attributes: []string{"doc", c.Document, "page", c.Page, "index", strconv.Itoa(i)},
		})
	}
	return out
}

// BatchSize is how many chunks a judge sees at once: in longer lists models lose
// count, and sight of the middle.
const BatchSize = 10

// ChunkRelevance rules which chunks of a batch, [BatchSize] at most, hold
// information that helps to answer the question.
var ChunkRelevance = task(judge.Task[[]Chunk, []judge.Ruling]{
	Name: "evaluate_chunk_relevance", Elements: true, Model: rateChunks,
	Combine: judge.Each[[]Chunk, judge.Ruling]{
		Ballot: rulingBallot, Len: func(in []Chunk) int { return len(in) }, Some: judge.Pick[Chunk],
	},
	StandIn: func(material []byte) (any, error) {
		indices := []int{}
		for i := range strings.Count(string(material), "</chunk_") {
			if i%2 == 0 {
				indices = append(indices, i)
			}
		}
		return object{relevantIndices: indices}, nil
	},
})

const relevantIndices = "relevant_chunk_indices"

func rateChunks(ctx context.Context, m judge.Asker, s judge.Subject, chunks []Chunk) ([]judge.Ruling, error) {
	out := make([]judge.Ruling, len(chunks))
	_, err := m.PutElements(ctx, s, chunkElements(s.Question, chunks), func(reply []byte) error {
		relevant, err := readRelevant(reply, len(chunks))
		for i, holds := range relevant {
			out[i] = judge.Ruling{Holds: holds}
			if holds {
				out[i].Degree = 1
			}
		}
		return err
	})
	if err != nil {
		return nil, judge.GivesUp(ctx, err)
	}
	return out, nil
}

// readRelevant reads which of n chunks are relevant, by their indices from 0, in
// order.
func readRelevant(reply []byte, n int) ([]bool, error) {
	const name = relevantIndices
	object, err := fields(reply)
	if err != nil {
		return nil, err
	}
	raw, ok := object[name]
	if !ok {
		return nil, fmt.Errorf("it has no field %q: want the list of the indices of the relevant chunks", name)
	}
	var list []*float64
	if err := json.Unmarshal(raw, &list); err != nil || list == nil {
		return nil, fmt.Errorf("%q is %s: want a list of numbers", name, text.Shorten(string(raw), 40))
	}
	out := make([]bool, n)
	for _, v := range list {
		switch {
		case v == nil || *v != math.Trunc(*v) || *v < 0 || *v >= float64(n):
			return nil, fmt.Errorf("%q holds %s: want whole numbers from 0 to %d", name, shown(v), n-1)
		case out[int(*v)]:
			return nil, fmt.Errorf("%q holds %s twice: want each once", name, shown(v))
		}
		out[int(*v)] = true
	}
	return out, nil
}

func shown(v *float64) string {
	if v == nil {
		return "null"
	}
	return fmt.Sprint(*v)
}
