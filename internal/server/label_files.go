package server

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"strconv"

	"github.com/assay-eval/assay"
)

type labelFileInput struct {
	Run    string `query:"run_id" required:"true" maxLength:"128" doc:"id of a run"`
	Metric string `query:"metric" required:"true" maxLength:"256" doc:"a metric of the run"`
}

func (s *Server) labelFiles() {
	register(s, "export-labels", func(ctx context.Context, in *labelFileInput) (*file, error) {
		h, m, err := s.metricOfRun(ctx, in.Run, in.Metric, "query.metric")
		if err != nil {
			return nil, err
		}
		body, err := s.labelTable(ctx, h, m)
		return &file{Type: "text/csv; charset=utf-8", Disposition: `attachment; filename="labels.csv"`, Body: body}, err
	}, gives(files("text/csv")))
}

// labelTable writes the labels that count.
func (s *Server) labelTable(ctx context.Context, h assay.Header, m assay.MetricInfo) ([]byte, error) {
	all, err := s.calibrationLabels(ctx, h, m)
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	w := csv.NewWriter(&body)
	head := []string{"case", "run", "label"}
	for i := 1; i < len(all.people); i++ {
		head = append(head, fmt.Sprint("label", i+1))
	}
	// Errors of a writer to memory do not happen.
	_ = w.Write(head)
	for _, r := range all.items {
		if r.Labels == nil {
			continue
		}
		row := []string{r.Case, h.ID}
		for _, l := range r.Labels {
			text := ""
			if l != nil {
				text = strconv.FormatFloat(*l, 'g', -1, 64)
			}
			row = append(row, text)
		}
		_ = w.Write(row)
	}
	w.Flush()
	return body.Bytes(), w.Error()
}
