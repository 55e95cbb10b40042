package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/progress"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary"
)

// Compared are the parameters of all that is asked of a comparison.
type Compared struct {
	Runs     string  `query:"runs" required:"true" maxLength:"2000" doc:"two to ten run ids, separated by commas"`
	Baseline string  `query:"baseline" maxLength:"128" doc:"the run that the others are compared with; default: the first"`
	Primary  string  `query:"primary" maxLength:"200" doc:"metric that is tested alone; default: all metrics are tested together"`
	Level    float64 `query:"level" minimum:"0.5" maximum:"0.9999" doc:"confidence level of intervals; default: that of the first run"`
	Seed     uint64  `query:"seed" doc:"seed of the randomised tests"`
}

type compareInput struct {
	Compared
	Seen
	Cases bool `query:"cases" default:"true" doc:"whether the cases are in it"`
}

func (s *Server) compare() {
	replies := jsonFiles("comparison")
	replies["304"] = &huma.Response{Description: "the client has the comparison"}
	register(s, "compare-runs", func(ctx context.Context, in *compareInput) (*written, error) {
		hs, err := s.comparedRuns(ctx, in.Compared)
		if err != nil {
			return nil, err
		}
		if !in.Cases {
			return s.comparisonSummary(ctx, hs, in.Compared)
		}
		key, err := s.comparisonKey(ctx, hs, in.Compared)
		if err != nil {
			return nil, err
		}
		return s.render(ctx, &written{Type: "application/json"}, key, in.Seen, func(w io.Writer) error {
			c, err := s.compareRuns(ctx, hs, in.Compared, key)
			if err != nil {
				return err
			}
			return report.CompareJSON(w, c, report.Options{})
		})
	}, gives(replies))
}

// comparisonSummary writes a comparison without its cases.
func (s *Server) comparisonSummary(ctx context.Context, hs []assay.Header, in Compared) (*written, error) {
	c, err := s.compared(ctx, hs, in)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = report.CompareSummaryJSON(&text, c.Comparison)
	return &written{Type: "application/json", Body: func(ctx huma.Context) {
		ctx.SetStatus(http.StatusOK)
		_, _ = ctx.BodyWriter().Write(text.Bytes()) // the client is gone
	}}, err
}

// comparedRuns returns the runs of a comparison, the baseline first. The error is a problem.
func (s *Server) comparedRuns(ctx context.Context, in Compared) ([]assay.Header, error) {
	ids := strings.Split(in.Runs, ",")
	if i := slices.Index(ids, in.Baseline); in.Baseline != "" && i < 0 {
		return nil, wrong("query.baseline", "expected one of the compared runs", in.Baseline)
	} else if i > 0 {
		ids = append([]string{in.Baseline}, slices.Delete(ids, i, i+1)...)
	}
	if len(ids) < 2 || len(ids) > web.MaxCompared {
		return nil, wrong("query.runs", fmt.Sprintf("expected 2 to %d run ids, separated by commas", web.MaxCompared), in.Runs)
	}
	var hs []assay.Header
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			return nil, wrong("query.runs", "run listed twice", id)
		}
		h, err := s.header(ctx, id)
		if err != nil {
			return nil, err
		}
		hs = append(hs, h)
	}
	return hs, nil
}

// compareRuns compares runs, which are all in memory meanwhile: one comparison is made at
// a time. key is that of [Server.comparisonKey]. The error is a problem if the runs cannot be compared.
func (s *Server) compareRuns(ctx context.Context, hs []assay.Header, in Compared, key string) (*report.Comparison, error) {
	release, err := take(ctx, s.comparing)
	if err != nil {
		return nil, err
	}
	defer release()
	asked := 0
	for _, h := range hs {
		asked += h.Asked()
	}
	progress.Of(ctx).Start(asked)
	var reports []*report.Report
	for _, h := range hs {
		rep, err := wire.Kept(ctx, s.store, h)
		if err != nil {
			return nil, err
		}
		reports = append(reports, rep)
	}
	level := in.Level
	if level == 0 {
		level = reports[0].Level()
	}
	labels, err := s.comparedLabels(ctx, hs)
	if err != nil {
		return nil, err
	}
	plan := summary.Plan{Level: level, Seed: in.Seed, Primary: in.Primary, Labels: labels}
	c, err := report.CompareKept(reports, plan, func(compute func() report.Computed) report.Computed {
		return s.computed(ctx, hs, in, key, compute)
	})
	if err != nil {
		return nil, conflict(err.Error())
	}
	return c, nil
}

// kindComparison is the kind of what was computed of a comparison: its parent is the latest run, its
// name the key of [Server.comparisonKey], its body a gob. One is stored for the same runs and plan.
const kindComparison = store.OfRun + "comparison"

// computed returns what compute returned before for the same key, by this server or an earlier one,
// else what it returns now.
func (s *Server) computed(ctx context.Context, hs []assay.Header, in Compared, key string, compute func() report.Computed) report.Computed {
	if key == "" {
		return compute()
	}
	latest := slices.MaxFunc(hs, func(a, b assay.Header) int { return a.Started.Compare(b.Started) })
	id := hashed(fmt.Sprintf("%+v", in))[:32]
	var stored report.Computed
	var packed []byte
	if it, err := s.store.Item(ctx, kindComparison, id); err == nil && it.Name == key && json.Unmarshal(it.Body, &packed) == nil &&
		readComputed(packed, &stored) {
		return stored
	}
	// What a gob changes is computed each time, and so is all of a database that cannot be written to.
	out, read := compute(), report.Computed{}
	var buf bytes.Buffer
	if gob.NewEncoder(&buf).Encode(out) == nil && readComputed(buf.Bytes(), &read) && reflect.DeepEqual(read, out) {
		body, _ := json.Marshal(buf.Bytes())
		_ = s.store.PutItem(ctx, store.Item{
			Kind: kindComparison, ID: id, Name: key, Parent: latest.ID, Created: s.now(), Updated: s.now(), Body: body,
		})
	}
	return out
}

// readComputed reads a gob, which does not distinguish a pointer to 0 from nil.
func readComputed(packed []byte, into *report.Computed) bool {
	if gob.NewDecoder(bytes.NewReader(packed)).Decode(into) != nil {
		return false
	}
	rows := slices.Clone(into.Rows)
	for _, s := range into.Slices {
		rows = append(rows, s.Rows...)
	}
	for _, r := range rows {
		for i := range r.Differences {
			if d := &r.Differences[i]; d.SD > 0 && d.DZ == nil {
				d.DZ = new(float64)
			}
		}
	}
	return true
}

// comparisonKey returns a name for all that a comparison of finished runs rests on: the
// runs, their records and labels, the plan and the program. It is "" if it may differ when it is made
// again.
func (s *Server) comparisonKey(ctx context.Context, hs []assay.Header, in Compared) (string, error) {
	sum := sha256.New()
	in.Runs, in.Baseline = "", ""
	fmt.Fprintf(sum, "comparison %q %+v\n", s.cfg.World.Version, in)
	for _, h := range hs {
		if h.State != stateFinished {
			return "", nil
		}
		n, err := s.store.Counts(ctx, h.ID)
		if err != nil {
			return "", err
		}
		head, err := json.Marshal(h)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%d %d:%s\n", n.Records, len(head), head)
	}
	if err := s.labelsIn(ctx, hs, sum); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}
