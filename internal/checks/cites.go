package checks

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

const shareCiting = "the share of the sentences that must cite a passage, from 0 to 1"

func validCites(c assay.Check) error {
	if t := c.Threshold; t != nil && *t > 1 {
		return &Problem{"threshold", fmt.Sprint(*t), shareCiting}
	}
	return nil
}

// citable accepts what an answer can cite: passages by number, or documents by name.
func citable(v any) error {
	if v == nil {
		return nil
	}
	for _, one := range listed(v) {
		n, isNumber := numberOf(one)
		if s, isText := one.(string); isText && s != "" || isNumber && n >= 1 && n == math.Trunc(n) {
			continue
		}
		return mustBe(v, false, "the number of a passage from 1, the name of a document, a list of these, or no field")
	}
	return mustBe(v, len(listed(v)) > 0, "passages or documents, or no field")
}

// listed returns the items of a list, or the value alone.
func listed(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case []string:
		out := make([]any, len(v))
		for i := range v {
			out[i] = v[i]
		}
		return out
	}
	return []any{v}
}

// numberOf returns a number, however its JSON or YAML was read.
func numberOf(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case json.Number:
		x, err := v.Float64()
		return x, err == nil
	}
	return 0, false
}

// cites requires that what is cited exists, and that everything wanted is cited.
func cites(_ context.Context, c assay.Check, s Subject, _ float64) verdict {
	passages := s.Response.Passages
	if passages == nil {
		return verdict{skipped: assay.NoPassages}
	}
	var cited, invalid []int
	sentences, citing := 0, 0
	for _, one := range text.Citations(s.Response.Answer, len(passages)) {
		sentences++
		if len(one.Cites) > 0 {
			citing++
		}
		cited, invalid = append(cited, one.Cites...), append(invalid, one.Invalid...)
	}
	if len(invalid) > 0 {
		return verdict{why: fmt.Sprintf("cites %d, and there are %d passages", invalid[0], len(passages))}
	}
	if mark := text.OtherMark(s.Response.Answer); len(cited) == 0 && mark != "" {
		return verdict{skipped: "the answer cites in a form that is not read as the number of a passage (" + mark + ")"}
	}
	if len(cited) == 0 {
		return verdict{why: "cites no passage"}
	}
	if c.Value != nil {
		for _, one := range listed(c.Value) {
			if !slices.ContainsFunc(cited, func(at int) bool { return means(one, at, passages[at]) }) {
				return verdict{why: "does not cite " + what(one)}
			}
		}
	}
	if t := c.Threshold; t != nil && float64(citing) < *t*float64(sentences)-1e-9 {
		return verdict{why: fmt.Sprintf("%d of %d sentences cite a passage, less than %v", citing, sentences, *t)}
	}
	return verdict{passed: true, why: "cites what exists"}
}

// means reports whether a passage is what a check names: its number, or its document.
func means(named any, at int, p assay.Passage) bool {
	if n, ok := numberOf(named); ok {
		return int(n) == at+1
	}
	return named == p.Document || named == p.Source || named == p.ID
}
