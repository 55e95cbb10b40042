package server

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// maxCompared bounds the runs of one comparison.
const maxCompared = 10

type compareInput struct {
	Runs     string  `query:"runs" required:"true" maxLength:"2000" doc:"two to ten run ids, separated by commas"`
	Baseline string  `query:"baseline" maxLength:"128" doc:"the run that the others are compared with; default: the first"`
	Primary  string  `query:"primary" maxLength:"200" doc:"metric that is tested alone; default: all metrics are tested together"`
	Level    float64 `query:"level" minimum:"0.5" maximum:"0.9999" doc:"confidence level of intervals; default: that of the first run"`
	Seed     uint64  `query:"seed" doc:"seed of the randomised tests"`
}

func (s *Server) compare(api huma.API) {
	op := operation("comparisons", http.MethodGet, "/compare", "compare-runs", "Compare runs case by case",
		says("Format assay.comparison/1 (docs/format.md): for every metric that all runs share, paired differences with intervals and tests."))
	op.Responses = files("application/json")
	huma.Register(api, op, func(ctx context.Context, in *compareInput) (*file, error) {
		ids := strings.Split(in.Runs, ",")
		if i := slices.Index(ids, in.Baseline); in.Baseline != "" && i < 0 {
			return nil, wrong("query.baseline", "want one of the compared runs", in.Baseline)
		} else if i > 0 {
			ids = append([]string{in.Baseline}, slices.Delete(ids, i, i+1)...)
		}
		if len(ids) < 2 || len(ids) > maxCompared {
			return nil, wrong("query.runs", fmt.Sprintf("want 2 to %d run ids, separated by commas", maxCompared), in.Runs)
		}
		done, err := s.renders.take(ctx)
		if err != nil {
			return nil, err
		}
		defer done()
		// All reports are in memory during the comparison.
		release, err := take(ctx, s.comparing)
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		defer release()
		var reports []*report.Report
		for i, id := range ids {
			if slices.Contains(ids[:i], id) {
				return nil, wrong("query.runs", "run listed twice", id)
			}
			h, err := s.header(ctx, id)
			if err != nil {
				return nil, err
			}
			rep, err := s.report(ctx, h)
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			reports = append(reports, rep)
		}
		level := in.Level
		if level == 0 {
			level = reports[0].Level()
		}
		c, err := report.CompareAs(reports, summary.Plan{Level: level, Seed: in.Seed, Primary: in.Primary})
		if err != nil {
			return nil, conflict(err.Error())
		}
		var b bytes.Buffer
		if err := report.CompareJSON(&b, c, report.Options{}); err != nil {
			return nil, s.fail(ctx, err)
		}
		return &file{Type: "application/json", Body: b.Bytes()}, nil
	})
}
