package question

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay/judge"
)

// chunkElements writes a question and chunks. The names of the elements count from
// 1; the reply refers to a chunk by its index, which counts from 0.
func chunkElements(question string, chunks []judge.Chunk) []judge.Element {
	out := []judge.Element{{Name: "sub_question", Text: question}}
	for i, c := range chunks {
		out = append(out, judge.Element{
			Name: "chunk_" + strconv.Itoa(i+1), Text: c.Text,
			Attributes: []string{"doc", c.Document, "page", c.Page, "index", strconv.Itoa(i)},
		})
	}
	return out
}

// chunkBatch is how many chunks a judge sees at once: models miscount longer lists
// and overlook their middle.
const chunkBatch = 10

// ChunkRelevance rules which chunks of a batch hold information that helps to
// answer the question.
var ChunkRelevance = task(judge.Task[[]judge.Chunk, []judge.Ruling]{
	Name: "evaluate_chunk_relevance", Elements: true, Model: rateChunks,
	Combine: eachOf[judge.Chunk](rulingBallot),
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

// A Batch holds a ruling for each of up to ten chunks. They mean nothing when Err
// says why the batch could not be judged.
type Batch struct {
	Rulings []judge.Ruling
	Err     error
}

// CorpusRelevance asks about every chunk of the plan's corpus, in batches of ten.
// Every error is kept in its batch, also a fatal one, so that the rulings on the
// other batches are not lost.
var CorpusRelevance = about(judge.Question[[]Batch]{
	Name: "corpus_relevance", Title: "relevance of every chunk of the corpus", Tasks: []judge.AnyTask{ChunkRelevance},
	When: func(h *judge.Hearing) bool { return len(h.Plan.Corpus) > 0 },
	Find: func(ctx context.Context, h *judge.Hearing) ([]Batch, error) {
		batches := slices.Collect(slices.Chunk(h.Plan.Corpus, chunkBatch))
		out := make([]Batch, len(batches))
		var g errgroup.Group
		g.SetLimit(atOnce)
		for i, chunks := range batches {
			g.Go(func() error {
				rulings, err := ChunkRelevance.Ask(ctx, h.Judge, h.Subject, chunks)
				if out[i] = (Batch{rulings, err}); err != nil {
					out[i].Rulings = make([]judge.Ruling, len(chunks))
				}
				return nil
			})
		}
		_ = g.Wait() // the batches hold their errors
		return out, nil
	},
})

const relevantIndices = "relevant_chunk_indices"

func rateChunks(ctx context.Context, m judge.Asker, s judge.Subject, chunks []judge.Chunk) ([]judge.Ruling, error) {
	relevant, err := askElements(ctx, m, s, chunkElements(s.Question, chunks), func(reply []byte) ([]bool, error) {
		return readRelevant(reply, len(chunks))
	})
	out := make([]judge.Ruling, len(relevant))
	for i, holds := range relevant {
		out[i] = judge.Ruling{Holds: holds, Degree: yes(holds)}
	}
	return out, err
}

// readRelevant reads which of n chunks are relevant, by their indices from 0, in
// order.
func readRelevant(reply []byte, n int) ([]bool, error) {
	const name = relevantIndices
	object, err := fields(reply)
	if err != nil {
		return nil, err
	}
	if _, ok := object[name]; !ok {
		return nil, fmt.Errorf("it has no field %q: want the list of the indices of the relevant chunks", name)
	}
	list, err := field[[]*float64](object, name, "a list of numbers")
	if err != nil {
		return nil, err
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
