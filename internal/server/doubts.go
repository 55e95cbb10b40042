package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
)

// doubtRuns is the number of runs from which a content of a dataset is doubted at most.
const doubtRuns = 10

// doubtSpace is the size limit of the doubts that were asked for last, in bytes. Those of
// 100,000 cases that are all doubted take about 30 MB.
const doubtSpace = 64 << 20

// doubted are the doubts about a content of a dataset, with the runs that they rest on.
type doubted struct {
	report.Doubts
	runs []assay.Header
	// all is the number of finished runs over the content.
	all int
}

func (d *doubted) size() int {
	const perCase = 100
	return perCase * (len(d.Unsolved) + len(d.Flaky) + len(d.Unruled))
}

// doubtedRuns returns the runs from which a content is doubted, latest first: the latest
// finished run of each system, then the latest others.
func doubtedRuns(runs []usedRun, hash string) (chosen []usedRun, all int) {
	var rest []usedRun
	seen := map[fingerprint]bool{}
	for _, r := range runs {
		if !r.finished || r.hash != hash {
			continue
		}
		all++
		if seen[r.system] {
			rest = append(rest, r)
			continue
		}
		seen[r.system] = true
		chosen = append(chosen, r)
	}
	chosen = append(chosen, rest...)
	chosen = chosen[:min(len(chosen), doubtRuns)]
	slices.SortStableFunc(chosen, func(a, b usedRun) int { return b.started.Compare(a.started) })
	return chosen, all
}

// doubts returns the doubts about a content of a dataset. They are kept as long as the runs
// are the same. The error is a problem.
func (s *Server) doubts(ctx context.Context, hash string) (*doubted, error) {
	used, err := s.usedRuns(ctx)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	if !slices.ContainsFunc(used, func(r usedRun) bool { return r.hash == hash }) {
		return nil, absent("content of a dataset", hash)
	}
	chosen, all := doubtedRuns(used, hash)
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q %d\n", s.cfg.World.Version, hash, all)
	for _, r := range chosen {
		n, err := s.store.Counts(ctx, r.id)
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		fmt.Fprintln(sum, r.id, r.stamp, n.Records)
	}
	key := assay.Header{ID: hex.EncodeToString(sum.Sum(nil)[:16]), State: stateFinished}
	d, err := s.doubtful.of(ctx, key, 0, func() (*doubted, error) {
		release, err := take(ctx, s.comparing)
		if err != nil {
			return nil, err
		}
		defer release()
		return s.doubtsOf(ctx, chosen, all)
	})
	return d, s.fail(ctx, err)
}

// doubtsOf computes doubts. A run whose records cannot be read is left out.
func (s *Server) doubtsOf(ctx context.Context, chosen []usedRun, all int) (*doubted, error) {
	out := &doubted{all: all}
	var runs []report.DoubtRun
	systems, setups := map[fingerprint]int{}, map[fingerprint]int{}
	number := func(of map[fingerprint]int, f fingerprint) int {
		if _, ok := of[f]; !ok {
			of[f] = len(of)
		}
		return of[f]
	}
	for _, r := range chosen {
		h, err := s.store.Run(ctx, r.id)
		if err != nil {
			return nil, err
		}
		index, err := s.index(ctx, h)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || index == nil {
			s.log.WarnContext(ctx, "a run casts no doubt on its dataset", "run", h.ID, "error", err)
			continue
		}
		runs = append(runs, report.DoubtRun{Header: h, Cases: index.Table(), System: number(systems, r.system), Setup: number(setups, r.setup)})
		out.runs = append(out.runs, h)
	}
	out.Doubts = report.NewDoubts(runs)
	return out, nil
}

