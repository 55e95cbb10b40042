package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/dataset/check"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/chunk"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/report"
)

// checkFlags are the flags of assay dataset check.
type checkFlags struct {
	read       readFlags
	corpus     string
	unreadable bool
	runs       []string
	store      string
	depth      int
	most       int
	asJSON     bool
	strict     bool
	noSearch   bool
	noEmbed    bool
}

func newDatasetCheck(env *Env) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:  "check PATH",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := untilInterrupted(cmd.Context(), env)
			defer stop()
			err := f.run(ctx, env, args[0])
			if wire.Interrupted(err) {
				return &ExitError{Code: ExitInterrupted, Err: errors.New("interrupted")}
			}
			return err
		},
	}
	f.read.add(cmd)
	cmd.Flags().StringVar(&f.corpus, "corpus", "", "folder of the documents that labels refer to")
	cmd.Flags().BoolVar(&f.unreadable, "skip-unreadable", false, "skip documents that cannot be read")
	cmd.Flags().StringArrayVar(&f.runs, "run", nil, "run whose retrieval is checked too: an id, a name, latest, or a report file (repeatable)")
	storeFlag(cmd, env, &f.store)
	cmd.Flags().IntVar(&f.depth, "depth", 10, "number of top ranks searched for unjudged documents")
	cmd.Flags().IntVar(&f.most, "findings", 10, "maximum number of findings of each kind that are printed (0: all)")
	cmd.Flags().BoolVar(&f.noSearch, "no-search", false, "do not search the corpus")
	cmd.Flags().BoolVar(&f.noEmbed, "no-embedder", false, "do not compare embeddings: faster, but finds less")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "exit with code 1 if a finding is wrong, not only doubtful, or a judgment is of a document or query that the dataset lacks")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the findings as JSON")
	return cmd
}

// checked is the JSON output.
type checked struct {
	Path string `json:"path"`
	Hash string `json:"hash"`
	// Corpus is the fingerprint of the documents, as in the header of a run.
	Corpus string `json:"corpus,omitempty"`
	*check.Report
	Warnings []string `json:"warnings,omitempty"`
}

func (f *checkFlags) run(ctx context.Context, env *Env, path string) error {
	if f.depth < 1 || f.most < 0 {
		return fmt.Errorf("--depth %d, --findings %d: expected 1 or more, and 0 or more", f.depth, f.most)
	}
	f.read.cfg.Strict = f.strict
	d, err := f.read.load(ctx, env, path)
	if err != nil {
		return err
	}
	out := checked{Path: path, Hash: d.Info.Hash}
	in := check.Input{Cases: d.Cases.List(), Depth: f.depth}
	if in.Documents, out.Warnings, err = f.documents(ctx, env, d); err != nil {
		return err
	}
	if in.Documents != nil {
		out.Corpus = rag.HashDocuments(in.Documents)
	}
	for _, ref := range f.runs {
		rep, err := loadReport(ctx, env, ref, f.store)
		if err != nil {
			return err
		}
		order, err := ranking(rep)
		if err != nil {
			return err
		}
		in.Rankings = append(in.Rankings, order)
		out.Warnings = append(out.Warnings, strangers(rep, d, out.Corpus)...)
	}
	if !f.noEmbed {
		if in.Embedder, err = embed.MiniLM(); err != nil {
			return err
		}
	}
	if in.Documents != nil && !f.noSearch {
		searched, err := f.search(ctx, env, d, in)
		if err != nil {
			return err
		}
		in.Rankings = append(in.Rankings, searched...)
	}
	if out.Report, err = check.Run(ctx, in); err != nil {
		return err
	}
	if f.asJSON {
		err = printJSON(env.Stdout, out)
	} else {
		warnDataset(env, d)
		for _, w := range out.Warnings {
			env.Warn("warning: %s", w)
		}
		err = f.print(env.Stdout, d, out)
	}
	if err == nil && f.strict && out.Count(check.Wrong) > 0 {
		return &ExitError{Code: ExitThreshold, Err: fmt.Errorf("%d definite errors found", out.Count(check.Wrong))}
	}
	return err
}

// documents reads the corpus: the named folder, or else the documents of the dataset,
// if any.
func (f *checkFlags) documents(ctx context.Context, env *Env, d *dataset.Dataset) ([]assay.Document, []string, error) {
	if f.corpus != "" {
		return wire.Folder(ctx, f.corpus, env.Path, f.unreadable)
	}
	docs, err := d.Documents(ctx)
	if errors.Is(err, dataset.ErrNoCorpus) {
		return nil, nil, nil
	}
	return docs, nil, err
}

