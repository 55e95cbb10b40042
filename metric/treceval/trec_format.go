package treceval

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/assay-eval/assay/stats"
)

// WriteTREC writes the result byte for byte as trec_eval prints it: the measures
// of every query if perQuery is set, then the summary of the run. Metrics of this
// module come last; they omit the queries to which they do not apply.
func (r *Result) WriteTREC(w io.Writer, perQuery bool) error {
	out := bufio.NewWriter(w)
	if perQuery {
		for q, query := range r.Queries {
			for i, m := range r.Measures {
				v, ok := r.Value(q, i)
				switch {
				case m.kind == text:
					row(out, m.Name, query.ID, "'"+r.Text(q, i)+"'")
				case ok && m.kind == total:
					row(out, m.Name, query.ID, strconv.Itoa(int(v)))
				case ok:
					row(out, m.Name, query.ID, fmt.Sprintf("%6.4f", v))
				}
			}
		}
	}
	for i, m := range r.Measures {
		s := r.Summary(i, stats.DefaultLevel)
		switch {
		case m.kind == tag:
			row(out, m.Name, "all", r.Tag)
		case !s.OK:
		case m.Name == "num_rel" && r.relevant != nil:
			// With -c trec_eval ignores the level here.
			row(out, m.Name, "all", strconv.Itoa(*r.relevant))
		case m.kind == total || m.kind == queries:
			row(out, m.Name, "all", strconv.Itoa(int(s.Value)))
		default:
			row(out, m.Name, "all", fmt.Sprintf("%6.4f", s.Value))
		}
	}
	return out.Flush()
}

func row(w io.Writer, name, query, value string) {
	fmt.Fprintf(w, "%-22s\t%s\t%s\n", name, query, value)
}
