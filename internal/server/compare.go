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
)

// maxCompared is how many runs are compared at once.
const maxCompared = 10

type compareInput struct {
	Runs     string  `query:"runs" required:"true" maxLength:"2000" doc:"ids of two to ten runs, with commas between them"`
	Baseline string  `query:"baseline" maxLength:"128" doc:"which of them the others are compared with; the first when it is left out"`
	Level    float64 `query:"level" minimum:"0.5" maximum:"0.9999" doc:"confidence level of intervals; that of the first run when it is left out"`
	Seed     uint64  `query:"seed" doc:"fixes what the tests draw at random"`
}

func (s *Server) compare(api huma.API) {
	op := operation("comparisons", http.MethodGet, "/compare", "compare-runs", "Runs set against each other, case by case",
		says("In the format assay.comparison/1 (docs/format.md): every metric that all runs have, with paired differences, their intervals and tests."))
	op.Responses = files("application/json")
	huma.Register(api, op, func(ctx context.Context, in *compareInput) (*file, error) {
		ids := strings.Split(in.Runs, ",")
		if i := slices.Index(ids, in.Baseline); in.Baseline != "" && i < 0 {
			return nil, wrong("query.baseline", "want one of the runs that are compared", in.Baseline)
		} else if i > 0 {
			ids = append([]string{in.Baseline}, slices.Delete(ids, i, i+1)...)
		}
		if len(ids) < 2 || len(ids) > maxCompared {
			return nil, wrong("query.runs", fmt.Sprintf("want the ids of 2 to %d runs, with commas between them", maxCompared), in.Runs)
		}
		// All of them are in memory until they are compared.
		release, err := take(ctx, s.comparing)
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		defer release()
		var reports []*report.Report
		for i, id := range ids {
			if slices.Contains(ids[:i], id) {
				return nil, wrong("query.runs", "a run stands there twice", id)
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
		c, err := report.CompareAt(reports, level, in.Seed)
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
