// Package rag is the built-in reference pipeline over documents that it splits, indexes
// and searches without any service. Its stages are transcribe, decompose, retrieve,
// filter and generate; only retrieve is mandatory. It is an [assay.Target], so that
// `assay` works with nothing else installed and retrievers can be compared on a user's
// own documents. Models and transcribers are injected.
package rag

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/rag/chunk"
	"github.com/assay-eval/assay/rag/index"
	"github.com/assay-eval/assay/rag/profile"
)

// The retrievers.
const (
	// Sparse is BM25.
	Sparse = "sparse"
	// Dense is the cosine similarity of embeddings, over every passage.
	Dense = "dense"
	// Hybrid is both, merged by reciprocal rank fusion.
	Hybrid = "hybrid"
)

// Retrievers lists the retrievers.
func Retrievers() []string { return []string{Sparse, Dense, Hybrid} }

// The generators.
const (
	// Extractive answers with the best supporting sentences, cited.
	Extractive = "extractive"
	// NoGenerator leaves the answer empty, for retrieval-only runs.
	NoGenerator = "none"
	// modelGenerator is the pipeline's [Answerer].
	modelGenerator = "model"
)

// Generators lists the generators.
func Generators() []string { return []string{Extractive, NoGenerator} }

// A Config describes a pipeline. The zero value of a field means its default.
type Config struct {
	// Documents are the corpus; their ids are unique and not empty.
	Documents []assay.Document
	// CorpusHash identifies the documents; "" lets [HashDocuments] compute it. A given
	// hash is trusted: cached files for it are used for these documents.
	CorpusHash string
	// CorpusPath is the origin of the documents, for reports only.
	CorpusPath string
	// Retriever is one of [Retrievers]; the default is sparse, which needs nothing
	// else.
	Retriever string
	// Chunk describes how documents are split; the default is [chunk.Default].
	Chunk chunk.Config
	// Embedder is required by dense and hybrid. With sparse it is used only by the
	// generator.
	Embedder assay.Embedder
	// EmbedLater leaves embedding the passages to [Pipeline.Open], for an embedder that
	// cannot be asked yet. Its vectors are not in CacheDir: it has a ledger of its own,
	// which knows what was asked anew.
	EmbedLater bool
	// BM25 are the parameters of sparse and hybrid; the default is [index.DefaultBM25].
	BM25 index.BM25Params
	// TopK is the number of passages returned. The default, 10, is the cutoff of BEIR's
	// main measure, nDCG@10; a smaller value would lower it silently.
	TopK int
	// FuseK is the constant of the fusion; the default is [index.FuseConstant].
	FuseK int
	// Depth is how many passages of each list are fused, at least TopK; the default is
	// 100, where recall on BEIR's datasets has levelled out.
	Depth int
	// Generator is one of [Generators]; the default is extractive. With an Answerer it
	// must be "" or "model".
	Generator string
	// Answerer, if set, writes the answers.
	Answerer Answerer
	// Transcriber, if set, turns the recordings of cases into their questions.
	Transcriber assay.Transcriber
	// Recording returns the recording of a case that has one; the default is the file
	// at its path, relative to the folder of the case's file.
	Recording func(c *assay.Case) assay.Recording
	// Decomposer, if set, finds the sub-questions of each question.
	Decomposer Decomposer
	// Filter, if set, keeps the passages whose relevance is at least Threshold, 0 to
	// 10; or, if Keep is above 0, the Keep most relevant ones, whatever the scale.
	Filter    Filter
	Threshold float64
	Keep      int
	// Profile holds the prompts of the stages that ask a model; the default is "A".
	Profile profile.Profile
	// MinSupport is the support below which the extractive generator declines, in 0…1;
	// the default depends on how support is measured: see [Pipeline.Settings].
	MinSupport float64
	// CacheDir is the folder of cached indexes and embeddings; "" disables the cache.
	CacheDir string
	// Progress, if set, receives the progress of Open: "chunk", "index" or "embed", and
	// the number of documents or passages done. It is never called concurrently.
	Progress func(stage string, done, total int)
	// Now, if set, is the clock for latencies, which are 0 without it.
	Now func() time.Time
}

// withDefaults fills in the zero fields and checks the rest.
func (c Config) withDefaults() (Config, error) {
	set := func(field *int, value int) {
		if *field == 0 {
			*field = value
		}
	}
	if c.Retriever == "" {
		c.Retriever = Sparse
	}
	if c.Generator == "" && c.Answerer != nil {
		c.Generator = modelGenerator
	}
	if c.Generator == "" {
		c.Generator = Extractive
	}
	if c.Recording == nil {
		c.Recording = recordingOf
	}
	if len(c.Profile.Templates) == 0 && c.prompts() {
		c.Profile, _ = profile.Default("A")
	}
	if c.Chunk == (chunk.Config{}) {
		c.Chunk = chunk.Default()
	}
	if c.Chunk.Method == chunk.Document {
		c.Chunk = chunk.Config{Method: chunk.Document}
	}
	if c.BM25 == (index.BM25Params{}) {
		c.BM25 = index.DefaultBM25()
	}
	set(&c.TopK, 10)
	set(&c.FuseK, index.FuseConstant)
	set(&c.Depth, max(100, c.TopK))
	if c.Progress == nil {
		c.Progress = func(string, int, int) {}
	}
	if c.MinSupport == 0 {
		c.MinSupport = defaultSupport(c.Embedder)
	}
	return c, c.check()
}