// A doubtsView are the doubts that runs cast on a content of a dataset, with a part of the
// cases of one kind.
type doubtsView struct {
	Hash     string      `json:"dataset_hash" doc:"fingerprint of the cases" example:"sha256:9f86d081"`
	Runs     []string    `json:"run_ids" nullable:"false" doc:"the runs that were read, latest first: at most 10" example:"[\"a\",\"b\",\"c\"]"`
	AllRuns  int         `json:"runs" doc:"number of finished runs over the content" example:"14"`
	Systems  int         `json:"systems" doc:"number of different systems among the runs that were read" example:"3"`
	Rule     string      `json:"outcome_rule" doc:"what makes a case right or wrong" example:"A case is right or wrong by its answer."`
	Cases    int         `json:"cases" doc:"number of cases that any of these runs has" example:"500"`
	Unsolved doubtCount  `json:"unsolved" doc:"cases wrong in every run"`
	Flaky    doubtCount  `json:"flaky" doc:"cases right one time and wrong another, in the same setup"`
	Unruled  doubtCount  `json:"unruled" doc:"cases on which the judge often failed to rule"`
	Kind     string      `json:"kind" enum:"unsolved,flaky,unruled" doc:"the cases that are listed"`
	Items    []doubtCase `json:"items" nullable:"false" doc:"the part of the list that was asked for, in the order of the dataset"`
	Total    int         `json:"total" doc:"length of the whole list" example:"7"`
	Limit    int         `json:"limit" doc:"how many items were asked for at most" example:"50"`
	Offset   int         `json:"offset" doc:"number of items left out first" example:"0"`
}

// A doubtCount is how many cases of those looked at are doubted.
type doubtCount struct {
	N  int `json:"n" doc:"number of these cases" example:"7"`
	Of int `json:"of" doc:"number of cases that could be among them" example:"480"`
}

// A doubtCase is a case that is doubted.
type doubtCase struct {
	Case    string `json:"case_id" doc:"id of the case; draws share it" example:"q17"`
	Run     string `json:"run_id" doc:"the latest of the runs that has the case" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	Runs    int    `json:"runs" doc:"number of runs in which it is right or wrong" example:"5"`
	Systems int    `json:"systems" doc:"number of systems in which it is right or wrong" example:"3"`
	Right   int    `json:"right" doc:"how often it was right; of a flaky case, in the setup with the most changes" example:"0"`
	Wrong   int    `json:"wrong" doc:"how often it was wrong; of a flaky case, in the setup with the most changes" example:"5"`
	Unruled int    `json:"unruled" doc:"how often the judge failed to rule" example:"0"`
	Asked   int    `json:"judged" doc:"how often the judge was asked" example:"5"`
}

type doubtsInput struct {
	Hash string `path:"hash" maxLength:"200" doc:"fingerprint of the cases, from GET /contents"`
	Paging
	Kind string `query:"kind" enum:"unsolved,flaky,unruled" default:"unsolved" doc:"the cases that are listed"`
}

// The kinds of doubts.
const (
	doubtUnsolved = "unsolved"
	doubtFlaky    = "flaky"
	doubtUnruled  = "unruled"
)

// kind returns the cases of a kind of doubt.
func (d *doubted) kind(name string) []report.DoubtedCase {
	switch name {
	case doubtFlaky:
		return d.Flaky
	case doubtUnruled:
		return d.Unruled
	}
	return d.Unsolved
}

func (s *Server) doubtRoutes() {
	registerOne(s,
		operation("catalogue", http.MethodGet, "/contents/{hash}/doubts", "get-doubts", "Get the cases of a dataset that runs cast doubt on",
			says("From the latest finished run of each system, then the latest others, at most 10. A case that all runs get wrong, three or "+
				"more of two systems or more, can have a wrong label, or be hard. A flaky case came out right one time and wrong another "+
				"with the same target, settings, documents, judge and metrics.")),
		func(ctx context.Context, in *doubtsInput) (v doubtsView, err error) {
			d, err := s.doubts(ctx, in.Hash)
			if err != nil {
				return v, err
			}
			return d.viewed(in), nil
		})
}

func (d *doubted) viewed(in *doubtsInput) doubtsView {
	all := d.kind(in.Kind)
	part := all[min(in.Offset, len(all)):min(in.Offset+in.Limit, len(all))]
	v := doubtsView{
		Hash: in.Hash, Runs: []string{}, AllRuns: d.all, Systems: d.Systems, Cases: d.Cases, Unsolved: doubtCount{len(d.Unsolved), d.Decided},
		Flaky: doubtCount{len(d.Flaky), d.Repeated}, Unruled: doubtCount{len(d.Unruled), d.Judged}, Kind: in.Kind, Rule: report.OutcomeRule(words.English, d.runs...),
		Items: make([]doubtCase, 0, len(part)), Total: len(all), Limit: in.Limit, Offset: in.Offset,
	}
	for _, h := range d.runs {
		v.Runs = append(v.Runs, h.ID)
	}
	for _, c := range part {
		v.Items = append(v.Items, doubtCase{c.Case, d.runs[c.Run].ID, c.Runs, c.Systems, c.Right, c.Wrong, c.Unruled, c.Asked})
	}
	return v
}
