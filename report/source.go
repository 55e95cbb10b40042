package report

import (
	"errors"
	"iter"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/retrieval"
	"github.com/assay-eval/assay/summary"
)

// A Source has the records of a run. It may read them again for every call.
type Source interface {
	// Records yields all records in the order of Seq. An error ends the sequence.
	Records() iter.Seq2[assay.Record, error]
	// At returns the records of rows, which count from 0 in their order; seqs are their Seqs.
	At(rows, seqs []int) ([]assay.Record, error)
}

// Loaded are records in memory, in the order of Seq.
type Loaded []assay.Record

// Records implements [Source].
func (l Loaded) Records() iter.Seq2[assay.Record, error] {
	return func(yield func(assay.Record, error) bool) {
		for _, r := range l {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// At implements [Source].
func (l Loaded) At(rows, _ []int) ([]assay.Record, error) {
	out := make([]assay.Record, len(rows))
	for k, row := range rows {
		out[k] = l[row]
	}
	return out, nil
}

// Records yields the records in the order of the dataset, with the scores of the report:
// those that depend on names of documents are not applicable where the names mean nothing.
// An error ends the sequence.
func (r *Report) Records() iter.Seq2[assay.Record, error] {
	return func(yield func(assay.Record, error) bool) {
		for rec, err := range r.Source.Records() {
			if !yield(r.reported(rec), err) || err != nil {
				return
			}
		}
	}
}

// Record returns the record of row i of the cases, as [Report.Records] would.
func (r *Report) Record(i int) (assay.Record, error) {
	out, err := r.at([]int{i})
	if err != nil {
		return assay.Record{}, err
	}
	return out[0], nil
}

// at returns the records of some rows of the cases, as [Report.Records] would.
func (r *Report) at(rows []int) ([]assay.Record, error) {
	seqs := make([]int, len(rows))
	for k, i := range rows {
		seqs[k] = r.Cases.Seq(i)
	}
	out, err := r.Source.At(rows, seqs)
	for k := range out {
		out[k] = r.reported(out[k])
	}
	return out, err
}

// whole is Record for documents, which are built without errors. The first error is
// returned by failed when the document is written; the record is then in its short form.
func (r *Report) whole(i int) assay.Record {
	rec, err := r.Record(i)
	if err == nil {
		return rec
	}
	if *r.fault == nil {
		*r.fault = err
	}
	return r.Cases.Record(i)
}

// failed joins the error of a writer with that of reading a record for it.
func (r *Report) failed(err error) error { return errors.Join(err, *r.fault) }

// Load reads all records into memory, so that the report needs its source no more.
func (r *Report) Load() error {
	var loaded Loaded
	for rec, err := range r.Source.Records() {
		if err != nil {
			return err
		}
		loaded = append(loaded, rec)
	}
	r.Source = loaded
	return nil
}

func (r *Report) reported(rec assay.Record) assay.Record {
	rec.Case.Critical = rec.Case.Critical || r.allCritical
	if r.unnamed != "" {
		rec = summary.Unname(r.Header.Metrics, rec, r.unnamed)
	}
	if r.unnamed == "" {
		rec = withFound(rec)
	}
	if r.unknown != nil {
		rec = summary.Unreported(r.Header.Metrics, rec, r.unknown)
	}
	return rec
}

// withFound counts the evidence in a record of an earlier version.
func withFound(rec assay.Record) assay.Record {
	if rec.Retrieved == nil {
		rec.Retrieved = retrieval.Found(&rec.Case, rec.Response, 0, 1)
	}
	return rec
}