// check returns an error for the first invalid field.
func (c Config) check() error {
	switch {
	case !slices.Contains(Retrievers(), c.Retriever):
		return fmt.Errorf("retriever %q: expected one of %q", c.Retriever, Retrievers())
	case (c.Answerer != nil) != (c.Generator == modelGenerator):
		return fmt.Errorf("generator %q: expected %q or \"\", and only with an answerer", c.Generator, modelGenerator)
	case c.Answerer == nil && !slices.Contains(Generators(), c.Generator):
		return fmt.Errorf("generator %q: expected one of %q", c.Generator, Generators())
	case c.Retriever != Sparse && c.Embedder == nil:
		return fmt.Errorf("retriever %q: needs an embedder", c.Retriever)
	case c.TopK < 1:
		return fmt.Errorf("top-k %d: expected 1 or more", c.TopK)
	case c.FuseK < 1:
		return fmt.Errorf("fusion constant %d: expected 1 or more", c.FuseK)
	case c.Depth < c.TopK:
		return fmt.Errorf("fusion depth %d: expected top-k, %d, or more", c.Depth, c.TopK)
	case !(c.MinSupport >= 0 && c.MinSupport <= 1):
		return fmt.Errorf("minimum support %v: expected 0 to 1", c.MinSupport)
	case c.Keep < 0:
		return fmt.Errorf("passages that the filter keeps %d: expected 1 or more, or 0 for those from the threshold on", c.Keep)
	case !(c.Threshold >= 0 && c.Threshold <= MostRelevant):
		return fmt.Errorf("filter threshold %v: expected 0 to 10", c.Threshold)
	case len(c.Documents) == 0:
		return fmt.Errorf("the corpus has no documents")
	}
	if err := c.Chunk.Validate(); err != nil {
		return err
	}
	if c.prompts() {
		if err := c.Profile.Validate(); err != nil {
			return err
		}
	}
	seen := make(map[string]int, len(c.Documents))
	for i, d := range c.Documents {
		if d.ID == "" {
			return fmt.Errorf("document %d (source %q): has no id", i+1, d.Source)
		}
		if first, ok := seen[d.ID]; ok {
			return fmt.Errorf("document %d: id %q is also the id of document %d: expected unique ids", i+1, d.ID, first+1)
		}
		seen[d.ID] = i
	}
	return nil
}

// usesSparse and usesDense report which indexes the retriever needs.
func (c Config) usesSparse() bool { return c.Retriever != Dense }
func (c Config) usesDense() bool  { return c.Retriever != Sparse }

// prompts reports whether any stage may ask a model.
func (c Config) prompts() bool {
	_, rule := c.Decomposer.(Rule)
	_, similarity := c.Filter.(Similarity)
	_, reranker := c.Filter.(Reranker)
	return c.Answerer != nil || c.Decomposer != nil && !rule || c.Filter != nil && !similarity && !reranker
}

// Settings returns every setting that can affect a result, by name.
func (p *Pipeline) Settings() map[string]string {
	c := p.config
	s := map[string]string{
		"retriever": c.Retriever, "chunk": c.Chunk.String(), "top_k": strconv.Itoa(c.TopK), "generator": c.Generator,
	}
	if c.usesSparse() {
		s["bm25"] = p.sparseModel()
	}
	if c.Embedder != nil && (c.usesDense() || c.Generator == Extractive) {
		s["embedder"] = c.Embedder.Identity()
	}
	if c.Retriever == Hybrid {
		s["fuse_k"], s["depth"] = strconv.Itoa(c.FuseK), strconv.Itoa(c.Depth)
	}
	if c.Generator == Extractive {
		s["min_support"] = number(c.MinSupport)
	}
	if c.Answerer != nil {
		s["generator"] = c.Answerer.Identity()
	}
	if c.Transcriber != nil {
		s["transcriber"] = c.Transcriber.Identity()
	}
	if c.Decomposer != nil {
		s["decomposer"] = c.Decomposer.Identity()
	}
	switch {
	case c.Filter == nil:
	case c.Keep > 0:
		s["filter"], s["filter_keep"] = c.Filter.Identity(), strconv.Itoa(c.Keep)
	default:
		s["filter"], s["filter_threshold"] = c.Filter.Identity(), number(c.Threshold)
	}
	if c.prompts() {
		s["profile"], s["profile_hash"] = c.Profile.Name, c.Profile.Hash()
	}
	return s
}

// sparseModel returns the name of the sparse retriever with its parameters.
func (p *Pipeline) sparseModel() string {
	return fmt.Sprintf("bm25(k1=%s,b=%s)", number(p.config.BM25.K1), number(p.config.BM25.B))
}

// denseModel returns the name of the dense retriever.
func (p *Pipeline) denseModel() string { return p.config.Embedder.Identity() + " exact" }

// model returns the name of the retriever with all of its parts.
func (p *Pipeline) model() string {
	switch p.config.Retriever {
	case Sparse:
		return p.sparseModel()
	case Dense:
		return p.denseModel()
	}
	return fmt.Sprintf("rrf(k=%d) of %s", p.config.FuseK, strings.Join([]string{p.sparseModel(), p.denseModel()}, ", "))
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
