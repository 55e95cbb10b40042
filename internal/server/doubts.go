package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/report"
)

// doubtRuns is the number of runs from which a content of a dataset is doubted at most.
const doubtRuns = 10

// doubtSpace is the size limit of the doubts that were asked for last, in bytes. Those of
// 100,000 cases that are all doubted take about 30 MB.
const doubtSpace = 64 << 20

func doubtSize(d *web.DatasetDoubts) int {
	const perCase = 100
	return perCase * (len(d.Unsolved) + len(d.Flaky) + len(d.Unruled))
}

// doubtedRuns returns the runs from which a content is doubted, latest first: the latest
// finished run of each system, then the latest others.
func doubtedRuns(runs []head, hash string) (chosen []head, all int) {
	var rest []head
	seen := map[fingerprint]bool{}
	for _, r := range runs {
		if r.State != stateFinished || r.Dataset.Hash != hash {
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
	slices.SortStableFunc(chosen, func(a, b head) int { return b.Started.Compare(a.Started) })
	return chosen, all
}

// Doubts implements [web.DatasetBackend]. Doubts are kept as long as the runs are the same.
func (b pageBackend) Doubts(ctx context.Context, hash string) (*web.DatasetDoubts, error) {
	s := b.s
	used, err := s.usedRuns(ctx)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(used, func(r head) bool { return r.Dataset.Hash == hash }) {
		return nil, absent("content of a dataset", hash)
	}
	chosen, all := doubtedRuns(used, hash)
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q %d\n", s.cfg.World.Version, hash, all)
	for _, r := range chosen {
		n, err := s.store.Counts(ctx, r.ID)
		if err != nil {
			return nil, err
		}
		fmt.Fprintln(sum, r.ID, r.sum, n.Records)
	}
	key := hex.EncodeToString(sum.Sum(nil)[:16])
	return s.doubtful.fixed(ctx, key, func() (*web.DatasetDoubts, error) { return s.doubtsOf(ctx, chosen, all) })
}

// doubtsOf computes doubts. A run whose records cannot be read is left out.
func (s *Server) doubtsOf(ctx context.Context, chosen []head, all int) (*web.DatasetDoubts, error) {
	out := &web.DatasetDoubts{All: all}
	var runs []report.DoubtRun
	systems, setups := map[fingerprint]int{}, map[fingerprint]int{}
	number := func(of map[fingerprint]int, f fingerprint) int {
		if _, ok := of[f]; !ok {
			of[f] = len(of)
		}
		return of[f]
	}
	for _, r := range chosen {
		h, err := s.store.Run(ctx, r.ID)
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
		ruled := fmt.Appendf(r.setup[:], "%q %q %q", h.Config["outcome"], h.Config["gate.rules"], h.Config["gate.critical"])
		runs = append(runs, report.DoubtRun{Header: h, Cases: index.Table(), System: number(systems, r.system), Setup: number(setups, sha256.Sum256(ruled))})
		out.Headers = append(out.Headers, h)
	}
	out.Doubts = report.NewDoubts(runs)
	return out, nil
}
