package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// maxImported is the largest number of labels in a file.
const maxImported = 10_000

type labelFileInput struct {
	Run    string `query:"run_id" required:"true" maxLength:"128" doc:"id of a run"`
	Metric string `query:"metric" required:"true" maxLength:"256" doc:"a metric of the run"`
}

type labelForm struct {
	File      huma.FormFile `form:"file" required:"true" doc:"a table with the columns case and label, as assay judge calibrate reads it"`
	Run       string        `form:"run_id" required:"true" maxLength:"128" doc:"id of the run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	Metric    string        `form:"metric" required:"true" maxLength:"256" doc:"a metric of the run" example:"faithfulness"`
	How       string        `form:"how" required:"false" enum:"random,chosen" default:"chosen" doc:"random only if the cases were drawn at random"`
	Annotator string        `form:"annotator" required:"false" maxLength:"128" doc:"whose labels these are" example:"wong"`
}

// An importedLabels is how many labels were kept.
type importedLabels struct {
	Labels int `json:"labels" doc:"number of labels in the file" example:"120"`
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
	registerOne(s, "import-labels", func(ctx context.Context, in *struct {
		RawBody huma.MultipartFormFiles[labelForm]
	}) (out importedLabels, err error) {
		if err := onlyFields(in.RawBody.Form, "file", "run_id", "metric", "how", "annotator"); err != nil {
			return out, err
		}
		out.Labels, err = s.importLabels(ctx, in.RawBody.Data())
		return out, err
	})
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

// howOf returns how the case of a label in a file was chosen: as the file says, or else the form. Cases that were drawn
// for the comparison of two runs are no random sample of one.
func howOf(l judge.Label, form string) string {
	switch l.How {
	case "":
		return cmp.Or(form, labelChosen)
	case judge.Stratified:
		return labelChosen
	}
	return l.How
}

// importLabels keeps the labels of a file and returns their number. The error is a problem,
// or one of the store.
func (s *Server) importLabels(ctx context.Context, form *labelForm) (int, error) {
	defer form.File.Close()
	h, _, err := s.metricOfRun(ctx, form.Run, form.Metric, "body.metric")
	if err != nil {
		return 0, err
	}
	if _, err := s.labeller(ctx, form.Annotator); err != nil {
		return 0, err
	}
	labels, err := judge.ReadLabels(io.LimitReader(form.File, maxBody), "labels.csv", nil)
	if err != nil {
		return 0, unprocessable("body.file", err.Error())
	}
	var wrong []error
	problem := func(l judge.Label, format string, args ...any) {
		wrong = append(wrong, &huma.ErrorDetail{Location: "body.file", Message: l.Origin.String() + ": " + fmt.Sprintf(format, args...)})
	}
	if len(labels) > maxImported {
		return 0, unprocessable("body.file", fmt.Sprintf("%d labels: want at most %d in a file", len(labels), maxImported))
	}
	cases, err := s.casesOf(ctx, h)
	if err != nil {
		return 0, err
	}
	known := map[string]bool{}
	for row := range cases.Len() {
		known[cases.ID(row)] = true
	}
	for _, l := range labels {
		switch {
		case !known[l.Case]:
			problem(l, "column case: the run has no case %q", l.Case)
		case l.Run != "" && l.Run != h.ID && l.Run != h.Name:
			problem(l, "column run: %q is another run: want labels of answers of %s", l.Run, h.ID)
		case len(l.Labels) > 1:
			problem(l, "column label2: want the labels of one person; import those of others on their own")
		case l.Labels[0] != nil && !(*l.Labels[0] >= -1e6 && *l.Labels[0] <= 1e6):
			problem(l, "column label: want a number within ±1000000")
		}
		if len(wrong) == 20 {
			break
		}
	}
	if wrong != nil {
		return 0, huma.Error422UnprocessableEntity("no label was kept", wrong...)
	}
	n := 0
	for _, l := range labels {
		if l.Labels[0] == nil {
			continue
		}
		_, err := s.keepLabel(ctx, Label{Run: h.ID, Case: l.Case, Metric: form.Metric, Value: l.Labels[0], Annotator: form.Annotator,
			How: howOf(l, form.How)}, -1)
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