// search runs every question through sparse and dense retrieval. It retrieves so many
// passages that a missing document is unlikely to be a matter of chance.
func (f *checkFlags) search(ctx context.Context, env *Env, d *dataset.Dataset, in check.Input) ([]check.Ranking, error) {
	const deep = 100
	split := chunk.Default()
	if f.corpus == "" {
		split = chunk.Config{Method: chunk.Document}
	}
	retrievers := []string{rag.Sparse}
	if in.Embedder != nil {
		retrievers = append(retrievers, rag.Dense)
	}
	var out []check.Ranking
	for _, name := range retrievers {
		r, err := searchWith(ctx, rag.Config{
			Documents: in.Documents, Retriever: name, TopK: deep, Generator: rag.NoGenerator,
			Chunk: split, Embedder: in.Embedder, CacheDir: wire.CacheDir("", env.Getenv, env.Path),
		}, in.Cases)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func searchWith(ctx context.Context, cfg rag.Config, cases []assay.Case) (r check.Ranking, err error) {
	p, err := rag.Open(ctx, cfg)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	r = check.Ranking{Name: cfg.Retriever, Passages: map[string][]assay.Passage{}}
	for i := range cases {
		resp, err := p.Ask(ctx, &cases[i])
		if err != nil {
			return r, err
		}
		r.Passages[cases[i].ID] = resp.Passages
	}
	return r, nil
}

// ranking returns the passages that a run retrieved, for the first draw of each case.
func ranking(rep *report.Report) (check.Ranking, error) {
	r := check.Ranking{Name: rep.Name(), Passages: map[string][]assay.Passage{}}
	for rec, err := range rep.Records() {
		if err != nil {
			return r, err
		}
		if rec.Response != nil && rec.Case.Draw == 0 {
			r.Passages[rec.Case.ID] = rec.Response.Passages
		}
	}
	return r, nil
}

// strangers returns a warning for each way in which a run used other data than the
// dataset and corpus being checked.
func strangers(rep *report.Report, d *dataset.Dataset, corpus string) []string {
	var out []string
	if rep.Header.Dataset.Hash != d.Info.Hash {
		out = append(out, fmt.Sprintf("run %s was on another version of the dataset: only cases with the same id are looked at", rep.Name()))
	}
	if was := rep.Header.Corpus; was != nil && corpus != "" && was.Hash != corpus {
		out = append(out, fmt.Sprintf("run %s answered from another corpus (%s, here %s)", rep.Name(), text.ShortHash(was.Hash),
			text.ShortHash(corpus)))
	}
	return out
}

func (f *checkFlags) print(w io.Writer, d *dataset.Dataset, out checked) error {
	type kind struct {
		check.Check
		Found, More int
		Shown       []check.Finding
	}
	var kinds []kind
	for _, c := range check.Checks {
		k := kind{Check: c}
		for _, x := range out.Findings {
			if x.Check == c.Name {
				k.Shown = append(k.Shown, x)
			}
		}
		// Definite problems come before possible ones.
		slices.SortStableFunc(k.Shown, func(a, b check.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
		if k.Found = len(k.Shown); f.most > 0 && k.Found > f.most {
			k.Shown, k.More = k.Shown[:f.most], k.Found-f.most
		}
		if k.Found > 0 {
			kinds = append(kinds, k)
		}
	}
	concerned := map[string]bool{}
	for _, x := range out.Findings {
		if len(x.Cases) > 0 {
			concerned[x.Cases[0]] = true
		}
	}
	return printPage(w, "findings", struct {
		checked
		Dataset   string
		Kinds     []kind
		Concerned int
	}{out, d.Info.Name, kinds, len(concerned)})
}

// findingLine returns a finding with its place, in one line.
func findingLine(f check.Finding) string { return oneLine(where(f) + f.Says) }

func where(f check.Finding) string {
	if len(f.Cases) == 0 {
		return ""
	}
	s := fmt.Sprintf("%q: ", f.Cases[0])
	if f.Origin.File != "" {
		at := f.Origin
		at.File = filepath.Base(at.File)
		s = at.String() + ": " + s
	}
	return s
}
